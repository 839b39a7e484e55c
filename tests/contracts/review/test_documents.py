"""The files of a review are read strictly, and as their published schemas say (review §18)."""

import json
from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoswe.contracts.review.reading import DocumentRefused, read_document
from tests.contracts.review.documents import PUBLISHED, Published
from tests.support.hostile.json_documents import Place, mutations, places, removed, replaced

each_file = pytest.mark.parametrize("document", PUBLISHED, ids=lambda document: document.name)


@cache
def golden(document: Published) -> Any:
    """The sample; to be changed in a copy only."""
    return json.loads(document.golden_file.read_bytes())


@cache
def by_schema(document: Published) -> jsonschema.Draft202012Validator:
    """Who judges by the schema."""
    return jsonschema.Draft202012Validator(
        document.schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def read(document: Published, content: bytes) -> Any:
    return read_document(document.model, content, name=f"{document.name}.json", max_bytes=document.max_bytes)


def outcome(document: Published, content: bytes) -> Any:
    """The model, or the sentence of the refusal."""
    try:
        return read(document, content)
    except DocumentRefused as refused:
        return str(refused)


def fault_of(document: Published, content: bytes) -> tuple[str, str]:
    """The fault of a file that must be refused, and the sentence that tells it."""
    with pytest.raises(DocumentRefused) as refused:
        read(document, content)
    assert str(refused.value).startswith(f"{document.name}.json is refused: ")
    return refused.value.fault.value, str(refused.value)


def shown(place: Place) -> str:
    """A place as the sentence names it."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def objects(document: Any) -> list[Place]:
    """Every place of a document that holds an object, the document itself first."""
    return [(), *(place for place in places(document) if isinstance(_at(document, place), dict))]


def _at(document: Any, place: Place) -> Any:
    for part in place:
        document = document[part]
    return document


@each_file
def test_the_published_schema_is_the_models(document: Published) -> None:
    assert json.loads(document.schema_file.read_text()) == document.schema()


@each_file
def test_the_golden_file_is_read_and_written_as_it_is_and_agrees_with_the_schema(document: Published) -> None:
    content = document.golden_file.read_bytes()
    assert json.loads(read(document, content).dump()) == golden(document)
    by_schema(document).check_schema(document.schema())
    by_schema(document).validate(golden(document))


@each_file
def test_a_key_that_does_not_belong_is_refused_wherever_it_stands_and_by_the_schema(document: Published) -> None:
    for place in objects(golden(document)):
        changed = deepcopy(golden(document))
        _at(changed, place)["surprise"] = 1
        fault, sentence = fault_of(document, json.dumps(changed).encode())
        assert fault == ("wrong_value" if place[-1:] == ("skip_counts",) else "unknown_key")
        assert shown((*place, "surprise")) in sentence
        assert not by_schema(document).is_valid(changed)


@each_file
def test_a_key_that_is_given_twice_is_refused_wherever_it_stands(document: Published) -> None:
    for place in places(golden(document)):
        if isinstance(place[-1], str):
            value = json.dumps(_at(golden(document), place)).encode()
            twice = replaced(golden(document), place, value + b", " + json.dumps(place[-1]).encode() + b": " + value)
            fault, sentence = fault_of(document, twice)
            assert fault == "duplicate_key"
            assert f"{shown(place)}:" in sentence


@each_file
@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (b"NaN", "not_finite"),
        (b"-Infinity", "not_finite"),
        (b"1e999", "not_finite"),
        (b"9" * 30, "huge_integer"),
        (b'"\\ud800"', "lone_surrogate"),
    ],
)
def test_numbers_and_texts_that_are_no_values_are_refused_wherever_they_stand(
    document: Published, value: bytes, fault: str
) -> None:
    for place in places(golden(document)):
        told, sentence = fault_of(document, replaced(golden(document), place, value))
        assert told == fault
        assert f"{shown(place)}:" in sentence


WRONG: tuple[bytes, ...] = (b'{"no": 1}', b"[[]]", b"-1", b"1.25", b'"\\u0000"')


@each_file
@pytest.mark.parametrize("value", WRONG)
def test_a_value_of_the_wrong_type_is_refused_with_its_place_or_is_one_that_the_schema_takes_too(
    document: Published, value: bytes
) -> None:
    for place in places(golden(document)):
        changed = replaced(golden(document), place, value)
        judged = outcome(document, changed)
        if isinstance(judged, str):
            assert shown(place[:-1]) in judged
        else:
            assert by_schema(document).is_valid(json.loads(changed))


@each_file
def test_no_schema_demands_what_the_reader_does_not(document: Published) -> None:
    for place in places(golden(document)):
        if isinstance(place[-1], str):
            changed = removed(golden(document), place)
            if not by_schema(document).is_valid(json.loads(changed)):
                assert fault_of(document, changed)[0] in {"missing_key", "wrong_value"}


@each_file
def test_a_file_that_is_too_large_is_refused_before_it_is_read(document: Published) -> None:
    with pytest.raises(DocumentRefused, match="larger than 10 bytes"):
        read_document(document.model, b"[" * 11, name="x", max_bytes=10)


@each_file
@settings(max_examples=25)
@given(data=st.data())
def test_whatever_stands_in_a_file_it_is_read_or_refused_in_one_printable_line(
    document: Published, data: st.DataObject
) -> None:
    content = data.draw(mutations([golden(document)]))
    judged = outcome(document, content)
    if isinstance(judged, str):
        assert judged.isprintable()
        assert len(judged) < 1_000
    else:
        assert read(document, judged.dump()) == judged
