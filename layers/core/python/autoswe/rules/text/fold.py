"""Folds text to what it reads like, so that a rule about words meets every spelling of them (feedback §4)."""

import html
import unicodedata
from collections.abc import Iterator

import re2

# Letters of other scripts, and styled letters without a compatibility mapping, that look like a Latin letter.
_LOOK_ALIKES = {
    "a": "\u0430\u03b1\u0251\u1d00",
    "b": "\u0432\u03b2\u0299\u044c",
    "c": "\u0441\u03c2\u1d04",
    "d": "\u0501\u1d05",
    "e": "\u0435\u03b5\u1d07\u0454",
    "g": "\u0261\u0262\u0581",
    "h": "\u04bb\u043d\u029c",
    "i": "\u0456\u03b9\u0131\u026a\u0269\u04cf",
    "j": "\u0458\u1d0a",
    "k": "\u043a\u03ba\u1d0b",
    "l": "\u029f\u01c0",
    "m": "\u043c\u1d0d",
    "n": "\u03b7\u0578\u0274\u043f",
    "o": "\u043e\u03bf\u03c3\u1d0f\u0585",
    "p": "\u0440\u03c1\u1d18",
    "q": "\u051b",
    "r": "\u0433\u0280",
    "s": "\u0455\ua731",
    "t": "\u0442\u03c4\u1d1b",
    "u": "\u03c5\u057d\u1d1c",
    "v": "\u03bd\u1d20\u0475",
    "w": "\u051d\u03c9\u1d21",
    "x": "\u0445\u03c7",
    "y": "\u0443\u03b3\u028f",
    "z": "\u1d22\u03b6",
}
_FIRST_STYLED_LETTERS = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)  # squared, in dark circles and squares, of flags
_TO_LATIN = str.maketrans(
    {
        **{alike: letter for letter, alikes in _LOOK_ALIKES.items() for alike in alikes},
        **{chr(first + offset): chr(ord("a") + offset) for first in _FIRST_STYLED_LETTERS for offset in range(26)},
    }
)
_DIGITS_FOR_LETTERS = str.maketrans("013457@$!|", "oieastasil")

_HIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Co", "Cs"))
_QUOTE = '"\u201c\u201d`'
_SPECIMEN = re2.compile(
    r"(?i)\b(?:like|such as|e\.g\.|for example|says?|saying|contain(?:s|ing)?|"
    r"the (?:text|phrase|string|prompt|input|payload|word|words|message|comment))"
    rf"[:,]? ?[{_QUOTE}][^{_QUOTE}\n]{{1,120}}[{_QUOTE}]"
)
_SENTENCE_END = re2.compile(r"[.!?:;]+(?:\s|$)|\n\s*\n")
_END_MARK = "\0"  # folded lines hold none
_WORDS_ONLY = (
    bytes(code if chr(code).isalnum() or chr(code) == _END_MARK else ord(" ") for code in range(128)) + b" " * 128
)
_SPACED_LETTERS = re2.compile(r"(?:^|[^a-z0-9])((?:[a-z0-9][^a-z0-9]{1,3}){5,}[a-z0-9])(?:[^a-z0-9]|$)")
_WIDE_GAP = re2.compile(r"[^a-z0-9]{2,}")


def fold_lines(text: str) -> str:
    """Unify compatible characters, resolve entities, drop what is hidden and lower the case; lines stay."""
    unified = unicodedata.normalize("NFKC", html.unescape(text))
    seen = (char for char in unified if char in "\n\t" or unicodedata.category(char) not in _HIDDEN_CATEGORIES)
    return "".join(seen).casefold()


def fold_words(lines: str) -> str:
    """Give the words of folded lines, in Latin letters without accents where they look like it.

    One space stands between words, and " . " after a sentence. A quoted specimen ("inputs like ...") is left out: talk
    about injections is no injection.
    """
    return _words(_latin(lines))


def disguised_words(lines: str) -> Iterator[str]:
    """Give the words of folded lines with letters for digits, and with the words that spaced letters spell."""
    latin = _latin(lines)
    yield _words(latin.translate(_DIGITS_FOR_LETTERS))
    runs = {
        run: " ".join(_words(word).replace(" ", "") for word in _WIDE_GAP.split(run))
        for run in _SPACED_LETTERS.findall(latin)
    }
    yield from runs.values()
    if runs:
        yield _words(_SPACED_LETTERS.sub(lambda run: f" {runs[run[1]]} ", latin))


def _latin(lines: str) -> str:
    unquoted = unicodedata.normalize("NFKD", _SPECIMEN.sub(" ", lines))
    return "".join(char for char in unquoted if not unicodedata.combining(char)).translate(_TO_LATIN)


def _words(text: str) -> str:
    ended: str = _SENTENCE_END.sub(_END_MARK, text)
    words = ended.encode("ascii", "replace").translate(_WORDS_ONLY).decode()
    return " ".join(words.replace(_END_MARK, " . ").split())
