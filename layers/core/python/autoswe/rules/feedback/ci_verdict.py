"""How CI stands on a pushed commit, and how long to wait before looking again (feedback §1).

Green is said only of checks that were seen, all of them ended well and everything required among them, in two looks at
least 30 seconds apart. What cannot be read is unknown, and nothing seen is ``none``; neither is green.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from autoswe.rules.github.expected_checks import (
    BAD,
    Reports,
    Requirement,
    count_reports,
    judge_requirement,
    silent_reporters,
)
from autoswe.rules.github.facts import Checks, CiReading

FIRST_WAIT_SECONDS = 15
LONGEST_WAIT_SECONDS = 120
WATCH_SECONDS = 4 * 60 * 60
GRACE_SECONDS = 15 * 60
CONFIRM_SECONDS = 30
STALE_SECONDS = 60

GOOD = frozenset({"SUCCESS", "SKIPPED", "NEUTRAL"})


class CiReason(StrEnum):
    """What a look at CI saw.

    ``not_reported``: something that should report has not started yet. ``running``: something has not ended.
    ``confirming``: green once, to be seen again. ``all_passed``; ``check_failed``; ``nothing_reported``: the grace
    passed and nothing ever started. ``required_missing``: the grace passed and a required check never started.
    ``expected_missing``: the grace passed, and something that had reported on the reviewed commit never reported here.
    ``required_unreadable``: nobody can tell what is required, or what had reported before. ``inconclusive``: an ended
    check says neither good nor bad, or was not made by whom it must be, or the host's own summary does not agree.
    ``blocked_on_person``: a run waits for an approval. ``watch_over``: the watch lasted as long as it may.
    ``head_moved``: somebody pushed another commit.
    """

    NOT_REPORTED = "not_reported"
    RUNNING = "running"
    CONFIRMING = "confirming"
    ALL_PASSED = "all_passed"
    CHECK_FAILED = "check_failed"
    NOTHING_REPORTED = "nothing_reported"
    REQUIRED_MISSING = "required_missing"
    EXPECTED_MISSING = "expected_missing"
    REQUIRED_UNREADABLE = "required_unreadable"
    INCONCLUSIVE = "inconclusive"
    BLOCKED_ON_PERSON = "blocked_on_person"
    WATCH_OVER = "watch_over"
    HEAD_MOVED = "head_moved"


class CiState(StrEnum):
    """Where CI stands: undecided yet, or settled one way."""

    WAIT = "wait"
    GREEN = "green"
    RED = "red"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class CiVerdict:
    """One look's verdict; ``green_since`` is carried to the next look while green is being confirmed."""

    state: CiState
    reason: CiReason
    green_since: datetime | None = None


def head_is_ours(head_sha: str, commit_sha: str, parent_sha: str | None, waited_seconds: int) -> bool:
    """Say whether the pull request still stands at the pushed commit.

    Right after a push the host may still show the commit before it; for a minute that is no sign of a move.
    """
    return head_sha == commit_sha or (head_sha == parent_sha and waited_seconds < STALE_SECONDS)


def judge_ci(
    reading: CiReading, *, on_our_commit: bool, waited_seconds: int, green_since: datetime | None, now: datetime
) -> CiVerdict:
    """Judge one complete reading of the checks on the pushed commit.

    ``waited_seconds`` is how long ago the push was, ``green_since`` when an unbroken green was first seen.
    """
    if not on_our_commit:
        return CiVerdict(CiState.UNKNOWN, CiReason.HEAD_MOVED)
    verdict = _judge_reading(reading, in_grace=waited_seconds < GRACE_SECONDS)
    if verdict.state is CiState.GREEN:
        if green_since is None:
            verdict = CiVerdict(CiState.WAIT, CiReason.CONFIRMING, now)
        elif now - green_since < timedelta(seconds=CONFIRM_SECONDS):
            verdict = CiVerdict(CiState.WAIT, CiReason.CONFIRMING, green_since)
    if verdict.state is CiState.WAIT and waited_seconds >= WATCH_SECONDS:
        return CiVerdict(CiState.UNKNOWN, CiReason.WATCH_OVER)
    return verdict


def _judge_reading(reading: CiReading, *, in_grace: bool) -> CiVerdict:
    checks, reports = reading.checks, count_reports(reading.checks)
    ends = _ends(reports)
    if ends & BAD:
        return CiVerdict(CiState.RED, CiReason.CHECK_FAILED)
    if "ACTION_REQUIRED" in ends or any(run.status == "WAITING" for run in reports.runs):
        return CiVerdict(CiState.UNKNOWN, CiReason.BLOCKED_ON_PERSON)
    # While anything runs a later job of it may be what is required, so nothing is missing yet.
    if _is_running(checks, reports):
        return CiVerdict(CiState.WAIT, CiReason.RUNNING)
    if in_grace and (checks.empty_suites or not reports.checks):
        return CiVerdict(CiState.WAIT, CiReason.NOT_REPORTED)
    if reading.required is None or reading.before is None:
        return CiVerdict(CiState.UNKNOWN, CiReason.REQUIRED_UNREADABLE)
    requirement = judge_requirement(checks, reports, reading.required)
    if missing := _missing(reading, requirement, reports):
        return CiVerdict(CiState.WAIT, CiReason.NOT_REPORTED) if in_grace else CiVerdict(CiState.UNKNOWN, missing)
    if not reports.checks and not reports.runs:
        return CiVerdict(CiState.NONE, CiReason.NOTHING_REPORTED)
    # What failed and was replaced is in the host's summary as well; whether it may be overruled is not ours to say.
    if requirement is Requirement.UNVERIFIED or ends - GOOD or checks.rollup != "SUCCESS":
        return CiVerdict(CiState.UNKNOWN, CiReason.INCONCLUSIVE)
    return CiVerdict(CiState.GREEN, CiReason.ALL_PASSED)


def _missing(reading: CiReading, requirement: Requirement, reports: Reports) -> CiReason | None:
    if requirement is Requirement.ABSENT or reading.checks.rollup == "EXPECTED":
        return CiReason.REQUIRED_MISSING
    return CiReason.EXPECTED_MISSING if silent_reporters(reading.before or (), reports) else None


def _ends(reports: Reports) -> set[str]:
    checks = {(check.conclusion or "").upper() for check in reports.checks if check.completed}
    return checks | {(run.conclusion or "").upper() for run in reports.runs if run.status == "COMPLETED"}


def _is_running(checks: Checks, reports: Reports) -> bool:
    return (
        any(not check.completed for check in reports.checks)
        or any(run.status != "COMPLETED" for run in reports.runs)
        or checks.rollup == "PENDING"
    )


def next_wait_seconds(verdict: CiVerdict, looks: int, now: datetime) -> int:
    """Return how long to wait after the look with this number (from 1): 15 s, doubling up to 2 minutes.

    A green that has to be seen again is looked at when it may be confirmed, and not before.
    """
    if verdict.green_since is not None:
        return max(CONFIRM_SECONDS - int((now - verdict.green_since).total_seconds()), 1)
    return min(FIRST_WAIT_SECONDS << min(looks - 1, 10), LONGEST_WAIT_SECONDS)
