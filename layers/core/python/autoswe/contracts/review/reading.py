"""Reads a review's file: strictly as JSON, then strictly as what it should hold (review §18)."""

from enum import StrEnum
from typing import TypeVar

from pydantic import ValidationError

from autoswe.contracts.model import Contract
from autoswe.rules.text.strict_json import JsonFault, Malformed, parse_strictly, place_of

M = TypeVar("M", bound=Contract)


class ShapeFault(StrEnum):
    """What is wrong with a document that is sound JSON: a key too many, one too few, or a value that cannot stand."""

    UNKNOWN_KEY = "unknown_key"
    MISSING_KEY = "missing_key"
    WRONG_VALUE = "wrong_value"


_FAULTS = {
    "extra_forbidden": ShapeFault.UNKNOWN_KEY,
    "unexpected_keyword_argument": ShapeFault.UNKNOWN_KEY,
    "missing": ShapeFault.MISSING_KEY,
}
_SENTENCES = {ShapeFault.UNKNOWN_KEY: "no such key belongs there", ShapeFault.MISSING_KEY: "is missing"}


class DocumentRefused(ValueError):
    """A file that is not read; the message says in one sentence which file, what is wrong with it, and where."""

    def __init__(self, name: str, fault: JsonFault | ShapeFault, sentence: str) -> None:
        super().__init__(f"{name} is refused: {sentence}")
        self.fault = fault


def read_document(model: type[M], document: bytes, *, name: str, max_bytes: int) -> M:
    """Read a file of at most ``max_bytes`` bytes; ``DocumentRefused`` names its first fault.

    ``name`` is what the file is called in that sentence. No value of the file is quoted.
    """
    parsed = parse_strictly(document, max_bytes)
    if isinstance(parsed, Malformed):
        raise DocumentRefused(name, parsed.fault, parsed.sentence)
    try:
        return model.model_validate_json(document)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
    fault = _FAULTS.get(first["type"], ShapeFault.WRONG_VALUE)
    what = _SENTENCES.get(fault) or first["msg"].removeprefix("Input ").removeprefix("Value error, ")
    raise DocumentRefused(name, fault, f"{place_of(first['loc'])}: {what}")
