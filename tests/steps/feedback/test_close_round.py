"""How a round ends (architecture: close_round)."""

from datetime import timedelta
from typing import Any

import pytest

from autoswe.contracts.feedback.round import Closed, Gathered, GatherOutcome, Pushed, PushOutcome, Reported
from autoswe.contracts.records.platform import FireOutcome
from autoswe.contracts.workflow import Failure, Returned
from autoswe.steps.feedback.close_round import Ports, close_round
from tests.support.feedback.fakes import DECISION, EXECUTION, NOW, FakeRecords, FakeRounds, request

PROCEED = Returned(value=Gathered(outcome=GatherOutcome.PROCEED))
SKIP = Returned(value=Gathered(outcome=GatherOutcome.SKIP_SILENT, reason="pull_closed"))
VISIBLE = Returned(value=Gathered(outcome=GatherOutcome.SKIP_VISIBLE, reason="round_limit"))
PUSHED = Returned(value=Pushed(outcome=PushOutcome.PUSHED))
UNCHANGED = Returned(value=Pushed(outcome=PushOutcome.UNCHANGED))
REFUSED = Returned(value=Pushed(outcome=PushOutcome.REFUSED, reason="head_moved"))
REPORTED = Returned(value=Reported(summary="edited", replies=0))
ERROR = Failure(error="Unavailable", cause="the host did not answer")


@pytest.mark.parametrize(
    ("answers", "outcome", "reason"),
    [
        ({"gather": PROCEED, "push": PUSHED}, FireOutcome.SUCCEEDED, None),
        ({"gather": PROCEED, "push": UNCHANGED}, FireOutcome.SUCCEEDED, None),
        ({"gather": PROCEED, "push": REFUSED}, FireOutcome.FAILED, "head_moved"),
        ({"gather": SKIP}, FireOutcome.SKIPPED, "pull_closed"),
        ({"gather": VISIBLE}, FireOutcome.SKIPPED, "round_limit"),
        ({"gather": PROCEED, "error": ERROR}, FireOutcome.FAILED, "Unavailable"),
        ({"gather": PROCEED, "push": PUSHED, "error": ERROR}, FireOutcome.SUCCEEDED, None),
        ({"gather": PROCEED, "push": PUSHED, "report_error": ERROR}, FireOutcome.SUCCEEDED, None),
        ({"gather": PROCEED, "push": REFUSED, "report_error": ERROR}, FireOutcome.FAILED, "head_moved"),
        ({"gather": PROCEED, "push": UNCHANGED, "report_error": ERROR}, FireOutcome.FAILED, "Unavailable"),
        ({"gather": VISIBLE, "report_error": ERROR}, FireOutcome.FAILED, "Unavailable"),
        ({"gather": PROCEED, "push": PUSHED, "ci_error": ERROR}, FireOutcome.SUCCEEDED, None),
        ({"gather": PROCEED, "push": PUSHED, "error": ERROR, "ci_report": REPORTED}, FireOutcome.SUCCEEDED, None),
        ({"gather": PROCEED}, FireOutcome.FAILED, "interrupted"),
        ({}, FireOutcome.FAILED, "interrupted"),
    ],
)
def test_the_outcome_follows_from_what_the_steps_answered(
    answers: dict[str, object], outcome: FireOutcome, reason: str | None
) -> None:
    rounds = FakeRounds.holding()
    closed = close_round(request(**answers), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.closed == [(outcome, reason)]
    assert closed == Closed(outcome=outcome.value, reason=reason)


@pytest.mark.parametrize(
    ("answers", "notes"),
    [
        ({"report_error": ERROR}, ["report_failed", "taken_up:1"]),
        ({"report_error": ERROR, "ci_report": REPORTED}, []),
        ({"report": REPORTED}, []),
    ],
)
def test_a_report_that_never_was_is_on_record_and_one_that_was_made_up_for_is_not(
    answers: dict[str, object], notes: list[str]
) -> None:
    rounds = FakeRounds.holding()
    close_round(request(gather=PROCEED, push=PUSHED, **answers), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.notes == notes


@pytest.mark.parametrize("report", [None, Returned(value=Reported(summary="edited", replies=0, late=("older",)))])
def test_a_skip_offers_every_suppressed_delivery_again_in_the_order_in_which_they_came(
    report: Returned[Reported] | None,
) -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("older", "newer", "newest")
    closed = close_round(request(gather=VISIBLE, report=report), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.offered == ["older", "newer", "newest"]
    assert closed.offered_again


def test_a_delivery_that_is_suppressed_until_the_very_end_is_not_lost() -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed_at_close = ("last",)
    close_round(request(gather=SKIP), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.offered == ["last"]


@pytest.mark.parametrize("push", [PUSHED, UNCHANGED, REFUSED])
def test_a_round_that_did_something_offers_nothing_again_that_its_report_says_was_late(push: Returned[Pushed]) -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("older", "newest")
    report = Returned(value=Reported(summary="made", replies=1, late=("older", "newest")))
    close_round(request(gather=PROCEED, push=push, report=report), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.offered == []


def test_what_came_after_a_rounds_last_report_is_offered_again() -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("told", "after the first report", "after the last")
    first = Returned(value=Reported(summary="made", replies=1, late=("told",)))
    last = Returned(value=Reported(summary="edited", replies=0, late=("told", "after the first report")))
    answers = {"gather": PROCEED, "push": PUSHED, "report": first}
    close_round(request(**answers, ci_report=last), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.offered == ["after the last"]


def test_a_round_that_failed_before_it_could_tell_anybody_offers_everything_again() -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("older", "newest")
    close_round(request(gather=PROCEED, push=PUSHED, error=ERROR), Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.offered == ["older", "newest"]


def test_a_round_whose_repository_has_no_record_any_more_is_closed_all_the_same() -> None:
    rounds = FakeRounds.holding()
    close_round(request(error=ERROR), Ports(FakeRecords(repository_record=None, connections={}), rounds, lambda: NOW))
    assert rounds.closed == [(FireOutcome.FAILED, "Unavailable")]


def test_an_execution_that_is_not_the_rounds_current_one_changes_nothing() -> None:
    rounds = FakeRounds.holding()
    assert rounds.current is not None
    rounds.current = rounds.current.model_copy(update={"execution": EXECUTION + "-newer"})
    rounds.suppressed = ("late",)
    close_round(request(gather=SKIP), Ports(FakeRecords(), rounds, lambda: NOW))
    assert (rounds.closed, rounds.offered) == ([], [])


ABORTED, TIMED_OUT = Failure(error="Execution.ABORTED"), Failure(error="Execution.TIMED_OUT")
HUNG = Failure(error="States.Timeout")
IS_PUSHED = {"commit_sha": "c" * 40, "pushed": True, "pushed_sha": "c" * 40}


def _close(fire: dict[str, object], *, hours_ago: int = 0, **answers: Any) -> FakeRounds:
    rounds = FakeRounds.holding(**fire)
    decision = DECISION.model_copy(update={"decided_at": (NOW - timedelta(hours=hours_ago)).isoformat()})
    records = FakeRecords(decisions={decision.decision_id: decision})
    close_round(request(**answers), Ports(records, rounds, lambda: NOW))
    return rounds


@pytest.mark.parametrize("error", ["Unavailable", "RateLimited", "AwsCallFailed", "ECS.AmazonECSException"])
def test_a_round_that_failed_for_a_reason_that_may_pass_is_taken_up_again(error: str) -> None:
    rounds = _close({}, gather=PROCEED, error=Failure(error=error), report=REPORTED)
    assert (rounds.taken_up, rounds.notes) == ([1], ["taken_up:1"])


@pytest.mark.parametrize("error", [HUNG, ABORTED, Failure(error="States.TaskFailed"), Failure(error="InputMismatch")])
def test_what_would_end_so_again_and_what_an_operator_aborted_is_not_taken_up(error: Failure) -> None:
    assert _close({}, gather=PROCEED, error=error, report=REPORTED).taken_up == []


@pytest.mark.parametrize("answers", [{"gather": SKIP}, {"gather": PROCEED, "push": REFUSED, "report": REPORTED}])
def test_a_round_that_came_to_its_end_is_not_taken_up(answers: dict[str, Any]) -> None:
    assert _close({}, **answers).taken_up == []


@pytest.mark.parametrize(("attempt", "taken_up"), [(0, [1]), (1, [2]), (2, [])])
def test_a_round_is_tried_three_times_in_all(attempt: int, taken_up: list[int]) -> None:
    assert _close({"attempt": attempt}, error=ERROR).taken_up == taken_up


@pytest.mark.parametrize(("hours", "taken_up"), [(23, [1]), (24, [])])
def test_a_round_is_taken_up_within_a_day_of_its_decision(hours: int, taken_up: list[int]) -> None:
    assert _close({}, hours_ago=hours, error=ERROR).taken_up == taken_up


@pytest.mark.parametrize(
    "answers",
    [
        {"error": TIMED_OUT},
        {"error": ABORTED},
        {"gather": PROCEED, "error": HUNG},
        {"gather": PROCEED, "push": PUSHED, "report_error": HUNG},
    ],
)
def test_a_round_that_has_pushed_succeeded_and_is_taken_up_until_its_summary_is_true(
    answers: dict[str, Any],
) -> None:
    rounds = _close(IS_PUSHED, **answers)
    assert (rounds.closed, rounds.taken_up) == ([(FireOutcome.SUCCEEDED, None)], [1])


@pytest.mark.parametrize(
    "answers",
    [
        {"gather": PROCEED, "push": PUSHED, "report": REPORTED, "ci_error": ERROR, "ci_report": REPORTED},
        {"gather": PROCEED, "error": ERROR, "report": REPORTED},
        {"gather": PROCEED, "push": PUSHED, "report_error": ERROR, "report": REPORTED, "ci_report": REPORTED},
    ],
)
def test_a_pushed_round_that_has_told_what_came_of_it_is_not_taken_up(answers: dict[str, Any]) -> None:
    assert _close(IS_PUSHED, **answers).taken_up == []


@pytest.mark.parametrize("fire", [{}, IS_PUSHED])
def test_a_workflow_that_ends_as_failed_after_it_closed_its_round_leaves_nothing(fire: dict[str, object]) -> None:
    rounds = FakeRounds.holding(**fire)
    assert rounds.current is not None
    rounds.current = rounds.current.model_copy(update={"outcome": FireOutcome.FAILED})
    failed = request(error=Failure(error="Execution.FAILED"))
    close_round(failed, Ports(FakeRecords(), rounds, lambda: NOW))
    assert rounds.taken_up == []
