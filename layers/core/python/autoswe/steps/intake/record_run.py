"""Records where a run that works elsewhere stands, and which pull request it opened (feedback §2, §3).

A report may come twice or late: the record is the same as if all reports had come once and in order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from autoswe.contracts.records.platform import RepositoryRecord
from autoswe.contracts.records.runs import RecordedRun, RecordOutcome, RunReport
from autoswe.ports.clock import Clock
from autoswe.rules.records.runs import Claim, Recorded, Refused, Run, RunRefusal, Verdict, judge_report, judge_time


class Repositories(Protocol):
    """What the platform knows of repositories."""

    def repository(self, connection: str, repository: str) -> RepositoryRecord | None:
        """Read what the platform knows of a repository."""
        ...


class Runs(Protocol):
    """The records of runs."""

    def settle(
        self, report: Run, organization: str | None, judge: Callable[[Run | None, Claim | None], Verdict]
    ) -> Verdict:
        """Judge a report by what is on record, and write what comes of it: the run, its pull request, the day."""
        ...


@dataclass(frozen=True)
class Ports:
    """What recording reads and writes."""

    clock: Clock
    repositories: Repositories
    runs: Runs


def record_run(report: RunReport, ports: Ports) -> RecordedRun:
    """Record what a report says, unless it contradicts what is on record, and tell what is on record now."""
    verdict = _judge(report.run, ports)
    if isinstance(verdict, Refused):
        return RecordedRun(
            outcome=RecordOutcome.REFUSED, run_id=report.run_id, reason=verdict.reason, sentence=verdict.sentence
        )
    return RecordedRun(
        outcome=RecordOutcome.RECORDED if isinstance(verdict, Recorded) else RecordOutcome.UNCHANGED,
        run_id=report.run_id,
        status=verdict.run.status,
        pull_number=verdict.run.pull_number,
    )


def _judge(run: Run, ports: Ports) -> Verdict:
    known = ports.repositories.repository(run.connection, run.repository)
    if known is None:
        sentence = f"the platform has no record of {run.repository} on the connection {run.connection}"
        return Refused(RunRefusal.UNKNOWN_REPOSITORY, sentence)
    return judge_time(run, ports.clock()) or ports.runs.settle(
        run, known.organization, lambda record, claim: judge_report(record, claim, run)
    )
