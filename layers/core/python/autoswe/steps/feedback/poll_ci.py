"""Looks once at CI on the pushed commit and says whether to look again (feedback §1)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from autoswe.contracts.containers import WITHOUT_MODEL, AgentName
from autoswe.contracts.feedback.round import CiOutcome, CiStatus, GatherOutcome, RoundRequest, RoundState
from autoswe.contracts.records.platform import Connection, Decision
from autoswe.ports.clock import Clock
from autoswe.ports.feedback.hosts import CheckHost
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.github import Gone, NotYet
from autoswe.ports.records import Records
from autoswe.rules.feedback.activity import ci_settled
from autoswe.rules.feedback.ci_verdict import CiReason, CiState, head_is_ours, judge_ci, next_wait_seconds
from autoswe.rules.feedback.lag import is_recent, may_still_show
from autoswe.steps.feedback.round_records import LEASE_SECONDS, InputMismatch, RoundRecords, SlotLost


@dataclass(frozen=True)
class Ports:
    """What polling reads and writes; ``agent`` is the adapter that this deployment names."""

    clock: Clock
    records: Records
    rounds: Rounds
    agent: AgentName
    open_host: Callable[[Connection, int], CheckHost]


def poll_ci(request: RoundRequest, ports: Ports) -> CiStatus:
    """Renew the slot's lease, read the checks, and settle CI or ask for another look.

    Raises ``NotYet`` while the pushed commit may still show, or a denial may pass, and ``SlotLost`` when this execution
    no longer holds the pull request.
    """
    records = RoundRecords.read(request, ports.records)
    decision = records.decision
    fire = ports.rounds.held(decision, request.execution, LEASE_SECONDS)
    if fire is None:
        raise SlotLost("another execution holds this pull request")
    if fire.commit_sha is None or fire.head_sha is None or not fire.pushed or fire.commit_pushed_at is None:
        raise InputMismatch("the round has pushed no commit whose CI could be read")
    before = request.state.ci.value if request.state.ci else CiStatus(outcome=CiOutcome.WAIT)
    now = ports.clock()
    waited = int((now - datetime.fromisoformat(fire.commit_pushed_at)).total_seconds())
    host = ports.open_host(records.connection, decision.repository_id)
    try:
        reading = host.ci(decision.pull_number, fire.commit_sha, fire.head_sha)
    except Gone as gone:
        if may_still_show(fire.commit_pushed_at, now):
            raise NotYet(str(gone)) from gone
        raise
    verdict = judge_ci(
        reading,
        on_our_commit=head_is_ours(reading.head_sha, fire.commit_sha, fire.head_sha, waited),
        waited_seconds=waited,
        green_since=datetime.fromisoformat(before.green_since) if before.green_since else None,
        now=now,
    )
    # A denial that comes and goes is no answer: it has to last.
    unreadable = verdict.reason is CiReason.REQUIRED_UNREADABLE
    if unreadable and is_recent(ports.rounds.doubted_seconds(decision, "required checks")):
        raise NotYet("what is required, or what had reported before, could not be read")
    if verdict.state is not CiState.WAIT:
        ports.rounds.note(decision, ci_settled(verdict.state))
    looks = before.looks + 1
    return CiStatus(
        outcome=CiOutcome(verdict.state),
        reason=verdict.reason,
        seconds=next_wait_seconds(verdict, looks, now) if verdict.state is CiState.WAIT else 0,
        waited_seconds=max(waited, 0),
        looks=looks,
        green_since=verdict.green_since.isoformat() if verdict.green_since else None,
        follow_up=verdict.state is CiState.RED and _may_follow_up(request.state, decision, ports),
    )


def _may_follow_up(state: RoundState, decision: Decision, ports: Ports) -> bool:
    """Allow one follow-up of a fix that this very execution made and reported (feedback §1).

    An execution that resumed a round cannot know whether its follow-up was spent before. An agent without a model
    reads no logs.
    """
    fixed = state.gather is not None and state.gather.value.outcome is GatherOutcome.PROCEED
    if state.first is not None or state.report is None or not fixed or ports.agent == WITHOUT_MODEL:
        return False
    automation = ports.records.automation(decision.connection, decision.automation_id)
    return automation is not None and automation.enabled and automation.max_ci_fix_attempts > 0
