"""Screens text for prompt injection before any of it reaches a model (feedback §3, §4).

A tripwire, not a boundary: it catches what is plainly meant for a machine, in the usual disguises. What it lets through
is still fenced as data, and what a model did with it is still judged by the push gates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import re2

from autoswe.rules.text.decodings import decoded_texts
from autoswe.rules.text.fold import disguised_words, fold_lines, fold_words
from autoswe.rules.text.html_comments import strip_html_comments
from autoswe.rules.text.kinds import Screened, Untrusted
from autoswe.rules.text.screen_rules import SCREEN_RULES, View

TEXT_LIMIT = 65_536
"""How many characters of a text are kept; the rest is cut off before anything else is done."""

_RULES = tuple((rule, re2.compile(rule.pattern)) for rule in SCREEN_RULES)
_REGION_FLAG = re2.compile(r"\x{1F3F4}[\x{E0030}-\x{E0039}\x{E0061}-\x{E007A}]{1,6}\x{E007F}")


@dataclass(frozen=True, slots=True)
class Refused:
    """The text is refused; ``rule_ids`` name the rules it met, in table order."""

    rule_ids: tuple[str, ...]


def screen(texts: Sequence[Untrusted]) -> tuple[Screened | Refused, ...]:
    """Judge each text of a batch; the verdicts have the order of the texts.

    A text that passes is returned without HTML comments, with at most ``TEXT_LIMIT`` characters, and with a replacement
    character for each half of a surrogate pair. Takes time linear in the texts.
    """
    return tuple(map(_screen, texts))


def _screen(text: Untrusted) -> Screened | Refused:
    whole = text[:TEXT_LIMIT].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    visible = strip_html_comments(whole)
    views = _views(visible)
    met = tuple(rule.id for rule, pattern in _RULES if pattern.search(views[rule.view]))
    return Refused(met) if met else Screened(visible)


def _views(text: str) -> Mapping[View, str]:
    lines = fold_lines(text)
    decoded = (fold_words(fold_lines(each)) for each in decoded_texts(text))
    return {
        View.RAW: _REGION_FLAG.sub("", text),
        View.LINES: lines,
        # No rule crosses the end of a sentence, so none crosses from one reading to the next.
        View.WORDS: " . ".join((fold_words(lines), *disguised_words(lines), *decoded)),
    }
