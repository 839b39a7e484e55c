"""Start a workflow: one execution for each recorded decision, however often it is asked for (feedback §1)."""

from dataclasses import dataclass
from enum import StrEnum

from autoswe.contracts.records.platform import Decision, FireOutcome
from autoswe.contracts.workflow import RoundInput
from autoswe.ports.intake.starts import Executions, Starts
from autoswe.ports.slots import Hold, Slots
from autoswe.rules.intake.execution_name import execution_name
from autoswe.rules.settings.registry import KILL_SWITCH

NEVER_GATHERED = "never_gathered"
"""Why a round failed whose only execution ended without having claimed it."""


class StartOutcome(StrEnum):
    """What became of a decision that had not started.

    ``started``: its execution runs. ``already_started``: it had one before. ``kill_switch_off``: feedback rounds were
    switched off meanwhile. ``slot_held``: the start comes so late that another decision has the pull request by now.
    With the last two the decision stays in the index ``unstarted``, and sweep_deliveries tries again.
    """

    STARTED = "started"
    ALREADY_STARTED = "already_started"
    KILL_SWITCH_OFF = "kill_switch_off"
    SLOT_HELD = "slot_held"


@dataclass(frozen=True)
class Ports:
    """What starting reads and writes: the table and the workflow, nothing on the host."""

    records: Starts
    slots: Slots
    executions: Executions


def start_workflow(decision: Decision, ports: Ports) -> StartOutcome:
    """Start the decision's feedback round unless the kill switch is off or another has the pull request (feedback §6).

    A round that finds its pull request taken is over at once, and its decision is used up. So the slot is made sure of
    before the start: the lease that came with the decision may have run out.

    The execution's name follows from the decision, so an earlier start that was cut short before it was recorded is
    found and not repeated. The input holds identifiers only: facts come from the records.
    """
    settings = ports.records.settings_of(decision.connection, decision.repository, KILL_SWITCH)
    if not settings.is_on(KILL_SWITCH):
        return StartOutcome.KILL_SWITCH_OFF
    hold = ports.slots.hold(decision)
    if hold is Hold.TAKEN:
        return StartOutcome.SLOT_HELD
    started = hold is Hold.HELD and _start(decision, ports)
    ports.records.mark_started(decision.decision_id)
    return StartOutcome.STARTED if started else StartOutcome.ALREADY_STARTED


def _start(decision: Decision, ports: Ports) -> bool:
    name = execution_name(decision.decision_id, decision.attempt)
    request = RoundInput(
        connection=decision.connection,
        repository=decision.repository,
        pull_number=decision.pull_number,
        decision_id=decision.decision_id,
    )
    started = ports.executions.start(name, request.model_dump_json())
    if not started:
        # Nobody else would free the slot that is held by now.
        ports.slots.close(decision, name, FireOutcome.FAILED, NEVER_GATHERED)
    return started
