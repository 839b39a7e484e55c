"""Puts the physical lines of a script together to the commands that a shell reads, without comments (review §8.2)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Row = tuple[str, bool]
"""A physical line, and whether the change that is judged brought it."""

_SLASHED = frozenset(
    ("c", "cc", "cpp", "cs", "dart", "go", "gradle", "groovy", "h", "hpp", "java", "js", "jsx", "kt", "kts", "mjs")
) | frozenset(("cjs", "php", "proto", "rs", "scala", "swift", "ts", "tsx", "mts", "cts"))
_UNFINISHED = ("\\", "`", "^", "|", "|&", "(")
# The standard library is the faster one to walk with, and none of these can give back what it took.
_BLOCK_SCALAR = re.compile(r"(?:.*[:-])? ?[|>]")
_SPECIAL = re.compile(r"""[\\"'#/*]""")
_QUOTING = re.compile(r"""\\.|["'#]""")


@dataclass(frozen=True, slots=True)
class Command:
    """One logical line, white space made single spaces; ``changed``: the change that is judged brought a part of it."""

    text: str
    changed: bool


def comment_mark(path: str) -> str:
    """Say what begins a comment in the file at ``path``: ``//`` in the languages that are known for it, else ``#``."""
    return "//" if path.rpartition(".")[2].lower() in _SLASHED else "#"


def commands(rows: Iterable[Row], mark: str) -> Iterator[Command]:
    """Give the logical lines of a script.

    A line goes on in the next one after a backslash, a backtick, a caret, a pipe or an opening bracket, and before a
    pipe. A comment is left out wherever it stands; in doubt whether a quotation is open, it is none.
    """
    parts: list[str] = []
    changed = unfinished = False
    for text, is_new in _without_comments(rows, mark):
        if parts and not unfinished and (text[0] != "|" or text.startswith("||")):
            yield Command(" ".join(parts), changed)
            parts, changed = [], False
        unfinished = text.endswith(_UNFINISHED) and not _BLOCK_SCALAR.fullmatch(text)
        parts.append(text.rstrip("\\`^ ") if unfinished else text)
        changed = changed or is_new
    if parts:
        yield Command(" ".join(parts), changed)


def _without_comments(rows: Iterable[Row], mark: str) -> Iterator[Row]:
    quote = ""
    for row, is_new in rows:
        if not _SPECIAL.search(row):
            code = row
        elif mark == "#":
            code, quote = _code(row, quote)
        else:
            code = "" if row.lstrip().startswith((mark, "*", "/*")) else row
        text = " ".join(code.split())
        if text:
            yield text, is_new


def _code(row: str, quote: str) -> tuple[str, str]:
    """Cut a line at its comment, and say which quotation is open at its end."""
    for match in _QUOTING.finditer(row):
        char = match[0]
        if char == "#":
            start = match.start()
            if not quote and (start == 0 or row[start - 1].isspace()) and not row.startswith("#!"):
                return row[:start], quote
        elif char in "\"'":
            quote = ("" if quote == char else quote) if quote else char
    return row, quote
