"""A pull request that an agent run opened, as its system reports it on the bus."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from autoswe.contracts.records.runs import RunReport
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import RunScope
from tests.scenarios.story import Story

TASK = "Write the total of a list, and nothing that nobody asked for: zq-the-task."


def opened_by_an_agent(story: Story, **changes: Any) -> Story:
    """Open a second pull request from the story's branch, and have its run report that it is parked."""
    told = replace(story, pull=story.repository.open_pull("feature", "main", story.pull.author, "By an agent"))
    told.assembly.report_run(report(told, **changes))
    return told


def report(story: Story, *, minutes_ago: int = 0, **changes: Any) -> RunReport:
    """Say of the story's pull request that the agent run which opened it is parked."""
    told: dict[str, Any] = {
        "kind": OriginKind.AGENT_RUN,
        "connection": story.site.connection,
        "repository": story.repository.full_name,
        "run_id": f"run-{story.pull.number}",
        "author_id": story.pull.author.id,
        "branch": story.pull.head_ref,
        "status": RunStatus.AWAITING_HUMAN_MERGE,
        "reported_at": story.assembly.clock.now() - timedelta(minutes=minutes_ago),
        "pull_number": story.pull.number,
        "agent": "tidier",
        "scope": RunScope.ORGANIZATION,
        "task": TASK,
    }
    return RunReport(**told | changes)
