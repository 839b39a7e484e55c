"""Recorded decisions that have not started yet, as the table holds them (architecture §4)."""

from collections.abc import Mapping
from typing import Any

from autoswe.contracts.records.platform import Decision
from autoswe.dynamodb.records.settings import read_settings_of, repository_key, setting_partition
from autoswe.dynamodb.table.attributes import AttributeValue, from_item, to_item
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.contract_rows import from_row
from autoswe.dynamodb.table.keys import SINGLE
from autoswe.dynamodb.table.rows import Rows
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import StoredSettings


def read_decision(image: Mapping[str, AttributeValue]) -> Decision:
    """Read a DECISION row; raises ``MalformedRow``, naming the row and its first wrong field."""
    return from_row(Decision, from_item(image))


class DecisionTable:
    """What starting a decision's round reads and writes."""

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._table = table
        self._rows = Rows(table, backoff)

    def settings_of(self, connection: str, repository: str, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a repository, consistently; raises ``Contended``, and ``MalformedRow`` for its record."""
        known = repository_key(connection, repository)
        return read_settings_of(lambda keys: self._rows.read_together(*keys), known, settings)[0]

    def on_somewhere(self, switch: Setting[bool]) -> bool:
        """Say whether a switch is on for the platform, or for an organisation or a team; raises ``Contended``."""
        return any(row.get("value") is True for row in self._rows.partition(setting_partition(switch)))

    def mark_started(self, decision_id: str) -> None:
        """Take the decision out of the sparse index ``unstarted``; doing it again changes nothing."""
        self._table.client().update_item(
            TableName=self._table.name,
            Key=to_item({"pk": decision_id, "sk": SINGLE}),
            UpdateExpression="REMOVE unstarted",
            ConditionExpression="attribute_exists(pk)",
        )
