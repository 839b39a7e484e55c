"""What a round says on the pull request: one summary comment, edited in place, and a line on each thread (feedback §4).

Everything here is a fixed sentence, a commit id, or a neutralised field. No setting and no number of a limit is named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.text.kinds import Neutralised, Untrusted
from autoswe.rules.text.markers import MarkerKind, marker
from autoswe.rules.text.neutralise import neutralise_inline

NOTE_LIMIT = 1_000
PATH_LIMIT = 400
THREADS_LIMIT = 40_000
"""Encoded characters for all thread rows together: with everything else bounded, a comment of 65,536 holds the rest."""

MAX_LISTED_PATHS = 30
MAX_EARLIER_ROUNDS = 10


class Headline(StrEnum):
    """What became of the round, in one word; each has one fixed sentence.

    ``pushed``; ``unchanged`` (nothing could be changed safely); ``refused`` (a gate refused the push); ``failed`` (the
    round could not be completed); and the skips a reviewer would wonder about.
    """

    PUSHED = "pushed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    FAILED = "failed"
    RUN_STILL_WORKING = "run_still_working"
    ROUND_LIMIT = "round_limit"
    WORK_BRANCH_LEFT = "work_branch_left"
    OTHER_PULL_REQUEST = "other_pull_request"
    OTHERS_NOT_ALLOWED = "others_not_allowed"
    BUDGET_SPENT = "budget_spent"
    AGENT_RUN_CEILING = "agent_run_ceiling"
    REPOSITORY_ARCHIVED = "repository_archived"
    DEFAULT_BRANCH = "default_branch"
    PROTECTED_BRANCH = "protected_branch"
    NEVER_PUSH_BRANCH = "never_push_branch"
    SOURCE_UNREADABLE = "source_unreadable"


class CiLine(StrEnum):
    """What the summary says about CI on the pushed commit."""

    WATCHING = "watching"
    GREEN = "green"
    RED = "red"
    NONE = "none"
    UNKNOWN = "unknown"


class FollowUp(StrEnum):
    """What became of the one attempt to repair a failed CI.

    ``pushed``; ``unchanged`` (nothing could be repaired safely); ``refused`` (a gate refused the push); ``failed`` (it
    could not be completed); ``not_tried``.
    """

    PUSHED = "pushed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    FAILED = "failed"
    NOT_TRIED = "not_tried"


SENTENCES = {
    Headline.PUSHED: "The feedback was worked on and the result is on this pull request's branch.",
    Headline.UNCHANGED: "Nothing was changed: the open remarks need a person.",
    Headline.REFUSED: "A fix was made but not pushed, because a check before the push did not allow it.",
    Headline.FAILED: "This round could not be completed. Nothing was pushed by it unless a commit is listed here.",
    Headline.RUN_STILL_WORKING: "The run that opened this pull request is still at work. Ask again once it is done.",
    Headline.ROUND_LIMIT: "No further round was started: this pull request has had all the rounds it may have.",
    Headline.WORK_BRANCH_LEFT: "A work branch of an earlier attempt is still there. Delete it and ask again.",
    Headline.OTHER_PULL_REQUEST: "This pull request is not one that this automation acts on.",
    Headline.OTHERS_NOT_ALLOWED: "This pull request is not one that an automation may act on here.",
    Headline.BUDGET_SPENT: "No round was started, because nothing more may be spent for now. Ask again another time.",
    Headline.AGENT_RUN_CEILING: "No round was started, because agents have done enough for now. Ask again another day.",
    Headline.REPOSITORY_ARCHIVED: "No round was started, because this repository is archived.",
    Headline.DEFAULT_BRANCH: "No round was started, because this pull request's branch is the default branch.",
    Headline.PROTECTED_BRANCH: "No round was started, because this pull request's branch takes no direct push.",
    Headline.SOURCE_UNREADABLE: "No round was started, because the files of this pull request cannot be read whole.",
    Headline.NEVER_PUSH_BRANCH: "No round was started, because nothing is pushed to this pull request's branch.",
}

CI_SENTENCES = {
    CiLine.WATCHING: "CI on the pushed commit is being watched.",
    CiLine.GREEN: "CI passed on the pushed commit.",
    CiLine.RED: "CI failed on the pushed commit.",
    CiLine.NONE: "No CI reported on the pushed commit.",
    CiLine.UNKNOWN: "CI on the pushed commit is unknown.",
}

FOLLOW_UP_SENTENCES = {
    FollowUp.PUSHED: "It follows up the round's first commit, on which CI failed.",
    FollowUp.UNCHANGED: "A follow-up was tried, but nothing was changed: the failure needs a person.",
    FollowUp.REFUSED: "A follow-up was made but not pushed, because a check before the push did not allow it.",
    FollowUp.FAILED: "A follow-up was tried, but it could not be completed.",
    FollowUp.NOT_TRIED: "No follow-up was made: the failure needs a person.",
}

LATE = "Feedback that arrived after this round started is not part of it."


class Claim(StrEnum):
    """What is said of one thread: ``addressed``, ``changed`` (done, but not borne out near the thread), ``person``."""

    ADDRESSED = "addressed"
    CHANGED = "changed"
    PERSON = "person"


CLAIMS = {Claim.ADDRESSED: "Addressed", Claim.CHANGED: "Worked on", Claim.PERSON: "Needs a person"}


@dataclass(frozen=True)
class ThreadLine:
    """One thread in the summary; ``note`` is an agent's own words."""

    label: str
    path: Untrusted | None
    claim: Claim
    note: Untrusted


@dataclass(frozen=True)
class Summary:
    """Everything the summary comment tells.

    ``commit_sha`` is set when a fix is on the branch, ``first_commit`` is the round's fix when that is its follow-up;
    ``earlier_commits`` are those of earlier rounds, newest first;
    ``late`` says that a delivery was in fact suppressed while the round ran.
    """

    headline: Headline
    commit_sha: str | None = None
    ci: CiLine | None = None
    follow_up: FollowUp | None = None
    first_commit: str | None = None
    threads: Sequence[ThreadLine] = ()
    changed_paths: Sequence[Untrusted] = ()
    gates: Sequence[tuple[str, str]] = ()
    earlier_commits: Sequence[str] = ()
    late: bool = False


def summary_body(summary: Summary, key: str) -> Neutralised:
    """Render the summary comment; ``key`` marks it as the pull request's one summary."""
    heading = (marker(MarkerKind.SUMMARY, key), "### auto-swe: review feedback", SENTENCES[summary.headline])
    parts = [*heading, *_push_lines(summary)]
    if summary.threads:
        rows = ["| Thread | File | Outcome | Note |", "| --- | --- | --- | --- |"]
        rows += [_thread_row(line, THREADS_LIMIT // len(summary.threads)) for line in summary.threads]
        parts.append("\n".join(rows))
    if summary.changed_paths:
        shown = [f"- {neutralise_inline(path, PATH_LIMIT)}" for path in summary.changed_paths[:MAX_LISTED_PATHS]]
        if len(summary.changed_paths) > MAX_LISTED_PATHS:
            shown.append("- and more")
        parts.append("Changed files:\n\n" + "\n".join(shown))
    if summary.gates:
        parts.append(
            "Local gates: " + ", ".join(f"{name} {status.replace('_', ' ')}" for name, status in summary.gates)
        )
    if summary.late:
        parts.append(LATE)
    if summary.earlier_commits:
        parts.append("Earlier rounds: " + ", ".join(summary.earlier_commits[:MAX_EARLIER_ROUNDS]))
    return Neutralised("\n\n".join(parts) + "\n")


def _push_lines(summary: Summary) -> Iterator[str]:
    if summary.commit_sha:
        yield f"Pushed commit: {summary.commit_sha}"
    if summary.first_commit:
        yield f"First commit: {summary.first_commit}"
    if summary.ci:
        yield CI_SENTENCES[summary.ci]
    if summary.follow_up:
        yield FOLLOW_UP_SENTENCES[summary.follow_up]


def _thread_row(line: ThreadLine, limit: int) -> str:
    path = neutralise_inline(line.path or "", min(PATH_LIMIT, limit // 3))
    note = neutralise_inline(line.note, min(NOTE_LIMIT, limit // 3))
    return f"| {line.label} | {path} | {CLAIMS[line.claim]} | {note} |"


def reply_body(line: ThreadLine, commit_sha: str | None, key: str) -> Neutralised:
    """Render the one-line reply on a thread; ``key`` marks it, so that it is never posted twice."""
    what = CLAIMS[line.claim]
    if commit_sha is not None and line.claim is not Claim.PERSON:
        what += f" in {commit_sha}"
    note = f": {neutralise_inline(line.note, NOTE_LIMIT)}" if line.note else "."
    return Neutralised(f"{marker(MarkerKind.REPLY, key)}\n{what}{note}")
