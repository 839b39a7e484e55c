"""A workflow's execution starts once for each name."""

import json

import pytest
from botocore.exceptions import ClientError

from autoswe.executions.step_functions import WorkflowExecutions
from tests.support.mock_aws import mock_aws, mock_client

DEFINITION = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}


def test_an_execution_gets_its_name_and_input_and_the_second_of_a_name_is_not_started() -> None:
    with mock_aws():
        client = mock_client("stepfunctions")
        arn = client.create_state_machine(
            name="round", definition=json.dumps(DEFINITION), roleArn="arn:aws:iam::123456789012:role/round"
        )["stateMachineArn"]
        executions = WorkflowExecutions(lambda: client, arn)
        assert executions.start("fb-1", '{"decision_id": "d"}') is True
        assert executions.start("fb-1", '{"decision_id": "d"}') is True, "it still runs with this input"
        assert executions.start("fb-1", '{"decision_id": "another"}') is False
        (execution,) = client.list_executions(stateMachineArn=arn)["executions"]
        assert execution["name"] == "fb-1"
        described = client.describe_execution(executionArn=execution["executionArn"])
        assert json.loads(described["input"]) == {"decision_id": "d"}
        assert executions.begin("fb-1", '{"decision_id": "d"}') == execution["executionArn"]
        assert executions.begin("fb-1", "{}") is None


def test_a_workflow_that_does_not_exist_is_no_start() -> None:
    with mock_aws():
        client = mock_client("stepfunctions")
        executions = WorkflowExecutions(lambda: client, "arn:aws:states:eu-west-1:123456789012:stateMachine:nowhere")
        with pytest.raises(ClientError, match="StateMachineDoesNotExist"):
            executions.start("fb-1", "{}")
