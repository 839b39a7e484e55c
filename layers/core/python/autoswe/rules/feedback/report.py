"""What a round may claim about each thread (feedback §4).

An agent's outcome is its own words. "Addressed" is said only where the pushed change bears it out: it touches the
thread's file near the thread's place, or another changed file that the outcome names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

NEAR_LINES = 20
"""How far from a thread's lines a change may be and still count as near."""


@dataclass(frozen=True)
class Place:
    """Where a thread is: a file, and the lines of the head it is about (absent for a whole file or an outdated one)."""

    path: str | None
    start_line: int | None
    end_line: int | None


Ranges = Sequence[tuple[int, int]]
"""Ranges of lines of the head, 1-based and inclusive."""

THROUGHOUT: Ranges = ((1, 2**31),)
"""Every line of any file."""


def changed_ranges(before: bytes | None, after: bytes | None) -> Ranges:
    """Return the ranges of lines of ``before`` that ``after`` changes; a file that came or went is changed throughout.

    An insertion changes the line it follows and the line it precedes.
    """
    if before is None or after is None:
        return THROUGHOUT
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return tuple(
        (start + 1, end) if end > start else (start, start + 1)
        for tag, start, end, _, _ in matcher.get_opcodes()
        if tag != "equal"
    )


def corroborates(place: Place, named: Sequence[str], changed: Mapping[str, Ranges]) -> bool:
    """Decide whether the pushed change bears out that a thread was addressed.

    ``named`` are the paths its outcome names, ``changed`` the changed ranges of every changed path.
    """
    if any(path in changed and path != place.path for path in named):
        return True
    ranges = changed.get(place.path) if place.path is not None else None
    if not ranges:
        return False
    if place.end_line is None:
        return True
    start = (place.start_line or place.end_line) - NEAR_LINES
    return any(first <= place.end_line + NEAR_LINES and last >= start for first, last in ranges)
