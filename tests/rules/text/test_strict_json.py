"""JSON is read in the one way that no reader can understand differently (review §18)."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.strict_json import LARGEST_INTEGER, MAX_DEPTH, JsonFault, Malformed, Parsed, parse_strictly
from tests.support.hostile.json_documents import FRAGMENTS, json_values, mutations

LIMIT = 1_000_000


def fault_of(document: bytes, max_bytes: int = LIMIT) -> tuple[str, str]:
    """The fault of a document that must have one, and its sentence."""
    parsed = parse_strictly(document, max_bytes)
    assert isinstance(parsed, Malformed)
    return parsed.fault.value, parsed.sentence


@pytest.mark.parametrize(
    ("document", "fault", "place"),
    [
        (b'{"a": 1, "b": {"c": 2, "c": 2}}', "duplicate_key", "b.c:"),
        (b'[{}, {"a": 1, "\\u0061": 2}]', "duplicate_key", "[1].a:"),
        (b'{"a": [0, NaN]}', "not_finite", "a[1]:"),
        (b'{"a": -Infinity}', "not_finite", "a:"),
        (b'{"a": 1e999}', "not_finite", "a:"),
        (b'{"a": 9007199254740992}', "huge_integer", "a:"),
        (b'{"a": -9007199254740992}', "huge_integer", "a:"),
        (b"[" + b"9" * 100_000 + b"]", "huge_integer", "[0]:"),
        (b'{"a": {"b": "x\\ud800"}}', "lone_surrogate", "a.b:"),
        (b'{"\\udc00": 1}', "lone_surrogate", "\\udc00:"),
        (b'{"a": }', "not_json", "line 1, column 7"),
        (b"{} {}", "not_json", "column 4"),
        (b"", "not_json", "line 1"),
        (b'"\xff"', "not_json", "byte 1"),
        (b"\xef\xbb\xbf{}", "not_json", "line 1"),
        (b"[" * 100_000, "too_deep", "32"),
    ],
)
def test_every_fault_is_named_with_its_place(document: bytes, fault: str, place: str) -> None:
    named, sentence = fault_of(document)
    assert named == fault
    assert place in sentence


def test_a_document_may_have_as_many_bytes_as_allowed_and_no_more() -> None:
    assert parse_strictly(b"[1]", 3) == Parsed([1])
    assert fault_of(b"[1] ", 3)[0] == "too_large"


def test_objects_and_lists_may_stand_inside_one_another_as_deep_as_allowed_and_no_deeper() -> None:
    assert isinstance(parse_strictly(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, LIMIT), Parsed)
    assert fault_of(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))[0] == "too_deep"
    assert fault_of(b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1))[0] == "too_deep"


def test_the_largest_integers_and_a_whole_surrogate_pair_are_sound() -> None:
    document = f'[{LARGEST_INTEGER}, -{LARGEST_INTEGER}, "\\ud83d\\ude00"]'.encode()
    assert parse_strictly(document, LIMIT) == Parsed([LARGEST_INTEGER, -LARGEST_INTEGER, "\N{GRINNING FACE}"])


def test_a_hostile_key_is_shown_cut_and_in_printable_characters() -> None:
    key = json.dumps("\n@everyone \u202e" + "x" * 1_000)
    _, sentence = fault_of(f"{{{key}: 1, {key}: 2}}".encode())
    assert sentence.isascii()
    assert sentence.isprintable()
    assert len(sentence) < 100


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int | str)


@given(json_values)
def test_what_python_writes_as_standard_json_is_read_as_python_reads_it(value: object) -> None:
    document = json.dumps(value).encode()
    parsed = parse_strictly(document, LIMIT)
    if isinstance(parsed, Parsed):
        assert parsed.value == json.loads(document)
    else:
        assert parsed.fault in {JsonFault.NOT_FINITE, JsonFault.HUGE_INTEGER, JsonFault.LONE_SURROGATE}


@given(mutations([{"a": {"b": [1, "two", None]}, "c": 1.5}]) | st.sampled_from(FRAGMENTS) | st.binary())
def test_whatever_the_bytes_are_they_are_read_soundly_or_told_to_be_at_fault(document: bytes) -> None:
    parsed = parse_strictly(document, LIMIT)
    if isinstance(parsed, Parsed):
        assert _is_plain(parsed.value)
        assert json.loads(json.dumps(parsed.value, allow_nan=False)) == parsed.value
    else:
        assert parsed.sentence.isprintable()
