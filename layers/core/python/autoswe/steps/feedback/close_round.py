"""Writes how a round ended and frees its pull request, whatever happened before (architecture §3, §4)."""

from dataclasses import dataclass

from autoswe.contracts.feedback.round import Closed, GatherOutcome, Pushed, PushOutcome, RoundRequest, RoundState
from autoswe.contracts.records.platform import FireOutcome
from autoswe.contracts.workflow import Returned
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.records import Records
from autoswe.rules.feedback.activity import Activity
from autoswe.rules.feedback.late_deliveries import left_unserved
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.steps.feedback.round_records import read_decision


@dataclass(frozen=True)
class Ports:
    """What closing reads and writes: the table alone; it holds no GitHub token."""

    records: Records
    rounds: Rounds


def close_round(request: RoundRequest, ports: Ports) -> Closed:
    """Record the outcome, free the slot, and offer again what came meanwhile and nobody was told of, oldest first.

    Only the round's current execution may close it; an older one, or a second call, changes nothing. With the kill
    switch off nothing is offered: a delivery that came now would be ignored as well (feedback §6).
    """
    decision, place = read_decision(request, ports.records)
    outcome, reason = _outcome(request.state)
    closed = ports.rounds.close(decision, request.execution, outcome, reason)
    # What a first report lacked, one about CI has made up for.
    if closed and request.state.report_error is not None and request.state.ci_report is None:
        ports.rounds.note(decision, Activity.REPORT_FAILED)
    # Nothing is suppressed any more once the slot is free, so that nothing can come in after this look.
    suppressed = ports.rounds.suppressed_during(decision) if closed else ()
    unserved = left_unserved(suppressed, _told_late(request.state), skipped=outcome is FireOutcome.SKIPPED)
    offered = bool(unserved) and ports.records.settings(place, KILL_SWITCH).is_on(KILL_SWITCH)
    for delivery in unserved if offered else ():
        ports.rounds.offer_again(decision, delivery)
    return Closed(outcome=outcome.value, reason=reason, offered_again=offered)


def _told_late(state: RoundState) -> tuple[str, ...]:
    """List the late deliveries that the round's last report stands for."""
    report = state.ci_report or state.report
    return report.value.late if report else ()


def _outcome(state: RoundState) -> tuple[FireOutcome, str | None]:
    push = state.push.value if state.push else state.first.push.value if state.first else None
    if state.error is not None and not _is_pushed(state.push):
        return FireOutcome.FAILED, state.error.error
    if push is not None and push.outcome is PushOutcome.REFUSED:
        return FireOutcome.FAILED, push.reason
    # A report that failed takes no commit off the branch.
    if state.report_error is not None and not _is_pushed(state.push) and state.first is None:
        return FireOutcome.FAILED, state.report_error.error
    if push is not None:
        return FireOutcome.SUCCEEDED, None
    gathered = state.gather.value if state.gather else None
    if gathered is not None and gathered.outcome in {GatherOutcome.SKIP_SILENT, GatherOutcome.SKIP_VISIBLE}:
        return FireOutcome.SKIPPED, gathered.reason
    return FireOutcome.FAILED, "interrupted"


def _is_pushed(push: Returned[Pushed] | None) -> bool:
    return push is not None and push.value.outcome is PushOutcome.PUSHED
