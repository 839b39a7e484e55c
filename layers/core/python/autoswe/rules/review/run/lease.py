"""Which live run has an organisation: one runs, one later one may wait, a still later one takes its place (review §11).

A dry run never asks. Runs are told apart by their executions, and put in order by when they began.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum


class LeaseAnswer(StrEnum):
    """``held``: the run may go on. ``wait``: an earlier one runs still. ``replaced``: a later one has asked."""

    HELD = "held"
    WAIT = "wait"
    REPLACED = "replaced"


@dataclass(frozen=True)
class Claim:
    """An execution that asks for its organisation, and since when its run wants it.

    Of two that began at the same moment neither is the later one: both wait, and run one after the other.
    """

    since: datetime
    execution: str


@dataclass(frozen=True)
class Lease:
    """Who has an organisation.

    ``holder`` is the execution that runs, absent when none does; from ``until`` on anybody else may take its place.
    ``fence`` counts how often the lease changed hands. ``newest`` is the latest run that ever asked.
    """

    holder: str | None = None
    fence: int = 0
    until: datetime | None = None
    newest: Claim | None = None

    def is_free(self, now: datetime) -> bool:
        """Say whether nobody has it, or whoever has it has not renewed it in time."""
        return self.holder is None or self.until is None or self.until < now


def ask(lease: Lease, claim: Claim, *, now: datetime, until: datetime) -> tuple[LeaseAnswer, Lease]:
    """Answer a live run, and say what the lease is then; whoever holds it already is told so again, and renews it."""
    if lease.holder == claim.execution:
        return LeaseAnswer.HELD, replace(lease, until=until)
    if lease.newest is not None and lease.newest.since > claim.since:
        return LeaseAnswer.REPLACED, lease
    asked = replace(lease, newest=claim)
    if not lease.is_free(now):
        return LeaseAnswer.WAIT, asked
    return LeaseAnswer.HELD, replace(asked, holder=claim.execution, fence=lease.fence + 1, until=until)


def renew(lease: Lease, execution: str, until: datetime) -> Lease | None:
    """Prolong the lease of its holder, however late it comes; ``None`` for anybody else."""
    return replace(lease, until=until) if lease.holder == execution else None


def release(lease: Lease, execution: str) -> Lease:
    """Give the lease up; of anybody but its holder nothing is taken."""
    return replace(lease, holder=None, until=None) if lease.holder == execution else lease
