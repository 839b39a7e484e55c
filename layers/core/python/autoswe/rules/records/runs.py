"""What the platform keeps of a run that works elsewhere, judged one report at a time (feedback §2, §3).

Reports come as events: late, twice, and in any order. Whatever the order, the same reports leave the same record.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from autoswe.rules.records.origin import OriginKind, RunStatus

CLOCK_TOLERANCE = timedelta(minutes=5)
"""How far a reporter's clock may be ahead of ours: a report from the future would keep later ones from counting."""


class RunScope(StrEnum):
    """Whose an agent is; a round follows up the runs of those that are for the whole platform or an organisation."""

    GLOBAL = "global"
    ORGANIZATION = "organization"
    TEAM = "team"
    PERSONAL = "personal"


@dataclass(frozen=True)
class AgentTask:
    """What an agent run was started with: the agent, whose it is, and what it was asked to do, as it was written."""

    agent: str
    scope: RunScope
    task: str


@dataclass(frozen=True)
class Run:
    """One run, as a report tells it or as the record keeps it.

    ``pull_number`` is absent until the run has opened a pull request. ``author_id`` and ``branch`` are what the host
    must say of it. ``status`` is where the run stood at ``reported_at``, by the reporter's clock. ``agent_task`` is
    there for an agent run alone.
    """

    connection: str
    repository: str
    run_id: str
    kind: OriginKind
    author_id: int
    branch: str
    status: RunStatus
    reported_at: datetime
    pull_number: int | None = None
    agent_task: AgentTask | None = None


@dataclass(frozen=True)
class Claim:
    """Who opened a pull request, by its origin on record; without ``run_id`` an operator recorded it by hand."""

    run_id: str | None


class RunRefusal(StrEnum):
    """Why a report is refused; nothing of it is recorded.

    ``unknown_repository``: the platform has no record of the repository. ``in_the_future``: its time is ahead of ours.
    ``another_run``: what never changes in a run (kind, author, branch, agent, scope, task) is not as recorded.
    ``another_pull_request``: the run has opened another one. ``pull_request_claimed``: another run has opened the pull
    request. ``contradiction``: the record has another status at the very same moment, and neither is ``ended``.
    """

    UNKNOWN_REPOSITORY = "unknown_repository"
    IN_THE_FUTURE = "in_the_future"
    ANOTHER_RUN = "another_run"
    ANOTHER_PULL_REQUEST = "another_pull_request"
    PULL_REQUEST_CLAIMED = "pull_request_claimed"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True)
class Refused:
    """A report that is not recorded; ``sentence`` says what is wrong with it."""

    reason: RunRefusal
    sentence: str


@dataclass(frozen=True)
class Recorded:
    """What is on record from now on."""

    run: Run


@dataclass(frozen=True)
class Unchanged:
    """The report says nothing that the record would not say without it."""

    run: Run


Verdict = Recorded | Unchanged | Refused


def judge_time(report: Run, now: datetime) -> Refused | None:
    """Refuse a report whose time is more than ``CLOCK_TOLERANCE`` ahead of ours."""
    if report.reported_at <= now + CLOCK_TOLERANCE:
        return None
    return Refused(
        RunRefusal.IN_THE_FUTURE, f"the report on {_name(report)} bears a time in the future: {report.reported_at}"
    )


def apply_report(record: Run | None, report: Run) -> Verdict:
    """Join a report to the record of the same run.

    The newest status counts, except that ``ended`` is final: it replaces even a newer status, because nothing that has
    ended goes on. A report that is older still tells which pull request the run opened, where that was not known.
    """
    if record is None:
        return Recorded(report)
    if differing := _differing(record, report):
        return Refused(RunRefusal.ANOTHER_RUN, f"{_name(report)} was recorded with another {differing}")
    if None not in (record.pull_number, report.pull_number) and record.pull_number != report.pull_number:
        return Refused(
            RunRefusal.ANOTHER_PULL_REQUEST,
            f"{_name(report)} has opened pull request {record.pull_number}, and not {report.pull_number}",
        )
    statuses = {record.status, report.status}
    if record.reported_at == report.reported_at and len(statuses) > 1 and RunStatus.ENDED not in statuses:
        return Refused(
            RunRefusal.CONTRADICTION,
            f"{_name(report)} is recorded as {record.status} and not {report.status} at {report.reported_at}",
        )
    latest = max(record, report, key=lambda run: (run.status is RunStatus.ENDED, run.reported_at))
    joined = replace(latest, pull_number=record.pull_number or report.pull_number)
    return Unchanged(record) if joined == record else Recorded(joined)


def judge_claim(run: Run, claim: Claim | None) -> Refused | None:
    """Refuse a run whose pull request is on record as opened by another.

    It makes no difference whether the other run has ended: a pull request is opened once, so one of the two is wrong,
    and the record that rounds were judged by stays.
    """
    if claim is None or claim.run_id == run.run_id:
        return None
    whom = "an origin that names no run" if claim.run_id is None else f"the run {claim.run_id}"
    return Refused(
        RunRefusal.PULL_REQUEST_CLAIMED,
        f"pull request {run.pull_number} is on record as opened by {whom}, and not by {_name(run)}",
    )


def judge_report(record: Run | None, claim: Claim | None, report: Run) -> Verdict:
    """Judge a report by the record of its run and by who has opened the pull request that either of them names."""
    verdict = apply_report(record, report)
    return (judge_claim(verdict.run, claim) or verdict) if isinstance(verdict, Recorded) else verdict


def _differing(record: Run, report: Run) -> str | None:
    """Name the first thing that never changes in a run, and differs."""
    for name in ("kind", "author_id", "branch"):
        if getattr(record, name) != getattr(report, name):
            return name.removesuffix("_id")
    return None if record.agent_task == report.agent_task else "agent, scope or task"


def _name(run: Run) -> str:
    return f"the run {run.run_id} in {run.repository}"
