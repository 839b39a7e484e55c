"""Where a line stands after a change, and the piece of a diff a comment is shown under.

Rules only: they read the text of a unified diff of one file. Source: "Pull request review comments" (a comment whose
line a later commit changed is outdated and has no line any more); "Create a review for a pull request" (a comment
stands on a line of the diff, which shows three lines around each change).
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_HEADER = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SHOWN_BEFORE = 3


class Side(StrEnum):
    """Which text a line number counts in: ``LEFT`` the base's, ``RIGHT`` the head's."""

    LEFT = "LEFT"
    RIGHT = "RIGHT"


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff with the number it has on each side, None where it does not exist; numbers start at 1."""

    text: str
    left: int | None
    right: int | None

    def number(self, side: Side) -> int | None:
        """Return the line's number on a side."""
        return self.left if side is Side.LEFT else self.right


@dataclass(frozen=True)
class Excerpt:
    """The end of a hunk that a comment is shown under, and how far below the first hunk header its line is."""

    hunk: str
    position: int


def diff_lines(patch: str) -> list[DiffLine]:
    """Give each line of a patch its numbers; notes such as a missing final newline have none and are left out."""
    lines: list[DiffLine] = []
    left = right = 0
    for text in patch.split("\n"):
        header = _HEADER.match(text)
        if header:
            left, right = int(header[1]), int(header[3])
        elif text.startswith("-"):
            lines.append(DiffLine(text, left, None))
            left += 1
        elif text.startswith("+"):
            lines.append(DiffLine(text, None, right))
            right += 1
        elif text.startswith(" "):
            lines.append(DiffLine(text, left, right))
            left, right = left + 1, right + 1
    return lines


def same_hunk(patch: str, side: Side, first: int, last: int) -> bool:
    """Decide whether one hunk of a patch shows both of these lines of a side."""
    hunks = ("@@" + hunk for hunk in f"\n{patch}".split("\n@@")[1:])
    shown = ({one.number(side) for one in diff_lines(hunk)} for hunk in hunks)
    return any({first, last} <= numbers for numbers in shown)


def moved_line(patch: str, line: int) -> int | None:
    """Return where a line of the old text stands in the new text, None when the change touched it.

    The patch needs no context lines; an empty patch moves nothing.
    """
    shift = 0
    for header in (found for text in patch.split("\n") if (found := _HEADER.match(text))):
        start, removed, added = int(header[1]), _count(header[2]), _count(header[4])
        # A hunk that only adds lines names the line before the addition.
        first = start if removed else start + 1
        if line < first:
            break
        if line < first + removed:
            return None
        shift += added - removed
    return line + shift


def excerpt(full_patch: str, side: Side, line: int) -> Excerpt | None:
    """Cut what a comment on a line is shown under out of a patch that has the whole file as context.

    None when the file has no such line on that side.
    """
    lines = diff_lines(full_patch)
    at = next((index for index, shown in enumerate(lines) if shown.number(side) == line), None)
    if at is None:
        return None
    shown = lines[max(0, at - _SHOWN_BEFORE) : at + 1]
    left = [one.left for one in shown if one.left is not None]
    right = [one.right for one in shown if one.right is not None]
    header = f"@@ -{left[0] if left else 0},{len(left)} +{right[0] if right else 0},{len(right)} @@"
    return Excerpt("\n".join([header, *(one.text for one in shown)]), at + 1)


def _count(text: str | None) -> int:
    return 1 if text is None else int(text)
