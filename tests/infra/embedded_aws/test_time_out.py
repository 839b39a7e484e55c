"""A function that times out is gone from that moment on, and its caller sees what Lambda says of it."""

import json
from collections.abc import Iterator
from threading import Thread
from typing import Any

import boto3
import httpx
import pytest

from infra.local.embedded_aws.calls import Call, Effect, ServiceCalls, undisturbed
from infra.local.embedded_aws.functions.functions import FunctionError, Functions, Handler, Hooks, Invocation, Outcome
from infra.local.embedded_aws.loopback import serve
from tests.infra.conftest import Account, invoke

CAUGHT: dict[str, Any] = {"Type": "Pass", "End": True}


@pytest.fixture
def current(account: Account) -> Iterator[list[Invocation]]:
    """The invocations so far, of which a hook can time out the last."""
    invocations: list[Invocation] = []
    before = account.aws.hooks.before_invoke
    account.aws.hooks.before_invoke = invocations.append
    yield invocations
    account.aws.hooks.before_invoke = before
    account.aws.around_calls(undisturbed)


def put(account: Account, key: str) -> None:
    boto3.client("dynamodb").put_item(TableName=account.aws.table_name, Item={"pk": {"S": key}, "sk": {"S": key}})


def is_there(account: Account, key: str) -> bool:
    key_ = {"pk": {"S": key}, "sk": {"S": key}}
    return "Item" in boto3.client("dynamodb").get_item(TableName=account.aws.table_name, Key=key_)


def time_out(current: list[Invocation], operation: str, *, after: bool) -> Any:
    """Have the last invocation time out at its first call of an operation, before or after its effect."""
    left = [operation]

    def around(call: Call, effect: Effect) -> None:
        due = call.operation in left
        if due:
            left.clear()
        if not due or after:
            effect()
        if due:
            current[-1].time_out()

    return around


@pytest.mark.parametrize("after", [False, True])
def test_nothing_that_a_function_does_after_its_time_out_takes_effect(
    account: Account, current: list[Invocation], after: bool
) -> None:
    """Documentation page "Configure Lambda function timeout": Lambda stops the function."""
    prefix = f"cut-{after}"

    def handler(_event: Any, _context: Any) -> None:
        try:
            put(account, f"{prefix}-first")
            put(account, f"{prefix}-second")
        except Exception:  # noqa: BLE001 - a function that will not be stopped
            put(account, f"{prefix}-rescue")
        finally:
            put(account, f"{prefix}-tidy")

    account.handlers["work"] = handler
    account.aws.around_calls(time_out(current, "PutItem", after=after))
    execution = account.run({"Go": invoke("work")})
    assert (execution.status, execution.error) == ("FAILED", "Sandbox.Timedout")
    assert is_there(account, f"{prefix}-first") is after
    assert not any(is_there(account, f"{prefix}-{name}") for name in ("second", "rescue", "tidy"))


def test_a_function_times_out_while_another_machine_answers_it(account: Account, current: list[Invocation]) -> None:
    """Documentation page "Configure Lambda function timeout": what was sent arrives, what was not never will."""
    seen: list[str] = []

    def application(environ: Any, start_response: Any) -> list[bytes]:
        seen.append(environ["PATH_INFO"])
        current[-1].time_out()
        start_response("200 OK", [])
        return [b""]

    with serve(application) as url:

        def handler(_event: Any, _context: Any) -> None:
            try:
                httpx.put(f"{url}/first")
            finally:
                httpx.put(f"{url}/second")

        account.handlers["work"] = handler
        execution = account.run({"Go": invoke("work")})
    assert execution.error == "Sandbox.Timedout"
    assert seen == ["/first"]


def test_a_function_times_out_while_s3_answers_it(account: Account, current: list[Invocation]) -> None:
    """Documentation page "Configure Lambda function timeout"."""
    s3 = boto3.client("s3")

    def handler(_event: Any, _context: Any) -> None:
        for key in ("time-out-1", "time-out-2"):
            s3.put_object(Bucket=account.aws.bucket_name, Key=key, Body=b"x")

    account.handlers["work"] = handler
    account.aws.around_calls(time_out(current, "PutObject", after=True))
    execution = account.run({"Go": invoke("work")})
    assert execution.error == "Sandbox.Timedout"
    listed = s3.list_objects_v2(Bucket=account.aws.bucket_name, Prefix="time-out-")["Contents"]
    assert [entry["Key"] for entry in listed] == ["time-out-1"]


def test_a_workflow_can_retry_and_catch_a_time_out_by_its_name(account: Account, current: list[Invocation]) -> None:
    """Documentation pages "Handle Lambda service exceptions" and "Handling errors in Step Functions workflows"."""
    ran: list[str] = []

    def handler(_event: Any, _context: Any) -> None:
        ran.append("once")
        current[-1].time_out()

    account.handlers["work"] = handler
    retry = [{"ErrorEquals": ["Sandbox.Timedout"], "MaxAttempts": 1}]
    catch = [{"ErrorEquals": ["States.TaskFailed"], "Next": "Caught"}]
    execution = account.run({"Go": invoke("work", Retry=retry, Catch=catch), "Caught": CAUGHT})
    assert execution.state_names == ("Go", "Caught")
    assert ran == ["once", "once"]
    cause = json.loads(execution.output["Cause"])
    assert cause.keys() == {"errorType", "errorMessage"}
    assert cause["errorType"] == "Sandbox.Timedout"
    assert "Task timed out after 900.00 seconds" in cause["errorMessage"]


def functions(hooks: Hooks, handler: Handler) -> Functions:
    return Functions({"work": handler}, ServiceCalls(), hooks, timeout_seconds=3)


@pytest.mark.parametrize("when", ["before_invoke", "after_invoke"])
def test_a_function_can_time_out_before_and_after_its_work(when: str) -> None:
    """Documentation page "Configure Lambda function timeout"."""
    done: list[str] = []

    def time_out_now(invocation: Invocation, *_: Outcome) -> None:
        invocation.time_out()

    with pytest.raises(FunctionError, match=r"Sandbox\.Timedout"):
        functions(Hooks(**{when: time_out_now}), lambda _event, _context: done.append("work")).invoke("work", {})
    assert done == (["work"] if when == "after_invoke" else [])


def test_a_function_that_ignores_its_end_is_ended_all_the_same() -> None:
    """Documentation page "Configure Lambda function timeout"."""
    invocations: list[Invocation] = []

    def handler(_event: Any, _context: Any) -> str:
        try:
            invocations[-1].time_out()
        except BaseException:  # noqa: BLE001 - a function that will not be stopped
            return "went on"
        return "never stopped"

    with pytest.raises(FunctionError, match=r"Sandbox\.Timedout"):
        functions(Hooks(before_invoke=invocations.append), handler).invoke("work", {})


def test_a_function_that_is_over_stays_as_it_ended_and_its_thread_goes_on() -> None:
    """Documentation page "Understanding the Lambda execution environment lifecycle"."""
    invocations: list[Invocation] = []
    lambdas = functions(Hooks(before_invoke=invocations.append), lambda event, _context: event)
    assert lambdas.invoke("work", 1) == 1
    other = Thread(target=invocations[0].time_out)
    other.start()
    other.join()
    invocations[0].time_out()
    assert lambdas.invoke("work", 2) == 2
