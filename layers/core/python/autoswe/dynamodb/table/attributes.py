"""Plain Python values as DynamoDB attribute values and back (Amazon DynamoDB: "AttributeValue").

boto3 has such a conversion, but importing boto3 for it would cost the webhook's cold start more than all code of ours.
This module is on that path: it imports the standard library only.
"""

from collections.abc import Mapping
from typing import Any

Plain = str | int | bool | None | list["Plain"] | dict[str, "Plain"]
"""What a row holds: text, whole numbers, truth, nothing, and lists and maps of these."""

AttributeValue = Mapping[str, Any]
"""One attribute as DynamoDB spells it: its type's letters and its value."""


class MalformedRow(Exception):
    """A row of ours does not hold what it should; the message names the attribute."""


def to_item(row: Mapping[str, object]) -> dict[str, AttributeValue]:
    """Spell a row for DynamoDB; tuples become lists. Raises ``TypeError`` for a value that a row cannot hold."""
    return {name: to_attribute(value) for name, value in row.items()}


def to_attribute(value: object) -> AttributeValue:
    """Spell one value for DynamoDB; raises ``TypeError`` for a value that a row cannot hold."""
    match value:
        case str():
            return {"S": str(value)}
        case bool():
            return {"BOOL": value}
        case int():
            return {"N": str(value)}
        case None:
            return {"NULL": True}
        case list() | tuple():
            return {"L": [to_attribute(element) for element in value]}
        case Mapping():
            return {"M": to_item(value)}
    raise TypeError(f"a row cannot hold a {type(value).__name__}")


def from_item(item: Mapping[str, AttributeValue]) -> dict[str, Plain]:
    """Read a row as DynamoDB spells it; raises ``MalformedRow`` for a type that no row of ours has."""
    return {name: _from_attribute(name, value) for name, value in item.items()}


def _from_attribute(name: str, attribute: AttributeValue) -> Plain:
    match [*attribute.items()]:
        case [("S", str(text))]:
            return text
        case [("BOOL", bool(truth))]:
            return truth
        case [("N", str(number))] if number.removeprefix("-").isdecimal():
            return int(number)
        case [("NULL", True)]:
            return None
        case [("L", list(elements))]:
            return [_from_attribute(f"{name}[{index}]", element) for index, element in enumerate(elements)]
        case [("M", dict(members))]:
            return {key: _from_attribute(f"{name}.{key}", member) for key, member in members.items()}
    raise MalformedRow(f"the attribute {name} is of a type that no row has")


def text(row: Mapping[str, Plain], name: str) -> str:
    """Read an attribute that must be a string; raises ``MalformedRow``."""
    value = row.get(name)
    if not isinstance(value, str):
        raise MalformedRow(f"the attribute {name} must be a string")
    return value


def number(row: Mapping[str, Plain], name: str) -> int:
    """Read an attribute that must be a whole number; raises ``MalformedRow``."""
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedRow(f"the attribute {name} must be a whole number")
    return value


def flag(row: Mapping[str, Plain], name: str) -> bool:
    """Read an attribute that must be true or false; raises ``MalformedRow``."""
    value = row.get(name)
    if not isinstance(value, bool):
        raise MalformedRow(f"the attribute {name} must be true or false")
    return value


def texts(row: Mapping[str, Plain], name: str) -> tuple[str, ...]:
    """Read an attribute that must be a list of strings; raises ``MalformedRow``."""
    value = row.get(name)
    if not isinstance(value, list):
        raise MalformedRow(f"the attribute {name} must be a list of strings")
    strings = tuple(element for element in value if isinstance(element, str))
    if len(strings) != len(value):
        raise MalformedRow(f"the attribute {name} must be a list of strings")
    return strings
