"""What a review knows about one changed file: the host's patch and, where they were read, both sides (review §8.2)."""

from dataclasses import dataclass
from enum import StrEnum

REGULAR = "100644"
EXECUTABLE = "100755"
LINK = "120000"
SUBMODULE = "160000"


class Status(StrEnum):
    """How the host says that a file changed; any other word is not understood (GitHub: "List pull requests files")."""

    ADDED = "added"
    REMOVED = "removed"
    MODIFIED = "modified"
    RENAMED = "renamed"
    COPIED = "copied"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Side:
    """A file as one commit holds it: git's mode, six octal digits, and its text, none where that was not read."""

    mode: str
    text: str | None


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One entry of a pull request's list of files.

    ``status`` is the host's word, ``previous_path`` the path before a rename or a copy. ``additions`` and ``deletions``
    count lines. ``patch`` holds the hunks without file headers, none where the host gave none. ``base``, the file at
    ``old_path``, and ``head`` are none where that side does not exist or was not read; the status says which it is.
    """

    path: str
    status: str
    additions: int
    deletions: int
    patch: str | None
    patch_truncated: bool = False
    previous_path: str | None = None
    base: Side | None = None
    head: Side | None = None

    @property
    def old_path(self) -> str:
        """Return the path on the base side."""
        return self.previous_path or self.path

    @property
    def has_base(self) -> bool:
        """Say whether the base must hold the file: whatever the host did not call an addition."""
        return self.status != Status.ADDED

    @property
    def has_head(self) -> bool:
        """Say whether the head must hold the file: whatever the host did not call a removal."""
        return self.status != Status.REMOVED

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides that were read, the base first."""
        return tuple(side for side in (self.base, self.head) if side is not None)
