"""Executions are named, started and fed as Step Functions allows it, to the byte."""

import json
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local.embedded_aws.step_functions.execution_events import status_change
from infra.local.embedded_aws.step_functions.payload_sizes import fits
from tests.infra.conftest import Account, invoke

KIB = 1024
LIMIT = 256 * KIB
CATCH = [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]
CAUGHT: dict[str, Any] = {"Type": "Pass", "End": True}
SUCCEED = '{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}'


def text_of(json_bytes: int) -> str:
    """Make a text that has so many bytes as JSON."""
    return "x" * (json_bytes - 2)


@pytest.mark.parametrize(
    ("value", "size"),
    [(text_of(LIMIT), LIMIT), ("é" * (LIMIT // 2 - 1), LIMIT), ({"a": [1, text_of(LIMIT - 10)]}, LIMIT)],
)
def test_a_payload_is_counted_as_utf_8_json_without_blanks(value: object, size: int) -> None:
    """Documentation page "Step Functions service quotas"."""
    assert size == LIMIT
    assert fits(value)
    assert not fits([value])


@pytest.mark.parametrize("over", [0, 1])
def test_an_execution_may_be_started_with_256_kib(account: Account, over: int) -> None:
    """Documentation page "StartExecution", input."""
    arn = account.aws.deploy(f"input-{over}", SUCCEED, {})
    given = json.dumps(text_of(LIMIT + over))
    if not over:
        assert account.aws.wait(account.aws.start(arn, "large", given)).status == "SUCCEEDED"
        return
    with pytest.raises(ClientError) as refused:
        account.aws.start(arn, "large", given)
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    with pytest.raises(ClientError):
        account.aws.start(arn, "accents", json.dumps("é" * (LIMIT // 2), ensure_ascii=False))


@pytest.mark.parametrize("over", [0, 1])
def test_a_tasks_result_may_have_256_kib_and_states_all_catches_no_excess(account: Account, over: int) -> None:
    """Documentation pages "Step Functions service quotas" and "Handling errors in Step Functions workflows"."""
    frame = len('{"ExecutedVersion":"$LATEST","Payload":"","StatusCode":200}')
    account.handlers["large"] = lambda _event, _context: "x" * (LIMIT - frame + over)
    execution = account.run({"Go": invoke("large", Catch=CATCH), "Caught": CAUGHT})
    assert execution.error == ("States.DataLimitExceeded" if over else None)
    assert execution.state_names == ("Go",)


def test_a_states_output_above_256_kib_fails_the_execution(account: Account) -> None:
    """Documentation page "Handling errors in Step Functions workflows", States.DataLimitExceeded."""
    doubled = {"Type": "Pass", "Parameters": {"a.$": "$.text", "b.$": "$.text"}, "Next": "Next"}
    execution = account.run({"Double": doubled, "Next": CAUGHT}, {"text": text_of(LIMIT // 2 + KIB)})
    assert (execution.status, execution.error) == ("FAILED", "States.DataLimitExceeded")
    assert execution.state_names == ("Double",)


def test_a_tasks_parameters_above_256_kib_reach_no_function(account: Account) -> None:
    """Documentation page "Step Functions service quotas": input and output of a task."""
    called: list[Any] = []
    account.handlers["take"] = lambda event, _context: called.append(event)
    state = invoke("take", Catch=CATCH)
    state["Parameters"]["Payload"] = {"a.$": "$.text", "b.$": "$.text"}
    del state["Parameters"]["Payload.$"]
    execution = account.run({"Go": state, "Caught": CAUGHT}, {"text": text_of(LIMIT // 2 + KIB)})
    assert execution.error == "States.DataLimitExceeded"
    assert called == []


@pytest.mark.parametrize("name", ["a" * 81, *(f"fb{c}1" for c in '<>{}[]?*"#%\\^|~`$&,;:/ \t\n\x7f\x9f')])
def test_a_name_that_is_too_long_or_has_a_character_that_is_not_allowed_starts_nothing(
    account: Account, name: str
) -> None:
    """Documentation page "StartExecution", name."""
    arn = account.aws.deploy(f"refused-{next(account.numbers)}", SUCCEED, {})
    with pytest.raises(ClientError, match="InvalidName"):
        account.aws.start(arn, name, "{}")
    assert boto3.client("stepfunctions").list_executions(stateMachineArn=arn)["executions"] == []


def test_a_name_of_80_characters_that_are_allowed_starts_an_execution(account: Account) -> None:
    """Documentation page "StartExecution", name."""
    arn = account.aws.deploy("longest-name", SUCCEED, {})
    name = "fb-(é)!@'+=._" + "a" * 67
    assert account.aws.wait(account.aws.start(arn, name, "{}")).name == name


def test_an_event_leaves_out_an_input_that_is_too_large_for_it(account: Account) -> None:
    """Documentation page "Automating Step Functions event delivery with EventBridge": 248 KiB, escaped."""
    fail = {"Fail": {"Type": "Fail", "Error": "Broken"}}
    small, large = (account.run(fail, {"text": text_of(size)}) for size in (240 * KIB, 250 * KIB))
    quoted = account.run(fail, {"text": '"' * 100 * KIB})
    details = [status_change(execution)["detail"] for execution in (small, large, quoted)]
    assert [detail["inputDetails"] for detail in details] == [
        {"included": True},
        {"included": False},
        {"included": False},
    ]
    assert json.loads(details[0]["input"]) == small.input
    assert details[1]["input"] is details[2]["input"] is None
    assert details[0]["output"] is details[0]["outputDetails"] is None


def test_an_event_leaves_out_an_output_that_is_too_large_for_it(account: Account) -> None:
    """Documentation page "Automating Step Functions event delivery with EventBridge"."""
    done = {"Done": {"Type": "Pass", "End": True}}
    detail = status_change(account.run(done, {"text": text_of(250 * KIB)}))["detail"]
    assert detail["outputDetails"] == {"included": False}
    assert detail["output"] is None
