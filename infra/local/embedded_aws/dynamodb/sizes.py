"""How large DynamoDB counts an item, and which numbers it can hold.

Sources: Amazon DynamoDB, "DynamoDB item sizes and formats" and "Supported data types and naming rules".
"""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

MAX_DIGITS = 38
_LARGEST_EXPONENT = 125
_SMALLEST_EXPONENT = -130
_CONTAINER_BYTES = 3
_ELEMENT_BYTES = 1

Attribute = Mapping[str, Any]


def item_bytes(item: Mapping[str, Attribute]) -> int:
    """Count an item's bytes: its attributes' names and values, in UTF-8."""
    return sum(len(name.encode()) + attribute_bytes(attribute) for name, attribute in item.items())


def attribute_bytes(attribute: Attribute) -> int:
    """Count a value's bytes; a list or map takes 3 of its own and 1 for each element."""
    ((kind, value),) = attribute.items()
    match kind:
        case "S":
            return len(value.encode())
        case "N":
            return _number_bytes(value)
        case "B":
            return len(value if isinstance(value, bytes) else b64decode(value))
        case "L":
            return _CONTAINER_BYTES + sum(_ELEMENT_BYTES + attribute_bytes(element) for element in value)
        case "M":
            return _CONTAINER_BYTES + len(value) * _ELEMENT_BYTES + item_bytes(value)
        case "SS" | "NS" | "BS":
            return sum(attribute_bytes({kind[0]: element}) for element in value)
    return 1


def number_refusal(attribute: Attribute) -> str | None:
    """Say why DynamoDB refuses a number in the value, however deep, or ``None`` when it takes them all."""
    return next(filter(None, map(_refusal, _numbers(attribute))), None)


def _numbers(attribute: Attribute) -> Iterator[str]:
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            yield value
        case "NS":
            yield from value
        case "L":
            for element in value:
                yield from _numbers(element)
        case "M":
            for element in value.values():
                yield from _numbers(element)


def _refusal(number: str) -> str | None:
    try:
        parsed = Decimal(number)
    except InvalidOperation:
        parsed = Decimal("NaN")
    if not parsed.is_finite():
        return f"The parameter cannot be converted to a numeric value: {number}"
    if len(_significant_digits(parsed)) > MAX_DIGITS:
        return f"Attempting to store more than {MAX_DIGITS} significant digits in a Number"
    if parsed and parsed.adjusted() > _LARGEST_EXPONENT:
        return "Number overflow. Attempting to store a number with magnitude larger than supported range"
    if parsed and parsed.adjusted() < _SMALLEST_EXPONENT:
        return "Number underflow. Attempting to store a number with magnitude smaller than supported range"
    return None


def _number_bytes(number: str) -> int:
    try:
        parsed = Decimal(number)
    except InvalidOperation:
        return len(number)
    pairs = (len(_significant_digits(parsed)) + 1) // 2
    return pairs + 1 + (parsed < 0)


def _significant_digits(number: Decimal) -> str:
    return "".join(map(str, number.as_tuple().digits)).strip("0")
