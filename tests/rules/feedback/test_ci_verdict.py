"""How CI stands on a pushed commit (feedback §1)."""

from datetime import UTC, datetime, timedelta

import pytest

from autoswe.rules.feedback.ci_verdict import (
    GRACE_SECONDS,
    WATCH_SECONDS,
    CiReason,
    CiState,
    CiVerdict,
    head_is_ours,
    judge_ci,
    next_wait_seconds,
)
from autoswe.rules.github.facts import Check, Checks, CiReading, WorkflowRun

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def _run(status: str, conclusion: str | None = None) -> WorkflowRun:
    return WorkflowRun(status, conclusion, ".github/workflows/ci.yml", "push", 1)


PASSED = Check("tests", completed=True, conclusion="SUCCESS")
GREEN = Checks("SUCCESS", (PASSED,), (_run("COMPLETED", "SUCCESS"),))
NOTHING = Checks(None, (), ())


def judge(checks: Checks, waited: int = 60, green_since: datetime | None = None) -> CiVerdict:
    reading = CiReading("c", checks, required=(), before=frozenset())
    return judge_ci(reading, on_our_commit=True, waited_seconds=waited, green_since=green_since, now=NOW)


def test_green_is_said_only_after_a_second_look_half_a_minute_later() -> None:
    first = judge(GREEN)
    assert first == CiVerdict(CiState.WAIT, CiReason.CONFIRMING, NOW)
    just_before = NOW - timedelta(seconds=29)
    assert judge(GREEN, green_since=just_before) == CiVerdict(CiState.WAIT, CiReason.CONFIRMING, just_before)
    assert judge(GREEN, green_since=NOW - timedelta(seconds=30)) == CiVerdict(CiState.GREEN, CiReason.ALL_PASSED)


@pytest.mark.parametrize("conclusion", ["SUCCESS", "SKIPPED", "NEUTRAL"])
def test_success_skipped_and_neutral_are_good_ends(conclusion: str) -> None:
    checks = Checks("SUCCESS", (PASSED, Check("other", completed=True, conclusion=conclusion)), ())
    assert judge(checks, green_since=NOW - timedelta(minutes=1)).state is CiState.GREEN


@pytest.mark.parametrize("conclusion", ["FAILURE", "TIMED_OUT", "STARTUP_FAILURE", "ERROR"])
def test_one_failed_check_is_red_whatever_else_still_runs(conclusion: str) -> None:
    running = Check("slow", completed=False, conclusion=None)
    checks = Checks("FAILURE", (PASSED, running, Check("bad", completed=True, conclusion=conclusion)), ())
    assert judge(checks) == CiVerdict(CiState.RED, CiReason.CHECK_FAILED)


def test_a_failed_run_without_any_check_is_red() -> None:
    assert judge(Checks(None, (), (_run("COMPLETED", "STARTUP_FAILURE"),))).state is CiState.RED


@pytest.mark.parametrize("conclusion", ["CANCELLED", "STALE", "A_WORD_OF_TOMORROW", None])
def test_an_end_that_says_neither_good_nor_bad_is_unknown_never_green(conclusion: str | None) -> None:
    checks = Checks("SUCCESS", (PASSED, Check("odd", completed=True, conclusion=conclusion)), ())
    assert judge(checks) == CiVerdict(CiState.UNKNOWN, CiReason.INCONCLUSIVE)


def test_good_checks_under_a_rollup_that_does_not_agree_are_unknown() -> None:
    assert judge(Checks("FAILURE", (PASSED,), ())).state is CiState.UNKNOWN
    assert judge(Checks(None, (PASSED,), ())).state is CiState.UNKNOWN


@pytest.mark.parametrize(("rollup", "reason"), [("PENDING", CiReason.RUNNING), ("EXPECTED", CiReason.NOT_REPORTED)])
def test_what_only_the_summary_speaks_of_is_waited_for(rollup: str, reason: CiReason) -> None:
    assert judge(Checks(rollup, (PASSED,), ())) == CiVerdict(CiState.WAIT, reason)


def test_what_has_not_ended_is_waited_for() -> None:
    slow = Check("slow", completed=False, conclusion=None)
    for checks in (Checks("SUCCESS", (PASSED, slow), ()), Checks(None, (), (_run("QUEUED"),))):
        assert judge(checks) == CiVerdict(CiState.WAIT, CiReason.RUNNING)


@pytest.mark.parametrize("run", [_run("COMPLETED", "ACTION_REQUIRED"), _run("WAITING")])
def test_a_run_that_waits_for_a_person_is_said_so_and_never_waited_out(run: WorkflowRun) -> None:
    assert judge(Checks(None, (), (run,))) == CiVerdict(CiState.UNKNOWN, CiReason.BLOCKED_ON_PERSON)


def test_nothing_reported_is_waited_for_within_the_grace_and_none_after_it() -> None:
    assert judge(NOTHING, GRACE_SECONDS - 1) == CiVerdict(CiState.WAIT, CiReason.NOT_REPORTED)
    assert judge(NOTHING, GRACE_SECONDS) == CiVerdict(CiState.NONE, CiReason.NOTHING_REPORTED)


def test_the_watch_ends_after_four_hours_as_unknown() -> None:
    running = Checks("PENDING", (Check("slow", completed=False, conclusion=None),), ())
    assert judge(running, WATCH_SECONDS - 1).state is CiState.WAIT
    assert judge(running, WATCH_SECONDS) == CiVerdict(CiState.UNKNOWN, CiReason.WATCH_OVER)
    assert WATCH_SECONDS == 4 * 60 * 60


def test_a_head_that_somebody_moved_ends_the_watch_as_unknown() -> None:
    reading = CiReading("x", GREEN, required=(), before=frozenset())
    verdict = judge_ci(reading, on_our_commit=False, waited_seconds=1, green_since=None, now=NOW)
    assert verdict == CiVerdict(CiState.UNKNOWN, CiReason.HEAD_MOVED)


@pytest.mark.parametrize(
    ("head", "waited", "ours"),
    [("c", 0, True), ("c", 9_999, True), ("p", 59, True), ("p", 60, False), ("x", 0, False)],
)
def test_the_commit_before_the_push_is_a_stale_answer_for_a_minute_and_a_move_after_it(
    head: str, waited: int, ours: bool
) -> None:
    assert head_is_ours(head, "c", "p", waited) is ours


def test_waits_grow_from_fifteen_seconds_to_two_minutes() -> None:
    waiting = CiVerdict(CiState.WAIT, CiReason.RUNNING)
    assert [next_wait_seconds(waiting, look, NOW) for look in (1, 2, 3, 4, 5, 500)] == [15, 30, 60, 120, 120, 120]


@pytest.mark.parametrize(("seen", "wait"), [(0, 30), (12, 18), (29, 1)])
def test_a_green_is_looked_at_again_when_it_may_be_confirmed(seen: int, wait: int) -> None:
    confirming = CiVerdict(CiState.WAIT, CiReason.CONFIRMING, NOW - timedelta(seconds=seen))
    assert next_wait_seconds(confirming, 3, NOW) == wait
