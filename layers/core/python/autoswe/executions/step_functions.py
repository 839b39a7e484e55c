"""The executions of a Step Functions workflow (AWS Step Functions: "StartExecution")."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError


class WorkflowExecutions:
    """Starts executions of one state machine."""

    def __init__(self, client: Callable[[], Any], state_machine_arn: str) -> None:
        self._client = client
        self._state_machine_arn = state_machine_arn

    def start(self, name: str, execution_input: str) -> bool:
        """Start an execution with this JSON input; false when there has been one of that name.

        One that still runs with the very same input is answered as if it had only just been started.
        """
        return self.begin(name, execution_input) is not None

    def begin(self, name: str, execution_input: str) -> str | None:
        """Start an execution as ``start`` does, and return its ARN; ``None`` when there has been one of that name."""
        try:
            answer = self._client().start_execution(
                stateMachineArn=self._state_machine_arn, name=name, input=execution_input
            )
        except ClientError as error:
            if error.response["Error"]["Code"] == "ExecutionAlreadyExists":
                return None
            raise
        return str(answer["executionArn"])
