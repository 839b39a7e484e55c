"""Decides whether a person's comment gives us a command (feedback §1).

Who wrote the comment, and that it was just created rather than edited, is judged elsewhere; a bot's comment never gets
here (feedback §8). The webhook path reads every comment through this module, so the Markdown parser is imported only
for a comment that could hold a command.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from autoswe.rules.text.html_comments import strip_html_comments

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BODY_LIMIT = 65_536
"""How many characters of a comment are read: GitHub accepts no longer one."""

_PREFIX = "/auto-swe"
_FOOTNOTE = re.compile(r"[ \t\d>*+.)-]*\[\^[^\]]+\]:")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)[^<>]*>")
_VOID_ELEMENTS = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)


class Command(StrEnum):
    """What a person can ask for in a comment."""

    FIX = "fix"
    """Act on the open review feedback of this pull request."""


def find_command(body: str) -> Command | None:
    """Find the first command in a comment's Markdown; None means that it gives none.

    A command is a line of its own in a top-level paragraph: ``/auto-swe``, one space and a known sub-command in
    exactly this spelling, with nothing else but white space around. Text in a list, a quotation, a heading, a table,
    code, a comment, a link, emphasis, a footnote or an element of HTML is never a command.
    """
    if _PREFIX not in body:
        return None
    commands = {f"{_PREFIX} {command}": command for command in Command}
    return next((commands[line] for line in _plain_lines(_bounded(body)) if line in commands), None)


def _bounded(body: str) -> str:
    """Cut after the last whole line: half a line may look like a command that it is not."""
    return body if len(body) <= BODY_LIMIT else body[: body.rfind("\n", 0, BODY_LIMIT) + 1]


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - keeps the webhook path free of the parser

    # Without text_join an escape or an entity stays a token of its own, so that it never spells a command.
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("text_join")


def _plain_lines(body: str) -> Iterator[str]:
    """Give each line that is visible as it is written: top-level paragraph text outside every span and element."""
    footnotes = _footnote_lines(body)
    open_elements: Counter[str] = Counter()
    top_level = False
    for token in _markdown().parse(body):
        if token.type == "html_block":
            _follow_elements(open_elements, token.content)
        elif token.type == "inline":
            for line in _lines(token.children or (), open_elements):
                if top_level:
                    yield line
        else:
            last_line = token.map[1] if token.map else 0
            top_level = token.type == "paragraph_open" and token.level == 0 and last_line not in footnotes


def _lines(tokens: Sequence["Token"], open_elements: Counter[str]) -> Iterator[str]:
    """Give the lines of one block that are nothing but plain text."""
    words: list[str] = []
    depth = 0
    plain = not open_elements
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            if plain:
                yield "".join(words).strip()
            words.clear()
            plain = depth == 0 and not open_elements
        elif token.type == "text":
            words.append(token.content)
        else:
            plain = False
            depth += token.nesting
            if token.type == "html_inline":
                _follow_elements(open_elements, token.content)
    if plain:
        yield "".join(words).strip()


def _follow_elements(open_elements: Counter[str], html: str) -> None:
    """Keep count of the elements that a piece of HTML opens and does not close."""
    for closing, tag in _TAG.findall(strip_html_comments(html)):
        name = tag.lower()
        if not closing and name not in _VOID_ELEMENTS:
            open_elements[name] += 1
        elif open_elements[name] > 1:
            open_elements[name] -= 1
        else:
            del open_elements[name]


def _footnote_lines(body: str) -> frozenset[int]:
    """Find the lines, from 1, that a footnote may take in: GitHub shows a footnote only where it is referred to."""
    found: set[int] = set()
    for number, line in enumerate(re.split(r"\r\n?|\n", body), start=1):
        if _FOOTNOTE.match(line) or (number - 1 in found and line.strip(" \t")):
            found.add(number)
    return frozenset(found)
