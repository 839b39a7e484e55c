"""The webhook as API Gateway calls it: what is answered, what is logged, and what costs nothing."""

import base64
import json
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from moto.dynamodb.responses import DynamoHandler

from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.keys import key
from autoswe.runtime.intake.webhook import MAX_BODY_BYTES
from tests.support.fake_clock import FakeClock
from tests.support.golden import golden
from tests.support.handlers import load_handler
from tests.support.intake import deliveries
from tests.support.intake.deliveries import CONNECTION, GUID, REPOSITORY, REVIEWER, SECRET
from tests.support.intake.offers import guid
from tests.support.mock_aws import mock_client, running_on_mock_aws
from tests.support.mock_table import NAME, MockTable, mock_table

HANDLER = load_handler("receive_delivery")
PULL = "PR#feedback#octo/widgets#7"
Event = dict[str, Any]


@pytest.fixture
def rows() -> Iterator[MockTable]:
    """Stand up the table, the connection's secret, and the process that the handler runs in."""
    environment = {"AUTOSWE_TABLE": NAME, "AUTOSWE_SECRETS_PREFIX": "autoswe/test"}
    with mock_table() as mocked, running_on_mock_aws(environment, FakeClock()):
        mock_client("secretsmanager").create_secret(
            Name=f"autoswe/test/{CONNECTION}/webhook-secrets", SecretString=json.dumps([SECRET])
        )
        yield mocked


def answer(event: Event) -> tuple[int, dict[str, str]]:
    """Call the handler and read its answer."""
    answered = HANDLER(event, None)
    assert answered["headers"] == {"content-type": "application/json"}
    return answered["statusCode"], json.loads(answered["body"])


def test_the_recorded_delivery_is_answered_as_recorded(rows: MockTable) -> None:
    rows.admit_reviewer()
    event, expected = golden("receive_delivery")
    assert HANDLER(event, None) == expected


def test_a_members_command_is_decided_logged_in_one_line_and_counted_in_another(
    rows: MockTable, capsys: pytest.CaptureFixture[str]
) -> None:
    rows.admit_reviewer()
    assert answer(deliveries.request(deliveries.discussion_comment())) == (202, {"outcome": "decided"})
    line, count = capsys.readouterr().out.splitlines()
    counted = json.loads(count)
    assert counted.pop("_aws")["CloudWatchMetrics"][0]["Dimensions"] == [["step", "outcome"]]
    assert counted == {"step": "receive_delivery", "outcome": "decided", "Deliveries": 1}
    assert json.loads(line) == {
        "outcome": "decided",
        "connection": CONNECTION,
        "delivery": GUID,
        "event": "issue_comment",
        "repository": REPOSITORY,
        "pull": 7,
        "subject": "pr-7@discussion_comment-501",
    }
    assert rows.unstarted() == ["DECISION#feedback#octo/widgets#pr-7@discussion_comment-501#fix-feedback"]


@pytest.mark.parametrize("comment", ["topsecretword", "/auto-swe fix\n\ntopsecretword"])
def test_what_somebody_wrote_is_neither_logged_nor_answered(
    rows: MockTable, capsys: pytest.CaptureFixture[str], comment: str
) -> None:
    answered = HANDLER(deliveries.request(deliveries.discussion_comment(comment)), None)
    assert "topsecretword" not in json.dumps(answered) + capsys.readouterr().out


def test_a_switched_off_platform_answers_why_nothing_happens(rows: MockTable) -> None:
    expected = {"outcome": "ignored", "reason": "kill_switch_off"}
    assert answer(deliveries.request(deliveries.discussion_comment())) == (202, expected)


def test_a_strangers_command_does_not_hold_up_a_members_command_right_after_it(rows: MockTable) -> None:
    rows.admit_reviewer()
    stranger = deliveries.discussion_comment(comment_id=500)
    stranger["sender"] = stranger["comment"]["user"] = deliveries.account(666)
    expected = {"outcome": "ignored", "reason": "not_a_member"}
    assert answer(deliveries.request(stranger, guid=guid(1))) == (202, expected)
    assert answer(deliveries.request(deliveries.discussion_comment(), guid=guid(2))) == (202, {"outcome": "decided"})


def test_a_command_on_a_pull_request_that_is_being_worked_on_is_suppressed_and_decided_when_it_comes_again_after(
    rows: MockTable,
) -> None:
    rows.admit_reviewer()
    late = deliveries.request(deliveries.discussion_comment(comment_id=502), guid=guid(2))
    answer(deliveries.request(deliveries.discussion_comment(comment_id=501), guid=guid(1)))
    assert answer(late) == (202, {"outcome": "suppressed"})
    assert answer(late) == (202, {"outcome": "duplicate"})
    rows.put(PULL, "INFLIGHT", fence=1)
    assert answer(late) == (202, {"outcome": "decided"})
    assert answer(late) == (202, {"outcome": "duplicate"})


def test_the_same_delivery_fifty_times_at_once_is_decided_once(
    rows: MockTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moto is not safe for threads, so its table is locked, as DynamoDB's rows are while one transaction runs."""
    lock, call = threading.RLock(), DynamoHandler.call_action

    def call_locked(self: DynamoHandler) -> Any:
        with lock:
            return call(self)

    monkeypatch.setattr(DynamoHandler, "call_action", call_locked)
    rows.admit_reviewer()
    event = deliveries.request(deliveries.discussion_comment())
    start = threading.Barrier(50)

    def deliver(_number: int) -> tuple[int, str]:
        start.wait()
        status, told = answer(event)
        return status, told["outcome"]

    with ThreadPoolExecutor(50) as pool:
        outcomes = Counter(pool.map(deliver, range(50)))
    assert outcomes == {(202, "decided"): 1, (202, "duplicate"): 49}
    assert len(rows.rows("DECISION#")) == 1
    assert rows.get(PULL, "INFLIGHT")["fence"] == 1


def _with_header(event: Event, name: str, value: str | None) -> Event:
    headers = {given: text for given, text in event["headers"].items() if given != name}
    return {**event, "headers": headers if value is None else {**headers, name: value}}


COMMAND = deliveries.request(deliveries.discussion_comment())
SIGNATURE = "x-hub-signature-256"


@pytest.mark.parametrize(("event", "status", "reason"), [
    (_with_header(COMMAND, SIGNATURE, None), 401, "missing_signature"),
    (_with_header(COMMAND, SIGNATURE, "sha1=00"), 401, "malformed_signature"),
    (_with_header(COMMAND, SIGNATURE, "sha256=" + "0" * 64), 401, "wrong_signature"),
    ({**COMMAND, "headers": {}}, 401, "missing_signature"),
    ({**COMMAND, "pathParameters": {"connection": "nowhere"}}, 404, "unknown_connection"),
    ({**COMMAND, "pathParameters": {"connection": "NOWHERE"}}, 404, "unknown_connection"),
    ({**COMMAND, "pathParameters": {}}, 404, "unknown_route"),
    ({**COMMAND, "requestContext": {"http": {"method": "GET"}}}, 404, "unknown_route"),
    ({**COMMAND, "isBase64Encoded": True, "body": "no base64!"}, 400, "malformed"),
    ({**COMMAND, "isBase64Encoded": True, "body": "YQ"}, 400, "malformed"),
    ({**COMMAND, "isBase64Encoded": True, "body": "é"}, 400, "malformed"),
    ({**COMMAND, "body": "\ud800"}, 400, "malformed"),
    ({**COMMAND, "body": None}, 401, "wrong_signature"),
    (deliveries.raw_request(b""), 400, "malformed"),
    (deliveries.raw_request(b"payload=%7B%7D"), 400, "malformed"),
    (deliveries.raw_request(b"\xff\xfe"), 400, "malformed"),
    (_with_header(COMMAND, "x-github-event", None), 400, "malformed"),
])  # fmt: skip
def test_what_is_no_delivery_is_refused_with_its_status(
    rows: MockTable, event: Event, status: int, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answered, told = answer(event)
    assert (answered, told["outcome"], told["reason"]) == (status, "refused", reason)
    assert len(capsys.readouterr().out.splitlines()) == 1


def padded(size: int) -> bytes:
    """Build a signed comment's body of exactly this many bytes."""
    empty = json.dumps(deliveries.discussion_comment("")).encode()
    return json.dumps(deliveries.discussion_comment("x" * (size - len(empty)))).encode()


@pytest.mark.parametrize("encode", [False, True])
@pytest.mark.parametrize(("size", "status"), [(MAX_BODY_BYTES, 202), (MAX_BODY_BYTES + 1, 413)])
def test_a_body_of_six_mebibytes_is_read_and_a_larger_one_is_not(
    rows: MockTable, size: int, status: int, *, encode: bool
) -> None:
    event = deliveries.raw_request(padded(size))
    if encode:
        event |= {"body": base64.b64encode(event["body"].encode()).decode(), "isBase64Encoded": True}
    assert answer(event)[0] == status


def test_the_bound_counts_bytes_and_not_characters(rows: MockTable) -> None:
    body = json.dumps(deliveries.discussion_comment("é" * (MAX_BODY_BYTES // 2)), ensure_ascii=False).encode()
    assert len(body.decode()) < MAX_BODY_BYTES < len(body)
    assert answer(deliveries.raw_request(body)) == (413, {"outcome": "refused", "reason": "too_large"})


def test_a_signature_is_taken_over_the_decoded_bytes_of_an_encoded_body(rows: MockTable) -> None:
    rows.admit_reviewer()
    encoded = base64.b64encode(COMMAND["body"].encode()).decode()
    assert answer({**COMMAND, "body": encoded, "isBase64Encoded": True}) == (202, {"outcome": "decided"})


@pytest.mark.parametrize("spell", [str.upper, str.title, str.lower])
def test_header_names_are_the_same_in_any_case(rows: MockTable, spell: Any) -> None:
    rows.admit_reviewer()
    headers = {spell(name): value for name, value in COMMAND["headers"].items()}
    assert answer({**COMMAND, "headers": headers}) == (202, {"outcome": "decided"})


def test_a_record_of_ours_that_is_broken_fails_the_delivery_and_is_never_answered_as_fine(rows: MockTable) -> None:
    rows.admit_reviewer()
    rows.put(key("MEMBER", CONNECTION, REPOSITORY), str(REVIEWER), active="yes")
    with pytest.raises(MalformedRow, match="the attribute active must be true or false"):
        HANDLER(COMMAND, None)
    assert rows.rows("DECISION#") == []
