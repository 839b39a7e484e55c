"""Recorded decisions that have not started yet, as the table holds them (architecture §4)."""

from collections.abc import Mapping

from autoswe.contracts.rows import Decision
from autoswe.dynamodb.attributes import AttributeValue, from_item, to_item
from autoswe.dynamodb.client import Table
from autoswe.dynamodb.contract_rows import from_row
from autoswe.dynamodb.keys import SINGLE
from autoswe.dynamodb.settings import switched_on


def read_decision(image: Mapping[str, AttributeValue]) -> Decision:
    """Read a DECISION row; raises ``MalformedRow``, naming the row and its first wrong field."""
    return from_row(Decision, from_item(image))


class DecisionTable:
    """What starting a decision's round reads and writes."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def switched_on(self, setting: str) -> bool:
        """Read an on/off setting, consistently; one that was never saved is off."""
        return switched_on(self._table, setting)

    def mark_started(self, decision_id: str) -> None:
        """Take the decision out of the sparse index ``unstarted``; doing it again changes nothing."""
        self._table.client().update_item(
            TableName=self._table.name,
            Key=to_item({"pk": decision_id, "sk": SINGLE}),
            UpdateExpression="REMOVE unstarted",
            ConditionExpression="attribute_exists(pk)",
        )
