"""What counts of a reading of CI, and what it still lacks (feedback §1)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.ci_verdict import (
    CONFIRM_SECONDS,
    GRACE_SECONDS,
    WATCH_SECONDS,
    CiReason,
    CiState,
    CiVerdict,
    judge_ci,
)
from autoswe.rules.github.expected_checks import BAD, count_reports
from autoswe.rules.github.facts import Check, Checks, CiReading, Reporter, RequiredCheck, WorkflowRun

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ACTIONS, OTHER_APP = 15368, 77
MISSING = CiVerdict(CiState.UNKNOWN, CiReason.REQUIRED_MISSING)
NOT_YET = CiVerdict(CiState.WAIT, CiReason.NOT_REPORTED)
GREEN = CiVerdict(CiState.GREEN, CiReason.ALL_PASSED)
RED = CiVerdict(CiState.RED, CiReason.CHECK_FAILED)
INCONCLUSIVE = CiVerdict(CiState.UNKNOWN, CiReason.INCONCLUSIVE)
RUNNING = CiVerdict(CiState.WAIT, CiReason.RUNNING)


def check(
    name: str,
    conclusion: str | None = "SUCCESS",
    *,
    minute: int | None = 0,
    app: int | None = ACTIONS,
    suite: int | None = 1,
    is_required: bool = False,
) -> Check:
    """A check of an App that ended at that minute, or has not ended."""
    ended = None if minute is None else NOW + timedelta(minutes=minute)
    done = conclusion is not None
    return Check(name, done, conclusion, app_id=app, completed_at=ended, suite_id=suite, is_required=is_required)


def status(name: str, state: str = "SUCCESS") -> Check:
    return Check(name, state not in {"PENDING", "EXPECTED"}, state, is_status=True)


def run(run_id: int, conclusion: str | None = "SUCCESS", event: str = "push", status: str = "COMPLETED") -> WorkflowRun:
    return WorkflowRun(status, conclusion, "ci.yml", event, run_id)


def judge(
    *checks: Check,
    required: tuple[RequiredCheck, ...] | None = (),
    waited: int = GRACE_SECONDS,
    rollup: str | None = "SUCCESS",
    runs: tuple[WorkflowRun, ...] = (),
    empty_suites: int = 0,
    before: frozenset[Reporter] | None = frozenset(),
) -> CiVerdict:
    """Judge a reading that was as it is now for long enough to be believed, by default after the grace."""
    return judge_ci(
        CiReading("c", Checks(rollup, checks, runs, empty_suites), required, before),
        on_our_commit=True,
        waited_seconds=waited,
        green_since=NOW - timedelta(seconds=CONFIRM_SECONDS),
        now=NOW,
    )


class TestSuperseded:
    def test_of_a_suite_s_checks_of_one_name_the_last_counts(self) -> None:
        assert judge(check("a", "FAILURE", minute=1), check("a", minute=2)) == GREEN
        assert judge(check("a", minute=1), check("a", "FAILURE", minute=2)) == RED

    def test_a_check_that_runs_again_counts_instead_of_its_earlier_end(self) -> None:
        assert judge(check("a", "FAILURE", minute=1), check("a", None, minute=None), rollup="FAILURE") == RUNNING

    def test_an_end_without_a_time_is_never_hidden_by_another(self) -> None:
        assert judge(check("a", "FAILURE", minute=None), check("a", minute=5)) == RED

    def test_of_ends_at_the_same_moment_all_count(self) -> None:
        for both in (check("a"), check("a", "FAILURE")), (check("a", "FAILURE"), check("a")):
            assert judge(*both) == RED

    def test_a_failure_in_one_suite_is_hidden_by_nothing_in_another(self) -> None:
        """As when one workflow runs for the push, and a minute later for the pull request."""
        assert judge(check("build", "FAILURE", minute=1), check("build", minute=2, suite=2)) == RED
        assert judge(check("build", "CANCELLED", minute=1), check("build", minute=2, suite=2)) == INCONCLUSIVE

    def test_what_runs_in_one_suite_is_awaited_whatever_ended_in_another(self) -> None:
        assert judge(check("build", None, minute=None), check("build", suite=2), rollup="PENDING") == RUNNING

    def test_checks_of_two_apps_and_a_status_of_one_name_must_all_pass(self) -> None:
        good = (check("a", minute=9), check("a", app=OTHER_APP, minute=9), status("a"))
        assert judge(*good) == GREEN
        assert judge(check("a", "FAILURE"), *good[1:]) == RED
        assert judge(good[0], check("a", "FAILURE", app=OTHER_APP), good[2]) == RED
        assert judge(*good[:2], status("a", "ERROR")) == RED

    @pytest.mark.parametrize("end", ["CANCELLED", "STALE"])
    def test_what_was_cancelled_is_forgotten_for_its_rerun_and_inconclusive_without_one(self, end: str) -> None:
        assert judge(check("a", end, minute=1), check("a", minute=2)) == GREEN
        assert judge(check("a", minute=1), check("a", end, minute=2)) == INCONCLUSIVE
        assert judge(check("a", end)) == INCONCLUSIVE

    @pytest.mark.parametrize("rollup", ["FAILURE", "ERROR", "A_WORD_OF_TOMORROW"])
    def test_a_summary_that_is_not_good_is_never_overruled(self, rollup: str) -> None:
        assert judge(check("a"), rollup=rollup) == INCONCLUSIVE
        assert judge(check("a", "FAILURE", minute=1), check("a", minute=2), rollup=rollup) == INCONCLUSIVE

    def test_what_the_summary_says_is_pending_is_awaited(self) -> None:
        assert judge(check("a"), rollup="PENDING") == RUNNING
        assert judge(check("a", "FAILURE", minute=1), check("a", minute=2), rollup="PENDING") == RUNNING

    @pytest.mark.parametrize("event", ["push", "pull_request"])
    def test_every_run_counts_whatever_else_ran_of_its_workflow(self, event: str) -> None:
        later = run(2, event="pull_request")
        assert judge(check("a"), runs=(run(1, "FAILURE", event), later)) == RED
        assert judge(check("a"), runs=(run(1, None, event, status="QUEUED"), later)) == RUNNING
        assert judge(check("a"), runs=(run(1, "CANCELLED", event), later)) == INCONCLUSIVE
        assert judge(check("a"), runs=(run(1, event=event), later)) == GREEN

    @given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([*sorted(BAD), "SUCCESS"]), st.integers(0, 3))))
    def test_every_name_that_reported_still_counts_and_only_its_last_end(
        self, ends: list[tuple[str, str, int]]
    ) -> None:
        reports = count_reports(Checks(None, tuple(check(name, end, minute=minute) for name, end, minute in ends), ()))
        assert {one.name for one in reports.checks} == {name for name, _, _ in ends}
        for one in reports.checks:
            last = max(minute for name, _, minute in ends if name == one.name)
            assert one.completed_at == NOW + timedelta(minutes=last)


class TestReportedBefore:
    """What had reported on the reviewed commit is expected on ours."""

    BUILD, COVERAGE = Reporter("build", ACTIONS, is_status=False), Reporter("coverage", None, is_status=True)

    def test_it_is_waited_for_within_the_grace_and_then_its_silence_is_unknown(self) -> None:
        before = frozenset({self.BUILD, self.COVERAGE})
        assert judge(check("build"), before=before, waited=GRACE_SECONDS - 1) == NOT_YET
        assert judge(check("build"), before=before) == CiVerdict(CiState.UNKNOWN, CiReason.EXPECTED_MISSING)
        assert judge(check("build"), status("coverage"), before=before) == GREEN

    def test_where_something_had_reported_nothing_at_all_is_unknown_and_not_none(self) -> None:
        expected = CiVerdict(CiState.UNKNOWN, CiReason.EXPECTED_MISSING)
        assert judge(rollup=None, before=frozenset({self.BUILD})) == expected

    def test_another_app_s_check_or_a_status_of_the_name_does_not_stand_for_it(self) -> None:
        before = frozenset({self.BUILD})
        for other in (check("build", app=OTHER_APP), status("build")):
            assert judge(other, before=before).reason is CiReason.EXPECTED_MISSING

    def test_a_failure_is_red_and_what_runs_is_awaited_whoever_is_silent(self) -> None:
        before = frozenset({self.COVERAGE})
        assert judge(check("build", "FAILURE"), before=before) == RED
        assert judge(check("build", None, minute=None), before=before) == RUNNING

    def test_what_cannot_be_read_is_never_taken_for_nothing(self) -> None:
        assert judge(check("a"), before=None) == CiVerdict(CiState.UNKNOWN, CiReason.REQUIRED_UNREADABLE)
        assert judge(check("a", "FAILURE"), before=None) == RED


class TestRequired:
    def test_a_required_check_that_has_not_reported_is_waited_for_and_missing_after_the_grace(self) -> None:
        required = (RequiredCheck("a"), RequiredCheck("deploy"))
        assert judge(check("a"), required=required, waited=GRACE_SECONDS - 1) == NOT_YET
        assert judge(check("a"), required=required) == MISSING
        assert judge(check("a"), check("deploy"), required=required) == GREEN

    def test_where_something_is_required_nothing_at_all_is_missing_and_not_none(self) -> None:
        assert judge(required=(RequiredCheck("a"),), rollup=None) == MISSING
        assert judge(rollup=None) == CiVerdict(CiState.NONE, CiReason.NOTHING_REPORTED)

    def test_nothing_is_missing_while_something_runs(self) -> None:
        slow = check("build", None, minute=None)
        assert judge(slow, required=(RequiredCheck("deploy"),), rollup="PENDING", waited=GRACE_SECONDS * 2) == RUNNING

    def test_a_failure_is_red_whatever_is_missing(self) -> None:
        assert judge(check("a", "FAILURE"), required=(RequiredCheck("deploy"),)) == RED
        assert judge(check("a", "FAILURE"), required=None) == RED

    def test_a_required_check_bound_to_an_app_is_there_only_when_that_app_made_it(self) -> None:
        bound = (RequiredCheck("a", ACTIONS),)
        assert judge(check("a"), required=bound) == GREEN
        assert judge(check("a", app=OTHER_APP), required=bound) == MISSING
        assert judge(check("a", app=None), required=bound) == MISSING
        assert judge(check("a", app=OTHER_APP), check("a"), required=bound) == GREEN

    def test_a_status_where_an_app_is_demanded_is_neither_green_nor_missing(self) -> None:
        assert judge(status("a"), required=(RequiredCheck("a", ACTIONS),)) == INCONCLUSIVE
        assert judge(status("a"), required=(RequiredCheck("a"),)) == GREEN

    def test_a_check_that_may_be_bound_to_an_app_counts_only_where_the_host_calls_it_required(self) -> None:
        required = (RequiredCheck("a", host_decides=True),)
        assert judge(check("a", is_required=True), required=required) == GREEN
        assert judge(check("a"), required=required) == INCONCLUSIVE
        assert judge(check("b", is_required=True), required=required) == MISSING

    def test_names_are_compared_exactly(self) -> None:
        assert judge(check("Tests"), required=(RequiredCheck("tests"),)) == MISSING

    def test_a_status_that_the_host_expects_is_required_and_no_report(self) -> None:
        awaited = (status("deploy", "EXPECTED"),)
        assert judge(*awaited, rollup="EXPECTED", waited=0) == NOT_YET
        assert judge(*awaited, rollup="EXPECTED") == MISSING
        assert judge(check("a"), *awaited, rollup="EXPECTED") == MISSING
        assert judge(check("a"), rollup="EXPECTED") == MISSING

    def test_requirements_that_cannot_be_read_are_never_green_nor_none(self) -> None:
        unreadable = CiVerdict(CiState.UNKNOWN, CiReason.REQUIRED_UNREADABLE)
        assert judge(check("a"), required=None) == unreadable
        assert judge(required=None, rollup=None) == unreadable
        assert judge(required=None, rollup=None, waited=0) == NOT_YET

    def test_the_same_requirement_twice_is_one(self) -> None:
        assert judge(check("a"), required=(RequiredCheck("a"), RequiredCheck("a", ACTIONS))) == GREEN


class TestSuitesWithoutRuns:
    def test_a_queued_suite_without_a_run_is_waited_for_within_the_grace_alone(self) -> None:
        assert judge(check("a"), empty_suites=1, waited=GRACE_SECONDS - 1) == NOT_YET
        assert judge(check("a"), empty_suites=1) == GREEN
        assert judge(empty_suites=1, rollup=None) == CiVerdict(CiState.NONE, CiReason.NOTHING_REPORTED)

    def test_a_run_that_waits_for_an_approval_is_not_taken_for_one_that_has_not_started(self) -> None:
        blocked = CiVerdict(CiState.UNKNOWN, CiReason.BLOCKED_ON_PERSON)
        for waiting in (run(1, "ACTION_REQUIRED"), run(1, None, status="WAITING")):
            assert judge(runs=(waiting,), empty_suites=1, rollup=None, waited=0) == blocked
            assert judge(runs=(waiting,), required=(RequiredCheck("a"),), rollup=None) == blocked


REPORTS = st.builds(
    check,
    st.sampled_from("abc"),
    st.sampled_from([None, "SUCCESS", "SKIPPED", "FAILURE", "CANCELLED", "A_WORD_OF_TOMORROW"]),
    minute=st.one_of(st.none(), st.integers(0, 2)),
    app=st.sampled_from([None, ACTIONS, OTHER_APP]),
)
NEEDED = st.builds(RequiredCheck, st.sampled_from("abc"), st.sampled_from([None, ACTIONS]))


@given(
    st.lists(REPORTS, max_size=4),
    st.one_of(st.none(), st.lists(NEEDED, max_size=2).map(tuple)),
    st.sampled_from([0, GRACE_SECONDS, WATCH_SECONDS]),
    st.sampled_from([None, "SUCCESS", "FAILURE", "PENDING", "EXPECTED"]),
)
def test_green_is_said_only_where_everything_required_passed_and_nothing_ended_badly(
    checks: list[Check], required: tuple[RequiredCheck, ...] | None, waited: int, rollup: str | None
) -> None:
    verdict = judge(*checks, required=required, waited=waited, rollup=rollup)
    if verdict.state is CiState.GREEN:
        assert checks
        assert required is not None
        passed = [one for one in checks if one.conclusion in {"SUCCESS", "SKIPPED"}]
        for need in required:
            assert any(one.name == need.name and need.app_id in {None, one.app_id} for one in passed)
        for one in checks:
            siblings = [other for other in passed if (other.name, other.app_id) == (one.name, one.app_id)]
            assert siblings
