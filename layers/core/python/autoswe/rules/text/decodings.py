"""Finds the texts that a text carries in an encoding which a model reads as easily as plain words (feedback §4)."""

import base64
import codecs
from collections.abc import Callable, Iterator
from urllib.parse import unquote

import re2


def _base64(run: str) -> bytes:
    letters = run.replace("-", "+").replace("_", "/")
    return base64.b64decode(letters[: len(letters) // 4 * 4])


def _base32(run: str) -> bytes:
    return base64.b32decode(run[: len(run) // 8 * 8])


def _hexadecimal(run: str) -> bytes:
    digits = _SEPARATORS.sub("", run)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _binary(run: str) -> bytes:
    digits = _SEPARATORS.sub("", run)
    return bytes(int(digits[at : at + 8], 2) for at in range(0, len(digits) // 8 * 8, 8))


def _ascii85(run: str) -> bytes:
    return base64.a85decode(run, adobe=True)


_SEPARATORS = re2.compile(r"[\s,:|-]|0x|\\x")
_ENCODINGS: tuple[tuple[str, Callable[[str], bytes]], ...] = (
    (r"[A-Za-z0-9+/_-]{16,}", _base64),
    (r"[A-Z2-7]{16,}", _base32),
    (r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s,:|-]?){10,}", _hexadecimal),
    (r"(?:[01]{8}[\s,|-]?){6,}", _binary),
    (r"<~[!-uz\s]{20,}~>", _ascii85),
    (r"[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{30,}", base64.b85decode),
)
_RUNS = tuple((re2.compile(pattern), decode) for pattern, decode in _ENCODINGS)
_PRINTABLE_SHARE = 0.9
_ESCAPE = re2.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,5})\})")


def decoded_texts(text: str) -> Iterator[str]:
    """Give what stands in a text in base64, base32, base85, hexadecimal or binary digits, escapes, ROT13 or backwards.

    Only what decodes to readable text is given; the whole text in ROT13 and backwards always is. Linear in the text.
    """
    for pattern, decode in _RUNS:
        for run in pattern.findall(text):
            readable = _readable(decode, run)
            if readable is not None:
                yield readable
    if "%" in text:
        yield unquote(text)
    if "\\" in text:
        yield _ESCAPE.sub(lambda escape: chr(int(escape[1] or escape[2] or escape[3], 16)), text)
    yield codecs.encode(text, "rot13")
    yield text[::-1]


def _readable(decode: Callable[[str], bytes], run: str) -> str | None:
    try:
        decoded = decode(run).decode()
    except ValueError:
        return None
    printable = sum(char.isprintable() or char.isspace() for char in decoded)
    return decoded if decoded and printable >= _PRINTABLE_SHARE * len(decoded) else None
