"""What DynamoDB asks of the expressions of a request, whatever they say.

Sources: Amazon DynamoDB, "Expression attribute names (aliases)", "Expression attribute values", "Reserved words in
DynamoDB" and "Quotas in Amazon DynamoDB".
"""

import re
from collections.abc import Iterator, Mapping, Set
from typing import Any

from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

MAX_EXPRESSION_BYTES = 4_096
_EXPRESSIONS = (
    "ConditionExpression",
    "FilterExpression",
    "KeyConditionExpression",
    "ProjectionExpression",
    "UpdateExpression",
)
_NAME_PLACEHOLDER = re.compile(r"#\w+")
_VALUE_PLACEHOLDER = re.compile(r":\w+")
_WORD = re.compile(r"(?<![#:\w])[A-Za-z_]\w*(?!\w|\s*\()")
_SYNTAX = frozenset({"ADD", "AND", "BETWEEN", "DELETE", "IN", "NOT", "OR", "REMOVE", "SET"})
_RESERVED = frozenset(ReservedKeywords.get_reserved_keywords()) - _SYNTAX


def expression_complaints(request: Mapping[str, Any]) -> Iterator[str]:
    """Say what is wrong with the expressions of one request, or of one operation in a transaction.

    An expression has 1 to 4,096 bytes and no reserved word for a name; every placeholder that is used is defined, and
    every one that is defined is used.
    """
    texts = [request[name] for name in _EXPRESSIONS if name in request]
    for text in texts:
        if not text.strip():
            yield "The expression can not be empty"
        if len(text.encode()) > MAX_EXPRESSION_BYTES:
            yield f"Expression size has exceeded the maximum allowed size of {MAX_EXPRESSION_BYTES} bytes"
        for word in _WORD.findall(text):
            if word.upper() in _RESERVED:
                yield f"Attribute name is a reserved keyword; reserved keyword: {word}"
    for field, placeholder in (
        ("ExpressionAttributeNames", _NAME_PLACEHOLDER),
        ("ExpressionAttributeValues", _VALUE_PLACEHOLDER),
    ):
        used = {found for text in texts for found in placeholder.findall(text)}
        yield from _mismatches(field, used, request.get(field))


def _mismatches(field: str, used: Set[str], given: Mapping[str, Any] | None) -> Iterator[str]:
    if given is not None and not given:
        yield f"{field} must not be empty"
    defined = (given or {}).keys()
    if missing := sorted(used - defined):
        yield f"An expression attribute used in an expression is not defined in {field}: {', '.join(missing)}"
    if unused := sorted(defined - used):
        yield f"Value provided in {field} unused in expressions: keys: {{{', '.join(unused)}}}"
