"""Transactions, updates, indexes and expiry are as on DynamoDB where moto is kinder."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from infra.local.embedded_aws.calls import Call, Effect, undisturbed
from infra.local.embedded_aws.faults import TransactionCanceled, transaction_conflict
from tests.infra.conftest import Account

MINUTE = 60.0
DAY = 86_400.0
KIB = 1024


class Table:
    """The table, with rows that are named by their sort key."""

    def __init__(self, account: Account) -> None:
        self.name = account.aws.table_name
        self.client: Any = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

    def key(self, name: str) -> dict[str, Any]:
        return {"pk": {"S": "dynamodb"}, "sk": {"S": name}}

    def put(self, name: str, **attributes: Any) -> None:
        self.client.put_item(TableName=self.name, Item=self.key(name) | attributes)

    def get(self, name: str) -> dict[str, Any] | None:
        item: dict[str, Any] | None = self.client.get_item(TableName=self.name, Key=self.key(name)).get("Item")
        return item

    def update(self, name: str, expression: str, **values: Any) -> dict[str, Any]:
        return {
            "TableName": self.name,
            "Key": self.key(name),
            "UpdateExpression": expression,
            "ExpressionAttributeValues": {f":{value}": attribute for value, attribute in values.items()},
        }

    def put_once(self, name: str, token: str = "") -> None:
        condition = "attribute_not_exists(pk)"
        operation = {"Put": {"TableName": self.name, "Item": self.key(name), "ConditionExpression": condition}}
        options = {"ClientRequestToken": token} if token else {}
        self.client.transact_write_items(TransactItems=[operation], **options)

    def indexed(self) -> set[str]:
        answer = self.client.query(
            TableName=self.name,
            IndexName="unstarted",
            KeyConditionExpression="unstarted = :yes",
            ExpressionAttributeValues={":yes": {"S": "yes"}},
        )
        return {item["sk"]["S"] for item in answer["Items"]}

    def scanned_index(self) -> set[str]:
        answer = self.client.scan(TableName=self.name, IndexName="unstarted")
        return {item["sk"]["S"] for item in answer["Items"]}


@pytest.fixture
def table(account: Account) -> Iterator[Table]:
    yield Table(account)
    account.aws.around_calls(undisturbed)
    account.aws.index_lag.seconds = 0


def indexed(**attributes: Any) -> dict[str, Any]:
    return {"unstarted": {"S": "yes"}, "decided_at": {"S": "2026"}, **attributes}


def test_a_transaction_with_the_token_of_one_that_was_made_succeeds_without_an_effect(table: Table) -> None:
    """Documentation page "TransactWriteItems", ClientRequestToken."""
    table.put_once("once", "token-1")
    table.client.delete_item(TableName=table.name, Key=table.key("once"))
    table.put_once("once", "token-1")
    assert table.get("once") is None


def test_a_token_is_good_for_one_set_of_parameters(table: Table) -> None:
    """Documentation page "TransactWriteItems", IdempotentParameterMismatchException."""
    table.put_once("first", "token-2")
    with pytest.raises(ClientError) as refused:
        table.put_once("second", "token-2")
    assert refused.value.response["Error"]["Code"] == "IdempotentParameterMismatchException"
    assert table.get("second") is None


def test_a_token_is_forgotten_after_ten_minutes(account: Account, table: Table) -> None:
    """Documentation page "TransactWriteItems", ClientRequestToken."""
    table.put_once("minutes", "token-3")
    account.aws.clock.advance(9 * MINUTE)
    table.put_once("minutes", "token-3")
    account.aws.clock.advance(2 * MINUTE)
    with pytest.raises(ClientError, match="TransactionCanceled"):
        table.put_once("minutes", "token-3")


def test_the_token_of_a_cancelled_transaction_is_free(table: Table) -> None:
    """Documentation page "TransactWriteItems": only a call that succeeded answers for its repetitions."""
    table.put("free")
    with pytest.raises(ClientError, match="TransactionCanceled"):
        table.put_once("free", "token-4")
    table.client.delete_item(TableName=table.name, Key=table.key("free"))
    table.put_once("free", "token-4")
    assert table.get("free")


def test_a_clients_own_repetition_of_a_transaction_whose_reply_was_lost_succeeds_and_is_made_once(
    account: Account, table: Table
) -> None:
    """Documentation page "Managing complex workflows with DynamoDB transactions", "Idempotency"."""
    lost = [ConnectionError("lost")]

    def lose_first(call: Call, effect: Effect) -> None:
        effect()
        if call.operation == "TransactWriteItems" and lost:
            raise lost.pop()

    account.aws.around_calls(lose_first)
    table.client = boto3.client("dynamodb", config=Config(retries={"mode": "standard", "total_max_attempts": 2}))
    account.aws.calls.clear()
    table.put_once("repeated")
    assert account.aws.calls == [Call("dynamodb", "TransactWriteItems")] * 2
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        table.put_once("repeated")


def test_a_conflict_is_told_by_position_and_nothing_happened(account: Account, table: Table) -> None:
    """Documentation page "Amazon DynamoDB Transactions: How it works", "Transaction conflict handling"."""

    def conflict(call: Call, effect: Effect) -> None:
        if call.operation == "TransactWriteItems":
            raise TransactionCanceled(None, "TransactionConflict", "ConditionalCheckFailed")
        effect()

    account.aws.around_calls(conflict)
    with pytest.raises(ClientError) as cancelled:
        table.put_once("conflict")
    assert cancelled.value.response["Error"]["Code"] == "TransactionCanceledException"
    reasons = [reason["Code"] for reason in cancelled.value.response["CancellationReasons"]]
    assert reasons == ["None", "TransactionConflict", "ConditionalCheckFailed"]
    assert table.get("conflict") is None


def test_a_plain_write_of_an_item_in_a_transaction_is_a_conflict(account: Account, table: Table) -> None:
    """Documentation page "PutItem", TransactionConflictException."""

    def conflict(_call: Call, _effect: Effect) -> None:
        raise transaction_conflict()

    account.aws.around_calls(conflict)
    with pytest.raises(ClientError) as refused:
        table.put("plain")
    assert refused.value.response["Error"]["Code"] == "TransactionConflictException"
    account.aws.around_calls(undisturbed)
    assert table.get("plain") is None


def test_an_update_that_fails_half_way_changes_nothing(table: Table) -> None:
    """Documentation page "UpdateItem": an update is one atomic write."""
    table.put("half", word={"S": "x"})
    half = table.update("half", "SET fresh = :one ADD word :one", one={"N": "1"})
    absent = table.update("absent", "SET fresh = :one, nested.inside = :one", one={"N": "1"})
    for request in (half, absent):
        with pytest.raises(ClientError, match=r"incorrect data type|document path"):
            table.client.update_item(**request)
    assert table.get("half") == table.key("half") | {"word": {"S": "x"}}
    assert table.get("absent") is None


def test_an_update_that_would_make_an_item_larger_than_400_kb_changes_nothing(table: Table) -> None:
    """Documentation page "Quotas in Amazon DynamoDB", "Item size"."""
    half = {"S": "x" * 200 * KIB}
    table.put("grown", alpha=half)
    with pytest.raises(ClientError, match="Item size to update has exceeded the maximum allowed size"):
        table.client.update_item(**table.update("grown", "SET beta = :half", half=half))
    assert table.get("grown") == table.key("grown") | {"alpha": half}


def test_an_update_cannot_give_an_index_an_empty_key(table: Table) -> None:
    """Documentation page "Using Global Secondary Indexes in DynamoDB"."""
    table.put("keyed", **indexed())
    with pytest.raises(ClientError, match="ValidationException"):
        table.client.update_item(**table.update("keyed", "SET unstarted = :empty", empty={"S": ""}))
    assert table.get("keyed") == table.key("keyed") | indexed()


def test_an_update_that_an_item_does_not_bear_cancels_its_transaction_by_position(table: Table) -> None:
    """Documentation page "TransactWriteItems", cancellation reason ValidationError."""
    table.put("word", word={"S": "x"})
    with pytest.raises(ClientError) as cancelled:
        table.client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": table.name, "Item": table.key("companion")}},
                {"Update": table.update("word", "ADD word :one", one={"N": "1"})},
            ]
        )
    reasons = [reason["Code"] for reason in cancelled.value.response["CancellationReasons"]]
    assert reasons == ["None", "ValidationError"]
    assert table.get("companion") is None


def test_an_update_that_creates_an_item_is_one_insertion_in_the_stream(account: Account, table: Table) -> None:
    """Documentation page "Change data capture for DynamoDB Streams": each change appears exactly once."""
    before = len(stream(account))
    table.client.update_item(**table.update("created", "SET kind = :kind", kind={"S": "decision"}))
    table.put("after", kind={"S": "decision"})
    changes = [record["dynamodb"] for record in stream(account)[before:]]
    assert [change["NewImage"] for change in changes] == [
        table.key(name) | {"kind": {"S": "decision"}} for name in ("created", "after")
    ]
    first, second = (int(change["SequenceNumber"]) for change in changes)
    assert second == first + 1


def stream(account: Account) -> list[dict[str, Any]]:
    """Read the table's stream from its beginning."""
    client: Any = boto3.client("dynamodbstreams")
    arn = boto3.client("dynamodb").describe_table(TableName=account.aws.table_name)["Table"]["LatestStreamArn"]
    (shard,) = client.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    start = client.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
    records: list[dict[str, Any]] = client.get_records(ShardIterator=start["ShardIterator"])["Records"]
    return records


def test_a_write_shows_in_an_index_only_when_the_index_has_caught_up(account: Account, table: Table) -> None:
    """Documentation page "Using Global Secondary Indexes in DynamoDB": indexes are eventually consistent."""
    table.put("settled", **indexed())
    account.aws.index_lag.seconds = 5
    table.put("late", **indexed())
    table.client.update_item(
        TableName=table.name, Key=table.key("settled"), UpdateExpression="REMOVE unstarted, decided_at"
    )
    assert table.get("late") == table.key("late") | indexed()
    assert {"settled"} <= table.indexed()
    assert "late" not in table.indexed() | table.scanned_index()
    account.aws.clock.advance(6)
    for names in (table.indexed(), table.scanned_index()):
        assert "late" in names
        assert "settled" not in names


def test_an_index_shows_an_item_as_it_was_before_all_that_it_has_not_caught_up_with(
    account: Account, table: Table
) -> None:
    """Documentation page "Using Global Secondary Indexes in DynamoDB": indexes are eventually consistent."""
    account.aws.index_lag.seconds = 5
    table.put("twice", **indexed())
    table.put("twice", **indexed(decided_at={"S": "2027"}))
    assert "twice" not in table.indexed()
    account.aws.clock.advance(3)
    table.client.delete_item(TableName=table.name, Key=table.key("twice"))
    account.aws.clock.advance(3)
    assert "twice" in table.indexed()
    account.aws.clock.advance(3)
    assert "twice" not in table.indexed()


def test_a_cancelled_transaction_never_shows_in_an_index(account: Account, table: Table) -> None:
    """Documentation page "TransactWriteItems": all or nothing."""
    account.aws.index_lag.seconds = 5
    table.put("there", **indexed())
    account.aws.clock.advance(6)
    with pytest.raises(ClientError, match="TransactionCanceled"):
        table.client.transact_write_items(
            TransactItems=[
                {"Delete": {"TableName": table.name, "Key": table.key("there")}},
                {"Put": {"TableName": table.name, "Item": table.key("never") | indexed()}},
                {
                    "ConditionCheck": {
                        "TableName": table.name,
                        "Key": table.key("missing"),
                        "ConditionExpression": "attribute_exists(pk)",
                    }
                },
            ]
        )
    for _ in range(2):
        assert "there" in table.indexed()
        assert "never" not in table.indexed()
        account.aws.clock.advance(6)


def test_an_expired_item_is_returned_until_it_is_swept(account: Account, table: Table) -> None:
    """Documentation page "Using time to live (TTL) in DynamoDB": deletion takes up to a few days."""
    now = int(account.aws.clock.now().timestamp())
    table.put("expiring", expires_at={"N": str(now + 60)})
    table.put("text-expiry", expires_at={"S": str(now)})
    table.put("mistaken", expires_at={"N": "1"})
    account.aws.clock.advance(2 * DAY)
    table.put("young", expires_at={"N": str(now + int(3 * DAY))})
    assert table.get("expiring") is not None
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        table.put_once("expiring")
    assert account.aws.sweep_expired_items() == 1
    assert table.get("expiring") is None
    assert all(map(table.get, ("text-expiry", "mistaken", "young")))
