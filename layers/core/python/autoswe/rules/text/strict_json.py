"""Reads JSON so that no two readers can understand it differently (review §18).

JSON leaves open what a repeated key means, how large a number may be and what half a surrogate pair is; Python's parser
also takes ``NaN`` and ``Infinity``. Here each of these is a fault with a place (RFC 8259, §4, §6 and §8.2).
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

MAX_DEPTH = 32
"""How many objects and lists may stand inside one another; the files of a review need fewer than ten."""

LARGEST_INTEGER = 2**53 - 1
"""Up to here every reader of JSON keeps an integer exact."""

_MAX_DIGITS = 16
_MAX_NAME = 40


class JsonFault(StrEnum):
    """What is wrong with a document before it is known what it should hold.

    ``too_large``: more bytes than are read. ``not_json``: no UTF-8 or no JSON. ``too_deep``; ``duplicate_key``;
    ``lone_surrogate``; ``not_finite``: NaN, Infinity, or a number that overflows; ``huge_integer``.
    """

    TOO_LARGE = "too_large"
    NOT_JSON = "not_json"
    TOO_DEEP = "too_deep"
    DUPLICATE_KEY = "duplicate_key"
    LONE_SURROGATE = "lone_surrogate"
    NOT_FINITE = "not_finite"
    HUGE_INTEGER = "huge_integer"


@dataclass(frozen=True)
class Parsed:
    """A document without a fault: dictionaries, lists, texts, numbers, truth and ``None``."""

    value: object


@dataclass(frozen=True)
class Malformed:
    """The first fault of a document; ``sentence`` says what is wrong and where, and quotes nothing but names."""

    fault: JsonFault
    sentence: str


@dataclass(frozen=True)
class _Members:
    """An object as it is written, repeated keys and all."""

    pairs: tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class _BadNumber:
    fault: JsonFault


class _Found(Exception):
    def __init__(self, fault: JsonFault, sentence: str) -> None:
        super().__init__(sentence)
        self.malformed = Malformed(fault, sentence)


def parse_strictly(document: bytes, max_bytes: int) -> Parsed | Malformed:
    """Parse a JSON document of at most ``max_bytes`` bytes, or name its first fault."""
    if len(document) > max_bytes:
        return Malformed(JsonFault.TOO_LARGE, f"it is larger than {max_bytes} bytes")
    try:
        text = document.decode()
    except UnicodeDecodeError as wrong:
        return Malformed(JsonFault.NOT_JSON, f"it is not UTF-8 at byte {wrong.start}")
    try:
        written = json.loads(
            text,
            object_pairs_hook=lambda pairs: _Members(tuple(pairs)),
            parse_constant=lambda _: _BadNumber(JsonFault.NOT_FINITE),
            parse_int=_read_integer,
            parse_float=_read_float,
        )
        return Parsed(_plain(written, "", 1))
    except json.JSONDecodeError as wrong:
        return Malformed(JsonFault.NOT_JSON, f"it is not JSON at line {wrong.lineno}, column {wrong.colno}")
    except RecursionError:
        return Malformed(JsonFault.TOO_DEEP, f"it is nested more than {MAX_DEPTH} deep")
    except _Found as found:
        return found.malformed


def place_of(parts: Iterable[str | int]) -> str:
    """Write the way to a value as ``pull_requests[0].title``; an empty way is the document itself."""
    place = ""
    for part in parts:
        place = _inside(place, part)
    return place or "the document"


def _inside(place: str, part: str | int) -> str:
    if isinstance(part, int):
        return f"{place}[{part}]"
    name = _shown(part)
    return f"{place}.{name}" if place else name


def _shown(name: str) -> str:
    """Show a key, which may be anybody's words, as a few printable ASCII characters."""
    shown = ascii(name)[1:-1]
    return shown if len(shown) <= _MAX_NAME else f"{shown[:_MAX_NAME]}..."


def _read_integer(digits: str) -> int | _BadNumber:
    if len(digits.lstrip("-")) > _MAX_DIGITS or abs(int(digits)) > LARGEST_INTEGER:
        return _BadNumber(JsonFault.HUGE_INTEGER)
    return int(digits)


def _read_float(digits: str) -> float | _BadNumber:
    number = float(digits)
    return number if math.isfinite(number) else _BadNumber(JsonFault.NOT_FINITE)


def _plain(value: object, place: str, depth: int) -> object:
    if isinstance(value, str):
        _refuse_surrogate(value, place)
        return value
    if isinstance(value, _BadNumber):
        _refuse(
            value.fault,
            place,
            "is no finite number" if value.fault is JsonFault.NOT_FINITE else "is too large a number",
        )
    if isinstance(value, list | _Members) and depth > MAX_DEPTH:
        _refuse(JsonFault.TOO_DEEP, place, f"is nested more than {MAX_DEPTH} deep")
    if isinstance(value, list):
        return [_plain(element, _inside(place, index), depth + 1) for index, element in enumerate(value)]
    if isinstance(value, _Members):
        return _plain_object(value, place, depth)
    return value


def _plain_object(members: _Members, place: str, depth: int) -> dict[str, object]:
    plain: dict[str, object] = {}
    for key, value in members.pairs:
        inside = _inside(place, key)
        _refuse_surrogate(key, inside)
        if key in plain:
            _refuse(JsonFault.DUPLICATE_KEY, inside, "is given twice")
        plain[key] = _plain(value, inside, depth + 1)
    return plain


def _refuse_surrogate(text: str, place: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        _refuse(JsonFault.LONE_SURROGATE, place, "holds half a surrogate pair")


def _refuse(fault: JsonFault, place: str, what: str) -> NoReturn:
    raise _Found(fault, f"{place or 'the document'}: {what}")
