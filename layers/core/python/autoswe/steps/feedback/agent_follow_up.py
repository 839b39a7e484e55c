"""Reads what the agent run that opened a pull request was asked to do, and counts the round that follows it up."""

from datetime import datetime

from autoswe.contracts.records.platform import Decision, Origin
from autoswe.ports.records import Records
from autoswe.rules.feedback.agent_runs import judge_agent_run_ceilings, judge_run
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.records.origin import OriginKind
from autoswe.rules.records.runs import AgentTask
from autoswe.rules.settings.registry import AGENT_RUNS_MAX_PER_DAY
from autoswe.rules.settings.resolution import StoredSettings, Unreadable


def followed_up(decision: Decision, origin: Origin | None, records: Records) -> AgentTask | SkipReason | None:
    """Return what the agent that opened the pull request was asked to do, or why no round follows it up.

    ``None`` means that no agent run opened it.
    """
    if origin is None or origin.kind is not OriginKind.AGENT_RUN:
        return None
    return judge_run(records.run_of(decision.connection, decision.repository, decision.pull_number))


def count_follow_up(decision: Decision, settings: StoredSettings, records: Records, now: datetime) -> SkipReason | None:
    """Count the round among today's starts of the organisation's agents, or say why there may be no more of them.

    A round that is gathered again on the same day counts once.
    """
    most = settings.resolve(AGENT_RUNS_MAX_PER_DAY)
    if isinstance(most, Unreadable):
        return SkipReason.SETTING_UNREADABLE
    return records.start_follow_up(
        decision.decision_id,
        settings.place.organization,
        now,
        lambda started: judge_agent_run_ceilings(started, most.value),
    )
