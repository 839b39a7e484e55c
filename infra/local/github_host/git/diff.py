"""What changed between two commits, file by file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from infra.local.github_host.git.store import GitStore

WHOLE_FILE = 1_000_000
USUAL_CONTEXT = 3
_FILE_START = re.compile(rb"^diff --git ", re.MULTILINE)
_STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}


@dataclass(frozen=True)
class FileChange:
    """One changed file as "Compare two commits" reports it.

    ``sha`` is the blob on the new side (on the old side for a removed file); ``patch`` is None for binary files and
    for files whose text did not change.
    """

    path: str
    previous_path: str | None
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str | None


def changed_files(store: GitStore, base: str, head: str) -> list[FileChange]:
    """List the files that differ between two commits, renames found, in the order of their paths."""
    listing = store.determined("diff", "--raw", "--numstat", "-M", "-z", "--no-abbrev", base, head)
    fields = listing.decode(errors="surrogateescape").split("\0")
    facts: list[tuple[str, str, str | None, str]] = []
    at = 0
    while fields[at].startswith(":"):
        _, _, old, new, letter = fields[at].split(" ")
        paths = 2 if letter[0] in "RC" else 1
        path, previous = fields[at + paths], fields[at + 1] if paths == 2 else None
        facts.append((letter[0], path, previous, old if letter == "D" else new))
        at += 1 + paths
    counts: list[tuple[int, int]] = []
    while fields[at]:
        added, removed, path = fields[at].split("\t", 2)
        counts.append((0, 0) if added == "-" else (int(added), int(removed)))
        at += 1 if path else 3
    patches = _patches(store.determined("diff", "-M", "--no-color", "--no-ext-diff", base, head))
    return [
        FileChange(path, previous, _STATUS[letter], sha, *count, patch)
        for (letter, path, previous, sha), count, patch in zip(facts, counts, patches, strict=True)
    ]


def file_patch(store: GitStore, base: str, head: str, path: str, *, context: int = 0) -> str:
    """Return the hunks of one file between two commits, empty when it did not change.

    ``context`` is the number of lines shown around each change; ``WHOLE_FILE`` shows all.
    """
    text = store.determined(
        "diff", f"--unified={context}", "--no-renames", "--no-color", "--no-ext-diff", base, head, "--", path
    )
    return next((patch for patch in _patches(text) if patch), "")


def _patches(text: bytes) -> list[str | None]:
    files = _FILE_START.split(text)[1:]
    starts = (file.find(b"\n@@ ") for file in files)
    return [
        file[start + 1 :].decode(errors="replace").removesuffix("\n") if start >= 0 else None
        for file, start in zip(files, starts, strict=True)
    ]
