"""Finds what an expression of GitHub Actions reads from the ``secrets`` context (review §8.2).

A secret can be named, indexed, taken with all others by a filter, or passed on as the whole context; names are compared
without regard to case (GitHub: "Contexts reference").
"""

import re
from collections.abc import Iterator

import re2

_CONTEXT = "secrets"
# Each part keeps what it took, so the standard library takes linear time, and is the faster one for many short matches.
_TOKEN = re.compile(r"'(?:[^']|'')*+'?|[A-Za-z_][\w-]*+|\S")
# Outside an expression only a secret that is named or indexed counts.
_OUTSIDE = re2.compile(r"(?i)(?:^|[^\w.\-])(secrets(?:\.[A-Za-z_*][\w-]*|\s*\[[^\]]{0,100}\]?))")
_OWN_TOKEN = frozenset({"secrets.github_token", "secrets['github_token']"})
"""The one secret that every job has anyway."""


def secret_references(text: str, *, begins_inside: bool = False) -> Iterator[str]:
    """Give each reference to a secret other than the job's own token, in lower case, the context alone where it is.

    Outside an expression (``${{ }}``) stand conditions, and people's words about secrets. ``begins_inside`` says that
    the text begins inside one.
    """
    if _CONTEXT not in text.lower():
        return
    for part, inside in _parts(text, begins_inside):
        found = _inside(part) if inside else (match.lower() for match in _OUTSIDE.findall(part))
        yield from (reference for reference in found if reference not in _OWN_TOKEN)


def _parts(text: str, inside: bool) -> Iterator[tuple[str, bool]]:
    start = 0
    while True:
        end = text.find("}}" if inside else "${{", start)
        yield text[start:end] if end >= 0 else text[start:], inside
        if end < 0:
            return
        start = end + (2 if inside else 3)
        inside = not inside


def _inside(expression: str) -> Iterator[str]:
    tokens = [*_TOKEN.findall(expression.lower()), "", "", ""]
    before = ""
    for place, token in enumerate(tokens):
        if token == _CONTEXT and before != ".":
            following = tokens[place + 1 : place + 4]
            yield token + "".join(following[: {".": 2, "[": 3}.get(following[0], 0)])
        before = token
