"""DynamoDB transactions at a cost that does not grow with the table.

Before each transaction moto copies the whole table with its stream, to put it back when the transaction is cancelled.
Here the copy shares what a transaction cannot change: every item but those it names, and the stream's records.
"""

import copy
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import StreamShard, Table

from infra.local.embedded_aws.patches import Patches


def install(patches: Patches) -> Callable[[], bool]:
    """Make moto's copies cheap, and return what tells whether a transaction runs; the caller lets one at a time."""
    named: list[dict[str, Any]] = []

    def transact_write_items(self: Any, transact_items: Any) -> None:
        named[:] = [_key(operation) for item in transact_items for operation in item.values()]
        try:
            original(self, transact_items)
        finally:
            named.clear()

    def copy_table(table: Any, memo: dict[int, Any]) -> Any:
        copied = memo[id(table)] = copy.copy(table)
        copied.items = defaultdict(dict, {partition: dict(rows) for partition, rows in table.items.items()})
        for item in _items(table, named):
            copied.items[item.hash_key][item.range_key] = copy.deepcopy(item)
        copied.stream_shard = copy.deepcopy(table.stream_shard, memo)
        return copied

    def copy_shard(shard: Any, memo: dict[int, Any]) -> Any:
        copied = copy.copy(shard)
        copied.table = copy.deepcopy(shard.table, memo)
        copied.items = list(shard.items)
        return copied

    original = patches.method(DynamoDBBackend, "transact_write_items", transact_write_items)
    patches.addition(Table, "__deepcopy__", copy_table)
    patches.addition(StreamShard, "__deepcopy__", copy_shard)
    return lambda: bool(named)


def _key(operation: dict[str, Any]) -> dict[str, Any]:
    key: dict[str, Any] = operation.get("Key") or operation.get("Item") or {}
    return key


def _items(table: Any, keys: list[dict[str, Any]]) -> Iterator[Any]:
    for key in keys:
        if table.hash_key_attr in key and table.range_key_attr in key:
            item = table.get_item(DynamoType(key[table.hash_key_attr]), DynamoType(key[table.range_key_attr]))
            if item is not None:
                yield item
