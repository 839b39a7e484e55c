"""Workflows that wait for other workflows."""

from typing import Any

from infra.local.embedded_aws.step_functions.state_machines import SECONDS_TO_END, StateMachines


class NestedExecution:
    """An execution that another one waits for (``startExecution.sync:2``)."""

    def __init__(self, machines: StateMachines, execution_arn: str) -> None:
        self._machines = machines
        self._arn = execution_arn

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, at most so long, and tell whether it has."""
        return self._machines.has_ended(self._arn, seconds)

    def stop(self) -> None:
        """Abort it and return when it has ended."""
        if not self.wait(0):
            self._machines.stop(self._arn)
            self.wait(SECONDS_TO_END)

    @property
    def succeeded(self) -> bool:
        """Whether it SUCCEEDED."""
        return self._machines.execution(self._arn).status == "SUCCEEDED"

    def describe(self) -> dict[str, Any]:
        """Describe it as DescribeExecution does, in the workflow's spelling and with its output as JSON."""
        execution = self._machines.execution(self._arn)
        description = {name[0].upper() + name[1:]: value for name, value in execution.detail().items()}
        return description | {"Input": execution.input, "Output": execution.output}
