"""Lambda: handlers called in this process, with the runtime's JSON, limits, time-out and error shape."""

import json
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from uuid import uuid4

from infra.local.embedded_aws.account import arn, function_name
from infra.local.embedded_aws.calls import ServiceCalls, ServiceFault
from infra.local.embedded_aws.functions.cut_off import CutOff, running

MAX_SYNCHRONOUS_PAYLOAD_BYTES = 6 * 1024 * 1024


@dataclass(frozen=True)
class LambdaContext:
    """What a handler learns about its own invocation."""

    function_name: str
    timeout_seconds: float
    aws_request_id: str
    memory_limit_in_mb: int = 512
    function_version: str = "$LATEST"
    started: float = field(default_factory=monotonic, repr=False)

    @property
    def invoked_function_arn(self) -> str:
        """The function's ARN."""
        return arn("lambda", f"function:{self.function_name}")

    def get_remaining_time_in_millis(self) -> int:
        """Tell how much real time is left before the function's time-out, at least 0."""
        return max(0, int((self.timeout_seconds - (monotonic() - self.started)) * 1000))


Handler = Callable[[Any, LambdaContext], object]


@dataclass(frozen=True)
class Invocation:
    """One invocation as hooks see it; ``state`` and ``execution`` name the workflow state that invokes, if one does.

    ``time_out`` ends the function as its time-out would, wherever it stands; it may be called from any hook or thread.
    What the function asks for afterwards does not happen. It does nothing once the function is over.
    """

    function: str
    event: Any
    request_id: str
    state: str | None = None
    execution: str | None = None
    time_out: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)


@dataclass(frozen=True)
class Outcome:
    """What became of an invocation: a result or an error, and the real seconds it took."""

    result: object
    error: Exception | None
    seconds: float


class FunctionError(Exception):
    """A handler failed; ``error_type`` is what Retry and Catch see, ``payload`` the runtime's JSON.

    A failure of the sandbox instead of the handler has no stack trace.
    """

    def __init__(self, error_type: str, message: str, stack_trace: list[str] | None = None) -> None:
        super().__init__(f"{error_type}: {message}")
        self.error_type = error_type
        payload: dict[str, object] = {"errorMessage": message, "errorType": error_type}
        if stack_trace is not None:
            payload["stackTrace"] = stack_trace
        self.payload = json.dumps(payload)


def _unwatched(*_: object) -> None:
    """Let an invocation pass."""


@dataclass
class Hooks:
    """Called around each invocation; what one raises is the function's own failure, before or after its effect.

    ``after_invoke`` is not called for a function that was timed out before.
    """

    before_invoke: Callable[[Invocation], None] = _unwatched
    after_invoke: Callable[[Invocation, Outcome], None] = _unwatched


class Functions:
    """The account's Lambda functions."""

    def __init__(
        self, handlers: Mapping[str, Handler], calls: ServiceCalls, hooks: Hooks, timeout_seconds: float
    ) -> None:
        self._handlers = handlers
        self._calls = calls
        self._hooks = hooks
        self._timeout_seconds = timeout_seconds

    def __contains__(self, name: object) -> bool:
        return name in self._handlers

    def invoke(self, name_or_arn: str, event: object, *, state: str | None = None, execution: str | None = None) -> Any:
        """Invoke a function synchronously and return its result as JSON carries it.

        Raises ``FunctionError`` with the exception's class name when the handler fails, with ``Runtime.MarshalError``
        when its result is no JSON, ``Function.ResponseSizeTooLarge`` when it is larger than 6 MB, ``Runtime.ExitError``
        when the handler exits and ``Sandbox.Timedout`` when it was timed out; raises ``ServiceFault`` when Lambda
        refuses: no such function, or a request larger than 6 MB (AWS Lambda: "Invoke", "Lambda quotas").
        """
        return self._calls.perform("lambda", "Invoke", lambda: self._run(name_or_arn, event, state, execution))

    def _run(self, name_or_arn: str, event: object, state: str | None, execution: str | None) -> Any:
        name = function_name(name_or_arn)
        handler = self._handlers.get(name)
        if handler is None:
            raise ServiceFault("ResourceNotFoundException", f"Function not found: {name}", 404)
        request = json.dumps(event, ensure_ascii=False)
        if len(request.encode(errors="surrogatepass")) > MAX_SYNCHRONOUS_PAYLOAD_BYTES:
            raise ServiceFault("RequestTooLargeException", f"the request to {name} is larger than 6 MB", 413)
        return json.loads(self._respond(name, handler, request, state, execution))

    def _respond(self, name: str, handler: Handler, request: str, state: str | None, execution: str | None) -> str:
        context = LambdaContext(name, self._timeout_seconds, str(uuid4()))
        invocation = Invocation(name, json.loads(request), context.aws_request_id, state, execution)
        try:
            with running() as run:
                invocation = replace(invocation, time_out=run.cut_off)
                return self._called(handler, json.loads(request), context, invocation)
        except FunctionError:
            raise
        except CutOff as cut_off:
            seconds = f"{self._timeout_seconds:.2f} seconds"
            message = f"RequestId: {invocation.request_id} Error: Task timed out after {seconds}"
            raise FunctionError("Sandbox.Timedout", message) from cut_off
        except SystemExit as exit_:
            message = f"RequestId: {invocation.request_id} Error: Runtime exited with error: exit status {exit_.code}"
            raise FunctionError("Runtime.ExitError", message) from exit_
        except Exception as error:
            raise FunctionError(type(error).__name__, str(error), traceback.format_tb(error.__traceback__)) from error

    def _called(self, handler: Handler, event: object, context: LambdaContext, invocation: Invocation) -> str:
        self._hooks.before_invoke(invocation)
        try:
            result = handler(event, context)
        except Exception as error:
            self._hooks.after_invoke(invocation, Outcome(None, error, monotonic() - context.started))
            raise
        self._hooks.after_invoke(invocation, Outcome(result, None, monotonic() - context.started))
        return _marshal(invocation.function, result)


def _marshal(name: str, result: object) -> str:
    try:
        response = json.dumps(result, allow_nan=False, ensure_ascii=False)
        size = len(response.encode())
    except (TypeError, ValueError) as error:
        raise FunctionError("Runtime.MarshalError", f"the result of {name} is no JSON: {error}", []) from error
    if size > MAX_SYNCHRONOUS_PAYLOAD_BYTES:
        raise FunctionError("Function.ResponseSizeTooLarge", f"the response of {name} is larger than 6 MB", [])
    return response
