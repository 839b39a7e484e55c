"""Start a workflow: one execution for each recorded decision, however often it is asked for (feedback §1)."""

from enum import StrEnum
from typing import Protocol

from autoswe.contracts.round import RoundInput
from autoswe.contracts.rows import Decision
from autoswe.rules.feedback.execution_name import execution_name
from autoswe.rules.feedback.settings import KILL_SWITCH


class StartOutcome(StrEnum):
    """What became of a decision that had not started.

    ``started``: its execution runs. ``already_started``: it had one before. ``kill_switch_off``: feedback rounds were
    switched off meanwhile; the decision stays in the index ``unstarted``, and an operator starts it by hand.
    """

    STARTED = "started"
    ALREADY_STARTED = "already_started"
    KILL_SWITCH_OFF = "kill_switch_off"


class Starts(Protocol):
    """The records that starting needs."""

    def switched_on(self, setting: str) -> bool:
        """Read an on/off setting; one that was never saved is off."""
        ...

    def mark_started(self, decision_id: str) -> None:
        """Take the decision out of the index of those that have not started."""
        ...


class Executions(Protocol):
    """The workflow's executions."""

    def start(self, name: str, execution_input: str) -> bool:
        """Start an execution with this JSON input; false when there has been one of that name."""
        ...


def start_workflow(decision: Decision, records: Starts, executions: Executions) -> StartOutcome:
    """Start the decision's feedback round unless the kill switch is off (feedback §6).

    The execution's name follows from the decision, so an earlier start that was cut short before it was recorded is
    found and not repeated. The input holds identifiers only: facts come from the records.
    """
    if not records.switched_on(KILL_SWITCH):
        return StartOutcome.KILL_SWITCH_OFF
    request = RoundInput(
        connection=decision.connection,
        repository=decision.repository,
        pull_number=decision.pull_number,
        decision_id=decision.decision_id,
    )
    started = executions.start(execution_name(decision.decision_id), request.model_dump_json())
    records.mark_started(decision.decision_id)
    return StartOutcome.STARTED if started else StartOutcome.ALREADY_STARTED
