"""Step Functions: workflows deployed, their executions started, watched and stopped."""

from collections.abc import Mapping
from threading import Event, Lock
from typing import Any

import boto3
from moto.stepfunctions.exceptions import InvalidName, ValidationException

from infra.local.embedded_aws.account import ACCOUNT_ID, REGION
from infra.local.embedded_aws.moto_engine import StepFunctionsParserBackend, stepfunctions_parser_backends
from infra.local.embedded_aws.patches import Patches
from infra.local.embedded_aws.step_functions.definitions import DefinitionRefused, check, render
from infra.local.embedded_aws.step_functions.execution_events import ExecutionEvents
from infra.local.embedded_aws.step_functions.execution_names import refusal
from infra.local.embedded_aws.step_functions.executions import Execution

MAX_INPUT_BYTES = 262_144
SECONDS_TO_END = 5.0
_ROLE_ARN = f"arn:aws:iam::{ACCOUNT_ID}:role/workflow"


class ExecutionUnfinished(Exception):
    """An execution still runs when the time to wait for it is over; the message says where it stands."""


class StateMachines:
    """The account's workflows."""

    def __init__(self, events: ExecutionEvents) -> None:
        self._events = events
        self._client = boto3.client("stepfunctions", region_name=REGION)
        self._backend = stepfunctions_parser_backends[ACCOUNT_ID][REGION]
        self._ended: dict[str, Event] = {}
        self._lock = Lock()

    def deploy(self, name: str, definition: str, substitutions: Mapping[str, str]) -> str:
        """Create a workflow and return its ARN.

        Raises ``DefinitionRefused`` for a name that AWS refuses or that is taken, a ``${Name}`` without a substitution,
        JSONata or variables; ``botocore.exceptions.ClientError`` for what is not Amazon States Language.
        """
        if reason := refusal(name):
            raise DefinitionRefused(reason)
        if any(machine.name == name for machine in self._backend.state_machines):
            raise DefinitionRefused(f"a workflow named {name} is deployed already")
        rendered = render(definition, substitutions)
        check(rendered)
        created = self._client.create_state_machine(name=name, definition=rendered, roleArn=_ROLE_ARN)
        return str(created["stateMachineArn"])

    def start(self, arguments: Mapping[str, str]) -> str:
        """Call StartExecution and return the execution's ARN."""
        return str(self._client.start_execution(**arguments)["executionArn"])

    def executions(self) -> tuple[Execution, ...]:
        """List every execution of every workflow, in the order in which they were started."""
        engine = [execution for machine in self._backend.state_machines for execution in machine.executions]
        return tuple(sorted(map(Execution.read, engine), key=lambda execution: execution.started_at))

    def execution(self, execution_arn: str) -> Execution:
        """Read one execution."""
        return Execution.read(self._backend.describe_execution(execution_arn))

    def wait(self, execution_arn: str, timeout_seconds: float) -> Execution:
        """Wait until an execution has ended and its event was delivered; real time.

        Raises ``ExecutionUnfinished`` after ``timeout_seconds``.
        """
        if self.has_ended(execution_arn, timeout_seconds):
            return self.execution(execution_arn)
        execution = self.execution(execution_arn)
        raise ExecutionUnfinished(
            f"{execution.name} is {execution.status} after {timeout_seconds} s; it entered {execution.state_names}"
        )

    def has_ended(self, execution_arn: str, timeout_seconds: float = 0) -> bool:
        """Tell whether an execution has ended, waiting for it at most so long."""
        return self._end_of(execution_arn).wait(timeout_seconds)

    def stop(self, execution_arn: str) -> None:
        """Call StopExecution: the execution becomes ABORTED as soon as its current state lets go."""
        self._client.stop_execution(executionArn=execution_arn)

    def stop_all(self) -> None:
        """Abort what still runs and wait a moment for it."""
        running = [execution.arn for execution in self.executions() if execution.status == "RUNNING"]
        for execution_arn in running:
            self.stop(execution_arn)
        for execution_arn in running:
            self.has_ended(execution_arn, SECONDS_TO_END)

    def ended(self, engine_execution: Any) -> None:
        """Take note of an execution that just ended."""
        execution = Execution.read(engine_execution)
        try:
            self._events.deliver(execution)
        finally:
            self._end_of(execution.arn).set()

    def _end_of(self, execution_arn: str) -> Event:
        with self._lock:
            return self._ended.setdefault(execution_arn, Event())


def refuse_as_on_aws(patches: Patches) -> None:
    """Have StartExecution refuse a name or an input that AWS refuses."""

    def start_execution(
        self: Any, state_machine_arn: str, name: Any = None, execution_input: Any = None, trace_header: Any = None
    ) -> Any:
        if reason := refusal(name):
            raise InvalidName(f"Invalid Name: {reason}")
        if len((execution_input or "").encode()) > MAX_INPUT_BYTES:
            raise ValidationException(f"the input of {name} is larger than {MAX_INPUT_BYTES} bytes")
        return original_start(self, state_machine_arn, name, execution_input, trace_header)

    original_start = patches.method(StepFunctionsParserBackend, "start_execution", start_execution)
