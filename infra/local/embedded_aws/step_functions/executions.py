"""What there is to know of one execution of a workflow."""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self


@dataclass(frozen=True)
class StateEntry:
    """A state that an execution entered, and when by the local clock."""

    name: str
    at: datetime


@dataclass(frozen=True)
class Execution:
    """One execution as it was at the moment of asking; ``input`` and ``output`` are JSON values.

    ``status`` is RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED; ``error`` and ``cause`` are set when it FAILED;
    ``states`` holds the states in the order in which they were entered, those inside a Map among them;
    ``transitions`` is what AWS bills: states entered plus retries.
    """

    arn: str
    state_machine_arn: str
    name: str
    status: str
    input: Any
    output: Any
    error: str | None
    cause: str | None
    started_at: datetime
    stopped_at: datetime | None
    states: tuple[StateEntry, ...]
    transitions: int

    @classmethod
    def read(cls, execution: Any) -> Self:
        """Read the engine's own record of an execution."""
        events = execution.to_history_output()["events"]
        types = Counter(event["type"] for event in events)
        states = tuple(
            StateEntry(entered["name"], datetime.fromisoformat(event["timestamp"]))
            for event in events
            if (entered := event.get("stateEnteredEventDetails"))
        )
        retries = types["TaskScheduled"] - types["TaskStateEntered"]
        return cls(
            arn=execution.exec_arn,
            state_machine_arn=execution.state_machine.arn,
            name=execution.name,
            status=str(execution.status),
            input=execution.input_data,
            output=execution.output,
            error=execution.error,
            cause=execution.cause,
            started_at=execution.start_date,
            stopped_at=execution.stop_date,
            states=states,
            transitions=len(states) + max(0, retries),
        )

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states entered, in order."""
        return tuple(entry.name for entry in self.states)

    @property
    def last_change(self) -> datetime:
        """When it stopped, or else started."""
        return self.stopped_at or self.started_at

    def detail(self) -> dict[str, Any]:
        """Describe it as DescribeExecution and EventBridge do: JSON as text, times in milliseconds."""
        detail: dict[str, Any] = {
            "executionArn": self.arn,
            "stateMachineArn": self.state_machine_arn,
            "name": self.name,
            "status": self.status,
            "startDate": _milliseconds(self.started_at),
            "stopDate": _milliseconds(self.stopped_at) if self.stopped_at else None,
            "input": json.dumps(self.input, separators=(",", ":")),
            "output": json.dumps(self.output, separators=(",", ":")) if self.status == "SUCCEEDED" else None,
        }
        if self.status == "FAILED":
            detail |= {"error": self.error, "cause": self.cause}
        return detail


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
