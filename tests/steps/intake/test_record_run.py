"""What becomes of a report on a run (feedback §2, §3)."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from autoswe.contracts.records.runs import RecordedRun, RecordOutcome
from autoswe.dynamodb.records.runs import RunTable
from autoswe.rules.records.origin import RunStatus
from autoswe.rules.records.runs import Run, RunRefusal
from autoswe.steps.intake.record_run import Ports, record_run
from tests.support.feedback.state import MockState, mock_state, repository_record
from tests.support.intake.deliveries import CONNECTION, REPOSITORY
from tests.support.intake.runs import NOON, agent_run, report, run


@pytest.fixture
def state() -> Iterator[MockState]:
    with mock_state() as mocked:
        mocked.clock.advance(3_600)
        mocked.records.save_repository(CONNECTION, REPOSITORY, repository_record(organization="acme"))
        yield mocked


def record(state: MockState, told: Run) -> RecordedRun:
    runs = RunTable(state.mocked.table, state.backoff)
    return record_run(report(told), Ports(state.clock, state.records, runs))


def test_a_report_is_recorded_once_and_told_again_as_it_is_on_record(state: MockState) -> None:
    parked = run(5, pull_number=7, status=RunStatus.AWAITING_HUMAN_MERGE)
    first = record(state, parked)
    assert (first.outcome, first.status, first.pull_number) == (RecordOutcome.RECORDED, parked.status, 7)
    assert record(state, parked) == first.model_copy(update={"outcome": RecordOutcome.UNCHANGED})
    late = record(state, run(1))
    assert (late.outcome, late.status, late.pull_number) == (RecordOutcome.UNCHANGED, parked.status, 7)


def test_an_agent_run_counts_for_the_organisation_of_its_repository(state: MockState) -> None:
    record(state, agent_run())
    assert state.mocked.get("AGENTDAY#acme#2026-11-30")["started"] == 1


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (run(repository="octo/unknown"), RunRefusal.UNKNOWN_REPOSITORY),
        (run(connection="unknown"), RunRefusal.UNKNOWN_REPOSITORY),
        (run(reported_at=NOON + timedelta(hours=2)), RunRefusal.IN_THE_FUTURE),
        (run(7, branch="elsewhere"), RunRefusal.ANOTHER_RUN),
        (run(7, pull_number=8), RunRefusal.ANOTHER_PULL_REQUEST),
        (run(7, run_id="run-2", pull_number=7), RunRefusal.PULL_REQUEST_CLAIMED),
        (run(5), RunRefusal.CONTRADICTION),
    ],
)
def test_a_report_that_contradicts_what_is_known_is_refused_in_a_sentence_and_changes_nothing(
    state: MockState, told: Run, reason: RunRefusal
) -> None:
    record(state, run(5, pull_number=7, status=RunStatus.AWAITING_HUMAN_MERGE))
    before = state.contents()
    refused = record(state, told)
    assert (refused.outcome, refused.reason, refused.status) == (RecordOutcome.REFUSED, reason, None)
    assert refused.sentence
    assert state.contents() == before


def test_the_pull_request_of_a_run_that_has_ended_is_no_other_runs_either(state: MockState) -> None:
    record(state, run(1, pull_number=7, status=RunStatus.ENDED))
    assert record(state, run(2, run_id="run-2", pull_number=7)).reason is RunRefusal.PULL_REQUEST_CLAIMED
