"""What happened on a pull request and why, told in plain sentences in the order in which it happened (architecture §4).

Everything told is a fixed sentence, an id, or a word of ours: no text that somebody wrote is in the records.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from autoswe.rules.feedback.activity import Activity, ci_settled, not_followed_up, push_refused, skipped, taken_up
from autoswe.rules.feedback.ci_verdict import CiState
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.follow_up import NoFollowUp
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.records.attempts import MOST_ATTEMPTS

SKIPS: Mapping[SkipReason, str] = {
    SkipReason.KILL_SWITCH_OFF: "feedback rounds were switched off",
    SkipReason.AUTOMATION_OFF: "the automation was gone, disabled, or no longer selected this trigger",
    SkipReason.SLOT_HELD: "another round held the pull request",
    SkipReason.PULL_CLOSED: "the pull request was closed",
    SkipReason.PULL_FROM_FORK: "the pull request comes from a fork",
    SkipReason.HEAD_MOVED: "the pull request was on another branch than its record says",
    SkipReason.TRIGGER_GONE: "the review or comment was deleted",
    SkipReason.TRIGGER_CHANGED: "the review or comment no longer asked for a round",
    SkipReason.REQUESTER_MISMATCH: "another account than the one that was decided on had written it",
    SkipReason.REQUESTER_NOT_TRUSTED: "its author was no active member, or had no write permission on the host",
    SkipReason.EDITOR_NOT_TRUSTED: "somebody who is not trusted had changed the review or comment last",
    SkipReason.ORIGIN_MISMATCH: "the host and our records disagreed about who opened the pull request",
    SkipReason.NOTHING_TRUSTED: "no thread held a trusted text that passed the screen",
    SkipReason.AGENT_RUNS_OFF: "agent runs were switched off, and one opened the pull request",
    SkipReason.RUN_MISSING: "an agent run opened the pull request, and its task was not on record",
    SkipReason.RUN_SCOPE: "the agent that opened the pull request was a team's or a person's own",
    SkipReason.SETTING_UNREADABLE: "a setting that has to be kept could not be read",
    SkipReason.OTHERS_WITHOUT_COMMAND: "it was no command, and the platform did not open the pull request",
    SkipReason.RUN_STILL_WORKING: "the run that opened the pull request was still at work",
    SkipReason.ROUND_LIMIT: "the pull request had had all the rounds it may have",
    SkipReason.WORK_BRANCH_LEFT: "a work branch of an earlier attempt was still there",
    SkipReason.OTHER_PULL_REQUEST: "the automation does not act on this pull request",
    SkipReason.OTHERS_NOT_ALLOWED: "no round is allowed on a pull request that the platform did not open",
    SkipReason.BUDGET_SPENT: "the organisation's budget for the month was spent",
    SkipReason.AGENT_RUN_CEILING: "the organisation's agents had started as often that day as they may",
    SkipReason.REPOSITORY_ARCHIVED: "the repository is archived",
    SkipReason.DEFAULT_BRANCH: "the pull request's branch is the default branch",
    SkipReason.PROTECTED_BRANCH: "the branch is protected, or under a rule that a fix might not keep",
    SkipReason.NEVER_PUSH_BRANCH: "the branch is one that is never pushed to",
    SkipReason.SOURCE_UNREADABLE: "its files are more or larger than a round reads, or not all are told",
}

REFUSALS: Mapping[PushRefusal, str] = {
    PushRefusal.NOT_OUR_WORKFLOW: "another state machine than the built-in one asked for it",
    PushRefusal.FIXER_LEFT_NOTHING: "the fixer left nothing that could be used",
    PushRefusal.GATES_FAILED: "a local gate failed",
    PushRefusal.KILL_SWITCH_OFF: "feedback rounds were switched off meanwhile",
    PushRefusal.PULL_CLOSED: "the pull request was closed meanwhile",
    PushRefusal.PULL_FROM_FORK: "the pull request comes from a fork",
    PushRefusal.BRANCH_CHANGED: "the pull request was on another branch by then",
    PushRefusal.HEAD_MOVED: "somebody had pushed meanwhile",
    PushRefusal.OTHER_PULL_REQUEST: "no push is allowed to a pull request that the platform did not open",
    PushRefusal.REPOSITORY_ARCHIVED: "the repository is archived",
    PushRefusal.BRANCH_MISSING: "the branch was gone",
    PushRefusal.DEFAULT_BRANCH: "the branch is the default branch",
    PushRefusal.PROTECTED_BRANCH: "the branch is protected, or under a rule that a fix might not keep",
    PushRefusal.NEVER_PUSH_BRANCH: "the branch is one that is never pushed to",
    PushRefusal.WORK_BRANCH_LEFT: "a work branch of an earlier attempt was still there",
    PushRefusal.UNSIGNED_COMMIT: "the branch takes signed commits alone, and the host did not sign this one",
    PushRefusal.TOO_MANY_PATHS: "it changed too many files",
    PushRefusal.UNSAFE_PATH: "it changed a path that no file may have",
    PushRefusal.PROTECTED_PATH: "it changed a workflow or an action",
    PushRefusal.UNSAFE_MODE: "it changed something that is no plain file",
    PushRefusal.STALE_BASE: "a file was not what the change was made from",
    PushRefusal.TREE_TRUNCATED: "the host did not list the whole tree",
    PushRefusal.TREE_DIFFERS: "the tree that the host made was not the head plus the change",
    PushRefusal.SECRET_IN_CHANGE: "it added what looks like a secret",
    PushRefusal.HOST_REFUSED: "a rule of the host did not allow it",
}

NOT_FOLLOWED_UP: Mapping[NoFollowUp, str] = {
    NoFollowUp.KILL_SWITCH_OFF: "feedback rounds were switched off meanwhile",
    NoFollowUp.AGENT_RUNS_OFF: "agent runs were switched off meanwhile, and one opened the pull request",
    NoFollowUp.BUDGET_SPENT: "the organisation's budget for the month was spent meanwhile",
    NoFollowUp.SETTING_UNREADABLE: "a setting that has to be kept could not be read any more",
    NoFollowUp.PUSH_NOT_ALLOWED: "the repository or the branch would take no push any more",
    NoFollowUp.PULL_CLOSED: "the pull request was closed after the push",
    NoFollowUp.HEAD_MOVED: "somebody had pushed after the round did",
    NoFollowUp.LOG_REFUSED: "the screen refused something that CI said",
    NoFollowUp.NOTHING_SAID: "no failure said anything of itself that could be used",
}

CI_ENDS: Mapping[CiState, str] = {
    CiState.GREEN: "it passed on the pushed commit",
    CiState.RED: "it failed on the pushed commit",
    CiState.NONE: "nothing reported on the pushed commit",
    CiState.UNKNOWN: "it could not be told how it came out",
}

NOTES: Mapping[str, str] = {
    **{skipped(reason): f"The round was skipped: {why}." for reason, why in SKIPS.items()},
    **{push_refused(reason): f"The fix was not pushed: {why}." for reason, why in REFUSALS.items()},
    **{
        not_followed_up(reason): f"The failed CI was not followed up: {why}." for reason, why in NOT_FOLLOWED_UP.items()
    },
    **{ci_settled(state): f"CI was watched to its end: {came_out}." for state, came_out in CI_ENDS.items()},
    **{
        taken_up(attempt): f"The round ended unfinished, for a reason that may pass; attempt {attempt + 1} follows."
        for attempt in range(1, MOST_ATTEMPTS)
    },
    Activity.COMMENTS_DROPPED: "Comments that somebody who is not trusted wrote or changed were left out.",
    Activity.COMMENTS_SCREENED: "Comments that the screen refused were left out.",
    Activity.TOLD_LATE: "The summary says that feedback came after the round had started.",
    Activity.WORK_BRANCH_KEPT: "The work branch could not be deleted.",
    Activity.REPORT_REFUSED: "The pull request takes no comments, and so does not tell what came of the round.",
    Activity.REPOSITORY_RENAMED: "The host calls the repository otherwise than it is recorded; it goes by its number.",
    Activity.REPORT_FAILED: "What came of the round could not be told on the pull request.",
}
"""A sentence for each activity event that a step writes."""


@dataclass(frozen=True)
class Decided:
    """A delivery that became a decision; ``waiting`` while no workflow has started for it."""

    at: str
    delivery: str
    trigger: str
    source: str
    trigger_id: int
    sender_id: int
    automation_id: str
    waiting: bool


@dataclass(frozen=True)
class Suppressed:
    """A delivery that came while a round held the pull request."""

    at: str
    delivery: str
    trigger: str
    sender_id: int


@dataclass(frozen=True)
class Resolved:
    """What became of a delivery that was written down to be decided on later; ``reason`` when it was ignored."""

    outcome: str
    reason: str | None

    def __str__(self) -> str:
        return self.outcome if self.reason is None else f"{self.outcome} ({self.reason})"


@dataclass(frozen=True)
class Postponed:
    """A delivery that had to wait until its pull request was looked for on the host; not yet while not ``resolved``."""

    at: str
    delivery: str
    trigger: str
    sender_id: int
    resolved: Resolved | None


@dataclass(frozen=True)
class OfferedAgain:
    """A suppressed delivery that a round offered again when it ended."""

    at: str
    delivery: str
    resolved: Resolved | None


@dataclass(frozen=True)
class Noted:
    """An activity event of a step."""

    at: str
    event: str


@dataclass(frozen=True)
class Round:
    """One round; ``execution`` is the current one's name."""

    started_at: str
    execution: str
    outcome: str
    reason: str | None
    head_sha: str | None
    commit_sha: str | None
    pushed_at: str | None
    ended_at: str | None


@dataclass(frozen=True)
class Write:
    """One write to the host; no ``effect`` while nobody knows of any."""

    at: str
    write: str
    effect: str | None


HistoryEvent = Decided | Suppressed | Postponed | OfferedAgain | Noted | Round | Write


class Line(NamedTuple):
    """One sentence with its time (ISO 8601, UTC)."""

    at: str
    sentence: str


def tell(events: Iterable[HistoryEvent]) -> list[Line]:
    """Tell what happened, earliest first; what bears the same second keeps the order of cause and effect."""
    lines = [(at, rank, sentence) for one in events for rank, at, sentence in _sentences(one)]
    return [Line(at, sentence) for at, _, sentence in sorted(lines)]


def _sentences(one: HistoryEvent) -> Iterator[tuple[int, str, str]]:
    match one:
        case Decided():
            what = f"{one.trigger.replace('_', ' ')} in {one.source.replace('_', ' ')} {one.trigger_id}"
            sentence = (
                f"Delivery {one.delivery} ({what}, by account {one.sender_id}) was decided for {one.automation_id}."
            )
            yield 0, one.at, sentence + (" Its workflow has not started yet." if one.waiting else "")
        case Suppressed():
            what = f"{one.trigger.replace('_', ' ')} by account {one.sender_id}"
            yield 1, one.at, f"Delivery {one.delivery} ({what}) came while a round held the pull request."
        case Round():
            yield from _of_round(one)
        case Noted():
            yield 3, one.at, NOTES.get(one.event, f"A step noted {one.event}.")
        case Write():
            became = "nothing is known of its effect" if one.effect is None else f"it left {one.effect}"
            yield 4, one.at, f"The write {one.write} was announced; {became}."
        case Postponed():
            what = f"{one.trigger.replace('_', ' ')} by account {one.sender_id}"
            sentence = f"Delivery {one.delivery} ({what}) came for a pull request that the platform did not open"
            yield 0, one.at, f"{sentence} and {_became(one.resolved)}."
        case OfferedAgain():
            yield 7, one.at, f"Delivery {one.delivery} was offered again and {_became(one.resolved)}."


def _became(resolved: Resolved | None) -> str:
    return "waits to be resolved" if resolved is None else f"was resolved as {resolved}"


def _of_round(one: Round) -> Iterator[tuple[int, str, str]]:
    head = f" from {one.head_sha}" if one.head_sha else ""
    yield 2, one.started_at, f"A round began{head}, run by {one.execution}."
    if one.pushed_at is not None:
        yield 5, one.pushed_at, f"The branch moved to {one.commit_sha}."
    if one.ended_at is not None:
        why = f": {one.reason}" if one.reason else ""
        yield 6, one.ended_at, f"The round {'was ' if one.outcome == 'skipped' else ''}{one.outcome}{why}."
