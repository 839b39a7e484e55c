"""The activity events of a round, and what is counted of them: fixed words, never text (architecture §9.10).

An event is put on record under the pull request, once for each round however often a step is tried. That a round began,
pushed, or came late is on record in its own way; everything else that an operator may wonder about is an event.
"""

from collections.abc import Mapping
from enum import StrEnum

from autoswe.rules.feedback.ci_verdict import CiReason, CiState
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.follow_up import NoFollowUp
from autoswe.rules.feedback.push_gate import PushRefusal


class Activity(StrEnum):
    """What a round left out or left behind.

    ``comments_dropped`` (their authors are not trusted), ``comments_screened`` (the screen refused them),
    ``told_late`` (the summary says that feedback came after the round had started), ``work_branch_kept``,
    ``report_refused`` (the conversation is locked, or the repository archived), ``report_failed`` (the pull request
    could not be told, for any other reason), ``repository_renamed`` (the host calls the repository otherwise than it is
    recorded).
    """

    COMMENTS_DROPPED = "comments_dropped"
    COMMENTS_SCREENED = "comments_screened"
    TOLD_LATE = "told_late"
    WORK_BRANCH_KEPT = "work_branch_kept"
    REPORT_REFUSED = "report_refused"
    REPORT_FAILED = "report_failed"
    REPOSITORY_RENAMED = "repository_renamed"


_COUNTED_REASONS = frozenset(map(str, (*SkipReason, *PushRefusal, *NoFollowUp, *CiReason)))


def skipped(reason: SkipReason) -> str:
    """Name the event of a round that did not begin."""
    return f"skipped:{reason}"


def push_refused(refusal: PushRefusal) -> str:
    """Name the event of a fix that was not pushed."""
    return f"push_refused:{refusal}"


def not_followed_up(reason: NoFollowUp) -> str:
    """Name the event of a failed CI that was only reported."""
    return f"no_follow_up:{reason}"


def ci_settled(state: CiState) -> str:
    """Name the event of a watch over CI that came to its end."""
    return f"ci:{state}"


def taken_up(attempt: int) -> str:
    """Name the event of a round that failed and is taken up again as this attempt, from 1."""
    return f"taken_up:{attempt}"


def counted_as(step: str, outcome: str, reason: str | None) -> Mapping[str, str]:
    """Say as what a step's answer is counted; a reason that is none of the rules' own is left out.

    So the counters are as few as the words of the rules, whatever went wrong.
    """
    known = {"reason": reason} if reason is not None and reason in _COUNTED_REASONS else {}
    return {"step": step, "outcome": outcome, **known}
