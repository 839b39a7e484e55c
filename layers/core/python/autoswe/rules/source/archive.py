"""The source archive: the files of one commit as a ``.tar.gz`` that is the same bytes for the same files.

The step that gathers a round writes it, the containers of the fixer read it (architecture §5). Both ends judge every
file by the same rules, so nothing is packed that would not be unpacked. The archive holds regular files and symbolic
links only; paths are relative to the repository's root, without a top folder.
"""

import gzip
import hashlib
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import BinaryIO
from unicodedata import category

MAX_SOURCE_BYTES = 512 * 1024 * 1024
"""How much content all files of one archive may have together."""

MAX_SOURCE_FILES = 100_000
"""How many files and links one archive may hold."""

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255
MAX_PATH_DEPTH = 100

_STREAM_BOUND = 2 * MAX_SOURCE_BYTES
_BLOCK = 512
_MAX_PAX_BYTES = 2 * MAX_PATH_BYTES + _BLOCK
_MAX_PAX_DIGITS = len(str(_MAX_PAX_BYTES))
_KNOWN_RECORDS = frozenset({b"path", b"linkpath"})


class SourceMode(StrEnum):
    """What kind of file a path is, in git's octal words."""

    REGULAR = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"


_PERMISSIONS = {SourceMode.REGULAR: 0o644, SourceMode.EXECUTABLE: 0o755}


class SourceRefused(ValueError):
    """The whole archive is refused; the message is one sentence that says what was wrong and where."""


class PathFault(StrEnum):
    """Why a path cannot name a file of a repository."""

    ABSOLUTE = "it is absolute"
    NOT_PLAIN = "it has an empty, '.' or '..' part"
    GIT_FOLDER = "a part of it means .git to some file system"
    NOT_UTF8 = "it is not UTF-8"
    NUL = "it holds a NUL character"
    TOO_LONG = "it is too long"
    TOO_DEEP = "it lies too many folders deep"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file. ``content`` is the file's bytes or, of a link, its target's."""

    path: str
    mode: SourceMode
    content: bytes

    @property
    def blob_id(self) -> str:
        """Git's name for the content."""
        return git_blob_id(self.content)


def git_blob_id(content: bytes) -> str:
    """Compute git's object id of a blob (SHA-1 repositories): 40 lower-case hexadecimal digits."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def find_path_fault(path: str) -> PathFault | None:
    """Say why ``path`` is refused, or nothing when it plainly names a file below the repository's root."""
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return PathFault.NOT_UTF8
    parts = path.split("/")
    if path.startswith("/"):
        return PathFault.ABSOLUTE
    if any(part in {"", ".", ".."} for part in parts):
        return PathFault.NOT_PLAIN
    if "\0" in path:
        return PathFault.NUL
    if any(_means_git_folder(part) for part in parts):
        return PathFault.GIT_FOLDER
    if len(encoded) > MAX_PATH_BYTES or any(len(name) > MAX_NAME_BYTES for name in encoded.split(b"/")):
        return PathFault.TOO_LONG
    if len(parts) > MAX_PATH_DEPTH:
        return PathFault.TOO_DEEP
    return None


def stays_inside(path: str, target: bytes) -> bool:
    """Say whether a link at ``path`` with this target may be packed: it provably does not lead out.

    ``..`` may stand only at the front, and no more often than there are folders above the link. Those folders are real
    ones (nothing lies below a link), so climbing is exact; after it a target only descends, and every link on that way
    obeys the same rule. By induction no chain of links leaves the root.
    """
    try:
        text = target.decode()
    except UnicodeDecodeError:
        return False
    if not text or text.startswith("/") or "\0" in text or len(target) >= MAX_PATH_BYTES:
        return False
    parts = [part for part in text.split("/") if part not in {"", "."}]
    climbs = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    return climbs <= path.count("/") and ".." not in parts[climbs:]


def pack_source(files: Iterable[SourceFile], target: BinaryIO) -> None:
    """Write ``files``, in any order, to ``target`` as a source archive; ``SourceRefused`` names the file that is none.

    Equal files give equal bytes: sorted by path, no times, no owners.
    """
    admission = _Admission()
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=target, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for file in sorted(files, key=lambda each: each.path.encode(errors="surrogateescape")):
            admission.admit_path(file.path, len(file.content))
            member = tarfile.TarInfo(file.path)
            if file.mode is SourceMode.LINK:
                member.type, member.mode = tarfile.SYMTYPE, 0o777
                member.linkname = _admit_link(file.path, file.content)
                tar.addfile(member)
            else:
                member.mode, member.size = _PERMISSIONS[file.mode], len(file.content)
                tar.addfile(member, BytesIO(file.content))


def read_source(archive: BinaryIO) -> Iterator[SourceFile]:
    """Yield the files of a source archive; ``SourceRefused`` as soon as something in it is not as it should be.

    What was yielded before a refusal must be thrown away: the refusal is about the whole archive. Every byte is read
    once and forwards, and no more is held than one file.
    """
    admission = _Admission()
    with _TarStream(archive) as stream:
        while (header := stream.next_header()) is not None:
            yield _read_file(stream, header, admission)


class _Admission:
    """Judges the files of one archive together: bounds, duplicates, and files that would lie below other files."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._bytes = 0

    def admit_path(self, path: str, size: int) -> None:
        fault = find_path_fault(path)
        if fault is not None:
            raise SourceRefused(f"the source archive holds the path {path[:200]!r}, which is refused: {fault}")
        folders = [path[:at] for at, letter in enumerate(path) if letter == "/"]
        if path in self._files or path in self._folders or not self._files.isdisjoint(folders):
            raise SourceRefused(f"the source archive holds {path[:200]!r} twice, or as a file and as a folder")
        self._files.add(path)
        self._folders.update(folders)
        self._bytes += size
        if len(self._files) > MAX_SOURCE_FILES:
            raise SourceRefused(f"the source archive holds more than {MAX_SOURCE_FILES} files")
        if self._bytes > MAX_SOURCE_BYTES:
            raise SourceRefused(f"the source archive holds more than {MAX_SOURCE_BYTES} bytes of content")


@dataclass(frozen=True, slots=True)
class _Header:
    """What an archive says of one file before its content.

    ``records`` are those of the pax header before it, if any: they tell what the plain header has no room for.
    """

    plain: tarfile.TarInfo
    records: Mapping[bytes, bytes]

    @property
    def path(self) -> str:
        return self._text(b"path", self.plain.name)

    @property
    def target(self) -> str:
        return self._text(b"linkpath", self.plain.linkname)

    def _text(self, record: bytes, plain: str) -> str:
        value = self.records.get(record)
        return plain if value is None else value.decode(errors="surrogateescape")


class _TarStream:
    """The tar stream that ``pack_source`` writes, read strictly and forwards (POSIX, "pax", "pax Interchange Format").

    The standard library's reader is lenient: it knows every dialect, follows chains of headers by recursion and seeks
    where a header tells it to. Here a pax header has at most ``_MAX_PAX_BYTES`` and stands right before a file's own
    header, nothing is skipped, and the end fills up no more than tar's last record.
    """

    def __init__(self, archive: BinaryIO) -> None:
        self._stream = gzip.GzipFile(fileobj=archive, mode="rb")

    def __enter__(self) -> "_TarStream":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def next_header(self) -> _Header | None:
        """Read up to a file's content; nothing when the archive ends as it should."""
        plain = self._plain_header()
        if plain is None:
            self._require_end()
            return None
        if plain.type != tarfile.XHDTYPE:
            return _Header(plain, {})
        if plain.size > _MAX_PAX_BYTES:
            raise _damage(f"a file's header holds more than {_MAX_PAX_BYTES} bytes")
        records = dict(_read_records(self.content(plain.size)))
        described = self._plain_header()
        if described is None or described.type == tarfile.XHDTYPE:
            raise _damage("a header stands before no file")
        return _Header(described, records)

    def content(self, size: int) -> bytes:
        """Read content of ``size`` bytes, and what fills it up to whole blocks."""
        return self._read(size + -size % _BLOCK)[:size]

    def _plain_header(self) -> tarfile.TarInfo | None:
        """Read one block as a header; nothing when it is the mark of the end."""
        block = self._read(_BLOCK)
        if not any(block):
            return None
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError:
            raise _damage("it ends within a file's header") from None
        if header.size < 0:
            raise _damage("a file's size is negative")
        return header

    def _require_end(self) -> None:
        rest = self._read_some(tarfile.RECORDSIZE + 1)
        if len(rest) > tarfile.RECORDSIZE or any(rest):
            raise _damage("something follows its end")

    def _read(self, size: int) -> bytes:
        content = self._read_some(size)
        if len(content) < size:
            raise _damage("it ends too early")
        return content

    def _read_some(self, size: int) -> bytes:
        if self._stream.tell() + size > _STREAM_BOUND:
            raise SourceRefused(f"the source archive unpacks to more than {_STREAM_BOUND} bytes")
        try:
            return self._stream.read(size)
        except (zlib.error, gzip.BadGzipFile, EOFError) as error:
            raise _damage(str(error)) from error


def _damage(what: str) -> SourceRefused:
    return SourceRefused(f"the source archive is damaged: {what}")


def _read_records(header: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Read a pax header's records: each is its own length, a space, ``name=value`` and a line feed."""
    start = 0
    while start < len(header):
        length, space, _ = header[start : start + _MAX_PAX_DIGITS + 1].partition(b" ")
        end = start + int(length) if space and length.isdigit() else 0
        name, equals, value = header[start + len(length) + 1 : end - 1].partition(b"=")
        if not equals or header[end - 1 : end] != b"\n":
            raise _damage("a file's header holds what is no record")
        yield name, value
        start = end


def _read_file(stream: _TarStream, header: _Header, admission: _Admission) -> SourceFile:
    path, plain = header.path, header.plain
    if header.records.keys() <= _KNOWN_RECORDS:
        if plain.issym() and plain.size == 0:
            target = header.target.encode(errors="surrogateescape")
            admission.admit_path(path, len(target))
            _admit_link(path, target)
            return SourceFile(path, SourceMode.LINK, target)
        if plain.type in {tarfile.REGTYPE, tarfile.AREGTYPE}:
            for mode, permissions in _PERMISSIONS.items():
                if plain.mode == permissions:
                    admission.admit_path(path, plain.size)
                    return SourceFile(path, mode, stream.content(plain.size))
            raise SourceRefused(f"the source archive holds {path[:200]!r} with the mode {plain.mode:o}")
    raise SourceRefused(f"the source archive holds {path[:200]!r}, which is neither a plain file nor a link")


def _admit_link(path: str, target: bytes) -> str:
    """Return a link's target as text."""
    if not stays_inside(path, target):
        raise SourceRefused(f"the source archive holds the link {path[:200]!r}, which may lead out of the repository")
    return target.decode()


def _means_git_folder(part: str) -> bool:
    """Whether a file system that folds case, drops trailing dots or ignores format characters reads ``part`` as .git.

    The variants are those that git's own check of a tree refuses (git documentation, "git-fsck", hasDotgit).
    """
    if not part.isascii():
        part = "".join(letter for letter in part if category(letter) != "Cf")
    folded = part.casefold().rstrip(". ")
    return folded in {".git", "git~1"}
