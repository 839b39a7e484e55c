"""What happened on a pull request is told in plain sentences, in order (architecture §4)."""

import pytest

from autoswe.rules.feedback.activity import Activity
from autoswe.rules.feedback.ci_verdict import CiState
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.follow_up import NoFollowUp
from autoswe.rules.feedback.history import (
    CI_ENDS,
    NOT_FOLLOWED_UP,
    NOTES,
    REFUSALS,
    SKIPS,
    Decided,
    Line,
    Noted,
    OfferedAgain,
    Postponed,
    Resolved,
    Round,
    Suppressed,
    Write,
    tell,
)
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.records.attempts import MOST_ATTEMPTS

T0, T1, T2 = "2026-11-30T08:00:00Z", "2026-11-30T08:00:05Z", "2026-11-30T08:01:00Z"
DECIDED = Decided(T0, "guid-1", "changes_requested", "review", 31, 7, "fix-feedback", waiting=False)


def test_every_event_has_a_sentence_of_its_own() -> None:
    assert set(SKIPS) == set(SkipReason)
    assert set(REFUSALS) == set(PushRefusal)
    assert set(NOT_FOLLOWED_UP) == set(NoFollowUp)
    assert set(CI_ENDS) == set(CiState) - {CiState.WAIT}
    sentences = len(SkipReason) + len(PushRefusal) + len(NoFollowUp) + len(CI_ENDS) + len(Activity) + MOST_ATTEMPTS - 1
    assert len(set(NOTES.values())) == len(NOTES) == sentences


def test_a_round_is_told_from_its_delivery_to_its_end_whatever_the_order_of_the_records() -> None:
    told = tell(
        [
            Round(T0, "fb-1", "succeeded", None, "a" * 40, "b" * 40, T1, T2),
            Write(T1, "summary:pr-1", "88"),
            Write(T1, "reply:x-1", None),
            DECIDED,
        ]
    )
    assert told == [
        Line(T0, "Delivery guid-1 (changes requested in review 31, by account 7) was decided for fix-feedback."),
        Line(T0, f"A round began from {'a' * 40}, run by fb-1."),
        Line(T1, "The write reply:x-1 was announced; nothing is known of its effect."),
        Line(T1, "The write summary:pr-1 was announced; it left 88."),
        Line(T1, f"The branch moved to {'b' * 40}."),
        Line(T2, "The round succeeded."),
    ]


def test_a_round_that_runs_has_no_end_yet() -> None:
    assert [line.at for line in tell([Round(T0, "fb-1", "running", None, None, None, None, None)])] == [T0]


def test_a_skip_is_told_with_its_reason() -> None:
    skipped = Round(T0, "fb-1", "skipped", "pull_closed", None, None, None, T1)
    told = tell([skipped, Noted(T1, "skipped:pull_closed")])
    assert [line.sentence for line in told[1:]] == [
        "The round was skipped: the pull request was closed.",
        "The round was skipped: pull_closed.",
    ]


@pytest.mark.parametrize(
    ("outcome", "became"), [(None, "waits to be resolved"), ("decided", "was resolved as decided")]
)
def test_a_suppressed_delivery_is_told_with_what_became_of_it(outcome: str | None, became: str) -> None:
    resolved = Resolved(outcome, None) if outcome else None
    told = tell([OfferedAgain(T2, "guid-2", resolved), Suppressed(T1, "guid-2", "command", 9)])
    assert [line.sentence for line in told] == [
        "Delivery guid-2 (command by account 9) came while a round held the pull request.",
        f"Delivery guid-2 was offered again and {became}.",
    ]


@pytest.mark.parametrize(
    ("resolved", "became"),
    [
        (None, "waits to be resolved"),
        (Resolved("decided", None), "was resolved as decided"),
        (Resolved("ignored", "pull_gone"), "was resolved as ignored (pull_gone)"),
    ],
)
def test_a_delivery_about_a_pull_request_of_others_is_told_with_what_became_of_it(
    resolved: Resolved | None, became: str
) -> None:
    told = "Delivery guid-3 (command by account 9) came for a pull request that the platform did not open"
    assert tell([Postponed(T1, "guid-3", "command", 9, resolved)]) == [Line(T1, f"{told} and {became}.")]


def test_a_decision_that_waits_for_its_workflow_says_so() -> None:
    [line] = tell([Decided(T0, "guid-1", "command", "discussion_comment", 3, 7, "fix-feedback", waiting=True)])
    assert line.sentence.endswith("Its workflow has not started yet.")


def test_a_note_that_is_not_known_here_is_told_as_it_is() -> None:
    assert tell([Noted(T0, "something_new")]) == [Line(T0, "A step noted something_new.")]
