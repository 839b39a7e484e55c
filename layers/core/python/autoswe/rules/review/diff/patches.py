"""Reads the hunks of one file's patch, and refuses a patch that does not say the whole change (review §8.2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

import re2

from autoswe.rules.review.diff.changed_files import ChangedFile

_HEADER = re2.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@.*")
_NO_LINE_END = "\\ No newline at end of file"
# A YAML reader, a shell or a person's editor may break a line where git does not.
_OTHER_BREAKS = re2.compile("\r\n|[\r\u0085\u2028\u2029\v\f]")


Line: TypeAlias = tuple[str, str]
"""One line of a hunk: its mark, ``+``, ``-`` or a space, and its text without the mark and without its end."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk, its lines in the patch's order."""

    lines: tuple[Line, ...]

    def old(self) -> Iterator[Line]:
        """Give the lines that the base holds."""
        return (line for line in self.lines if line[0] != "+")

    def new(self) -> Iterator[Line]:
        """Give the lines that the head holds."""
        return (line for line in self.lines if line[0] != "-")

    def runs(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Give each run of neighbouring changed lines: what was removed there and what was added."""
        for changed, lines in groupby(self.lines, lambda line: line[0] != " "):
            if changed:
                run = tuple(lines)
                yield tuple(text for mark, text in run if mark == "-"), tuple(text for mark, text in run if mark == "+")


@dataclass(frozen=True, slots=True)
class Patch:
    """A whole patch, its hunks from the top of the file to its bottom."""

    hunks: tuple[Hunk, ...]

    def texts(self, marks: str) -> Iterator[str]:
        """Give the texts of all lines with one of the marks, in order."""
        return (text for hunk in self.hunks for mark, text in hunk.lines if mark in marks)


def read_patch(file: ChangedFile) -> Patch | None:
    """Read a file's patch; nothing when it is missing, cut off, malformed, or at odds with the host's own counts.

    Each hunk must hold exactly the lines that its header announces, hunks must follow each other without overlap, and
    all added and removed lines together must be as many as the host says. Where a reader might see a line end and git
    does not, the line is given as several lines with the same mark.
    """
    if file.patch is None or file.patch_truncated:
        return None
    hunks = _read_hunks(file.patch.removesuffix("\n").split("\n"))
    if hunks is None:
        return None
    marks = [mark for hunk in hunks for mark, _ in hunk]
    if (marks.count("+"), marks.count("-")) != (file.additions, file.deletions):
        return None
    if _OTHER_BREAKS.search(file.patch):
        hunks = [[*_broken_up(hunk)] for hunk in hunks]
    return Patch(tuple(Hunk(tuple(hunk)) for hunk in hunks))


def _read_hunks(rows: list[str]) -> list[list[Line]] | None:
    hunks: list[list[Line]] = []
    old_end = new_end = place = 0
    while place < len(rows):
        header = _HEADER.fullmatch(rows[place])
        if not header:
            return None
        old_start, old_count, new_start, new_count = (1 if part is None else int(part) for part in header.groups())
        if old_start < old_end or new_start < new_end:
            return None
        old_end, new_end = old_start + old_count, new_start + new_count
        hunk, place = _read_hunk(rows, place + 1, old_count, new_count)
        if hunk is None:
            return None
        hunks.append(hunk)
    return hunks


def _read_hunk(rows: list[str], place: int, old_left: int, new_left: int) -> tuple[list[Line] | None, int]:
    """Read the lines that a header announced, and say where the next header must stand."""
    lines: list[Line] = []
    while place < len(rows) and (old_left or new_left or rows[place] == _NO_LINE_END):
        row = rows[place]
        place += 1
        if row == _NO_LINE_END:
            if not lines:
                return None, place
            continue
        # Some hosts cut the one space off an empty line that did not change.
        mark, text = row[:1] or " ", row[1:]
        if mark not in "+- ":
            return None, place
        old_left -= mark != "+"
        new_left -= mark != "-"
        if old_left < 0 or new_left < 0:
            return None, place
        lines.append((mark, text))
    return (None if old_left or new_left else lines), place


def _broken_up(lines: list[Line]) -> Iterator[Line]:
    for mark, text in lines:
        yield from ((mark, part) for part in _OTHER_BREAKS.split(text.removesuffix("\r")))
