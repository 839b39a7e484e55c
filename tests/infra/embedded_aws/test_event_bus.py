"""A bus hands the events that fit to its function, from those who may put them there."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local.embedded_aws.account import ACCOUNT_ID, REGION
from infra.local.embedded_aws.aws import EmbeddedAws
from infra.local.embedded_aws.event_bus import BusDefinition, EventBus
from infra.local.embedded_aws.functions.functions import Handler

NAMED, STRANGER = "arn:aws:iam::210987654321:role/named", "arn:aws:iam::210987654321:role/stranger"
OTHER_ACCOUNT = "arn:aws:iam::333333333333:role/any"
PATTERN = {"source": ["of.ours"], "detail-type": ["Said"]}


class Receiver:
    """A function that keeps the events it was given, and may fail for some time."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.failures = 0

    def __call__(self, event: dict[str, Any], _context: object) -> None:
        self.events.append(event)
        if self.failures:
            self.failures -= 1
            raise RuntimeError("not now")


@pytest.fixture(scope="module")
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture(scope="module")
def aws(receiver: Receiver) -> Iterator[EmbeddedAws]:
    handlers: dict[str, Handler] = {
        "start_workflow": lambda _event, _context: None,
        "resolve_intake": lambda _event, _context: None,
        "heard": receiver,
    }
    definition = BusDefinition("ours", PATTERN, "heard", (ACCOUNT_ID, NAMED, "333333333333"))
    with EmbeddedAws(handlers, bus=definition) as running:
        yield running


@pytest.fixture
def bus(aws: EmbeddedAws, receiver: Receiver) -> EventBus:
    receiver.events.clear()
    assert aws.bus is not None
    aws.bus.undelivered.clear()
    return aws.bus


def client(role: str | None = None) -> Any:
    """Make a client of the account itself, or of a session of a role."""
    if role is None:
        return boto3.client("events", region_name=REGION)
    sts = boto3.client("sts", region_name=REGION)
    session = sts.assume_role(RoleArn=role, RoleSessionName="test")["Credentials"]
    return boto3.client(
        "events",
        region_name=REGION,
        aws_access_key_id=session["AccessKeyId"],
        aws_secret_access_key=session["SecretAccessKey"],
        aws_session_token=session["SessionToken"],
    )


def entry(**changes: Any) -> dict[str, Any]:
    return {"EventBusName": "ours", "Source": "of.ours", "DetailType": "Said", "Detail": '{"a": 1}', **changes}


@pytest.mark.parametrize(
    ("role", "account"), [(None, ACCOUNT_ID), (NAMED, "210987654321"), (OTHER_ACCOUNT, "333333333333")]
)
def test_an_event_of_a_named_principal_reaches_the_function_with_the_senders_account(
    bus: EventBus, receiver: Receiver, role: str | None, account: str
) -> None:
    answer = client(role).put_events(Entries=[entry(EventBusName=bus.arn)])
    bus.settle()
    [event] = receiver.events
    assert (answer["FailedEntryCount"], answer["Entries"][0]["EventId"]) == (0, event["id"])
    assert (event["source"], event["detail-type"], event["detail"]) == ("of.ours", "Said", {"a": 1})
    assert event["account"] == account


def test_a_principal_that_is_not_named_is_refused_and_nothing_of_its_request_is_taken(
    bus: EventBus, receiver: Receiver
) -> None:
    with pytest.raises(ClientError) as refused:
        client(STRANGER).put_events(Entries=[entry(), entry()])
    assert refused.value.response["Error"]["Code"] == "AccessDeniedException"
    assert not bus.settle()
    assert receiver.events == []


@pytest.mark.parametrize("changes", [{"Source": "of.others"}, {"DetailType": "Sung"}])
def test_an_event_that_does_not_fit_is_taken_and_delivered_to_nobody(
    bus: EventBus, receiver: Receiver, changes: dict[str, str]
) -> None:
    assert client().put_events(Entries=[entry(**changes)])["FailedEntryCount"] == 0
    assert not bus.settle()
    assert receiver.events == []


@pytest.mark.parametrize("detail", ["no JSON", "[1]"])
def test_an_entry_whose_detail_is_no_object_fails_alone(bus: EventBus, receiver: Receiver, detail: str) -> None:
    answer = client().put_events(Entries=[entry(Detail=detail), entry()])
    bus.settle()
    assert answer["FailedEntryCount"] == 1
    assert answer["Entries"][0]["ErrorCode"] == "MalformedDetail"
    assert len(receiver.events) == 1


def test_more_than_ten_entries_or_256_kilobytes_are_refused(bus: EventBus, receiver: Receiver) -> None:
    large = json.dumps({"a": "x" * 256 * 1024})
    for entries in ([entry()] * 11, [entry(Detail=large)]):
        with pytest.raises(ClientError, match="over the limit"):
            client().put_events(Entries=entries)
    assert not bus.settle()


@pytest.mark.parametrize(("failures", "kept"), [(0, 0), (2, 0), (3, 1)])
def test_a_function_that_fails_is_asked_three_times_and_then_the_event_is_kept(
    bus: EventBus, receiver: Receiver, failures: int, kept: int
) -> None:
    receiver.failures = failures
    client().put_events(Entries=[entry()])
    bus.settle()
    assert len(receiver.events) == min(failures + 1, 3)
    assert len(bus.undelivered) == kept


def test_events_for_another_bus_are_none_of_its_business(bus: EventBus, receiver: Receiver) -> None:
    client(STRANGER).put_events(Entries=[entry(EventBusName="default")])
    assert not bus.settle()
    assert receiver.events == []


def test_a_bus_whose_function_is_missing_is_refused() -> None:
    handlers: dict[str, Handler] = {
        name: lambda _event, _context: None for name in ("start_workflow", "resolve_intake")
    }
    with pytest.raises(ValueError, match="no handler was given for heard"):
        EmbeddedAws(handlers, bus=BusDefinition("ours", PATTERN, "heard", ()))
