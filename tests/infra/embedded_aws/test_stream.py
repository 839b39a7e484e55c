"""The table's stream reaches the functions as Lambda's event source mappings promise."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from infra.local.embedded_aws.aws import EmbeddedAws
from infra.local.embedded_aws.calls import ServiceCalls
from infra.local.embedded_aws.functions.failure_destination import FailureDestination
from infra.local.embedded_aws.functions.functions import Functions, Hooks
from infra.local.embedded_aws.functions.stream_pump import EventSource, Stream, delivered
from infra.local.embedded_aws.storage import StreamMapping, TableDefinition
from tests.infra.conftest import Account


class Receiver:
    """A function that keeps the batches it was given, by the sort keys of their rows, and may fail some."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.records: list[dict[str, Any]] = []
        self.refused: set[str] = set()
        self.broken = False

    def __call__(self, event: dict[str, Any], _context: object) -> object:
        self.records += event["Records"]
        keys = [record["dynamodb"]["Keys"]["sk"]["S"] for record in event["Records"]]
        self.batches.append(keys)
        if self.broken:
            raise RuntimeError("not now")
        failed = [r for r, key in zip(event["Records"], keys, strict=True) if key in self.refused]
        return {"batchItemFailures": [{"itemIdentifier": r["dynamodb"]["SequenceNumber"]} for r in failed]}

    @property
    def keys(self) -> list[str]:
        return [key for batch in self.batches for key in batch]


@pytest.fixture
def receiver(account: Account) -> Iterator[Receiver]:
    account.aws.pump_until_idle()
    receiver = Receiver()
    account.handlers["start_workflow"] = receiver
    account.handlers["resolve_intake"] = lambda _event, _context: None
    account.aws.pump.sources[0].given_up.clear()
    yield receiver
    receiver.broken = False
    receiver.refused = set()
    account.aws.pump_until_idle()


def row(sort_key: str, kind: str = "decision") -> dict[str, Any]:
    return {"pk": {"S": "p"}, "sk": {"S": sort_key}, "kind": {"S": kind}}


def put(account: Account, *sort_keys: str, kind: str = "decision") -> None:
    client = boto3.client("dynamodb")
    for sort_key in sort_keys:
        client.put_item(TableName=account.aws.table_name, Item=row(sort_key, kind))


def test_each_mapping_gets_the_inserted_rows_of_its_kind(account: Account, receiver: Receiver) -> None:
    intake = Receiver()
    account.handlers["resolve_intake"] = intake
    put(account, "kinds-d")
    put(account, "kinds-i", kind="intake")
    put(account, "kinds-x", kind="delivery")
    assert account.aws.pump_until_idle()
    assert receiver.keys == ["kinds-d"]
    assert intake.keys == ["kinds-i"]


def test_a_record_has_the_shape_that_lambda_gives_it(account: Account, receiver: Receiver) -> None:
    put(account, "shape")
    account.aws.pump_until_idle()
    (record,) = receiver.records
    assert record["eventName"] == "INSERT"
    assert record["eventSource"] == "aws:dynamodb"
    assert f":table/{account.aws.table_name}/stream/" in record["eventSourceARN"]
    assert record["dynamodb"]["NewImage"] == row("shape")
    assert record["dynamodb"]["Keys"] == {"pk": {"S": "p"}, "sk": {"S": "shape"}}
    assert isinstance(record["dynamodb"]["ApproximateCreationDateTime"], float)


def test_changing_or_deleting_a_row_starts_nothing(account: Account, receiver: Receiver) -> None:
    put(account, "changed")
    account.aws.pump_until_idle()
    client = boto3.client("dynamodb")
    client.put_item(TableName=account.aws.table_name, Item=row("changed") | {"more": {"S": "x"}})
    client.delete_item(TableName=account.aws.table_name, Key={"pk": {"S": "p"}, "sk": {"S": "changed"}})
    account.aws.pump_until_idle()
    assert receiver.keys == ["changed"]


def test_batches_hold_at_most_ten_records_in_order(account: Account, receiver: Receiver) -> None:
    keys = [f"batch-{number:02}" for number in range(23)]
    put(account, *keys)
    account.aws.pump_until_idle()
    assert [len(batch) for batch in receiver.batches] == [10, 10, 3]
    assert receiver.keys == keys


def test_a_cancelled_transaction_and_then_a_good_one_give_exactly_one_start(
    account: Account, receiver: Receiver
) -> None:
    client = boto3.client("dynamodb")
    absent = {"ConditionExpression": "attribute_not_exists(pk)", "TableName": account.aws.table_name}
    put(account, "taken", kind="delivery")
    account.aws.pump_until_idle()
    with pytest.raises(ClientError) as cancelled:
        client.transact_write_items(
            TransactItems=[{"Put": {"Item": row("phantom"), **absent}}, {"Put": {"Item": row("taken"), **absent}}]
        )
    assert [reason["Code"] for reason in cancelled.value.response["CancellationReasons"]] == [
        "None",
        "ConditionalCheckFailed",
    ]
    account.aws.pump_until_idle()
    client.transact_write_items(TransactItems=[{"Put": {"Item": row("real"), **absent}}])
    account.aws.pump_until_idle()
    put(account, "after")
    account.aws.pump_until_idle()
    assert receiver.keys == ["real", "after"]


def test_a_partial_failure_is_retried_from_the_first_failed_record_on(account: Account, receiver: Receiver) -> None:
    receiver.refused = {"part-1"}

    def relent(event: dict[str, Any], context: object) -> object:
        response = receiver(event, context)
        receiver.refused = set()
        return response

    account.handlers["start_workflow"] = relent
    put(account, "part-0", "part-1", "part-2")
    account.aws.pump_until_idle()
    assert receiver.batches == [["part-0", "part-1", "part-2"], ["part-1", "part-2"]]
    assert account.aws.pump.given_up == []


def test_a_record_that_never_succeeds_is_given_up_after_its_retries_and_holds_nothing_else_back(
    account: Account, receiver: Receiver
) -> None:
    receiver.refused = {"poison"}
    put(account, "poison", "healthy")
    account.aws.pump_until_idle()
    assert receiver.keys.count("poison") == 7
    assert receiver.batches[-1] == ["healthy"]
    assert [r["dynamodb"]["Keys"]["sk"]["S"] for r in account.aws.pump.given_up] == ["poison"]
    put(account, "later")
    account.aws.pump_until_idle()
    assert receiver.batches[-1] == ["later"]


def test_a_batch_that_fails_as_a_whole_is_halved(account: Account, receiver: Receiver) -> None:
    """Documentation page "Process DynamoDB records with Lambda", BisectBatchOnFunctionError."""

    def once(event: dict[str, Any], context: object) -> object:
        receiver.broken = not receiver.batches
        return receiver(event, context)

    account.handlers["start_workflow"] = once
    put(account, "whole-0", "whole-1", "whole-2")
    account.aws.pump_until_idle()
    assert receiver.batches == [["whole-0", "whole-1", "whole-2"], ["whole-0"], ["whole-1", "whole-2"]]


def test_a_record_waits_for_the_earlier_ones_of_its_shard(account: Account, receiver: Receiver) -> None:
    """Documentation page "Process DynamoDB records with Lambda": a shard's records are processed in order."""
    receiver.refused = {"order-03"}
    keys = [f"order-{number:02}" for number in range(15)]
    put(account, *keys)
    account.aws.pump_until_idle()
    last = {key: max(n for n, batch in enumerate(receiver.batches) if key in batch) for key in keys}
    assert [*last.values()] == sorted(last.values())
    assert [r["dynamodb"]["Keys"]["sk"]["S"] for r in account.aws.pump.given_up] == ["order-03"]


def discarded(account: Account) -> list[dict[str, Any]]:
    s3 = boto3.client("s3")
    listed = s3.list_objects_v2(Bucket=account.aws.bucket_name, Prefix="aws/lambda/").get("Contents", [])
    return [
        json.loads(s3.get_object(Bucket=account.aws.bucket_name, Key=entry["Key"])["Body"].read()) for entry in listed
    ]


def test_the_failure_destination_keeps_the_record_itself(account: Account, receiver: Receiver) -> None:
    """Documentation page "Retain discarded records for a DynamoDB event source in Lambda"."""
    before = discarded(account)
    receiver.refused = {"kept"}
    account.aws.calls.clear()
    put(account, "kept")
    account.aws.pump_until_idle()
    assert {call.service for call in account.aws.calls} == {"dynamodb", "lambda"}
    (note,) = [note for note in discarded(account) if note not in before]
    assert note["requestContext"]["condition"] == "RetryAttemptsExhausted"
    assert note["requestContext"]["approximateInvokeCount"] == 6
    (record,) = json.loads(note["payload"])["Records"]
    assert record["dynamodb"]["NewImage"] == row("kept")
    batch = note["DDBStreamBatchInfo"]
    assert batch["startSequenceNumber"] == batch["endSequenceNumber"] == record["dynamodb"]["SequenceNumber"]
    assert batch["batchSize"] == 1


def test_a_record_that_is_a_day_old_has_left_the_stream(account: Account, receiver: Receiver) -> None:
    """Documentation page "Change data capture for DynamoDB Streams": records are kept for 24 hours."""
    put(account, "old")
    account.aws.clock.advance(25 * 3600)
    put(account, "new")
    account.aws.pump_until_idle()
    assert receiver.batches == [["new"]]
    assert [r["dynamodb"]["Keys"]["sk"]["S"] for r in account.aws.pump.given_up] == ["old"]


@pytest.mark.parametrize(("seconds", "given_up"), [(59, []), (61, ["aged"])])
def test_a_record_older_than_the_mapping_allows_is_given_up(seconds: float, given_up: list[str]) -> None:
    """Documentation page "Lambda parameters for Amazon DynamoDB event source mappings", MaximumRecordAgeInSeconds."""
    shared = TableDefinition.load().model_dump()
    shared["stream_mappings"][0]["maximum_record_age_seconds"] = 60
    source, keys = event_source(TableDefinition.model_validate(shared).stream_mappings[0], seconds)
    source.advance(AgedStream())
    assert [record["dynamodb"]["Keys"]["sk"]["S"] for record in source.given_up] == given_up
    assert keys == ([] if given_up else ["aged"])


class AgedStream(Stream):
    """A stream of one record, from the beginning of time."""

    def __init__(self) -> None:
        self.shard = "shard"

    def after(self, _sequence_number: str | None) -> list[dict[str, Any]]:
        change = {
            "Keys": {"pk": {"S": "p"}, "sk": {"S": "aged"}},
            "NewImage": row("aged"),
            "SequenceNumber": "1",
            "ApproximateCreationDateTime": 0.0,
        }
        return [{"eventName": "INSERT", "eventSourceARN": "stream", "dynamodb": change}]


class Nowhere(FailureDestination):
    """A destination that keeps nothing."""

    def __init__(self) -> None:
        """Take no bucket."""

    def keep(self, *_: object) -> None:
        """Keep nothing."""


def event_source(mapping: StreamMapping, seconds: float) -> tuple[EventSource, list[str]]:
    """Make a mapping's source, so many seconds after the beginning of time, and the keys that its function gets."""
    keys: list[str] = []

    def handler(event: dict[str, Any], _context: object) -> None:
        keys.extend(record["dynamodb"]["Keys"]["sk"]["S"] for record in event["Records"])

    functions = Functions({mapping.function: handler}, ServiceCalls(), Hooks(), timeout_seconds=60)
    now = datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)
    return EventSource(mapping, functions, Nowhere(), lambda: now), keys


def test_what_a_function_writes_meanwhile_is_delivered_too(account: Account, receiver: Receiver) -> None:
    def intake(_event: dict[str, Any], _context: object) -> None:
        put(account, "from-intake")

    account.handlers["resolve_intake"] = intake
    put(account, "an-intake", kind="intake")
    account.aws.pump_until_idle()
    assert receiver.keys == ["from-intake"]
    assert not account.aws.pump_until_idle()


@given(
    sequence_numbers=st.lists(st.integers().map(str), min_size=1, max_size=10, unique=True),
    data=st.data(),
)
def test_records_before_the_lowest_reported_failure_count_as_delivered(
    sequence_numbers: list[str], data: st.DataObject
) -> None:
    failed = data.draw(st.lists(st.sampled_from(sequence_numbers)))
    response = {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}
    count = delivered(response, sequence_numbers)
    assert not set(failed) & set(sequence_numbers[:count])
    assert count == len(sequence_numbers) or sequence_numbers[count] in failed


@pytest.mark.parametrize("response", [None, {}, {"batchItemFailures": []}, {"batchItemFailures": None}])
def test_a_response_without_failures_is_full_success(response: object) -> None:
    assert delivered(response, ["1", "2"]) == 2


@pytest.mark.parametrize(
    "response",
    [
        "done",
        {"failures": []},
        {"batchItemFailures": [{"itemIdentifier": ""}]},
        {"batchItemFailures": [{"itemIdentifier": None}]},
        {"batchItemFailures": [{"identifier": "2"}]},
        {"batchItemFailures": [{"itemIdentifier": "2"}, {"itemIdentifier": "of another batch"}]},
    ],
)
def test_a_response_that_cannot_be_understood_fails_the_whole_batch(response: object) -> None:
    assert delivered(response, ["1", "2"]) == 0


def test_a_stream_mapping_whose_function_is_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="no handler was given for resolve_intake"):
        EmbeddedAws({"start_workflow": lambda _event, _context: None})


@pytest.mark.parametrize("filter_", [{}, {"eventName": "INSERT"}, {"eventName": []}, {"a": {"b": [{"prefix": "x"}]}}])
def test_a_mapping_whose_filter_cannot_be_applied_is_refused(filter_: dict[str, Any]) -> None:
    shared = TableDefinition.load().model_dump()
    shared["stream_mappings"][0]["filter"] = filter_
    with pytest.raises(ValueError, match="filter"):
        TableDefinition.model_validate(shared)
