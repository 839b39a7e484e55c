"""Many rows in few requests (Amazon DynamoDB: "BatchGetItem").

This module is on the webhook's path: it imports nothing but the standard library.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autoswe.dynamodb.table.attributes import Plain, from_item, to_item
from autoswe.dynamodb.table.client import Backoff, Contended, Table

_MOST_KEYS = 100


def read_batch(table: Table, backoff: Backoff, keys: Sequence[Mapping[str, str]]) -> Iterator[Mapping[str, Plain]]:
    """Read the rows that are there, in no order, consistently but not all at one moment; no key may come twice.

    Raises ``Contended`` when the table kept leaving some of them out.
    """
    for start in range(0, len(keys), _MOST_KEYS):
        yield from _read(table, backoff, keys[start : start + _MOST_KEYS])


def _read(table: Table, backoff: Backoff, keys: Sequence[Mapping[str, str]]) -> Iterator[Mapping[str, Plain]]:
    wanted: Mapping[str, Any] = {table.name: {"Keys": [to_item(one) for one in keys], "ConsistentRead": True}}
    for _ in backoff.attempts():
        answer = table.client().batch_get_item(RequestItems=wanted)
        yield from map(from_item, answer["Responses"].get(table.name, []))
        wanted = answer["UnprocessedKeys"]
        if not wanted:
            return
    raise Contended("rows were left out of the answer again and again")
