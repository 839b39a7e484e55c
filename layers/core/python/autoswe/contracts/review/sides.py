"""``files.json``: both sides of the files whose structure is judged, read from base and head commits (review §8.2)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StringConstraints

from autoswe.contracts.model import Contract, Path, Sha
from autoswe.contracts.review.selection import ChangedFile as ChangedFileEntry
from autoswe.contracts.review.words import MIB, Document
from autoswe.rules.review.diff.changed_files import ChangedFile, Side
from autoswe.rules.review.pulls.selection import MAX_FILES

MAX_SIDES_BYTES = 64 * MIB


class SideContent(Contract):
    """A file as one commit holds it: git's mode, and its text, absent where it was not read or is no text."""

    mode: Annotated[str, StringConstraints(pattern=r"^[0-7]{6}$")]
    text: str | None

    def side(self) -> Side:
        """Return it as the rules know it."""
        return Side(self.mode, self.text)


class FileSides(Contract):
    """Both sides of one changed file; one that does not exist or was not read is absent."""

    path: Path
    base: SideContent | None
    head: SideContent | None


class Sides(Document):
    """``files.json``, written by a trusted step: the two commits, and each file once."""

    base_sha: Sha
    head_sha: Sha
    files: Annotated[tuple[FileSides, ...], Field(max_length=MAX_FILES)]


def changed_files(entries: tuple[ChangedFileEntry, ...], sides: Sides | None) -> tuple[ChangedFile, ...]:
    """Return the changed files as the rules know them, with the sides that were read."""
    read: Mapping[str, FileSides] = {file.path: file for file in sides.files} if sides is not None else {}
    return tuple(_changed_file(entry, read.get(entry.path)) for entry in entries)


def _changed_file(entry: ChangedFileEntry, sides: FileSides | None) -> ChangedFile:
    return ChangedFile(
        path=entry.path,
        status=entry.status,
        additions=entry.additions,
        deletions=entry.deletions,
        patch=entry.patch,
        patch_truncated=entry.patch_truncated,
        previous_path=entry.previous_path,
        base=sides.base.side() if sides is not None and sides.base is not None else None,
        head=sides.head.side() if sides is not None and sides.head is not None else None,
    )
