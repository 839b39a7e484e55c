"""Every request to a service can fail before or after its effect, and its caller sees what AWS would show."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError

from infra.local.embedded_aws.calls import Around, Call, Effect, ServiceCalls, ServiceFault, undisturbed
from tests.infra.conftest import Account, invoke, run_task

ONCE = Config(retries={"total_max_attempts": 1})
IMPATIENT = Config(retries={"mode": "standard", "total_max_attempts": 3})
CAUGHT: dict[str, Any] = {"Type": "Pass", "End": True}


@pytest.fixture(autouse=True)
def undo(account: Account) -> Iterator[None]:
    yield
    account.aws.around_calls(undisturbed)


def fail(operation: str, error: Exception, *, after: bool = False, times: int = 99) -> Around:
    """Have an operation fail, before or after its effect, so many times."""
    left = [error] * times

    def around(call: Call, effect: Effect) -> None:
        fault = left.pop() if call.operation == operation and left else None
        if fault is None or after:
            effect()
        if fault is not None:
            raise fault

    return around


def put(account: Account, key: str, config: Config = ONCE) -> None:
    boto3.client("dynamodb", config=config).put_item(
        TableName=account.aws.table_name,
        Item={"pk": {"S": key}, "sk": {"S": key}},
        ConditionExpression="attribute_not_exists(pk)",
    )


def is_there(account: Account, key: str) -> bool:
    answer = boto3.client("dynamodb").get_item(
        TableName=account.aws.table_name, Key={"pk": {"S": key}, "sk": {"S": key}}
    )
    return "Item" in answer


def test_an_error_before_the_effect_reaches_the_client_and_nothing_happened(account: Account) -> None:
    account.aws.around_calls(fail("PutItem", ServiceFault("InternalServerError", "sorry", 500)))
    with pytest.raises(ClientError) as failed:
        put(account, "before")
    assert failed.value.response["Error"] == {"Code": "InternalServerError", "Message": "sorry"}
    assert failed.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
    assert not is_there(account, "before")


@pytest.mark.parametrize("code", ["ThrottlingException", "ProvisionedThroughputExceededException"])
def test_a_throttled_request_is_repeated_by_the_client_and_succeeds(account: Account, code: str) -> None:
    account.aws.around_calls(fail("PutItem", ServiceFault(code), times=1))
    account.aws.calls.clear()
    put(account, f"throttled-{code}", IMPATIENT)
    assert account.aws.calls == [Call("dynamodb", "PutItem")] * 2


def test_a_lost_reply_means_the_effect_happened_and_the_connection_broke(account: Account) -> None:
    account.aws.around_calls(fail("PutItem", ConnectionError("lost"), after=True))
    with pytest.raises(ConnectionClosedError):
        put(account, "lost")
    assert is_there(account, "lost")


def test_a_lost_reply_to_a_conditional_put_makes_the_clients_own_repetition_fail_the_condition(
    account: Account,
) -> None:
    account.aws.around_calls(fail("PutItem", ConnectionError("lost"), after=True, times=1))
    with pytest.raises(ClientError) as failed:
        put(account, "repeated", IMPATIENT)
    assert failed.value.response["Error"]["Code"] == "ConditionalCheckFailedException"


def test_s3_can_fail_over_http_too(account: Account) -> None:
    s3 = boto3.client("s3", config=ONCE)
    account.aws.around_calls(fail("PutObject", ServiceFault("SlowDown", "slow down", 503), times=1))
    with pytest.raises(ClientError) as failed:
        s3.put_object(Bucket=account.aws.bucket_name, Key="slow", Body=b"x")
    assert failed.value.response["Error"]["Code"] == "SlowDown"
    account.aws.around_calls(fail("PutObject", ConnectionError("lost"), after=True, times=1))
    with pytest.raises(ConnectionClosedError):
        s3.put_object(Bucket=account.aws.bucket_name, Key="lost", Body=b"x")
    assert s3.get_object(Bucket=account.aws.bucket_name, Key="lost")["Body"].read() == b"x"


@pytest.mark.parametrize(
    ("operation", "fault", "error"),
    [
        ("Invoke", ServiceFault("TooManyRequestsException"), "Lambda.TooManyRequestsException"),
        ("Invoke", ConnectionError("broken"), "Lambda.SdkClientException"),
        ("RunTask", ServiceFault("ServerException"), "ECS.ServerException"),
        ("RunTask", ConnectionError("broken"), "ECS.SdkClientException"),
    ],
)
def test_a_workflow_can_catch_a_service_error_by_its_name(
    account: Account, operation: str, fault: Exception, error: str
) -> None:
    account.handlers["push"] = lambda _event, _context: None
    catch = [{"ErrorEquals": [error], "Next": "Caught"}]
    state = invoke("push", Catch=catch) if operation == "Invoke" else run_task("", Catch=catch)
    account.aws.around_calls(fail(operation, fault, times=1))
    execution = account.run({"Go": state, "Caught": CAUGHT})
    assert execution.state_names == ("Go", "Caught")


def test_a_retry_of_a_function_whose_reply_was_lost_does_its_work_twice(account: Account) -> None:
    done: list[object] = []
    account.handlers["push"] = lambda event, _context: done.append(event)
    account.aws.around_calls(fail("Invoke", ServiceFault("ServiceException", status=500), after=True, times=1))
    account.run({"Go": invoke("push", Retry=[{"ErrorEquals": ["Lambda.ServiceException"]}])})
    assert len(done) == 2


def test_starting_an_execution_and_a_task_are_recorded_with_what_they_call(account: Account) -> None:
    account.handlers["push"] = lambda _event, _context: None
    arn = account.begin({"Go": invoke("push", Next="Run"), "Run": run_task("")})
    account.aws.wait(arn)
    assert account.aws.calls[-3:] == [
        Call("stepfunctions", "StartExecution"),
        Call("lambda", "Invoke"),
        Call("ecs", "RunTask"),
    ]


def test_a_hook_that_does_nothing_at_all_is_a_mistake() -> None:
    calls = ServiceCalls()
    calls.around = lambda _call, _effect: None
    with pytest.raises(RuntimeError, match="neither performed dynamodb PutItem nor raised a fault"):
        calls.perform("dynamodb", "PutItem", lambda: 1)
