"""Updates that are all or nothing, and that leave one record in the stream.

moto changes an item clause by clause: an update that fails half-way leaves its first half, and one that creates an item
leaves two records of it. It also lets an update grow an item past what DynamoDB stores (Amazon DynamoDB: "UpdateItem").
"""

import copy
from collections.abc import Callable
from typing import Any

from moto.dynamodb.exceptions import (
    AttributeDoesNotExist,
    IncorrectDataType,
    InvalidUpdateExpressionInvalidDocumentPath,
    ItemSizeToUpdateTooLarge,
    MockValidationException,
)
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType

from infra.local.embedded_aws.dynamodb.requests import RequestRules
from infra.local.embedded_aws.patches import Patches

_DEPENDS_ON_THE_ITEM = (
    AttributeDoesNotExist,
    IncorrectDataType,
    InvalidUpdateExpressionInvalidDocumentPath,
    ItemSizeToUpdateTooLarge,
)


class ValidationError(Exception):
    """Why an update cancels its transaction; moto tells the class's name as the reason's code."""


def install(patches: Patches, rules: RequestRules, in_transaction: Callable[[], bool]) -> None:
    """Have an update fail whole, and fail when its result is an item that the table cannot hold."""

    def update_item(
        self: Any,
        table_name: str,
        key: dict[str, dict[str, Any]],
        update_expression: str,
        expression_attribute_names: dict[str, Any],
        expression_attribute_values: dict[str, Any],
        attribute_updates: dict[str, Any] | None = None,
        expected: dict[str, Any] | None = None,
        condition_expression: str | None = None,
        return_values_on_condition_check_failure: str | None = None,
    ) -> Any:
        table = self.get_table(table_name)
        before = _Before(table, key)
        try:
            item = original(
                self,
                table_name,
                key,
                update_expression,
                expression_attribute_names,
                expression_attribute_values,
                attribute_updates,
                expected,
                condition_expression,
                return_values_on_condition_check_failure,
            )
            if reason := rules.item_refusal(item.to_json()["Attributes"]):
                raise ItemSizeToUpdateTooLarge if "size" in reason else MockValidationException(reason)
        except Exception as error:
            before.restore()
            if in_transaction() and isinstance(error, _DEPENDS_ON_THE_ITEM):
                raise ValidationError(error.exception_msg) from error
            raise
        before.keep_one_record()
        return item

    original = patches.method(DynamoDBBackend, "update_item", update_item)


class _Before:
    """An item and the table's stream as they were before an update."""

    def __init__(self, table: Any, key: dict[str, dict[str, Any]]) -> None:
        self._table = table
        self._partition = DynamoType(key[table.hash_key_attr])
        self._sort = DynamoType(key[table.range_key_attr])
        self._item = copy.deepcopy(table.get_item(self._partition, self._sort))
        self._records = len(table.stream_shard.items)

    def restore(self) -> None:
        del self._table.stream_shard.items[self._records :]
        rows = self._table.items[self._partition]
        if self._item is None:
            rows.pop(self._sort, None)
        else:
            rows[self._sort] = self._item

    def keep_one_record(self) -> None:
        shard = self._table.stream_shard
        if shard.items[self._records : -1]:
            last = shard.items.pop()
            del shard.items[self._records :]
            last.record["dynamodb"]["SequenceNumber"] = str(shard.starting_sequence_number + self._records)
            shard.items.append(last)
