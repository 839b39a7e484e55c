"""How a round ends (architecture: close_round)."""

import pytest

from autoswe.contracts.feedback.round import Closed, Gathered, GatherOutcome, Pushed, PushOutcome, Reported
from autoswe.contracts.records.platform import FireOutcome
from autoswe.contracts.workflow import Failure, Returned
from autoswe.steps.feedback.close_round import Ports, close_round
from tests.support.feedback.fakes import EXECUTION, FakeRecords, FakeRounds, request

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
    closed = close_round(request(**answers), Ports(FakeRecords(), rounds))
    assert rounds.closed == [(outcome, reason)]
    assert closed == Closed(outcome=outcome.value, reason=reason)


@pytest.mark.parametrize(
    ("answers", "notes"),
    [
        ({"report_error": ERROR}, ["report_failed"]),
        ({"report_error": ERROR, "ci_report": REPORTED}, []),
        ({"report": REPORTED}, []),
    ],
)
def test_a_report_that_never_was_is_on_record_and_one_that_was_made_up_for_is_not(
    answers: dict[str, object], notes: list[str]
) -> None:
    rounds = FakeRounds.holding()
    close_round(request(gather=PROCEED, push=PUSHED, **answers), Ports(FakeRecords(), rounds))
    assert rounds.notes == notes


@pytest.mark.parametrize("report", [None, Returned(value=Reported(summary="edited", replies=0, late=("older",)))])
def test_a_skip_offers_every_suppressed_delivery_again_in_the_order_in_which_they_came(
    report: Returned[Reported] | None,
) -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("older", "newer", "newest")
    closed = close_round(request(gather=VISIBLE, report=report), Ports(FakeRecords(), rounds))
    assert rounds.offered == ["older", "newer", "newest"]
    assert closed.offered_again


def test_a_delivery_that_is_suppressed_until_the_very_end_is_not_lost() -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed_at_close = ("last",)
    close_round(request(gather=SKIP), Ports(FakeRecords(), rounds))
    assert rounds.offered == ["last"]


@pytest.mark.parametrize("push", [PUSHED, UNCHANGED, REFUSED])
def test_a_round_that_did_something_offers_nothing_again_that_its_report_says_was_late(push: Returned[Pushed]) -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("older", "newest")
    report = Returned(value=Reported(summary="made", replies=1, late=("older", "newest")))
    close_round(request(gather=PROCEED, push=push, report=report), Ports(FakeRecords(), rounds))
    assert rounds.offered == []


def test_what_came_after_a_rounds_last_report_is_offered_again() -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("told", "after the first report", "after the last")
    first = Returned(value=Reported(summary="made", replies=1, late=("told",)))
    last = Returned(value=Reported(summary="edited", replies=0, late=("told", "after the first report")))
    answers = {"gather": PROCEED, "push": PUSHED, "report": first}
    close_round(request(**answers, ci_report=last), Ports(FakeRecords(), rounds))
    assert rounds.offered == ["after the last"]


def test_a_round_that_failed_before_it_could_tell_anybody_offers_everything_again() -> None:
    rounds = FakeRounds.holding()
    rounds.suppressed = ("older", "newest")
    close_round(request(gather=PROCEED, push=PUSHED, error=ERROR), Ports(FakeRecords(), rounds))
    assert rounds.offered == ["older", "newest"]


def test_a_round_whose_repository_has_no_record_any_more_is_closed_all_the_same() -> None:
    rounds = FakeRounds.holding()
    close_round(request(error=ERROR), Ports(FakeRecords(repository_record=None, connections={}), rounds))
    assert rounds.closed == [(FireOutcome.FAILED, "Unavailable")]


def test_an_execution_that_is_not_the_rounds_current_one_changes_nothing() -> None:
    rounds = FakeRounds.holding()
    assert rounds.current is not None
    rounds.current = rounds.current.model_copy(update={"execution": EXECUTION + "-newer"})
    rounds.suppressed = ("late",)
    close_round(request(gather=SKIP), Ports(FakeRecords(), rounds))
    assert (rounds.closed, rounds.offered) == ([], [])
