"""Commits that people make, written to a bare repository in one go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from infra.local.github_host.git.objects import Signature
from infra.local.github_host.git.store import GitStore
from infra.local.github_host.git.tree_names import is_linked_gitmodules, is_malformed

_SCRATCH = "refs/host/commit"


@dataclass(frozen=True)
class File:
    """A file with a mode other than 100644: ``100755`` executable, ``120000`` link (the content is its target)."""

    content: bytes
    mode: str = "100644"


Change = File | bytes | str | None


def write_change(
    store: GitStore, parent: str | None, changes: Mapping[str, Change], message: str, author: Signature
) -> str:
    """Commit changes on top of ``parent`` (None starts a history) and return the new commit's id; no branch moves.

    A change is a file's new content, or None to delete it. Raises ValueError when a path to delete is not there, or
    when git fsck refuses the tree.
    """
    encoded = message.encode()
    lines = [
        f"commit {_SCRATCH}".encode(),
        b"mark :1",
        f"author {author}".encode(),
        f"committer {author}".encode(),
        b"data %d\n%s" % (len(encoded), encoded),
    ]
    if parent is not None:
        lines.append(f"from {parent}".encode())
    for path, change in changes.items():
        if is_malformed(path) or (isinstance(change, File) and is_linked_gitmodules(path, change.mode)):
            raise ValueError(f"GitHub takes no commit with {path!r}: git fsck refuses it")
        if change is None:
            if parent is None or store.find(f"{parent}:{path}") is None:
                raise ValueError(f"cannot delete {path!r}: there is no such file in {parent or 'an empty repository'}")
            lines.append(b"D " + _quoted(path))
        else:
            file = _file(change)
            lines.append(b"M %s inline %s" % (file.mode.encode(), _quoted(path)))
            lines.append(b"data %d\n%s" % (len(file.content), file.content))
    script = b"\n".join([b"reset " + _SCRATCH.encode(), b"", *lines, b"get-mark :1", b"done", b""])
    return store.run("fast-import", "--quiet", "--done", "--force", stdin=script).decode().strip()


def _file(change: File | bytes | str) -> File:
    if isinstance(change, File):
        return change
    return File(change.encode() if isinstance(change, str) else change)


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode()
