"""Looks at the lines of a YAML file's patch as far as a diff alone shows where each of them stands (review §8.2).

A line that was only indented anew is no change; the same words moved to another job are one. So every line gets a
place: the lines that it visibly stands under, and its own words. A diff shows a few lines around a change, so a place
that does not reach the file's left edge is only compared within its hunk.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autoswe.rules.review.diff.patches import Line, Patch

# Each part keeps what it took, so the standard library takes linear time, and is the faster one for many short lines.
_BLOCK_ENTRY = re.compile(r"""(?:-\s+)*+(?:\?\s+)?["']?([A-Za-z_][\w.-]*+)["']?\s*+:(?:\s++(.*+))?""", re.ASCII)
_FLOW_ENTRY = re.compile(r"""[{,\[]\s*+["']?([A-Za-z_][\w-]*+)["']?\s*+:\s*+([^,{}\[\]]*+)""", re.ASCII)
_OF_INTEREST = re.compile(r"write|secrets|uses|permissions|pull_request_target|[&*!?\\]|<<", re.IGNORECASE)
_OF_INTERFACE = re.compile(r"(?:inputs|outputs)\W*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """One line without its comment, white space made single spaces.

    ``place`` is equal for two lines with the same words under the same visible lines: those lines, and its words.
    ``parent`` is the nearest line that it stands under, none when the diff does not show it. ``in_expression`` says
    that an expression (``${{``) which an earlier line opened is still open.
    """

    mark: str
    text: str
    place: tuple[str, ...]
    parent: str | None
    in_expression: bool

    def entries(self) -> Iterator[tuple[str, str]]:
        """Give each key and value that the line spells, in block and in flow style, without quotes, in lower case."""
        block = _BLOCK_ENTRY.fullmatch(self.text)
        if block:
            yield block[1].lower(), unquoted(block[2] or "")
        for key, value in _FLOW_ENTRY.findall(self.text):
            yield key.lower(), unquoted(value)

    @property
    def parent_key(self) -> str | None:
        """Return the key of the line that it stands under, none when that is not shown or has none."""
        block = _BLOCK_ENTRY.fullmatch(self.parent or "")
        return block[1].lower() if block else None


@dataclass(frozen=True, slots=True)
class PlacedLines:
    """The lines of a patch in both views, and what is new in the one and gone from the other."""

    old: tuple[PlacedLine, ...]
    new: tuple[PlacedLine, ...]

    def added(self) -> Iterator[PlacedLine]:
        """Give the added lines that no removed line matches."""
        return _without_matches(self.new, self.old)

    def removed(self) -> Iterator[PlacedLine]:
        """Give the removed lines that no added line matches."""
        return _without_matches(self.old, self.new)


def place_lines(patch: Patch, *, has_interface: bool) -> PlacedLines:
    """Place the lines of a patch that a rule can be about: by their words, or by those of the line they stand under.

    ``has_interface`` holds for an action, of which a line may also declare an input or an output.
    """
    old: list[PlacedLine] = []
    new: list[PlacedLine] = []
    for number, hunk in enumerate(patch.hunks):
        old.extend(_place(hunk.old(), number, has_interface=has_interface))
        new.extend(_place(hunk.new(), number, has_interface=has_interface))
    return PlacedLines(tuple(old), tuple(new))


def unquoted(value: str) -> str:
    """Return a value without surrounding quotes, in lower case; a comma or bracket after it ends a flow entry."""
    return value.strip().rstrip(",}]").strip().strip("\"'").strip().lower()


def _without_matches(lines: Iterable[PlacedLine], others: Iterable[PlacedLine]) -> Iterator[PlacedLine]:
    left = Counter(line.place for line in others if line.mark != " ")
    for line in lines:
        if line.mark == " ":
            continue
        if left[line.place] > 0:
            left[line.place] -= 1
        else:
            yield line


def _code(text: str) -> str:
    """Cut a line at the first number sign that begins a word outside quotes."""
    if "#" not in text:
        return text
    quote = ""
    before = " "
    for place, char in enumerate(text):
        if char == "#" and before.isspace() and not quote:
            return text[:place]
        if char in "\"'":
            quote = ("" if quote == char else quote) if quote else char
        before = char
    return text


def _place(lines: Iterable[Line], hunk: int, *, has_interface: bool) -> Iterator[PlacedLine]:
    above: list[tuple[int, str]] = []  # indentation and words of the lines that the next may stand under
    in_expression = False
    for mark, raw in lines:
        text = _words(raw)
        if not text:
            continue
        indent = _indentation(raw, text)
        while above and above[-1][0] >= indent:
            above.pop()
        parent = above[-1][1] if above else None
        is_near = _is_of_interest(text, has_interface=has_interface) or (
            _is_of_interest(parent, has_interface=has_interface) if parent else has_interface and indent > 1
        )
        if is_near:
            # A chain is as long as its line's indentation at most, so all chains together are no longer than the patch.
            root = "" if (above[0][0] if above else indent) <= 1 else f"hunk {hunk}"
            yield PlacedLine(mark, text, (root, *(each for _, each in above), text), parent, in_expression)
        above.append((indent, text))
        if "{{" in text or "}}" in text:
            in_expression = _stays_open(text, in_expression)


def _is_of_interest(text: str, *, has_interface: bool) -> bool:
    return bool(_OF_INTEREST.search(text) or (has_interface and _OF_INTERFACE.search(text)))


def _words(raw: str) -> str:
    text = raw.strip()
    if "#" in text:
        text = _code(text).rstrip()
    return " ".join(text.split()) if "  " in text or "\t" in text else text


def _indentation(raw: str, text: str) -> int:
    """Count indentation in halves: a list's dash may stand in its key's column and is still under it."""
    return 2 * (len(raw) - len(raw.lstrip(" \t"))) + (text == "-" or text.startswith("- "))


def _stays_open(text: str, is_open: bool) -> bool:
    opened, closed = text.rfind("${{"), text.rfind("}}")
    return opened > closed if max(opened, closed) >= 0 else is_open
