"""Writes how a round ended and frees its pull request, whatever happened before (architecture §3, §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from autoswe.contracts.feedback.round import Closed, GatherOutcome, Pushed, PushOutcome, RoundRequest, RoundState
from autoswe.contracts.records.platform import Decision, Fire, FireOutcome
from autoswe.contracts.workflow import Returned
from autoswe.ports.clock import Clock
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.records import Records
from autoswe.rules.feedback.activity import Activity, taken_up
from autoswe.rules.feedback.late_deliveries import left_unserved
from autoswe.rules.records.attempts import INTERRUPTED, may_be_taken_up, passes
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.steps.feedback.round_records import read_decision


@dataclass(frozen=True)
class Ports:
    """What closing reads and writes: the table alone; it holds no GitHub token."""

    records: Records
    rounds: Rounds
    clock: Clock


def close_round(request: RoundRequest, ports: Ports) -> Closed:
    """Record the outcome, free the slot, and offer again what came meanwhile and nobody was told of, oldest first.

    Only the round's current execution may close it; an older one, or a second call, changes nothing. With the kill
    switch off nothing is offered: a delivery that came now would be ignored as well (feedback §6).

    A round that ended for a reason that may pass is taken up again by the next sweep; so is one that has pushed and may
    not have told so truly (feedback §10).
    """
    decision, place = read_decision(request, ports.records)
    failures = _failures(request.state)
    fire = ports.rounds.fire(decision) if failures else None
    pushed = fire is not None and fire.pushed_sha is not None
    outcome, reason = (FireOutcome.SUCCEEDED, None) if pushed else _outcome(request.state)
    closed = ports.rounds.close(decision, request.execution, outcome, reason)
    # What a first report lacked, one about CI has made up for.
    if closed and request.state.report_error is not None and request.state.ci_report is None:
        ports.rounds.note(decision, Activity.REPORT_FAILED)
    if closed and failures and _is_unfinished(request.state, failures, fire):
        _take_up(decision, fire.attempt if fire else 0, ports)
    # Nothing is suppressed any more once the slot is free, so that nothing can come in after this look.
    suppressed = ports.rounds.suppressed_during(decision) if closed else ()
    unserved = left_unserved(suppressed, _told_late(request.state), skipped=outcome is FireOutcome.SKIPPED)
    offered = bool(unserved) and ports.records.settings(place, KILL_SWITCH).is_on(KILL_SWITCH)
    for delivery in unserved if offered else ():
        ports.rounds.offer_again(decision, delivery)
    return Closed(outcome=outcome.value, reason=reason, offered_again=offered)


def _failures(state: RoundState) -> tuple[str, ...]:
    """List what ended the round before its end, or kept it from being told."""
    untold = state.report_error if state.ci_report is None else None
    return tuple(failure.error for failure in (state.error, untold) if failure is not None)


def _is_unfinished(state: RoundState, failures: Sequence[str], fire: Fire | None) -> bool:
    """Say whether another attempt may come to a better end: to a fix, or to a true word about the one that is pushed.

    A workflow whose own last state has closed its round ends as failed as well, and has nothing left to do.
    """
    if fire is not None and fire.outcome is not FireOutcome.RUNNING and not INTERRUPTED.isdisjoint(failures):
        return False
    if fire is not None and fire.pushed_sha is not None:
        return state.report is None or (state.report_error is not None and state.ci_report is None)
    return any(map(passes, failures))


def _take_up(decision: Decision, attempt: int, ports: Ports) -> None:
    decided_at = datetime.fromisoformat(decision.decided_at)
    if may_be_taken_up(attempt, decided_at, ports.clock()):
        ports.rounds.take_up(decision, attempt + 1)
        ports.rounds.note(decision, taken_up(attempt + 1))


def _told_late(state: RoundState) -> tuple[str, ...]:
    """List the late deliveries that the round's last report stands for."""
    report = state.ci_report or state.report
    return report.value.late if report else ()


def _outcome(state: RoundState) -> tuple[FireOutcome, str | None]:
    # What came of a follow-up takes no commit off the branch, and neither does a report that failed.
    if state.first is not None:
        return FireOutcome.SUCCEEDED, None
    push = state.push.value if state.push else None
    if state.error is not None and not _is_pushed(state.push):
        return FireOutcome.FAILED, state.error.error
    if push is not None and push.outcome is PushOutcome.REFUSED:
        return FireOutcome.FAILED, push.reason
    if state.report_error is not None and not _is_pushed(state.push):
        return FireOutcome.FAILED, state.report_error.error
    if push is not None:
        return FireOutcome.SUCCEEDED, None
    gathered = state.gather.value if state.gather else None
    if gathered is not None and gathered.outcome in {GatherOutcome.SKIP_SILENT, GatherOutcome.SKIP_VISIBLE}:
        return FireOutcome.SKIPPED, gathered.reason
    return FireOutcome.FAILED, "interrupted"


def _is_pushed(push: Returned[Pushed] | None) -> bool:
    return push is not None and push.value.outcome is PushOutcome.PUSHED
