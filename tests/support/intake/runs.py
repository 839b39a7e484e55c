"""Runs that other systems report, as rules and records have them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from autoswe.contracts.records.runs import RunReport
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import AgentTask, Run, RunScope
from tests.support.feedback.state import BOT_ID, BRANCH
from tests.support.intake.deliveries import CONNECTION, REPOSITORY

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
TASK = "Add a total.\n\nIt sums what it is given."
ASKED = AgentTask("tidier", RunScope.ORGANIZATION, TASK)


def run(minute: int = 0, **changes: Any) -> Run:
    """Build the report of a tracked workflow's run, so many minutes after noon."""
    told: dict[str, Any] = {
        "connection": CONNECTION,
        "repository": REPOSITORY,
        "run_id": "run-1",
        "kind": OriginKind.TRACKED_WORKFLOW,
        "author_id": BOT_ID,
        "branch": BRANCH,
        "status": RunStatus.RUNNING,
        "reported_at": NOON + timedelta(minutes=minute),
    }
    return Run(**told | changes)


def agent_run(minute: int = 0, **changes: Any) -> Run:
    """Build the report of an agent's run, so many minutes after noon."""
    return run(minute, **{"kind": OriginKind.AGENT_RUN, "agent_task": ASKED, **changes})


def report(told: Run) -> RunReport:
    """Spell a run as its reporter does."""
    return RunReport.of(told)
