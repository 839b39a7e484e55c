"""What of a reading counts, and what it still lacks (feedback §1).

Sources: "List check runs for a Git reference" (the newest by the time it ended counts), "About protected branches"
(required status checks), "Troubleshooting required status checks". Observed: a workflow that a path filter skips never
reports, and check suites without a run may stay queued for ever.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from autoswe.rules.github.facts import Check, Checks, Reporter, RequiredCheck, WorkflowRun

BAD = frozenset({"FAILURE", "TIMED_OUT", "STARTUP_FAILURE", "ERROR"})
"""The conclusions and states that say that something failed."""

_NOT_ENDED = datetime.max.replace(tzinfo=UTC)
_AWAITED = "EXPECTED"


@dataclass(frozen=True)
class Reports:
    """The reports that count: of each suite and name the newest check, of each context the status, and every run.

    Only a rerun supersedes, and it reports in the suite of what it repeats: a workflow that runs for a push and for the
    pull request has two suites, and a failure in one is hidden by nothing in the other. A status that the host only
    expects is no report.
    """

    checks: tuple[Check, ...]
    runs: tuple[WorkflowRun, ...]


class Requirement(StrEnum):
    """How the reports stand to what is required.

    ``met``: everything required has reported. ``absent``: something has not. ``unverified``: a check that one App
    must make was reported by another, or as a commit status, and nobody can tell by whom.
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
    groups: defaultdict[tuple[Reporter, int | None], list[Check]] = defaultdict(list)
    for check in reported:
        groups[reporter(check), check.suite_id].append(check)
    latest = {key: max(map(_ended_at, group)) for key, group in groups.items()}
    newest = (check for check in reported if _ended_at(check) == latest[reporter(check), check.suite_id])
    return Reports(tuple(newest), checks.runs)


def reporter(check: Check) -> Reporter:
    """Say who reports a check or status."""
    return Reporter(check.name, check.app_id, check.is_status)


def silent_reporters(before: Iterable[Reporter], reports: Reports) -> frozenset[Reporter]:
    """List who reported on the reviewed commit and has said nothing on this one."""
    return frozenset(before) - {reporter(check) for check in reports.checks}


def judge_requirement(checks: Checks, reports: Reports, required: Iterable[RequiredCheck]) -> Requirement:
    """Say whether everything required has reported; what the host itself expects is required too.

    A check that is bound to an App is there only when that App reported it.
    """
    awaited = [RequiredCheck(check.name) for check in checks.checks if _is_awaited(check)]
    stands = {_stands(one, reports.checks) for one in (*required, *awaited)}
    return next((worst for worst in (Requirement.ABSENT, Requirement.UNVERIFIED) if worst in stands), Requirement.MET)


def _stands(required: RequiredCheck, checks: Iterable[Check]) -> Requirement:
    named = [check for check in checks if check.name == required.name]
    if required.host_decides:
        marked = any(check.is_required for check in named)
        return Requirement.MET if marked else Requirement.UNVERIFIED if named else Requirement.ABSENT
    if any(required.app_id in {None, check.app_id} for check in named):
        return Requirement.MET
    return Requirement.UNVERIFIED if any(check.is_status for check in named) else Requirement.ABSENT


def _is_awaited(check: Check) -> bool:
    return check.is_status and check.conclusion == _AWAITED


def _ended_at(check: Check) -> datetime:
    return check.completed_at or _NOT_ENDED
