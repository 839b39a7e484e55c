"""A review's file that is refused is told about by its place, and never by what it holds (review §18)."""

import json
from typing import Any

import pytest

from autoswe.contracts.review.reading import DocumentRefused, ShapeFault, read_document
from tests.contracts.review.documents import PUBLISHED, Published

each_file = pytest.mark.parametrize("document", PUBLISHED, ids=lambda document: document.name)

SECRET = "not-to-be-repeated"


def refused(document: Published, content: Any) -> DocumentRefused:
    with pytest.raises(DocumentRefused) as refusal:
        read_document(document.model, json.dumps(content).encode(), name="it", max_bytes=document.max_bytes)
    return refusal.value


def golden(document: Published) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(document.golden_file.read_bytes())
    return content


@each_file
def test_a_key_that_is_missing_is_told_so(document: Published) -> None:
    required = document.schema()["required"]
    for key in required:
        refusal = refused(document, {name: value for name, value in golden(document).items() if name != key})
        if key != "skip_counts":
            assert refusal.fault is ShapeFault.MISSING_KEY
            assert str(refusal) == f"it is refused: {key}: is missing"


@each_file
def test_a_number_that_is_written_as_a_text_is_no_number(document: Published) -> None:
    numbers = {name: value for name, value in golden(document).items() if type(value) is int}
    for name, value in numbers.items():
        refusal = refused(document, golden(document) | {name: str(value)})
        assert refusal.fault is ShapeFault.WRONG_VALUE
        assert str(refusal).startswith(f"it is refused: {name}")


@each_file
def test_no_value_of_a_refused_file_is_quoted(document: Published) -> None:
    for name in golden(document):
        assert SECRET not in str(refused(document, golden(document) | {name: {"x": SECRET}}))
        assert SECRET not in str(refused(document, golden(document) | {name: [[SECRET]]}))
