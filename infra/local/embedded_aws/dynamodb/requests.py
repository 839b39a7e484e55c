"""Which requests DynamoDB refuses before it looks at any item: a ``ValidationException``.

Sources: Amazon DynamoDB, "Quotas in Amazon DynamoDB", "TransactWriteItems", "BatchWriteItem" and "Working with tables
and data in DynamoDB".
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from infra.local.embedded_aws.dynamodb.expressions import expression_complaints
from infra.local.embedded_aws.dynamodb.sizes import attribute_bytes, item_bytes, number_refusal
from infra.local.embedded_aws.storage import TableDefinition

MAX_ITEM_BYTES = 400 * 1024
MAX_TRANSACTION_OPERATIONS = 100
MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
MAX_BATCH_WRITES = 25
MAX_BATCH_BYTES = 16 * 1024 * 1024
MAX_PARTITION_KEY_BYTES = 2_048
MAX_SORT_KEY_BYTES = 1_024

Item = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class RequestRules:
    """The rules as they apply to one table, all of whose keys are strings."""

    table: TableDefinition

    def refusal(self, operation: str, request: Mapping[str, Any]) -> str | None:
        """Say in one sentence why DynamoDB refuses the request, or ``None`` when it considers it."""
        return next(self._complaints(operation, request), None)

    def item_refusal(self, item: Item) -> str | None:
        """Say why the table cannot hold an item: its keys, its numbers, or more than 400 KB, names included."""
        return next(self._item_complaints(item), None)

    def _complaints(self, operation: str, request: Mapping[str, Any]) -> Iterator[str]:
        match operation:
            case "TransactWriteItems" | "TransactGetItems":
                parts = [part for item in request["TransactItems"] for part in item.values()]
                yield from self._transaction_complaints(parts)
            case "BatchWriteItem":
                writes = [
                    write for table in request["RequestItems"].values() for one in table for write in one.values()
                ]
                yield from self._batch_complaints(writes)
            case "BatchGetItem":
                for table in request["RequestItems"].values():
                    yield from expression_complaints(table)
                    yield from chain.from_iterable(map(self._key_complaints, table["Keys"]))
            case _:
                yield from self._part_complaints(request)

    def _transaction_complaints(self, parts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        if len(parts) > MAX_TRANSACTION_OPERATIONS:
            yield f"Member must have length less than or equal to {MAX_TRANSACTION_OPERATIONS}"
        yield from chain.from_iterable(map(self._part_complaints, parts))
        if max(Counter(map(self._identity, parts)).values(), default=0) > 1:
            yield "Transaction request cannot include multiple operations on one item"
        if sum(map(_part_bytes, parts)) > MAX_TRANSACTION_BYTES:
            yield f"The items of a transaction can have {MAX_TRANSACTION_BYTES} bytes in all"

    def _batch_complaints(self, writes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        if len(writes) > MAX_BATCH_WRITES:
            yield f"Member must have length less than or equal to {MAX_BATCH_WRITES}"
        yield from chain.from_iterable(map(self._part_complaints, writes))
        if max(Counter(map(self._identity, writes)).values(), default=0) > 1:
            yield "Provided list of item keys contains duplicates"
        if sum(map(_part_bytes, writes)) > MAX_BATCH_BYTES:
            yield f"A batch can have {MAX_BATCH_BYTES} bytes in all"

    def _part_complaints(self, part: Mapping[str, Any]) -> Iterator[str]:
        yield from expression_complaints(part)
        for value in part.get("ExpressionAttributeValues", {}).values():
            if refusal := number_refusal(value):
                yield refusal
        if "Key" in part:
            yield from self._key_complaints(part["Key"])
        if "Item" in part:
            yield from self._item_complaints(part["Item"])

    def _key_complaints(self, key: Item) -> Iterator[str]:
        if set(key) != {self.table.partition_key, self.table.sort_key}:
            yield "The provided key element does not match the schema"
        yield from self._key_value_complaints(key)

    def _item_complaints(self, item: Item) -> Iterator[str]:
        for name in (self.table.partition_key, self.table.sort_key):
            if name not in item:
                yield f"One or more parameter values were invalid: Missing the key {name} in the item"
        yield from self._key_value_complaints(item)
        for index in self.table.indexes:
            for name in (index.partition_key, index.sort_key):
                if name in item:
                    yield from _string_key_complaints(name, item[name])
        yield from filter(None, map(number_refusal, item.values()))
        if item_bytes(item) > MAX_ITEM_BYTES:
            yield f"Item size has exceeded the maximum allowed size of {MAX_ITEM_BYTES} bytes"

    def _key_value_complaints(self, item: Item) -> Iterator[str]:
        for name, limit in (
            (self.table.partition_key, MAX_PARTITION_KEY_BYTES),
            (self.table.sort_key, MAX_SORT_KEY_BYTES),
        ):
            value = item.get(name, {"S": name})
            yield from _string_key_complaints(name, value)
            if attribute_bytes(value) > limit:
                yield f"One or more parameter values were invalid: the key {name} is larger than {limit} bytes"

    def _identity(self, part: Mapping[str, Any]) -> tuple[str, str, str]:
        key = part["Key"] if "Key" in part else part["Item"]
        return part.get("TableName", ""), key[self.table.partition_key]["S"], key[self.table.sort_key]["S"]


def _string_key_complaints(name: str, value: Mapping[str, Any]) -> Iterator[str]:
    if set(value) != {"S"}:
        actual = ", ".join(value)
        yield f"One or more parameter values were invalid: Type mismatch for key {name} expected: S actual: {actual}"
    elif not value["S"]:
        yield f"The AttributeValue for a key attribute cannot contain an empty string value. Key: {name}"


def _part_bytes(part: Mapping[str, Any]) -> int:
    fields = ("Item", "Key", "ExpressionAttributeValues")
    return sum(item_bytes(part[field]) for field in fields if field in part)
