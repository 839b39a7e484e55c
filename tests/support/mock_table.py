"""The table on moto, made from the one definition of it, with what tests put into it and find in it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from autoswe.dynamodb.table.attributes import from_item, to_item
from autoswe.dynamodb.table.client import Table
from autoswe.dynamodb.table.keys import SINGLE, key
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER
from tests.support.mock_aws import mock_aws, mock_client
from tests.support.places import ROOT

NAME = "autoswe-test"
SWITCH = {"pk": "SETTING#github.prFeedbackAutomationsEnabled", "sk": "admin"}
"""The key of the kill switch's value for the whole platform."""

_DEFINITION = ROOT / "infra" / "table.json"


class MockTable:
    """One table on moto; ``table`` is how the product reaches it."""

    def __init__(self) -> None:
        self.client = mock_client("dynamodb")
        self.table = Table(NAME, lambda: self.client)

    def put(self, pk: str, sk: str, **attributes: object) -> None:
        self.client.put_item(TableName=NAME, Item=to_item({"pk": pk, "sk": sk, **attributes}))

    def get(self, pk: str, sk: str = SINGLE) -> Mapping[str, Any]:
        return from_item(self.client.get_item(TableName=NAME, Key=to_item({"pk": pk, "sk": sk})).get("Item", {}))

    def rows(self, prefix: str, sk: str = "") -> list[Mapping[str, Any]]:
        items = self.client.scan(TableName=NAME)["Items"]
        return [from_item(one) for one in items if one["pk"]["S"].startswith(prefix) and one["sk"]["S"].startswith(sk)]

    def unstarted(self, kind: str = "decision") -> list[str]:
        answer = self.client.query(
            TableName=NAME,
            IndexName="unstarted",
            KeyConditionExpression="unstarted = :kind",
            ExpressionAttributeValues=to_item({":kind": kind}),
        )
        return [item["pk"]["S"] for item in answer["Items"]]

    def admit_reviewer(self) -> None:
        """Put everything on record that lets the reviewer's trigger become a decision."""
        self.put(**SWITCH, value=True)
        self.put(key("MEMBER", CONNECTION, REPOSITORY), str(REVIEWER), login="reviewer", active=True)
        self.put(key("AUTOMATION", CONNECTION), "fix-feedback", automation_id="fix-feedback", enabled=True)


@contextmanager
def mock_table() -> Iterator[MockTable]:
    """Make the table on moto for as long as the block lasts."""
    definition = json.loads(_DEFINITION.read_text())
    names = {definition["partition_key"], definition["sort_key"]}
    names |= {index[part] for index in definition["indexes"] for part in ("partition_key", "sort_key")}
    with mock_aws():
        mocked = MockTable()
        mocked.client.create_table(
            TableName=NAME,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=_schema(definition),
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in sorted(names)],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": index["name"],
                    "KeySchema": _schema(index),
                    "Projection": {"ProjectionType": index["projection"]},
                }
                for index in definition["indexes"]
            ],
        )
        yield mocked


def _schema(keys: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {"AttributeName": keys["partition_key"], "KeyType": "HASH"},
        {"AttributeName": keys["sort_key"], "KeyType": "RANGE"},
    ]
