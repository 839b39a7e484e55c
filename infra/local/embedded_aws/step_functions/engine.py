"""moto's Step Functions engine, made to behave as on AWS where it does not as shipped, and to tell the local time."""

import datetime
from collections.abc import Callable
from functools import lru_cache
from time import monotonic, sleep
from types import ModuleType, SimpleNamespace
from typing import Any

from moto.stepfunctions.parser import models
from moto.stepfunctions.parser.asl.component.common.error_name import error_equals_decl
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.program.program import Program
from moto.stepfunctions.parser.asl.component.state import state
from moto.stepfunctions.parser.asl.component.state.wait.wait_function import timestamp
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.wait_function import WaitFunction
from moto.stepfunctions.parser.asl.eval.environment import Environment
from moto.stepfunctions.parser.asl.eval.event import event_manager
from moto.stepfunctions.parser.asl.eval.program_state import ProgramStopped, ProgramTimedOut
from moto.stepfunctions.parser.asl.utils import json_path
from moto.stepfunctions.parser.backend import execution
from moto.stepfunctions.parser.backend.execution_worker import ExecutionWorker

from infra.local.embedded_aws.clock import LocalClock
from infra.local.embedded_aws.patches import Patches

_LOOKS_FOR_START = 1_000
_SECONDS_BETWEEN_LOOKS = 0.005
_NEVER_CAUGHT_BY_ALL = ("States.Runtime", "States.DataLimitExceeded")
_TIME_TELLERS: tuple[ModuleType, ...] = (models, state, timestamp, event_manager, execution)


def install(patches: Patches, clock: LocalClock, ended: Callable[[Any], None]) -> None:
    """Patch the engine; ``ended`` gets each of the engine's executions once, right after it ended."""
    _tell_local_time(patches, clock)
    _wait_on_the_clock(patches, clock)
    _end_as_on_aws(patches)
    _catch_as_on_aws(patches)
    _parse_once(patches)

    def terminated(self: Any) -> None:
        original_terminated(self)
        ended(self.execution)

    original_terminated = patches.method(execution.BaseExecutionWorkerCommunication, "terminated", terminated)


def _tell_local_time(patches: Patches, clock: LocalClock) -> None:
    class ClockTime(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override] # a plain one
            return clock.now() if tz else clock.now().replace(tzinfo=None)

    for module in _TIME_TELLERS:
        patches.attribute(module, "datetime", SimpleNamespace(datetime=ClockTime, timezone=datetime.timezone))

    def get_start_execution_details(self: Any) -> Any:
        details = original_details(self)
        details.start_time = details.start_time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return details

    original_details = patches.method(execution.Execution, "get_start_execution_details", get_start_execution_details)


def _wait_on_the_clock(patches: Patches, clock: LocalClock) -> None:
    """Let a Wait or a retry's back-off move the clock, up to the moment at which the state machine times out."""
    deadlines: dict[str, tuple[datetime.datetime, Any]] = {}

    def program_eval(self: Any, env: Any) -> None:
        if self.timeout_seconds and not env.is_frame():
            limit = datetime.timedelta(seconds=self.timeout_seconds.timeout_seconds)
            deadlines[_execution_arn(env)] = (clock.now() + limit, env)
        original_eval(self, env)

    def wait_interval(self: Any, env: Any, wait_seconds: Any) -> None:  # noqa: ARG001 - the engine's signature
        _pause(env, clock.pause_per_wait)
        if not env.is_running():
            return
        deadline, program = deadlines.get(_execution_arn(env), (None, None))
        left = (deadline - clock.now()).total_seconds() if deadline else wait_seconds
        clock.wait(min(wait_seconds, left))
        if program is not None and wait_seconds >= left:
            program.set_timed_out()

    original_eval = patches.method(Program, "eval", program_eval)
    patches.method(WaitFunction, "_wait_interval", wait_interval)
    patches.attribute(retrier_decl, "time", SimpleNamespace(sleep=clock.wait))


def _end_as_on_aws(patches: Patches) -> None:
    """Keep an aborted or timed-out execution what it is, and let one be aborted before its first state."""

    def set_error(self: Any, error: Any) -> None:
        if not isinstance(self.program_state(), ProgramStopped | ProgramTimedOut):
            original_set_error(self, error)

    def stop(self: Any, stop_date: Any, error: Any, cause: Any) -> None:
        for _ in range(_LOOKS_FOR_START):
            if self.env is not None and self.env.program_state() is not None:
                break
            sleep(_SECONDS_BETWEEN_LOOKS)
        original_stop(self, stop_date, error, cause)

    original_set_error = patches.method(Environment, "set_error", set_error)
    original_stop = patches.method(ExecutionWorker, "stop", stop)


def _catch_as_on_aws(patches: Patches) -> None:
    """Hide run-time and data-limit errors from ``States.ALL``."""

    def eval_body(self: Any, env: Any) -> None:
        uncaught = env.stack[-1].error_name in _NEVER_CAUGHT_BY_ALL
        original_eval_body(self, env)
        if uncaught and error_equals_decl.ErrorEqualsDecl._STATE_ALL_ERROR in self.error_names:  # noqa: SLF001
            env.stack[-1] = False

    original_eval_body = patches.method(error_equals_decl.ErrorEqualsDecl, "_eval_body", eval_body)


def _parse_once(patches: Patches) -> None:
    """Parse a definition and each of its paths for the first execution alone; evaluating one changes nothing in it."""
    programs: dict[str, Any] = {}
    patches.attribute(json_path, "parse", lru_cache(maxsize=None)(json_path.parse))

    def get_evaluation_entrypoint(self: Any) -> Any:
        definition = self._evaluation_details.state_machine_details.definition
        if definition not in programs:
            programs[definition] = original_entrypoint(self)
        return programs[definition]

    original_entrypoint = patches.method(ExecutionWorker, "_get_evaluation_entrypoint", get_evaluation_entrypoint)


def _pause(env: Any, seconds: float) -> None:
    """Let real time pass, unless the execution ends meanwhile."""
    end = monotonic() + seconds
    while env.is_running() and (left := end - monotonic()) > 0:
        env.program_state_event.wait(min(left, _SECONDS_BETWEEN_LOOKS))


def _execution_arn(env: Any) -> str:
    return str(env.states.context_object.context_object_data["Execution"]["Id"])
