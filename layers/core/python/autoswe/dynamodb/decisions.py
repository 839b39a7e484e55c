"""Recorded decisions as the table holds them (architecture §4)."""

import json
from collections.abc import Mapping

from pydantic import ValidationError

from autoswe.contracts.rows import Decision
from autoswe.dynamodb.attributes import AttributeValue, MalformedRow, from_item, to_item
from autoswe.dynamodb.client import Table
from autoswe.dynamodb.keys import SINGLE
from autoswe.dynamodb.settings import switched_on

_STORAGE = frozenset({"pk", "sk", "kind", "unstarted"})


def read_decision(image: Mapping[str, AttributeValue]) -> Decision:
    """Read a DECISION row; raises ``MalformedRow``, naming the first field that is wrong."""
    fields = {name: value for name, value in from_item(image).items() if name not in _STORAGE}
    try:
        return Decision.model_validate_json(json.dumps(fields))
    except ValidationError as invalid:
        first = invalid.errors(include_input=False, include_url=False)[0]
        raise MalformedRow(f"a decision row is wrong at {first['loc']}: {first['msg']}") from None


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
