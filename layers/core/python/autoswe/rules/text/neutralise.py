"""Makes text from people, bots and models safe to show in a GitHub comment: it reads the same, and nothing in it acts.

GitHub renders Markdown and then looks through the decoded text for mentions, references and links, and other bots read
the source. So every character that could act is written as an entity, for the source, and stands in ``<pre>`` or
``<code>``, for the filters; inside a line it is also set off by zero-width spaces, because e-mail autolinks reach into
code ("GitHub Flavored Markdown Spec", feedback §4).
"""

import unicodedata
from collections.abc import Iterable, Iterator

from autoswe.rules.text.kinds import Neutralised

_ELLIPSIS = "…"
_BREAK = "&#x200b;"
_SET_OFF = frozenset("@#:./-$")
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_LONGEST_HEX_RUN = 6
"""One digit less than the shortest commit reference that is linked."""
_INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),  # Khmer inherent vowels
        (0x180B, 0x180F),  # Mongolian variation selectors
        (0x2800, 0x2800),  # blank Braille pattern
        (0x3164, 0x3164),  # Hangul filler
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
        (0xE0100, 0xE01EF),  # variation selectors supplement
    )
    for code in range(first, last + 1)
)
"""Letters, marks and symbols that show nothing."""


def neutralise_inline(text: str, limit: int) -> Neutralised:
    """Show a text as one line of plain characters, anywhere in a line, also in a table cell.

    White space of any kind becomes a single space. The result has at most ``limit`` characters, markup included; a
    text that is too long ends in an ellipsis. A text without visible characters gives an empty result.
    """
    line = " ".join(_visible(text).split())
    return _wrapped("<code>", _inline_pieces(line), "</code>", limit) if line else Neutralised("")


def neutralise_block(text: str, limit: int) -> Neutralised:
    """Show a text as plain lines, in a block of its own: the result must start a line, or the content of a list item.

    The result is a single line of source with at most ``limit`` characters, markup included; a text that is too long
    ends in an ellipsis. A text without visible characters gives an empty result.
    """
    lines = "\n".join(_visible(text).splitlines()).strip("\n").rstrip()
    return _wrapped("<pre>", _block_pieces(lines), "</pre>", limit) if lines else Neutralised("")


def _visible(text: str) -> str:
    return "".join(
        char for char in text if char.isspace() or (unicodedata.category(char)[0] != "C" and char not in _INVISIBLE)
    )


def _entity(char: str) -> str:
    """Write a character as a hexadecimal entity: a decimal one would spell an issue reference in the source."""
    return f"&#x{ord(char):x};"


def _unless_plain(char: str) -> str:
    return char if char == " " or unicodedata.category(char)[0] in "LMN" else _entity(char)


def _block_pieces(lines: str) -> Iterator[str]:
    for char, ends_run in _with_long_hex_runs(lines):
        yield _entity(char) if ends_run else _unless_plain(char)


def _inline_pieces(line: str) -> Iterator[str]:
    for char, ends_run in _with_long_hex_runs(line):
        if char in _SET_OFF:
            yield f"{_BREAK}{_entity(char)}{_BREAK}"
        else:
            yield _BREAK + char if ends_run else _unless_plain(char)


def _with_long_hex_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Say of each character whether it would make a run of hexadecimal digits long enough for a commit reference."""
    run = 0
    for char in text:
        run = run + 1 if char in _HEX_DIGITS else 0
        too_long = run > _LONGEST_HEX_RUN
        yield char, too_long
        if too_long:
            run = 1


def _wrapped(opening: str, pieces: Iterable[str], closing: str, limit: int) -> Neutralised:
    room = limit - len(opening) - len(closing)
    if room < len(_ELLIPSIS):
        raise ValueError(f"A limit of {limit} characters leaves no room for any text beside {opening} and {closing}.")
    kept: list[str] = []
    length = 0
    for piece in pieces:
        if length + len(piece) > room:
            while length + len(_ELLIPSIS) > room:
                length -= len(kept.pop())
            kept.append(_ELLIPSIS)
            break
        kept.append(piece)
        length += len(piece)
    return Neutralised(f"{opening}{''.join(kept)}{closing}")
