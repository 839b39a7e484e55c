"""A folder of files in which no access ever leads through a link.

Every path is walked one real folder at a time, so neither a link that was unpacked nor one that was planted later
can move a read or a write to another place (openat(2), ``O_NOFOLLOW``).
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from autoswe.rules.source.archive import SourceMode, find_path_fault, read_source
from autoswe.tasks.container.failure import TaskFailed

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NotAFile(TaskFailed):
    """A path does not name a regular file that lies in real folders of the workspace."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A regular file as it was read once."""

    content: bytes
    executable: bool


@dataclass(frozen=True, slots=True)
class Workspace:
    """The files below ``root``; paths are relative to it, ``/`` between their parts."""

    root: Path

    @classmethod
    def unpack(cls, archive: BinaryIO, root: Path) -> "Workspace":
        """Create ``root``, which must not exist, and everything that the source archive holds.

        ``SourceRefused`` comes from the archive's own rules; ``OSError`` from a file system that is full or in the way.
        """
        root.mkdir(mode=0o755)
        workspace = cls(root)
        for file in read_source(archive):
            if file.mode is SourceMode.LINK:
                with workspace._folder_of(file.path, create=True) as (folder, name):
                    os.symlink(file.content, name, dir_fd=folder)
            else:
                workspace._create(file.path, file.content, executable=file.mode is SourceMode.EXECUTABLE)
        return workspace

    def read(self, path: str, max_bytes: int) -> StoredFile:
        """Read a file of at most ``max_bytes``; ``NotAFile`` says what is there instead."""
        with self._folder_of(path, create=False) as (folder, name), _naming(path):
            return read_regular_file(folder, name, path, max_bytes)

    def replace(self, path: str, content: bytes, *, executable: bool) -> None:
        """Make ``path`` a new regular file with ``content``; what was there is unlinked, never opened."""
        with self._folder_of(path, create=True) as (folder, name), _naming(path), suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        self._create(path, content, executable=executable)

    def remove(self, path: str) -> None:
        """Unlink ``path`` and the folders above it that are empty now, as git knows no empty folder."""
        with self._folder_of(path, create=False) as (folder, name), _naming(path):
            os.unlink(name, dir_fd=folder)
        while "/" in path:
            path = path.rpartition("/")[0]
            with self._folder_of(path, create=False) as (folder, name):
                try:
                    os.rmdir(name, dir_fd=folder)
                except OSError:
                    return

    def _create(self, path: str, content: bytes, *, executable: bool) -> None:
        with self._folder_of(path, create=True) as (folder, name), _naming(path):
            descriptor = os.open(name, _CREATE_FLAGS, 0o755 if executable else 0o644, dir_fd=folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)

    @contextmanager
    def _folder_of(self, path: str, *, create: bool) -> Iterator[tuple[int, str]]:
        """Open the folder that holds ``path``; gives its descriptor and the last part's name."""
        fault = find_path_fault(path)
        if fault is not None:
            raise NotAFile(f"the path {path[:200]!r} is refused: {fault}")
        *folders, name = path.split("/")
        with _naming(path):
            folder = os.open(self.root, FOLDER_FLAGS)
        try:
            for part in folders:
                with _naming(path):
                    if create:
                        with suppress(FileExistsError):
                            os.mkdir(part, 0o755, dir_fd=folder)
                    below = os.open(part, FOLDER_FLAGS, dir_fd=folder)
                os.close(folder)
                folder = below
            yield folder, name
        finally:
            os.close(folder)


def read_regular_file(folder: int, name: str, path: str, max_bytes: int) -> StoredFile:
    """Read the regular file ``name`` of an open folder, once, at most ``max_bytes``; ``path`` is for the message.

    ``NotAFile`` for anything else: a link, a device, a pipe, a file with a second name (hard link), a larger file.
    """
    descriptor = os.open(name, _READ_FLAGS, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            raise NotAFile(f"{path[:200]!r} is not a regular file with one name")
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise NotAFile(f"{path[:200]!r} is larger than {max_bytes} bytes")
    return StoredFile(content, executable=bool(status.st_mode & stat.S_IXUSR))


@contextmanager
def _naming(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NotAFile(f"{path[:200]!r} cannot be reached in real folders: {error.strerror}") from None
