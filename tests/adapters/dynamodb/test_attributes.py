"""Rows survive the way into the table and back, and mean there what boto3 says they mean."""

from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from hypothesis import given
from hypothesis import strategies as st

from autoswe.dynamodb.table.attributes import MalformedRow, flag, from_item, number, text, texts, to_item
from autoswe.rules.records.triggers import TriggerKind

names = st.text(st.characters(codec="utf-8"), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**37), 10**37) | names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
rows = st.dictionaries(names, values, max_size=5)


@given(rows)
def test_a_row_comes_back_as_it_went(row: dict[str, Any]) -> None:
    assert from_item(to_item(row)) == row


@given(rows)
def test_a_row_is_spelled_as_boto3_spells_it(row: dict[str, Any]) -> None:
    serializer = TypeSerializer()
    assert to_item(row) == {name: serializer.serialize(value) for name, value in row.items()}


@given(rows)
def test_boto3_reads_the_same_row(row: dict[str, Any]) -> None:
    deserializer = TypeDeserializer()
    assert {name: deserializer.deserialize(value) for name, value in to_item(row).items()} == row


def test_a_tuple_is_a_list_and_a_word_of_ours_is_its_text() -> None:
    assert to_item({"triggers": (TriggerKind.COMMAND,)}) == {"triggers": {"L": [{"S": "command"}]}}


@pytest.mark.parametrize("value", [1.5, b"bytes", {1, 2}, Decimal(1), object()])
def test_what_a_row_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=f"a row cannot hold a {type(value).__name__}"):
        to_item({"field": [value]})


@pytest.mark.parametrize("attribute", [
    {}, {"B": b"x"}, {"SS": ["a"]}, {"NS": ["1"]}, {"N": "1.5"}, {"N": "1e3"}, {"N": ""}, {"N": 1}, {"S": 1},
    {"NULL": False}, {"BOOL": "true"}, {"X": "y"}, {"S": "a", "N": "1"},
])  # fmt: skip
def test_an_attribute_of_a_type_that_no_row_has_is_named(attribute: dict[str, Any]) -> None:
    with pytest.raises(MalformedRow, match=r"outer\[0\]\.inner"):
        from_item({"outer": {"L": [{"M": {"inner": attribute}}]}})


@pytest.mark.parametrize(("read", "good"), [(text, "word"), (number, 7), (flag, True), (texts, ["one", "two"])])
@pytest.mark.parametrize("value", ["word", 7, True, ["one", "two"], ["one", 2], None, {}])
def test_an_attribute_is_read_as_the_type_it_must_have_or_named(read: Any, good: Any, value: Any) -> None:
    row = {"field": value}
    if type(value) is type(good) and value != ["one", 2]:
        assert read(row, "field") == (tuple(value) if isinstance(value, list) else value)
    else:
        with pytest.raises(MalformedRow, match=r"^the attribute field must be"):
            read(row, "field")


@pytest.mark.parametrize("read", [text, number, flag, texts])
def test_an_attribute_that_is_missing_is_named(read: Any) -> None:
    with pytest.raises(MalformedRow, match=r"^the attribute field must be"):
        read({}, "field")
