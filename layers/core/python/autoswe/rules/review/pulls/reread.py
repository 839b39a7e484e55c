"""Whether an approval may still be written, asked of the pull request as it stands at that moment (review §8.3)."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.review.pulls.candidate import PullState
from autoswe.rules.review.pulls.selection import SkipReason, caught_by_state

REREAD_RULES = (
    SkipReason.CLOSED,
    SkipReason.DRAFT,
    SkipReason.CHANGES_REQUESTED,
    SkipReason.ALREADY_APPROVED,
    SkipReason.COPILOT_PENDING,
    SkipReason.COPILOT_FEEDBACK,
)
"""The rules of selection that are asked again; all of them, so that every reason is told."""


class RefusedApproval(StrEnum):
    """Why an approval is not written.

    ``head_moved``; ``base_retargeted``: it would be merged elsewhere. ``ci_not_success``. ``own_pull_request``: we
    opened it. ``own_commit``: its head holds a commit of ours. ``unreadable``: the host did not tell all of this. The
    others are the selection's rules by their names.
    """

    CLOSED = "closed"
    DRAFT = "draft"
    HEAD_MOVED = "head_moved"
    BASE_RETARGETED = "base_retargeted"
    CI_NOT_SUCCESS = "ci_not_success"
    CHANGES_REQUESTED = "changes_requested"
    ALREADY_APPROVED = "already_approved"
    COPILOT_PENDING = "copilot_pending"
    COPILOT_FEEDBACK = "copilot_feedback"
    OWN_PULL_REQUEST = "own_pull_request"
    OWN_COMMIT = "own_commit"
    UNREADABLE = "unreadable"


SENTENCES = {
    RefusedApproval.CLOSED: "the pull request is no longer open",
    RefusedApproval.DRAFT: "the pull request is a draft now",
    RefusedApproval.HEAD_MOVED: "head moved",
    RefusedApproval.BASE_RETARGETED: "the pull request was retargeted to another base branch",
    RefusedApproval.CI_NOT_SUCCESS: "CI is not successful any more",
    RefusedApproval.CHANGES_REQUESTED: "a reviewer requests changes",
    RefusedApproval.ALREADY_APPROVED: "a reviewer has approved this head meanwhile",
    RefusedApproval.COPILOT_PENDING: "a review by Copilot is pending",
    RefusedApproval.COPILOT_FEEDBACK: "a thread that Copilot opened is unresolved",
    RefusedApproval.OWN_PULL_REQUEST: "the pull request is our own",
    RefusedApproval.OWN_COMMIT: "the head holds a commit of ours",
    RefusedApproval.UNREADABLE: "the host did not tell everything that has to be known",
}
"""Each reason as the result tells it."""


@dataclass(frozen=True)
class Reviewed:
    """What was reviewed: the head, and the branch that it was to be merged into."""

    head_sha: str
    base_ref: str


@dataclass(frozen=True)
class Live:
    """The pull request now.

    ``base_ref`` is the branch it goes to. ``by_us`` says that an App of ours opened it. ``commits`` are all of its
    commits, absent when they were not read to the end.
    """

    state: PullState
    base_ref: str
    by_us: bool
    commits: tuple[str, ...] | None


def judge_reread(reviewed: Reviewed, live: Live, our_commits: Collection[str]) -> tuple[RefusedApproval, ...]:
    """Return every reason against the approval; none means that it may be written, on the reviewed head alone.

    ``our_commits`` are those of the pull request's commits that we have on record as pushed by us.
    """
    state = live.state
    judged = {
        RefusedApproval.HEAD_MOVED: state.head_sha != reviewed.head_sha,
        RefusedApproval.BASE_RETARGETED: live.base_ref != reviewed.base_ref,
        RefusedApproval.CI_NOT_SUCCESS: state.rollup != "SUCCESS",
        RefusedApproval.OWN_PULL_REQUEST: live.by_us,
        RefusedApproval.OWN_COMMIT: live.commits is not None and any(sha in our_commits for sha in live.commits),
        RefusedApproval.UNREADABLE: live.commits is None or state.head_sha not in live.commits,
    }
    found = {reason for reason, against in judged.items() if against}
    found |= {RefusedApproval(skip.reason.value) for skip in caught_by_state(state, REREAD_RULES)}
    return tuple(reason for reason in RefusedApproval if reason in found)
