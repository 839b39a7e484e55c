"""Who opened a pull request, decided from the platform's own records and the host, never from a delivery (feedback §2).

A run record alone does not make a pull request ours: the author and the branch that the host reports must match it.
"""

from dataclasses import dataclass
from enum import StrEnum


class OriginKind(StrEnum):
    """What opened a pull request: a tracked workflow, an agent run, or somebody else."""

    TRACKED_WORKFLOW = "tracked_workflow"
    AGENT_RUN = "agent_run"
    OTHER = "other"


class RunStatus(StrEnum):
    """Where the run that opened a pull request stands: parked until a person merges, at work, or over."""

    AWAITING_HUMAN_MERGE = "awaiting_human_merge"
    RUNNING = "running"
    AWAITING_CI = "awaiting_ci"
    ENDED = "ended"


AT_WORK = frozenset({RunStatus.RUNNING, RunStatus.AWAITING_CI})
"""The statuses in which a run may still move its pull request's branch itself."""


class OriginReason(StrEnum):
    """Why a recorded origin does not let a round begin.

    ``origin_mismatch``: the host names another author or branch than the record. ``run_still_working``: the run that
    opened the pull request may still push to it. ``other_pull_request``: the platform did not open it.
    """

    ORIGIN_MISMATCH = "origin_mismatch"
    RUN_STILL_WORKING = "run_still_working"
    OTHER_PULL_REQUEST = "other_pull_request"


@dataclass(frozen=True)
class RecordedOrigin:
    """The platform's record of a pull request: its run's kind and status, author id and branch."""

    kind: OriginKind
    run_status: RunStatus
    author_id: int
    branch: str


@dataclass(frozen=True)
class HostOrigin:
    """What the host says of the same pull request; ``author_id`` is absent when the account is gone."""

    author_id: int | None
    branch: str


def opened_by_platform(kind: OriginKind | None) -> bool:
    """Say whether our records name a run of ours as a pull request's opener; without a record others opened it."""
    return kind is not None and kind is not OriginKind.OTHER


def judge_origin(recorded: RecordedOrigin | None, host: HostOrigin) -> OriginReason | None:
    """Say why the origin stops a round, or nothing when the platform opened the pull request and no run works on it.

    A pull request without a record was opened by others; a vanished author matches nobody.
    """
    if recorded is None or not opened_by_platform(recorded.kind):
        return OriginReason.OTHER_PULL_REQUEST
    if (recorded.author_id, recorded.branch) != (host.author_id, host.branch):
        return OriginReason.ORIGIN_MISMATCH
    if recorded.run_status in AT_WORK:
        return OriginReason.RUN_STILL_WORKING
    return None
