"""All-or-nothing writes, and why one was cancelled (Amazon DynamoDB: "TransactWriteItems")."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from botocore.exceptions import ClientError

from autoswe.dynamodb.table.client import Backoff, Contended, Table

T = TypeVar("T")

Reasons = tuple[str, ...]
"""One reason per write, in the writes' order; empty when all of them were made."""

CONDITION_FAILED = "ConditionalCheckFailed"
_PASSING = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
_PASSING_ERRORS = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "TransactionInProgressException",
    }
)


class UnexpectedCancellation(Exception):
    """A transaction was cancelled for reasons that say nothing about its conditions; the message lists them."""


def transact(
    table: Table,
    backoff: Backoff,
    writes: Sequence[Mapping[str, Any]],
    verdict: Callable[[Reasons], T | None],
) -> T:
    """Make all the writes or none, and return what ``verdict`` reads from the reasons.

    When ``verdict`` has nothing to say, because rivals wrote the same rows or capacity was short, the transaction is
    tried again as long as ``backoff`` lasts. Raises ``Contended`` after that, and ``UnexpectedCancellation`` for
    reasons of any other kind.
    """
    for _ in backoff.attempts():
        reasons = _attempt(table, writes)
        if reasons is None:
            continue
        outcome = verdict(reasons)
        if outcome is not None:
            return outcome
        if not _PASSING.intersection(reasons):
            raise UnexpectedCancellation(f"a transaction was cancelled: {', '.join(reasons)}")
    raise Contended("a transaction was refused again and again")


def _attempt(table: Table, writes: Sequence[Mapping[str, Any]]) -> Reasons | None:
    """Try once: why it was cancelled, nothing at all if it was made, ``None`` if it was not even considered."""
    try:
        table.client().transact_write_items(TransactItems=writes)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code == "TransactionCanceledException":
            return tuple(reason["Code"] for reason in error.response["CancellationReasons"])
        if code in _PASSING_ERRORS:
            return None
        raise
    return ()
