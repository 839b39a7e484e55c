"""Whether a round may follow up the agent run that opened its pull request (feedback §3, §6).

Of the two ceilings of agent runs, ``agentRuns.maxPerDay`` counts a follow-up like a run. ``agentRuns.maxConcurrent``
limits how many runs may be at work before another is admitted: a follow-up takes no place there, so it is not asked.
"""

from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.records.runs import AgentTask, Run, RunScope

FOLLOWED_UP = frozenset({RunScope.GLOBAL, RunScope.ORGANIZATION})
"""Whose agents a round may set to work: nobody stands behind an automation whose own agents it could use."""


def judge_run(run: Run | None) -> SkipReason | AgentTask:
    """Return what the run's agent was asked to do, or why it is not followed up.

    ``run_missing``: no agent run is on record as what opened the pull request, so nobody knows the task or the agent.
    ``run_scope``: its agent is a team's or a person's own.
    """
    if run is None or run.agent_task is None:
        return SkipReason.RUN_MISSING
    return run.agent_task if run.agent_task.scope in FOLLOWED_UP else SkipReason.RUN_SCOPE


def judge_agent_run_ceilings(started: int, max_per_day: int) -> SkipReason | None:
    """Stop a follow-up once the organisation's agents have started as often today, in UTC, as they may.

    ``started`` counts agent runs by their first report, and rounds that followed one up, each once.
    """
    return SkipReason.AGENT_RUN_CEILING if started >= max_per_day else None
