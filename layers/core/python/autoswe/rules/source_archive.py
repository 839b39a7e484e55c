"""The source archive: the files of one commit as a ``.tar.gz`` that is the same bytes for the same files.

The step that gathers a round writes it, the containers of the fixer read it (architecture §5). Both ends judge every
file by the same rules, so nothing is packed that would not be unpacked. The archive holds regular files and symbolic
links only; paths are relative to the repository's root, without a top folder.
"""

import gzip
import hashlib
import tarfile
import zlib
from collections.abc import Iterable, Iterator
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

    What was yielded before a refusal must be thrown away: the refusal is about the whole archive.
    """
    admission = _Admission()
    try:
        with _BoundedGzip(archive) as stream, tarfile.open(fileobj=stream, mode="r:") as tar:
            for member in tar:
                yield _read_member(tar, member, admission)
            stream.require_end()
    except (tarfile.TarError, zlib.error, gzip.BadGzipFile, EOFError) as error:
        raise SourceRefused(f"the source archive is damaged: {error}") from error


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


class _BoundedGzip(gzip.GzipFile):
    """A decompressed stream that ends in a refusal at its bound, and knows whether it ended as a tar stream does."""

    def __init__(self, archive: BinaryIO) -> None:
        super().__init__(fileobj=archive, mode="rb")
        self._last_read = b""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0 or self.tell() + size > _STREAM_BOUND:
            raise SourceRefused(f"the source archive unpacks to more than {_STREAM_BOUND} bytes")
        self._last_read = super().read(size)
        return self._last_read

    def seek(self, offset: int, whence: int = 0) -> int:
        if offset > _STREAM_BOUND:
            raise SourceRefused(f"the source archive unpacks to more than {_STREAM_BOUND} bytes")
        return super().seek(offset, whence)

    def require_end(self) -> None:
        # tarfile takes a header that it cannot read for the end of the archive; only zero blocks are one.
        if self._last_read != bytes(_BLOCK):
            raise SourceRefused("the source archive is damaged: it ends within a file's header")
        while rest := self.read(_BLOCK * 128):
            if any(rest):
                raise SourceRefused("the source archive is damaged: something follows its end")


def _read_member(tar: tarfile.TarFile, member: tarfile.TarInfo, admission: _Admission) -> SourceFile:
    path = member.name
    if member.issym():
        target = member.linkname.encode(errors="surrogateescape")
        admission.admit_path(path, len(target))
        _admit_link(path, target)
        return SourceFile(path, SourceMode.LINK, target)
    if member.type not in {tarfile.REGTYPE, tarfile.AREGTYPE} or member.issparse():
        raise SourceRefused(f"the source archive holds {path[:200]!r}, which is neither a plain file nor a link")
    for mode, permissions in _PERMISSIONS.items():
        if member.mode == permissions:
            admission.admit_path(path, member.size)
            reader = tar.extractfile(member)
            return SourceFile(path, mode, reader.read() if reader is not None else b"")
    raise SourceRefused(f"the source archive holds {path[:200]!r} with the mode {member.mode:o}")


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
