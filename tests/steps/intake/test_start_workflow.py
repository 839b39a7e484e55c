"""Every decision starts one workflow, however often its record comes along the stream (feedback §1, §6)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.contracts.records.platform import Decision, FireOutcome
from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.records.decisions import DecisionTable, read_decision
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Backoff
from autoswe.ports.slots import Hold
from autoswe.rules.intake.execution_name import execution_name
from autoswe.rules.records.triggers import TriggerKind
from autoswe.rules.settings.registry import KILL_SWITCH, Setting
from autoswe.rules.settings.resolution import PLATFORM, StoredSettings
from autoswe.steps.intake.start_workflow import Ports, StartOutcome, start_workflow
from tests.support.fake_clock import FakeClock
from tests.support.golden import golden
from tests.support.handlers import load_handler
from tests.support.intake.offers import offer
from tests.support.intake.stream_events import failures, inserted
from tests.support.mock_aws import mock_client, running_on_mock_aws
from tests.support.mock_table import NAME, SWITCH, MockTable, mock_table

HANDLER = load_handler("start_workflow")
LEASE_SECONDS = 1800
DEFINITION = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}
DECISION = Decision(
    decision_id="DECISION#d",
    connection="feedback",
    repository="octo/widgets",
    repository_id=9001,
    pull_number=7,
    automation_id="fix-feedback",
    trigger=TriggerKind.COMMAND,
    source="review",
    trigger_id=701,
    sender_id=101,
    delivery="guid",
    decided_at="2026-11-30T12:00:00Z",
)


@dataclass
class Told:
    """Records and executions in memory; remembers in which order it was told what."""

    switched_on: bool = True
    held: Hold = Hold.HELD
    started_before: bool = False
    order: list[tuple[str, ...]] = field(default_factory=list)

    def settings_of(self, connection: str, repository: str, *settings: Setting[Any]) -> StoredSettings:
        return StoredSettings(PLATFORM, {KILL_SWITCH.name: {PLATFORM: self.switched_on}})

    def on_somewhere(self, switch: Setting[bool]) -> bool:
        return self.switched_on

    def mark_started(self, decision_id: str) -> None:
        self.order.append(("marked", decision_id))

    def hold(self, decision: Decision) -> Hold:
        self.order.append(("held", decision.decision_id))
        return self.held

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        self.order.append(("closed", execution, outcome, str(reason)))
        return True

    def start(self, name: str, execution_input: str) -> bool:
        self.order.append(("started", name, execution_input))
        return not self.started_before


def start(told: Told) -> StartOutcome:
    return start_workflow(DECISION, Ports(records=told, slots=told, executions=told))


def test_a_decision_makes_sure_of_its_slot_starts_with_identifiers_alone_and_is_marked_afterwards() -> None:
    told = Told()
    assert start(told) is StartOutcome.STARTED
    held, started, marked = told.order
    assert held == ("held", "DECISION#d")
    assert started[:2] == ("started", execution_name("DECISION#d"))
    assert json.loads(started[2]) == {
        "connection": "feedback", "repository": "octo/widgets", "pull_number": 7, "decision_id": "DECISION#d",
    }  # fmt: skip
    assert marked == ("marked", "DECISION#d")


def test_a_decision_whose_round_an_execution_has_claimed_is_marked_and_not_started_again() -> None:
    told = Told(held=Hold.GATHERED)
    assert start(told) is StartOutcome.ALREADY_STARTED
    assert told.order == [("held", "DECISION#d"), ("marked", "DECISION#d")]


def test_a_decision_whose_execution_ended_unclaimed_is_marked_and_does_not_keep_the_slot() -> None:
    """Nobody would free it, and what is suppressed meanwhile would be offered by nobody."""
    told = Told(started_before=True)
    assert start(told) is StartOutcome.ALREADY_STARTED
    assert [what[0] for what in told.order] == ["held", "started", "closed", "marked"]
    assert told.order[2] == ("closed", execution_name("DECISION#d"), "failed", "never_gathered")


def test_a_decision_whose_pull_request_another_has_taken_stays_unstarted() -> None:
    told = Told(held=Hold.TAKEN)
    assert start(told) is StartOutcome.SLOT_HELD
    assert told.order == [("held", "DECISION#d")]


def test_with_the_kill_switch_off_a_decision_stays_unstarted() -> None:
    told = Told(switched_on=False)
    assert start(told) is StartOutcome.KILL_SWITCH_OFF
    assert told.order == []


class Cloud:
    """The function's surroundings on moto."""

    def __init__(self, rows: MockTable) -> None:
        self.rows = rows
        self.clock = FakeClock()
        self.workflows = mock_client("stepfunctions")
        self.arn: str = self.workflows.create_state_machine(
            name="feedback_round", definition=json.dumps(DEFINITION), roleArn="arn:aws:iam::123456789012:role/round"
        )["stateMachineArn"]
        self.intake = IntakeTable(rows.table, self.clock, Backoff())

    def decide(self, comment: int, pull: int | None = None) -> dict[str, Any]:
        """Record a decision, by default on a pull request of its own, and return its row."""
        self.intake.claim(offer(comment, delivery=comment, pull=pull or comment))
        (row,) = [row for row in self.rows.rows("DECISION#") if row["trigger_id"] == comment]
        return dict(row)

    def executions(self) -> list[str]:
        return [one["name"] for one in self.workflows.list_executions(stateMachineArn=self.arn)["executions"]]


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with mock_table() as rows:
        cloud = Cloud(rows)
        environment = {"AUTOSWE_TABLE": NAME, "AUTOSWE_FEEDBACK_ROUND_ARN": cloud.arn}
        rows.admit_reviewer()
        with running_on_mock_aws(environment, cloud.clock):
            yield cloud


def test_the_recorded_event_is_answered_as_recorded(cloud: Cloud) -> None:
    event, expected = golden("start_workflow")
    recorded = read_decision(event["Records"][0]["dynamodb"]["NewImage"])
    cloud.intake.claim(offer(501))
    assert HANDLER(event, None) == expected
    assert cloud.executions() == [execution_name(recorded.decision_id)]
    assert cloud.rows.unstarted() == []


def test_a_record_that_comes_twice_starts_one_execution(cloud: Cloud) -> None:
    event = inserted(cloud.decide(1), cloud.decide(2))
    for _ in range(2):
        assert HANDLER(event, None) == failures()
    assert len(cloud.executions()) == 2
    assert cloud.rows.unstarted() == []


def test_a_start_that_comes_after_the_lease_takes_the_slot_anew_so_that_its_round_is_not_over_at_once(
    cloud: Cloud,
) -> None:
    row = cloud.decide(1)
    cloud.clock.advance(LEASE_SECONDS + 60)
    assert HANDLER(inserted(row), None) == failures()
    assert cloud.executions() == [execution_name(row["pk"])]
    slot = cloud.rows.get("PR#feedback#octo/widgets#1", "INFLIGHT")
    assert (slot["holder"], slot["lease_until"]) == (row["pk"], "2026-11-30T13:01:00Z")


def test_a_start_that_comes_when_another_decision_has_the_pull_request_is_left_to_the_sweep(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    late = cloud.decide(1)
    cloud.clock.advance(LEASE_SECONDS + 1)
    rival = cloud.decide(2, pull=1)
    assert HANDLER(inserted(late), None) == failures()
    assert json.loads(capsys.readouterr().out)["outcome"] == "slot_held"
    assert cloud.executions() == []
    assert cloud.rows.unstarted() == [late["pk"], rival["pk"]]


def test_a_start_that_was_cut_short_before_it_was_marked_is_found_and_not_repeated(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = cloud.decide(1)

    def cut_short(_self: DecisionTable, _decision_id: str) -> None:
        raise ConnectionError("the reply was lost")

    with monkeypatch.context() as broken:
        broken.setattr(DecisionTable, "mark_started", cut_short)
        assert HANDLER(inserted(row), None) == failures(1)
    assert json.loads(capsys.readouterr().out)["reason"] == "ConnectionError"
    assert cloud.rows.unstarted() == [row["pk"]]
    assert HANDLER(inserted(row), None) == failures()
    assert len(cloud.executions()) == 1
    assert cloud.rows.unstarted() == []


def test_a_broken_record_is_reported_and_does_not_keep_the_others_from_starting(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [cloud.decide(1), {**cloud.decide(2), "pull_number": "two"}, cloud.decide(3)]
    assert HANDLER(inserted(*rows), None) == failures(2)
    assert set(cloud.executions()) == {execution_name(rows[0]["pk"]), execution_name(rows[2]["pk"])}
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["outcome"] for line in lines] == ["started", "failed", "started"]
    assert "pull_number" in lines[1]["detail"]


def test_when_every_record_fails_each_is_reported(cloud: Cloud) -> None:
    broken = [{**cloud.decide(number), "trigger": "unheard_of"} for number in (1, 2)]
    assert HANDLER(inserted(*broken), None) == failures(1, 2)


def test_with_the_kill_switch_off_nothing_starts_and_the_log_says_so(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    row = cloud.decide(1)
    cloud.rows.put(**SWITCH, value=False)
    assert HANDLER(inserted(row), None) == failures()
    assert cloud.executions() == []
    assert cloud.rows.unstarted() == [row["pk"]]
    assert json.loads(capsys.readouterr().out)["outcome"] == "kill_switch_off"


def test_a_decision_that_is_not_in_the_table_is_not_marked_into_being(cloud: Cloud) -> None:
    row = {**cloud.decide(1), "pk": "DECISION#elsewhere", "decision_id": "DECISION#elsewhere", "pull_number": 2}
    assert HANDLER(inserted(row), None) == failures(1)
    assert cloud.rows.rows("DECISION#elsewhere") == []


@given(st.sampled_from(sorted(Decision.model_fields)), st.sampled_from([None, 0, -1, "", [], {}, True, "x"]))
def test_a_decision_row_with_anything_wrong_is_refused_and_the_field_is_named(name: str, value: Any) -> None:
    row = inserted({**DECISION.model_dump(), "pk": "p", "sk": "s", "kind": "decision"})
    image = row["Records"][0]["dynamodb"]["NewImage"]
    good = read_decision(image)
    assert good == DECISION
    wrong = inserted({**DECISION.model_dump(), "pk": "p", "sk": "s", name: value})["Records"][0]["dynamodb"]["NewImage"]
    numbers = {"repository_id", "pull_number", "trigger_id", "sender_id", "attempt"}
    first_attempt = name == "attempt" and value == 0
    if first_attempt or (isinstance(value, str) and name not in {"trigger", *numbers}):
        assert getattr(read_decision(wrong), name) == value
    else:
        with pytest.raises(MalformedRow, match=name):
            read_decision(wrong)
