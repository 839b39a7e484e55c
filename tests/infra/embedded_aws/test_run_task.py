"""RunTask takes what ECS takes, and may start nothing at all."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.embedded_aws.calls import Call, Effect, undisturbed
from infra.local.embedded_aws.faults import NO_CAPACITY, run_task_failure
from tests.infra.conftest import Account, run_task

CAUGHT: dict[str, Any] = {"Type": "Pass", "End": True}


@pytest.fixture(autouse=True)
def undo(account: Account) -> Iterator[None]:
    yield
    account.aws.around_calls(undisturbed)


def with_variable(variable: dict[str, Any]) -> dict[str, Any]:
    state = run_task("")
    state["Parameters"]["Overrides"]["ContainerOverrides"][0]["Environment"].append(variable)
    return state


@pytest.mark.parametrize(
    "name",
    [
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "AWS_EXECUTION_ENV",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "ECS_CONTAINER_METADATA_URI_V4",
        "ECS_AGENT_URI",
    ],
)
def test_a_variable_that_fargate_sets_itself_cannot_be_overridden(account: Account, name: str) -> None:
    """Documentation page "Amazon ECS environment variables"."""
    before = len(account.aws.tasks.started)
    execution = account.run({"Run": with_variable({"Name": name, "Value": "x"})})
    assert execution.error == "ECS.InvalidParameterException"
    assert len(account.aws.tasks.started) == before


@pytest.mark.parametrize("variable", [{"Name": "", "Value": "x"}, {"Value": "x"}, {"Name": "N"}])
def test_a_variable_needs_a_name_and_a_value(account: Account, variable: dict[str, Any]) -> None:
    """Documentation page "KeyValuePair" of the Amazon ECS API."""
    assert account.run({"Run": with_variable(variable)}).error == "ECS.InvalidParameterException"


def test_a_retry_after_a_lost_reply_runs_a_second_task(account: Account) -> None:
    """Documentation page "Run Amazon ECS or Fargate tasks with Step Functions": there is no client token to give."""
    lost = [ConnectionError("lost")]

    def lose_first(call: Call, effect: Effect) -> None:
        effect()
        if call.operation == "RunTask" and lost:
            raise lost.pop()

    account.aws.around_calls(lose_first)
    before = len(account.aws.tasks.started)
    retry = [{"ErrorEquals": ["ECS.SdkClientException"], "MaxAttempts": 1}]
    assert account.run({"Run": run_task("", Retry=retry)}).status == "SUCCEEDED"
    assert len(account.aws.tasks.started) == before + 2


def test_a_lack_of_capacity_starts_nothing_and_can_be_retried_by_its_name(account: Account) -> None:
    """AWS Knowledge Center: "How do I troubleshoot an Amazon ECS RunTask API ... 'Capacity is unavailable' error?"."""
    failures = [run_task_failure(), run_task_failure("RESOURCE:ENI")]

    def scarce(call: Call, effect: Effect) -> None:
        if call.operation == "RunTask" and failures:
            raise failures.pop(0)
        effect()

    account.aws.around_calls(scarce)
    before = len(account.aws.tasks.started)
    catch = [{"ErrorEquals": ["ECS.AmazonECSException"], "Next": "Caught"}]
    caught = account.run({"Run": run_task("", Catch=catch), "Caught": CAUGHT})
    assert json.loads(caught.output["Cause"]) == {"Failures": [{"Reason": NO_CAPACITY}], "Tasks": []}
    assert len(account.aws.tasks.started) == before
    retry = [{"ErrorEquals": ["ECS.AmazonECSException"], "MaxAttempts": 1}]
    assert account.run({"Run": run_task("", Retry=retry)}).status == "SUCCEEDED"
    assert len(account.aws.tasks.started) == before + 1
