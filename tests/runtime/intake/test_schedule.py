"""The schedule's entry does what the step does, and tells the log and its caller of it (architecture §4)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from autoswe.github.transport.http import open_client
from autoswe.runtime.intake.schedule import SweepIncomplete
from tests.adapters.github.scripted import private_key
from tests.support.feedback.state import MockState, connection, mock_state
from tests.support.golden import golden
from tests.support.handlers import load_handler
from tests.support.intake import offers
from tests.support.intake.deliveries import CONNECTION
from tests.support.intake.sweeps import Surroundings
from tests.support.mock_aws import mock_client, running_on_mock_aws
from tests.support.mock_table import NAME

HANDLER = load_handler("sweep_deliveries")
DEFINITION = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}


class Cloud:
    """The function's surroundings: moto, and a GitHub that lists one lost delivery and one that was delivered."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.state: MockState = around.state
        self.workflows = mock_client("stepfunctions")
        self.arn: str = self.workflows.create_state_machine(
            name="feedback_round", definition=json.dumps(DEFINITION), roleArn="arn:aws:iam::123456789012:role/round"
        )["stateMachineArn"]
        mock_client("secretsmanager").create_secret(
            Name=f"autoswe/test/{CONNECTION}/private-key", SecretString=private_key()
        )
        self.asked: list[str] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            self.asked.append(request.url.path)
            return httpx.Response(202, json={})
        listed = [(9, 202, "push"), (8, 500, "issue_comment"), (7, 202, "issue_comment")]
        items = [
            {
                "id": number,
                "guid": offers.guid(number),
                "delivered_at": "2026-11-30T11:00:00Z",
                "redelivery": False,
                "status_code": status,
                "event": event,
                "action": "created",
            }
            for number, status, event in listed
        ]
        return httpx.Response(200, json=items)


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with mock_state() as state, running_sweeps(Cloud(Surroundings(state))) as cloud:
        yield cloud


@contextmanager
def running_sweeps(cloud: Cloud) -> Iterator[Cloud]:
    """Run handlers in these surroundings."""
    environment = {
        "AUTOSWE_TABLE": NAME,
        "AUTOSWE_FEEDBACK_ROUND_ARN": cloud.arn,
        "AUTOSWE_SECRETS_PREFIX": "autoswe/test",
    }
    with running_on_mock_aws(environment, cloud.state.clock) as process:
        process.once("github client", lambda: open_client(httpx.MockTransport(cloud.answer)))
        yield cloud


def test_the_recorded_event_is_answered_as_recorded(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    event, expected = golden("sweep_deliveries")
    cloud.around.decide(1)
    cloud.state.clock.advance(600)
    assert HANDLER(event, None) == expected
    assert cloud.asked == ["/app/hook/deliveries/8/attempts"]
    assert len(cloud.workflows.list_executions(stateMachineArn=cloud.arn)["executions"]) == 1
    first, of_connection = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert first == {"step": "sweep_deliveries", "outcome": "swept"}
    [told] = expected["connections"]
    assert of_connection == {"step": "sweep_deliveries", "outcome": "swept", **told}


def test_with_the_kill_switch_off_the_log_says_so(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    cloud.around.switch(on=False)
    assert HANDLER({}, None)["outcome"] == "kill_switch_off"
    assert json.loads(capsys.readouterr().out) == {"step": "sweep_deliveries", "outcome": "kill_switch_off"}


def test_a_sweep_with_a_failure_does_all_the_rest_says_what_failed_and_raises(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    cloud.state.records.save_connection(connection(name="keyless"))
    with pytest.raises(SweepIncomplete, match=r"failed: 1$"):
        HANDLER({}, None)
    assert cloud.asked == ["/app/hook/deliveries/8/attempts"]
    *_, failed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (failed["outcome"], failed["subject"], failed["reason"]) == (
        "failed",
        "the listing of keyless",
        "UnreadableSecret",
    )
