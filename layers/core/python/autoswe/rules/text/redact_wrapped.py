"""Removes credentials that line ends cut anywhere, as a narrow terminal or a progress bar leaves them (feedback §4).

A log is read by a model, which puts the pieces together again. So whatever has the shape of a credential once line ends
are left out is removed too, and the rest of the text is judged as it stands.
"""

from collections.abc import Iterator

import re2

from autoswe.rules.text.redact import Redaction, plain_text, redact
from autoswe.rules.text.redact_rules import REDACTION_RULES, START

_CUT = re2.compile(r"\\?[\r\n]+[ \t]*")
# What stands before and behind a token says nothing once lines are joined: it may belong to another line.
_SHAPES = tuple(
    (rule, re2.compile(rule.pattern.removeprefix(START).removesuffix(r"\b")))
    for rule in REDACTION_RULES
    if rule.pattern.startswith(START)
)


def redact_wrapped(text: str) -> Redaction:
    """Remove every credential that ``redact`` finds, and every one with a known shape that line ends cut.

    Nobody can tell where a token of open length ends that a line end may cut: with it goes what follows on the next
    line up to the first character that the token could not hold. Takes time linear in the text.
    """
    plain = plain_text(text)
    pieces: list[str] = []
    cut: set[str] = set()
    position = 0
    for start, end, rule_id in sorted(_cut_secrets(plain)):
        if start >= position:
            pieces += (plain[position:start], f"[redacted:{rule_id}]")
            cut.add(rule_id)
        position = max(position, end)
    whole = redact("".join(pieces) + plain[position:])
    return Redaction(whole.text, tuple(rule.id for rule in REDACTION_RULES if rule.id in {*cut, *whole.found}))


def _cut_secrets(text: str) -> Iterator[tuple[int, int, str]]:
    """Find the credentials that line ends cut: where each begins and ends, and the rule that finds it."""
    joined, places = _join(text)
    for rule, pattern in _SHAPES:
        secret = pattern.groupindex.get("secret", 0)
        for match in pattern.finditer(joined):
            start, end = match.span(secret)
            first, last = places[start], places[end - 1] + 1
            is_cut = last - first > end - start
            if is_cut and (rule.is_secret is None or rule.is_secret(match.group(secret))):
                yield first, last, rule.id


def _join(text: str) -> tuple[str, list[int]]:
    """Leave out line ends, with the indentation after them; the list says where each character left was."""
    pieces: list[str] = []
    places: list[int] = []
    position = 0
    for match in _CUT.finditer(text):
        pieces.append(text[position : match.start()])
        places.extend(range(position, match.start()))
        position = match.end()
    return "".join((*pieces, text[position:])), [*places, *range(position, len(text))]
