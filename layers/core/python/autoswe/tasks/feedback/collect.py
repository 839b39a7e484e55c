"""The collect container: what the agent changed, read without running any of it.

No repository code runs here, nor git: the agent's folder is walked without following links and compared with an index
of the pristine source, by content (git's blob id) and by the executable bit (architecture §5).

What is refused as a whole, so that nothing is uploaded: a link of the source that was changed or removed; a file or
folder of the source that became a link, a device, a pipe or a hard link; a name that is no path of a repository;
anything over a bound. What is left out: every ``.git``, new folders that tools make (``TOOL_FOLDERS``), and new
links, devices, pipes and hard links.
"""

import base64
import logging
import os
from dataclasses import dataclass, field
from pathlib import Path

from autoswe.contracts.feedback.fixing import (
    MAX_CHANGE_BYTES,
    MAX_CHANGED_FILES,
    MAX_FILE_BYTES,
    Change,
    ChangeOperation,
    CollectManifest,
    FileChange,
    FileMode,
)
from autoswe.rules.source.archive import SourceMode, find_path_fault, git_blob_id
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.container.workspace import FOLDER_FLAGS, StoredFile, read_regular_file
from autoswe.tasks.feedback.pristine import Pristine, folders_of, index_source

MAX_ENTRIES = 200_000
"""How many names the walk may meet in all folders together."""

TOOL_FOLDERS = frozenset({"__pycache__", "node_modules", ".venv", ".pytest_cache", ".mypy_cache", ".ruff_cache"})
"""Folders that tools fill; left out where the pristine source has no folder of that path."""

logger = logging.getLogger(__name__)


def collect(manifest: CollectManifest, scratch: Path, transfer: Transfer) -> None:
    """Upload the difference between the pristine source and the agent's workspace below ``scratch``.

    ``TaskFailed`` says why there is none; the same difference gives the same bytes.
    """
    pristine = index_source(transfer.download(manifest.source, "the source archive"))
    change = compare(scratch / "workspace", pristine, manifest.head_sha)
    body = change.model_dump_json().encode()
    if len(body) > MAX_CHANGE_BYTES:
        raise TaskFailed(f"the change is larger than {MAX_CHANGE_BYTES} bytes")
    transfer.upload(manifest.change, body, "the change")
    logger.info("collected %d changed files", len(change.files))


def compare(workspace: Path, pristine: Pristine, head_sha: str) -> Change:
    """Compare the folder ``workspace`` with ``pristine``; ``TaskFailed`` when the whole is refused."""
    collector = _Collector(pristine, folders_of(pristine))
    try:
        root = os.open(workspace, FOLDER_FLAGS)
        try:
            collector.walk(root, "")
        finally:
            os.close(root)
    except OSError as error:
        raise TaskFailed(f"the workspace cannot be read: {error.strerror}") from None
    return Change(head_sha=head_sha, files=collector.finish())


@dataclass
class _Collector:
    pristine: Pristine
    folders: frozenset[str]
    changes: list[FileChange] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    entries: int = 0
    content_bytes: int = 0
    left_out: int = 0

    def walk(self, folder: int, prefix: str) -> None:
        """Take in an open folder; depth is bounded by the rule for paths."""
        for entry in self._list(folder):
            path = prefix + entry.name
            if entry.name == ".git":
                continue
            fault = find_path_fault(path)
            if fault is not None:
                raise TaskFailed(f"the workspace holds the path {path[:200]!r}, which is refused: {fault}")
            try:
                self._take(folder, entry, path)
            except OSError as error:
                raise TaskFailed(f"{path[:200]!r} in the workspace cannot be read: {error.strerror}") from None

    def finish(self) -> tuple[FileChange, ...]:
        """Add what is gone; gives all changes in the order of their paths."""
        for path, before in self.pristine.items():
            if path in self.met:
                continue
            if before.mode is SourceMode.LINK:
                raise TaskFailed(f"the link {path[:200]!r} is gone, which a change cannot say")
            self._add(path, FileMode(before.mode), ChangeOperation.DELETE, before.blob_id, None)
        if self.left_out:
            logger.info("left out %d new links or special files", self.left_out)
        return tuple(sorted(self.changes, key=lambda change: change.path.encode()))

    def _list(self, folder: int) -> list[os.DirEntry[str]]:
        listed: list[os.DirEntry[str]] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                self.entries += 1
                if self.entries > MAX_ENTRIES:
                    raise TaskFailed(f"the workspace holds more than {MAX_ENTRIES} names")
                listed.append(entry)
        return listed

    def _take(self, folder: int, entry: os.DirEntry[str], path: str) -> None:
        if entry.is_dir(follow_symlinks=False):
            if entry.name in TOOL_FOLDERS and path not in self.folders:
                return
            below = os.open(entry.name, FOLDER_FLAGS, dir_fd=folder)
            try:
                self.walk(below, path + "/")
            finally:
                os.close(below)
        elif self._is_untouched_link(entry, folder, path):
            self.met.add(path)
        elif entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_nlink == 1:
            self._take_file(folder, entry.name, path)
        elif path in self.pristine or path in self.folders:
            raise TaskFailed(
                f"{path[:200]!r} is no longer what the source has: a file, a folder, or a link to the same"
            )
        else:
            self.left_out += 1

    def _is_untouched_link(self, entry: os.DirEntry[str], folder: int, path: str) -> bool:
        before = self.pristine.get(path)
        if before is None or before.mode is not SourceMode.LINK or not entry.is_symlink():
            return False
        target = os.readlink(os.fsencode(entry.name), dir_fd=folder)
        return git_blob_id(target) == before.blob_id

    def _take_file(self, folder: int, name: str, path: str) -> None:
        before = self.pristine.get(path)
        if before is not None and before.mode is SourceMode.LINK:
            raise TaskFailed(f"the link {path[:200]!r} has become a file, which a change cannot say")
        file = read_regular_file(folder, name, path, max(MAX_FILE_BYTES, before.bytes if before else 0))
        mode = FileMode.EXECUTABLE if file.executable else FileMode.REGULAR
        self.met.add(path)
        if before is None:
            self._add(path, mode, ChangeOperation.ADD, None, file)
        elif (mode, git_blob_id(file.content)) != (FileMode(before.mode), before.blob_id):
            self._add(path, mode, ChangeOperation.MODIFY, before.blob_id, file)

    def _add(
        self, path: str, mode: FileMode, operation: ChangeOperation, base_blob: str | None, file: StoredFile | None
    ) -> None:
        content = file.content if file is not None else None
        if content is not None:
            self.content_bytes += len(content)
            if len(content) > MAX_FILE_BYTES:
                raise TaskFailed(f"the changed file {path[:200]!r} is larger than {MAX_FILE_BYTES} bytes")
        if self.content_bytes > MAX_CHANGE_BYTES:
            raise TaskFailed(f"the change is larger than {MAX_CHANGE_BYTES} bytes")
        if len(self.changes) == MAX_CHANGED_FILES:
            raise TaskFailed(f"the change touches more than {MAX_CHANGED_FILES} files")
        self.changes.append(
            FileChange(
                path=path,
                mode=mode,
                op=operation,
                base_blob=base_blob,
                content_base64=base64.b64encode(content).decode() if content is not None else None,
            )
        )
