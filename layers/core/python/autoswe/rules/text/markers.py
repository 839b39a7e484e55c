"""Writes and reads the hidden markers by which we find our own comments again (feedback §4).

A marker proves nothing by itself, anybody can paste one: it counts only in an object whose author id is our own bot's,
which the caller checks. Neutralised text cannot hold a marker.
"""

from enum import StrEnum

import re2

# Two hyphens in a row could end the comment.
_KEY = r"[A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*"
_KEY_LIMIT = 80


class MarkerKind(StrEnum):
    """What a marked comment is."""

    SUMMARY = "summary"
    """The one summary comment of a pull request, edited in place."""
    REPLY = "reply"
    """A reply on a review thread, keyed by decision and thread, so that a retry never posts it twice."""


_MARKER = re2.compile(rf"(?m)^<!-- auto-swe:({'|'.join(MarkerKind)}) ({_KEY}) -->\r?$")


def marker(kind: MarkerKind, key: str) -> str:
    """Write a marker, which must stand on a line of its own.

    ``key`` has 1 to 80 letters, digits, underscores, full stops or single inner hyphens; another key is a ValueError.
    """
    if len(key) > _KEY_LIMIT or not re2.fullmatch(_KEY, key):
        raise ValueError(f"The marker key {key!r} is too long or holds a character that a marker cannot hold.")
    return f"<!-- auto-swe:{kind} {key} -->"


def read_markers(body: str) -> frozenset[tuple[MarkerKind, str]]:
    """Read the markers of a comment: whole lines in exactly the form that ``marker`` writes; all else is not one."""
    return frozenset(
        (MarkerKind(kind), key)
        for kind, key in _MARKER.findall(body.encode(errors="replace").decode())
        if len(key) <= _KEY_LIMIT
    )
