"""Functions are invoked with Lambda's context, JSON, limits and error shape."""

import json
from typing import Any

import pytest

from infra.local.embedded_aws.calls import ServiceCalls, ServiceFault
from infra.local.embedded_aws.functions.functions import (
    MAX_SYNCHRONOUS_PAYLOAD_BYTES,
    FunctionError,
    Functions,
    Handler,
    Hooks,
    Invocation,
    LambdaContext,
    Outcome,
)


def functions(hooks: Hooks | None = None, **handlers: Handler) -> Functions:
    return Functions(handlers, ServiceCalls(), hooks or Hooks(), timeout_seconds=60)


def failure(handler: Handler) -> FunctionError:
    with pytest.raises(FunctionError) as failed:
        functions(push=handler).invoke("push", {})
    return failed.value


def test_event_and_result_travel_as_json() -> None:
    given: dict[Any, Any] = {"numbers": (1, 2), 3: "three"}
    seen: list[Any] = []

    def handler(event: Any, _context: LambdaContext) -> object:
        seen.append(event)
        event["numbers"].append(3)
        return {"pair": (1, 2)}

    assert functions(push=handler).invoke("push", given) == {"pair": [1, 2]}
    assert seen == [{"numbers": [1, 2, 3], "3": "three"}]
    assert given["numbers"] == (1, 2)


def test_a_handler_learns_who_it_is_and_how_much_time_is_left() -> None:
    contexts: list[LambdaContext] = []
    functions(push=lambda _event, context: contexts.append(context)).invoke("push", {})
    (context,) = contexts
    assert context.function_name == "push"
    assert context.invoked_function_arn == "arn:aws:lambda:eu-west-1:123456789012:function:push"
    assert context.aws_request_id
    assert 0 < context.get_remaining_time_in_millis() <= 60_000


@pytest.mark.parametrize("name", ["push", "arn:aws:lambda:eu-west-1:123456789012:function:push:live"])
def test_a_function_is_found_by_name_and_by_arn(name: str) -> None:
    assert functions(push=lambda _event, _context: 1).invoke(name, {}) == 1


def test_an_exception_is_an_error_named_by_its_class() -> None:
    def handler(_event: Any, _context: LambdaContext) -> None:
        raise LookupError("nothing here")

    error = failure(handler)
    assert error.error_type == "LookupError"
    payload = json.loads(error.payload)
    assert payload.keys() == {"errorType", "errorMessage", "stackTrace"}
    assert (payload["errorType"], payload["errorMessage"]) == ("LookupError", "nothing here")
    assert "nothing here" in payload["stackTrace"][-1]


def test_a_result_that_is_no_json_is_an_error_of_the_runtime() -> None:
    assert failure(lambda _event, _context: object()).error_type == "Runtime.MarshalError"
    assert failure(lambda _event, _context: float("nan")).error_type == "Runtime.MarshalError"
    assert failure(lambda _event, _context: "\ud800").error_type == "Runtime.MarshalError"


def test_a_handler_that_exits_is_an_error_of_the_runtime() -> None:
    def handler(_event: Any, _context: LambdaContext) -> None:
        raise SystemExit(1)

    error = failure(handler)
    assert error.error_type == "Runtime.ExitError"
    assert json.loads(error.payload).keys() == {"errorType", "errorMessage"}


@pytest.mark.parametrize("over", [0, 1])
@pytest.mark.parametrize("character", ["x", "é"])
def test_requests_and_responses_may_have_6_mb(character: str, over: int) -> None:
    """Documentation page "Lambda quotas"."""
    room = MAX_SYNCHRONOUS_PAYLOAD_BYTES - len('""')
    text = character * (room // len(character.encode())) + "x" * over
    lambdas = functions(take=lambda _event, _context: None, give=lambda _event, _context: text)
    if over:
        with pytest.raises(ServiceFault, match="RequestTooLargeException"):
            lambdas.invoke("take", text)
        with pytest.raises(FunctionError, match="ResponseSizeTooLarge"):
            lambdas.invoke("give", None)
    else:
        assert lambdas.invoke("take", text) is None
        assert lambdas.invoke("give", None) == text


def test_hooks_see_each_invocation_and_its_outcome() -> None:
    before: list[Invocation] = []
    after: list[tuple[Invocation, Outcome]] = []
    hooks = Hooks(before.append, lambda invocation, outcome: after.append((invocation, outcome)))
    functions(hooks, push=lambda event, _context: event + 1).invoke("push", 1, state="Push fix", execution="fb-1")
    (invocation,) = before
    assert (invocation.function, invocation.event) == ("push", 1)
    assert (invocation.state, invocation.execution) == ("Push fix", "fb-1")
    ((again, outcome),) = after
    assert again == invocation
    assert (outcome.result, outcome.error) == (2, None)
    assert outcome.seconds >= 0


def test_a_hook_that_raises_before_leaves_the_function_undone_and_after_makes_it_fail_done() -> None:
    done: list[str] = []

    def crash(*_: object) -> None:
        raise ConnectionResetError

    with pytest.raises(FunctionError, match="ConnectionResetError"):
        functions(Hooks(before_invoke=crash), push=lambda _event, _context: done.append("before")).invoke("push", {})
    with pytest.raises(FunctionError, match="ConnectionResetError"):
        functions(Hooks(after_invoke=crash), push=lambda _event, _context: done.append("after")).invoke("push", {})
    assert done == ["after"]
