"""Reports on a run leave one record, whatever their order (feedback §2, §3)."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import (
    CLOCK_TOLERANCE,
    AgentTask,
    Claim,
    Recorded,
    Refused,
    Run,
    RunRefusal,
    RunScope,
    Unchanged,
    apply_report,
    judge_claim,
    judge_report,
    judge_time,
)
from tests.support.intake.runs import NOON, TASK, agent_run, run

PARKED, ENDED, CI = RunStatus.AWAITING_HUMAN_MERGE, RunStatus.ENDED, RunStatus.AWAITING_CI


def recorded(*reports: Run) -> Run:
    """Apply reports one after another, none of which may be refused."""
    record: Run | None = None
    for report in reports:
        verdict = apply_report(record, report)
        assert not isinstance(verdict, Refused), verdict.sentence
        record = verdict.run
    assert record is not None
    return record


def refusal(record: Run, report: Run) -> RunRefusal:
    verdict = apply_report(record, report)
    assert isinstance(verdict, Refused)
    assert report.run_id in verdict.sentence
    assert "\n" not in verdict.sentence
    return verdict.reason


def test_the_first_report_is_the_record() -> None:
    assert apply_report(None, run()) == Recorded(run())


def test_a_newer_status_takes_the_place_of_an_older_one() -> None:
    assert recorded(run(1), run(2, status=PARKED)) == run(2, status=PARKED)


def test_a_parked_run_that_works_again_is_no_longer_parked() -> None:
    assert recorded(run(1, status=PARKED), run(2)).status is RunStatus.RUNNING


def test_an_older_report_does_not_overwrite_a_newer_status() -> None:
    assert apply_report(run(2, status=PARKED), run(1)) == Unchanged(run(2, status=PARKED))


def test_the_same_report_again_changes_nothing() -> None:
    assert apply_report(run(1), run(1)) == Unchanged(run(1))


@pytest.mark.parametrize("minute", [1, 5, 9])
def test_a_run_that_has_ended_stays_ended_whatever_the_times_of_the_reports(minute: int) -> None:
    assert recorded(run(5, status=ENDED), run(minute, status=PARKED)).status is ENDED
    assert recorded(run(minute, status=PARKED), run(5, status=ENDED)).status is ENDED


def test_two_statuses_at_the_same_moment_contradict_each_other() -> None:
    assert refusal(run(1), run(1, status=PARKED)) is RunRefusal.CONTRADICTION


def test_the_pull_request_is_known_from_the_first_report_that_names_it() -> None:
    assert recorded(run(1), run(2, pull_number=7), run(3)).pull_number == 7


def test_an_older_report_still_tells_which_pull_request_was_opened() -> None:
    assert recorded(run(2, status=PARKED), run(1, pull_number=7)) == run(2, status=PARKED, pull_number=7)


def test_a_run_opens_one_pull_request() -> None:
    assert refusal(run(1, pull_number=7), run(2, pull_number=8)) is RunRefusal.ANOTHER_PULL_REQUEST


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": OriginKind.TRACKED_WORKFLOW, "agent_task": None},
        {"author_id": 5},
        {"branch": "elsewhere"},
        {"agent_task": AgentTask("another", RunScope.ORGANIZATION, TASK)},
        {"agent_task": AgentTask("tidier", RunScope.GLOBAL, TASK)},
        {"agent_task": AgentTask("tidier", RunScope.ORGANIZATION, "Delete everything.")},
    ],
)
def test_what_makes_a_run_that_run_never_changes(changes: dict[str, Any]) -> None:
    assert refusal(agent_run(1), agent_run(2, **changes)) is RunRefusal.ANOTHER_RUN


def test_a_sentence_about_a_task_does_not_repeat_it() -> None:
    changed = AgentTask("tidier", RunScope.ORGANIZATION, "Delete everything.")
    verdict = apply_report(agent_run(1), agent_run(2, agent_task=changed))
    assert isinstance(verdict, Refused)
    assert "Delete" not in verdict.sentence


REPORTS = st.builds(
    run,
    st.integers(0, 50),
    status=st.sampled_from(RunStatus),
    pull_number=st.sampled_from([None, 7]),
)


@given(st.lists(REPORTS, min_size=1, max_size=4, unique_by=lambda told: told.reported_at))
def test_reports_that_come_in_any_order_and_twice_leave_one_record(reports: list[Run]) -> None:
    records = {recorded(*order, *order) for order in permutations(reports)}
    assert len(records) == 1
    (record,) = records
    ended = any(told.status is ENDED for told in reports)
    newest = max(reports, key=lambda told: told.reported_at)
    assert record.status is (ENDED if ended else newest.status)
    assert record.pull_number == (7 if any(told.pull_number for told in reports) else None)


@given(REPORTS, REPORTS)
def test_a_refused_or_repeated_report_leaves_the_record_as_it_was(first: Run, second: Run) -> None:
    verdict = apply_report(first, second)
    if isinstance(verdict, Unchanged):
        assert verdict.run == first
    if isinstance(verdict, Recorded):
        assert apply_report(verdict.run, second) == Unchanged(verdict.run)


def test_a_pull_request_without_an_origin_on_record_may_be_claimed_and_by_its_own_run_again() -> None:
    assert judge_claim(run(pull_number=7), None) is None
    assert judge_claim(run(pull_number=7), Claim("run-1")) is None


@pytest.mark.parametrize("holder", ["run-2", None])
def test_a_pull_request_that_another_opened_cannot_be_claimed(holder: str | None) -> None:
    refused = judge_claim(run(pull_number=7), Claim(holder))
    assert refused is not None
    assert refused.reason is RunRefusal.PULL_REQUEST_CLAIMED


def test_a_report_is_judged_by_its_own_record_before_the_claim() -> None:
    parked = run(1, pull_number=7, status=PARKED)
    assert judge_report(parked, Claim("run-2"), run(1, pull_number=8)) != judge_report(parked, None, run(1))
    assert isinstance(judge_report(None, Claim("run-2"), parked), Refused)
    assert judge_report(None, None, parked) == Recorded(parked)


def test_a_report_may_be_a_little_ahead_of_our_clock_and_no_more() -> None:
    just = replace(run(), reported_at=NOON + CLOCK_TOLERANCE)
    assert judge_time(just, NOON) is None
    late = judge_time(replace(just, reported_at=just.reported_at + timedelta(seconds=1)), NOON)
    assert late is not None
    assert late.reason is RunRefusal.IN_THE_FUTURE
