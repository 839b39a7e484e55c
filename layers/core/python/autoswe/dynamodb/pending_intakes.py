"""Offers that were written down to be decided on later, as the table holds them (architecture §4)."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from autoswe.contracts.deliveries import Offer
from autoswe.dynamodb.attributes import AttributeValue, MalformedRow, from_item, number, text, to_item
from autoswe.dynamodb.claims import DELIVERY_LIFE, epoch
from autoswe.dynamodb.client import Table
from autoswe.intake_ports import PendingIntake
from autoswe.rules.feedback.triggers import TriggerKind, TriggerSource


def pending_intake(image: Mapping[str, AttributeValue]) -> PendingIntake:
    """Read an INTAKE row; raises ``MalformedRow``, naming the attribute."""
    row = from_item(image)
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


class SettlementTable:
    """Records what became of pending intakes."""

    def __init__(self, table: Table, now: Callable[[], datetime]) -> None:
        self._table = table
        self._now = now

    def settle(self, intake: PendingIntake, outcome: str) -> None:
        """Write the outcome on the row and let it expire with its delivery; the first outcome stays."""
        values: dict[str, Any] = {":outcome": outcome, ":expiry": epoch(self._now() + DELIVERY_LIFE)}
        self._table.client().update_item(
            TableName=self._table.name,
            Key=to_item({"pk": intake.partition_key, "sk": intake.sort_key}),
            UpdateExpression="SET outcome = if_not_exists(outcome, :outcome), expires_at = :expiry",
            ExpressionAttributeValues=to_item(values),
        )
