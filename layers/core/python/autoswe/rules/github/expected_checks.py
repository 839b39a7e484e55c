"""What of a reading counts, and what it still lacks (feedback §1).

Sources: "List check runs for a Git reference" (the newest by the time it ended counts), "About protected branches"
(required status checks), "Troubleshooting required status checks". Observed: a workflow that a path filter skips never
reports, and check suites without a run may stay queued for ever.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from autoswe.rules.github.facts import Check, Checks, RequiredCheck, WorkflowRun

T = TypeVar("T", Check, WorkflowRun)

BAD = frozenset({"FAILURE", "TIMED_OUT", "STARTUP_FAILURE", "ERROR"})
"""The conclusions and states that say that something failed."""

_NOT_ENDED = datetime.max.replace(tzinfo=UTC)
_AWAITED = "EXPECTED"


@dataclass(frozen=True)
class Reports:
    """The reports that count: of each App and name the newest check, of each workflow the newest run.

    ``superseded`` are the checks that a newer one replaced; the host's own summary may still speak of them. A status
    that the host only expects is no report.
    """

    checks: tuple[Check, ...]
    runs: tuple[WorkflowRun, ...]
    superseded: tuple[Check, ...]


class Requirement(StrEnum):
    """How the reports stand to what is required.

    ``met``: everything required has reported. ``absent``: something has not. ``unverified``: a check that one App
    must make was reported as a commit status, and nobody can tell by whom.
    """

    MET = "met"
    ABSENT = "absent"
    UNVERIFIED = "unverified"


def count_reports(checks: Checks) -> Reports:
    """Choose the reports that count.

    A check that has not ended is newer than one that has; of those that ended at the same moment all count, so that a
    failure is never hidden by chance.
    """
    reported = [check for check in checks.checks if not _is_awaited(check)]
    newest = _newest(reported, lambda check: (check.is_status, check.app_id, check.name), _ended_at)
    superseded = tuple(check for check in reported if check not in newest)
    return Reports(newest, newest_runs(checks.runs), superseded)


def newest_runs(runs: Iterable[WorkflowRun]) -> tuple[WorkflowRun, ...]:
    """Choose of each workflow the newest run."""
    return _newest(runs, lambda run: run.workflow, lambda run: run.run_id)


def judge_requirement(checks: Checks, reports: Reports, required: Iterable[RequiredCheck]) -> Requirement:
    """Say whether everything required has reported; what the host itself expects is required too.

    A check that is bound to an App is there only when that App reported it.
    """
    awaited = [RequiredCheck(check.name) for check in checks.checks if _is_awaited(check)]
    stands = {_stands(one, reports.checks) for one in (*required, *awaited)}
    return next((worst for worst in (Requirement.ABSENT, Requirement.UNVERIFIED) if worst in stands), Requirement.MET)


def _stands(required: RequiredCheck, checks: Iterable[Check]) -> Requirement:
    named = [check for check in checks if check.name == required.name]
    if any(required.app_id in {None, check.app_id} for check in named):
        return Requirement.MET
    return Requirement.UNVERIFIED if any(check.is_status for check in named) else Requirement.ABSENT


def _is_awaited(check: Check) -> bool:
    return check.is_status and check.conclusion == _AWAITED


def _ended_at(check: Check) -> datetime:
    return check.completed_at or _NOT_ENDED


def _newest(reports: Iterable[T], kind: Callable[[T], Hashable], age: Callable[[T], datetime | int]) -> tuple[T, ...]:
    groups: defaultdict[Hashable, list[T]] = defaultdict(list)
    for report in reports:
        groups[kind(report)].append(report)
    latest = {key: max(map(age, group)) for key, group in groups.items()}
    return tuple(report for key, group in groups.items() for report in group if age(report) == latest[key])
