"""A few rows at a time: read consistently, written all or none on condition of what is expected there.

Amazon DynamoDB: "Condition and filter expressions", "TransactGetItems", "Query".
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from botocore.exceptions import ClientError

from autoswe.dynamodb.table.attributes import Plain, from_item, to_item
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.transactions import CONDITION_FAILED, Reasons, transact

Row = Mapping[str, Plain]
Key = Mapping[str, str]

NOTHING: Row = {}
"""No attributes at all."""

_PASSING = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "TransactionCanceledException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
"""What passes when a request is made again; of the requests made here only a read can be a cancelled transaction."""


@dataclass(frozen=True)
class Write:
    """One write, or one check that goes with others: its name in a transaction, and its parameters but the table."""

    kind: Literal["Put", "Update", "ConditionCheck"]
    parameters: Mapping[str, Any]


def put(row: Row, *, expect: Row = NOTHING, unless: Row = NOTHING) -> Write:
    """Write a whole row, if the one before is as ``expect`` says and no attribute is as ``unless`` says.

    ``None`` stands for an attribute that must not be there.
    """
    return Write("Put", {"Item": to_item(row), **_expressions(expect, unless)})


def update(key: Key, changes: Row, *, once: Row = NOTHING, expect: Row = NOTHING) -> Write:
    """Change attributes of a row, which is made when there is none; ``None`` removes an attribute.

    What is in ``once`` is written only where the row has no such attribute yet. ``expect`` as ``put`` has it.
    """
    written = {name: value for name, value in changes.items() if value is not None}
    assignments = [f"#{name} = :{name}" for name in written]
    assignments += [f"#{name} = if_not_exists(#{name}, :{name})" for name in once]
    removed = [f"#{name}" for name in changes if name not in written]
    clauses = [f"{verb} {', '.join(parts)}" for verb, parts in (("SET", assignments), ("REMOVE", removed)) if parts]
    expressions = _expressions(expect, named=(*changes, *once), assigned={**written, **once})
    return Write("Update", {"Key": to_item(key), "UpdateExpression": " ".join(clauses), **expressions})


def check(key: Key, *, expect: Row) -> Write:
    """Require of a row what ``put`` has as ``expect``, and write nothing to it."""
    return Write("ConditionCheck", {"Key": to_item(key), **_expressions(expect)})


class Rows:
    """The table's rows. Every method raises ``Contended`` when rivals or a want of capacity outlasted its back-off."""

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._table = table
        self._backoff = backoff

    def read(self, key: Key) -> Row | None:
        """Read one row."""
        answer = self._ask("get_item", TableName=self._table.name, Key=to_item(key), ConsistentRead=True)
        return from_item(answer["Item"]) if "Item" in answer else None

    def read_together(self, *keys: Key) -> tuple[Row | None, ...]:
        """Read several rows as they stood at one moment, in the order of their keys."""
        gets = [{"Get": {"TableName": self._table.name, "Key": to_item(key)}} for key in keys]
        answers = self._ask("transact_get_items", TransactItems=gets)["Responses"]
        return tuple(from_item(answer["Item"]) if answer.get("Item") else None for answer in answers)

    def query(self, partition: str, first: str, last: str, *, where: str, **values: Plain) -> Iterator[Row]:
        """Read the rows of a partition whose sort keys lie from ``first`` to ``last``, in that order, to the end.

        ``where`` filters them, its values given by name.
        """
        return self._pages(
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            FilterExpression=where,
            ExpressionAttributeValues=to_item(
                {":pk": partition, ":first": first, ":last": last, **{f":{name}": v for name, v in values.items()}}
            ),
            ConsistentRead=True,
        )

    def partition(self, partition: str) -> Iterator[Row]:
        """Read every row of a partition, by sort key, to the end."""
        return self._pages(
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues=to_item({":pk": partition}),
            ConsistentRead=True,
        )

    def index(self, name: str, condition: str, **values: Plain) -> Iterator[Row]:
        """Read what an index holds of the rows that meet a key condition, in its order, to the end.

        An index lags behind: a row may be missing from it, or no longer be what it says.
        """
        return self._pages(
            IndexName=name,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=to_item({f":{name}": value for name, value in values.items()}),
        )

    def write(self, *writes: Write) -> bool:
        """Make the writes, all or none; false when one of them did not find what it expects."""
        requests: list[Mapping[str, Any]] = [
            {write.kind: {"TableName": self._table.name, **write.parameters}} for write in writes
        ]
        if len(writes) > 1:
            return transact(self._table, self._backoff, requests, _made)
        (write,) = writes
        try:
            self._ask({"Put": "put_item", "Update": "update_item"}[write.kind], **requests[0][write.kind])
        except ClientError as error:
            if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                return False
            raise
        return True

    def _pages(self, **request: Any) -> Iterator[Row]:
        request["TableName"] = self._table.name
        while True:
            page = self._ask("query", **request)
            yield from map(from_item, page["Items"])
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _ask(self, operation: str, **request: Any) -> Any:
        for _ in self._backoff.attempts():
            try:
                return getattr(self._table.client(), operation)(**request)
            except ClientError as error:
                if error.response["Error"]["Code"] not in _PASSING:
                    raise
        raise Contended(f"the table refused {operation} again and again")


def _expressions(
    expect: Row, unless: Row = NOTHING, *, named: Iterable[str] = (), assigned: Row = NOTHING
) -> Mapping[str, Any]:
    """Spell the condition of a write and the placeholders of all its expressions; DynamoDB wants no empty part.

    Each attribute gets one, because its name may be a reserved word (documentation page "Reserved words in DynamoDB").
    """
    present = {name: value for name, value in expect.items() if value is not None}
    clauses = [f"#{name} = :expected_{name}" for name in present]
    clauses += [f"attribute_not_exists(#{name})" for name in expect if name not in present]
    clauses += [f"(attribute_not_exists(#{name}) OR #{name} <> :expected_{name})" for name in unless]
    values = {f":{name}": value for name, value in assigned.items()}
    values |= {f":expected_{name}": value for name, value in {**present, **unless}.items()}
    parts = {
        "ConditionExpression": " AND ".join(clauses),
        "ExpressionAttributeNames": {f"#{name}": name for name in (*named, *expect, *unless)},
        "ExpressionAttributeValues": to_item(values),
    }
    return {name: part for name, part in parts.items() if part}


def _made(reasons: Reasons) -> bool | None:
    if CONDITION_FAILED in reasons:
        return False
    return None if reasons else True
