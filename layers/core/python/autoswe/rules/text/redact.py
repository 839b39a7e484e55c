"""Removes credentials from text, and finds them in it (feedback §4).

Redact before cutting a text: half a credential has no shape. A rule table finds what has a shape or a telling name; it
does not find every secret, so a text with credentials must not be let in on its strength.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import re2

from autoswe.rules.text.redact_rules import REDACTION_RULES, RedactionRule

_RULES = tuple((rule, re2.compile(rule.pattern)) for rule in REDACTION_RULES)
_TERMINAL_ESCAPE = re2.compile(
    "(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|"  # control sequences: colours, cursor movements
    "(?:\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\x07\x1b\u009c\n]*(?:\x07|\x1b\\\\|\u009c)?|"  # titles, links
    "\x1b[ -/]*[0-~]"
)
_UNSEEN = dict.fromkeys(
    (
        *(*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)),  # controls, less tabs and line ends
        *(0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF),  # soft hyphens, zero-width spaces, marks of direction
    )
)
# Emoji and other scripts keep their joiners: those never follow ASCII.
_JOINERS = re2.compile(r"([!-~])[\x{200C}\x{200D}]+")


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without the credentials that were found, and the ids of the rules that found them, in table order.

    The text is also free of terminal escapes, of control characters other than line ends and tabs, and of zero-width
    characters that no script needs. Each credential reads ``[redacted:RULE]``.
    """

    text: str
    found: tuple[str, ...]


def redact(text: str) -> Redaction:
    """Remove every credential that has a known shape or stands behind a telling name; linear in the text."""
    # A pattern must see what stands before a credential, and "^" would also match after each earlier match.
    redacted = "\n" + plain_text(text)
    found: list[str] = []
    for rule, pattern in _RULES:
        pieces: list[str] = []
        position = 0
        for start, end in _secrets(rule, pattern, redacted):
            pieces += (redacted[position:start], f"[redacted:{rule.id}]")
            position = end
        if pieces:
            redacted = "".join(pieces) + redacted[position:]
            found.append(rule.id)
    return Redaction(redacted[1:], tuple(found))


def find_secrets(text: str) -> tuple[str, ...]:
    """Name the rules that find a credential in a text, in table order; an empty result means that none was found."""
    return redact(text).found


def plain_text(text: str) -> str:
    """Make a text what a terminal shows of it, so that escapes cannot split a credential."""
    encodable = text.encode(errors="replace").decode()
    seen = _TERMINAL_ESCAPE.sub("", encodable).translate(_UNSEEN)
    plain: str = _JOINERS.sub(r"\1", seen)
    return plain


def _secrets(rule: RedactionRule, pattern: Any, text: str) -> Iterator[tuple[int, int]]:
    secret = pattern.groupindex.get("secret", 0)
    for match in pattern.finditer(text):
        if rule.is_secret is None or rule.is_secret(match.group(secret)):
            yield match.span(secret)
