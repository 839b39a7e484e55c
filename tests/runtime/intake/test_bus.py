"""The bus's entry does what the step does, and tells the log and Lambda of it (architecture §4)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from autoswe.rules.records.origin import RunStatus
from autoswe.runtime.intake.bus import RunReportRefused
from tests.support.feedback.state import MockState, mock_state, repository_record
from tests.support.golden import golden
from tests.support.handlers import load_handler
from tests.support.mock_aws import running_on_mock_aws
from tests.support.mock_table import NAME

HANDLER = load_handler("record_run")


@pytest.fixture
def state() -> Iterator[MockState]:
    with mock_state() as state, running_on_mock_aws({"AUTOSWE_TABLE": NAME}, state.clock):
        state.records.save_repository("feedback", "octo/widgets", repository_record())
        yield state


def reported(**changes: object) -> dict[str, Any]:
    event, _ = golden("record_run")
    return {**event, "detail": event["detail"] | changes}


def test_the_recorded_event_is_answered_as_recorded_and_the_log_says_who_reported(
    state: MockState, capsys: pytest.CaptureFixture[str]
) -> None:
    event, expected = golden("record_run")
    assert HANDLER(event, None) == expected
    logged = json.loads(capsys.readouterr().out)
    assert (logged["step"], logged["account"], logged["event"]) == ("record_run", event["account"], event["id"])
    assert (logged["outcome"], logged["status"], logged["repository"]) == (
        "recorded",
        "awaiting_human_merge",
        "octo/widgets",
    )
    assert "task" not in logged


def test_an_event_that_comes_twice_is_recorded_once(state: MockState) -> None:
    HANDLER(reported(), None)
    before = state.contents()
    assert HANDLER(reported(), None)["outcome"] == "unchanged"
    assert state.contents() == before


@pytest.mark.parametrize(
    ("changes", "reason", "sentence"),
    [
        ({"status": "parked"}, "invalid", "the report is wrong at status"),
        ({"repository": "octo/unknown"}, "unknown_repository", "no record of octo/unknown"),
        ({"reported_at": "2027-11-30T12:00:00Z"}, "in_the_future", "time in the future"),
    ],
)
def test_a_report_that_is_not_recorded_raises_so_that_lambda_keeps_the_event(
    state: MockState, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], reason: str, sentence: str
) -> None:
    before = state.contents()
    with pytest.raises(RunReportRefused, match=sentence):
        HANDLER(reported(**changes), None)
    logged = json.loads(capsys.readouterr().out)
    assert (logged["outcome"], logged["reason"]) == ("refused", reason)
    assert state.contents() == before


def test_a_run_that_ends_is_no_longer_parked(state: MockState) -> None:
    HANDLER(reported(), None)
    ended = HANDLER(reported(status="ended", reported_at="2026-11-30T11:59:00Z"), None)
    assert ended["status"] == RunStatus.ENDED
    found = state.records.origin("feedback", "octo/widgets", 7)
    assert found is not None
    assert found.run_status is RunStatus.ENDED
