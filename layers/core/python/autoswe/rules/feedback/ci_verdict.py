"""How CI stands on a pushed commit, and how long to wait before looking again (feedback §1).

Green is said only of checks that were seen, all of them ended well, in two looks at least 30 seconds apart. What cannot
be read is unknown, and nothing seen is ``none``; neither is green.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from autoswe.rules.host import Checks

FIRST_WAIT_SECONDS = 15
LONGEST_WAIT_SECONDS = 120
WATCH_SECONDS = 4 * 60 * 60
GRACE_SECONDS = 15 * 60
CONFIRM_SECONDS = 30
STALE_SECONDS = 60

GOOD = frozenset({"SUCCESS", "SKIPPED", "NEUTRAL"})
BAD = frozenset({"FAILURE", "TIMED_OUT", "STARTUP_FAILURE", "ERROR"})


class CiReason(StrEnum):
    """What a look at CI saw.

    ``not_reported``: nothing has started yet. ``running``: something has not ended. ``confirming``: green once, to be
    seen again. ``all_passed``; ``check_failed``; ``nothing_reported``: the grace passed and nothing ever started.
    ``inconclusive``: an ended check says neither good nor bad. ``blocked_on_person``: a run waits for an approval.
    ``watch_over``: the watch lasted as long as it may. ``head_moved``: somebody pushed another commit.
    """

    NOT_REPORTED = "not_reported"
    RUNNING = "running"
    CONFIRMING = "confirming"
    ALL_PASSED = "all_passed"
    CHECK_FAILED = "check_failed"
    NOTHING_REPORTED = "nothing_reported"
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
    checks: Checks, on_our_commit: bool, waited_seconds: int, green_since: datetime | None, now: datetime
) -> CiVerdict:
    """Judge one complete reading of the checks on the pushed commit.

    ``waited_seconds`` is how long the watch has lasted, ``green_since`` when an unbroken green was first seen.
    """
    if not on_our_commit:
        return CiVerdict(CiState.UNKNOWN, CiReason.HEAD_MOVED)
    verdict = _judge_reading(checks, waited_seconds)
    if verdict.state is CiState.GREEN:
        if green_since is None:
            verdict = CiVerdict(CiState.WAIT, CiReason.CONFIRMING, now)
        elif now - green_since < timedelta(seconds=CONFIRM_SECONDS):
            verdict = CiVerdict(CiState.WAIT, CiReason.CONFIRMING, green_since)
    if verdict.state is CiState.WAIT and waited_seconds >= WATCH_SECONDS:
        return CiVerdict(CiState.UNKNOWN, CiReason.WATCH_OVER)
    return verdict


def _judge_reading(checks: Checks, waited_seconds: int) -> CiVerdict:
    conclusions = {(check.conclusion or "").upper() for check in checks.checks if check.completed}
    run_ends = {(run.conclusion or "").upper() for run in checks.runs if run.status == "completed"}
    if conclusions & BAD or run_ends & BAD:
        return CiVerdict(CiState.RED, CiReason.CHECK_FAILED)
    if "ACTION_REQUIRED" in conclusions | run_ends or any(run.status == "waiting" for run in checks.runs):
        return CiVerdict(CiState.UNKNOWN, CiReason.BLOCKED_ON_PERSON)
    if any(not check.completed for check in checks.checks) or any(run.status != "completed" for run in checks.runs):
        return CiVerdict(CiState.WAIT, CiReason.RUNNING)
    if checks.rollup in {"PENDING", "EXPECTED"}:
        return CiVerdict(CiState.WAIT, CiReason.RUNNING)
    if not checks.checks and waited_seconds < GRACE_SECONDS:
        return CiVerdict(CiState.WAIT, CiReason.NOT_REPORTED)
    if not checks.checks and not checks.runs:
        return CiVerdict(CiState.NONE, CiReason.NOTHING_REPORTED)
    if (conclusions | run_ends) - GOOD or checks.rollup != "SUCCESS":
        return CiVerdict(CiState.UNKNOWN, CiReason.INCONCLUSIVE)
    return CiVerdict(CiState.GREEN, CiReason.ALL_PASSED)


def next_wait_seconds(looks: int) -> int:
    """Return how long to wait after the look with this number (from 1): 15 s, doubling up to 2 minutes."""
    return min(FIRST_WAIT_SECONDS << min(looks - 1, 10), LONGEST_WAIT_SECONDS)
