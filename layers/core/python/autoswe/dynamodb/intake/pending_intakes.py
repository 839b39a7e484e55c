"""Offers that were written down to be decided on later, as the table holds them (architecture §4)."""

from collections.abc import Callable, Mapping
from datetime import datetime

from botocore.exceptions import ClientError

from autoswe.contracts.records.offers import Offer
from autoswe.dynamodb.intake.claims import DELIVERY_LIFE, renewed_suppression_writes, suppression_verdict
from autoswe.dynamodb.table.attributes import AttributeValue, MalformedRow, Plain, from_item, number, text, to_item
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.timestamps import epoch
from autoswe.dynamodb.table.transactions import transact
from autoswe.ports.intake.claims import PendingIntake, Suppression
from autoswe.rules.records.triggers import TriggerKind, TriggerSource


def pending_intake(image: Mapping[str, AttributeValue]) -> PendingIntake:
    """Read an INTAKE row as DynamoDB spells it; raises ``MalformedRow``, naming the attribute."""
    return read_intake(from_item(image))


def read_intake(row: Mapping[str, Plain]) -> PendingIntake:
    """Read an INTAKE row; raises ``MalformedRow``, naming the attribute."""
    try:
        trigger, source = TriggerKind(text(row, "trigger")), TriggerSource(text(row, "source"))
    except ValueError as unknown:
        raise MalformedRow(f"an intake row holds what is unknown here: {unknown}") from None
    return PendingIntake(
        partition_key=text(row, "pk"),
        sort_key=text(row, "sk"),
        offer=Offer(
            connection=text(row, "connection"),
            repository=text(row, "repository"),
            repository_id=number(row, "repository_id"),
            pull_number=number(row, "pull_number"),
            subject=text(row, "subject"),
            trigger=trigger,
            source=source,
            trigger_id=number(row, "trigger_id"),
            sender_id=number(row, "sender_id"),
            delivery=text(row, "delivery"),
            automation_id=text(row, "automation_id"),
        ),
    )


class PendingIntakeTable:
    """Records what became of pending intakes."""

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._table = table
        self._now = now
        self._backoff = backoff

    def settle(self, intake: PendingIntake, outcome: str, reason: str | None = None) -> None:
        """Write outcome and reason on the row, which leaves the index ``unstarted`` and will expire.

        An outcome that is there stays, unless it is ``suppressed``.
        """
        assigned = {"outcome": outcome, "expires_at": epoch(self._now() + DELIVERY_LIFE)}
        assigned |= {"reason": reason} if reason else {}
        values = {":suppressed": "suppressed", **{f":{name}": value for name, value in assigned.items()}}
        try:
            self._table.client().update_item(
                TableName=self._table.name,
                Key=to_item({"pk": intake.partition_key, "sk": intake.sort_key}),
                UpdateExpression=f"SET {', '.join(f'{name} = :{name}' for name in assigned)} REMOVE unstarted",
                ConditionExpression="attribute_not_exists(outcome) OR outcome = :suppressed",
                ExpressionAttributeValues=to_item(values),
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise

    def suppress_again(self, intake: PendingIntake) -> Suppression:
        """Write ``suppressed`` on the row and a new event under the pull request; see ``claims`` for the conditions.

        Raises ``Contended`` when rivals or a want of capacity kept it from being recorded.
        """
        writes = renewed_suppression_writes(self._table.name, intake, self._now())
        return transact(self._table, self._backoff, writes, suppression_verdict)
