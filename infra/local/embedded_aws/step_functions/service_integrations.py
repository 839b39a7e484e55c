"""The tasks of a workflow that reach other services: Lambda, ECS and nested workflows, each in this process."""

# ruff: noqa: ARG001 - a replacement takes what the engine passes, by the engine's names

import json
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from moto.stepfunctions.parser.api import HistoryEventType, TaskFailedEventDetails
from moto.stepfunctions.parser.asl.component.common.error_name.custom_error_name import CustomErrorName
from moto.stepfunctions.parser.asl.component.common.error_name.failure_event import FailureEvent, FailureEventException
from moto.stepfunctions.parser.asl.component.common.error_name.states_error_name import StatesErrorName
from moto.stepfunctions.parser.asl.component.common.error_name.states_error_name_type import StatesErrorNameType
from moto.stepfunctions.parser.asl.component.common.timeouts.timeout import EvalTimeoutError, TimeoutSeconds
from moto.stepfunctions.parser.asl.component.state.exec.execute_state import ExecutionState
from moto.stepfunctions.parser.asl.component.state.exec.state_task.lambda_eval_utils import LambdaFunctionErrorException
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service import StateTaskService
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_callback import (
    StateTaskServiceCallback,
)
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_ecs import (
    StateTaskServiceEcs,
)
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_lambda import (
    StateTaskServiceLambda,
)
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_sfn import (
    StateTaskServiceSfn,
)
from moto.stepfunctions.parser.asl.eval.event.event_detail import EventDetails

from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.ecs.run_task import Tasks
from infra.local.embedded_aws.functions.functions import FunctionError, Functions
from infra.local.embedded_aws.patches import Patches

_SECONDS_BETWEEN_LOOKS = 0.02
_Answer = TypeVar("_Answer")


class Job(Protocol):
    """What a ``.sync`` task waits for."""

    def wait(self, seconds: float) -> bool:
        """Wait until the job has ended, at most so long, and tell whether it has."""
        ...

    def stop(self) -> None:
        """End the job and return when it has ended; one that has ended stays as it is."""
        ...

    @property
    def succeeded(self) -> bool:
        """Whether the job did what it was for."""
        ...

    def describe(self) -> dict[str, Any]:
        """Describe the job as the workflow sees it."""
        ...


class _Abandoned(Exception):
    """The state that waited for a job is over: timed out, aborted, or its workflow failed elsewhere."""


def install(
    patches: Patches,
    functions: Functions,
    tasks: Tasks,
    nested_execution: Callable[[str], Job],
    start_execution: Callable[[dict[str, str]], str],
    task_timeout_seconds: float | None,
) -> None:
    """Connect the engine's task states to this process.

    ``nested_execution`` finds an execution by ARN; ``start_execution`` starts one by the arguments of StartExecution
    and returns its ARN; ``task_timeout_seconds`` replaces the time-out of every ECS task.
    """
    _invoke_functions(patches, functions)
    _run_tasks(patches, tasks, task_timeout_seconds)
    _start_nested(patches, nested_execution, start_execution)
    _wait_for_jobs(patches)


def _invoke_functions(patches: Patches, functions: Functions) -> None:
    def eval_service_task(
        self: Any,
        env: Any,
        resource_runtime_part: Any,
        normalised_parameters: Any,
        state_credentials: Any,
    ) -> None:
        event = json.loads(normalised_parameters.get("Payload") or b"{}")
        execution = env.states.context_object.context_object_data["Execution"]["Name"]
        try:
            result = _answered(
                self,
                env,
                "Lambda",
                lambda: functions.invoke(
                    normalised_parameters["FunctionName"], event, state=self.name, execution=execution
                ),
            )
        except FunctionError as error:
            raise LambdaFunctionErrorException("Unhandled", error.payload) from error
        env.stack.append({"ExecutedVersion": "$LATEST", "Payload": result, "StatusCode": 200})

    patches.method(StateTaskServiceLambda, "_eval_service_task", eval_service_task)


def _run_tasks(patches: Patches, tasks: Tasks, task_timeout_seconds: float | None) -> None:
    def eval_service_task(
        self: Any,
        env: Any,
        resource_runtime_part: Any,
        normalised_parameters: Any,
        state_credentials: Any,
    ) -> None:
        task = _answered(self, env, "ECS", lambda: tasks.run_task(normalised_parameters))
        env.stack.append({"Tasks": [task.describe()], "Failures": []})

    def build_sync_resolver(
        self: Any,
        env: Any,
        resource_runtime_part: Any,
        normalised_parameters: Any,
        state_credentials: Any,
    ) -> Job:
        return tasks.task(env.stack.pop()["Tasks"][0]["TaskArn"])

    def from_state_props(self: Any, state_props: Any) -> None:
        original_from_state_props(self, state_props)
        if task_timeout_seconds is not None and isinstance(self, StateTaskServiceEcs):
            self.timeout = TimeoutSeconds(timeout_seconds=task_timeout_seconds)

    patches.method(StateTaskServiceEcs, "_eval_service_task", eval_service_task)
    patches.method(StateTaskServiceEcs, "_build_sync_resolver", build_sync_resolver)
    original_from_state_props = patches.method(StateTaskService, "from_state_props", from_state_props)


def _start_nested(
    patches: Patches, nested_execution: Callable[[str], Job], start_execution: Callable[[dict[str, str]], str]
) -> None:
    def eval_service_task(
        self: Any,
        env: Any,
        resource_runtime_part: Any,
        normalised_parameters: Any,
        state_credentials: Any,
    ) -> None:
        arguments = {name[0].lower() + name[1:]: value for name, value in normalised_parameters.items()}
        env.stack.append({"ExecutionArn": start_execution(arguments)})

    def build_sync2_resolver(
        self: Any,
        env: Any,
        resource_runtime_part: Any,
        normalised_parameters: Any,
        state_credentials: Any,
    ) -> Job:
        return nested_execution(env.stack.pop()["ExecutionArn"])

    patches.method(StateTaskServiceSfn, "_eval_service_task", eval_service_task)
    patches.method(StateTaskServiceSfn, "_build_sync2_resolver", build_sync2_resolver)


def _wait_for_jobs(patches: Patches) -> None:
    """Wait for a job without polling the service, and end it with the state that waits for it."""
    jobs: dict[str, Job] = {}

    def eval_sync(
        self: Any,
        env: Any,
        sync_resolver: Any,
        timeout_seconds: Any,
        callback_endpoint: Any,
        heartbeat_endpoint: Any,
    ) -> Any:
        job: Job = sync_resolver
        jobs[_task_token(env)] = job
        while env.is_running():
            if job.wait(_SECONDS_BETWEEN_LOOKS):
                description = job.describe()
                if job.succeeded:
                    return description
                raise _failure(self, env, "States.TaskFailed", json.dumps(description))
        job.stop()
        raise _Abandoned

    def evaluate_with_timeout(self: Any, env: Any) -> None:
        try:
            original_evaluate(self, env)
        except _Abandoned:
            if env.is_running():  # a time-out, of which the engine has not taken note yet
                raise EvalTimeoutError from None
        finally:
            if job := jobs.pop(_task_token(env), None):
                job.stop()

    patches.method(StateTaskServiceCallback, "_eval_sync", eval_sync)
    original_evaluate = patches.method(ExecutionState, "_evaluate_with_timeout", evaluate_with_timeout)


def _answered(task: Any, env: Any, service: str, request: Callable[[], _Answer]) -> _Answer:
    """Turn a service's refusal, or a broken connection to it, into the error that Retry and Catch see."""
    try:
        return request()
    except ServiceFault as fault:
        raise _failure(task, env, f"{service}.{fault.code}", fault.message) from fault
    except ConnectionError as broken:
        raise _failure(task, env, f"{service}.SdkClientException", str(broken)) from broken


def _failure(task: Any, env: Any, error: str, cause: str) -> FailureEventException:
    predefined = error.startswith("States.")
    return FailureEventException(
        FailureEvent(
            env=env,
            error_name=StatesErrorName(StatesErrorNameType.from_name(error)) if predefined else CustomErrorName(error),
            event_type=HistoryEventType.TaskFailed,
            event_details=EventDetails(
                taskFailedEventDetails=TaskFailedEventDetails(
                    error=error,
                    cause=cause,
                    resource=task._get_sfn_resource(),  # noqa: SLF001 - the engine's classes are being extended
                    resourceType=task._get_sfn_resource_type(),  # noqa: SLF001
                )
            ),
        )
    )


def _task_token(env: Any) -> str:
    task = env.states.context_object.context_object_data.get("Task") or {}
    return str(task.get("Token", ""))
