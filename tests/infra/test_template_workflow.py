"""The deployed workflow is the file, and what no ``Catch`` sees still closes its round."""

import json
import re

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template import spell, synthesise

FILE = (REPOSITORY / "infra" / "workflows" / "feedback_round.asl.json").read_text()
WORKFLOW = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe-feedback_round"


def test_the_definition_is_the_workflow_file_to_the_letter() -> None:
    assert synthesise().only("AWS::StepFunctions::StateMachine")["DefinitionString"] == FILE


def test_every_placeholder_of_the_file_is_filled_and_no_other() -> None:
    substitutions = synthesise().only("AWS::StepFunctions::StateMachine")["DefinitionSubstitutions"]
    assert set(substitutions) == set(re.findall(r"\$\{(\w+)\}", FILE))


def test_a_state_invokes_the_function_of_its_own_name() -> None:
    template = synthesise()
    machine = template.only("AWS::StepFunctions::StateMachine")
    names = {f"<{name}.Arn>": body["FunctionName"] for name, body in template.of_type("AWS::Lambda::Function").items()}
    for name, state in json.loads(FILE)["States"].items():
        if state.get("Resource") == "arn:aws:states:::lambda:invoke":
            placeholder = state["Parameters"]["FunctionName"].strip("${}")
            function = names[spell(machine["DefinitionSubstitutions"][placeholder])].removeprefix("autoswe-")
            assert name.lower().replace(" ", "_").startswith(function), name


def test_the_task_runs_in_the_networks_two_subnets_behind_its_own_group() -> None:
    machine = synthesise().only("AWS::StepFunctions::StateMachine")
    filled = {name: spell(value) for name, value in machine["DefinitionSubstitutions"].items()}
    assert filled["SubnetA"] == "<NetworkVpctasksSubnet1Subnet>"
    assert filled["SubnetB"] == "<NetworkVpctasksSubnet2Subnet>"
    assert filled["SecurityGroup"] == "<NetworkTasks.GroupId>"
    assert filled["Cluster"] == "<FixerTaskCluster.Arn>"
    assert filled["FixerTask"] == "<FixerTaskDefinition>"


def test_no_task_gets_a_public_address_or_a_shell() -> None:
    for state in json.loads(FILE)["States"].values():
        if "ecs:runTask" in state.get("Resource", ""):
            network = state["Parameters"]["NetworkConfiguration"]["AwsvpcConfiguration"]
            assert network["AssignPublicIp"] == "DISABLED"
            assert not state["Parameters"].get("EnableExecuteCommand")


def test_functions_know_the_workflow_by_the_name_it_is_given() -> None:
    machine = synthesise().only("AWS::StepFunctions::StateMachine")
    assert machine["StateMachineName"] == "autoswe-feedback_round"
    variables = synthesise().functions()["start_workflow"]["Environment"]["Variables"]
    assert spell(variables["AUTOSWE_FEEDBACK_ROUND_ARN"]) == WORKFLOW


def test_every_event_is_logged_but_no_state_because_state_carries_signed_addresses() -> None:
    machine = synthesise().only("AWS::StepFunctions::StateMachine")
    assert machine["LoggingConfiguration"]["Level"] == "ALL"
    assert machine["LoggingConfiguration"]["IncludeExecutionData"] is False
    assert machine["TracingConfiguration"] == {"Enabled": True}


def test_an_execution_that_fails_times_out_or_is_aborted_closes_its_round() -> None:
    template = synthesise()
    rule = template.of_type("AWS::Events::Rule")["FeedbackRoundEndedBadly"]
    pattern = rule["EventPattern"]
    assert pattern["source"] == ["aws.states"]
    assert pattern["detail-type"] == ["Step Functions Execution Status Change"]
    assert sorted(pattern["detail"]["status"]) == ["ABORTED", "FAILED", "TIMED_OUT"]
    assert [spell(arn) for arn in pattern["detail"]["stateMachineArn"]] == [WORKFLOW]
    (target,) = rule["Targets"]
    assert spell(target["Arn"]) == "<RoundcloseroundFunction.Arn>"
    assert "InputTransformer" not in target, "close_round reads the event as EventBridge sends it"


def test_telling_close_round_is_tried_finitely_often_and_then_kept() -> None:
    (target,) = synthesise().of_type("AWS::Events::Rule")["FeedbackRoundEndedBadly"]["Targets"]
    assert target["RetryPolicy"] == {"MaximumEventAgeInSeconds": 3600, "MaximumRetryAttempts": 10}
    assert spell(target["DeadLetterConfig"]["Arn"]) == "<FeedbackRoundUndelivered.Arn>"


@pytest.mark.parametrize(
    ("metric", "what"),
    [
        ("ExecutionsFailed", "a failed round"),
        ("ApproximateNumberOfMessagesVisible", "a round that nobody closed"),
        ("FirewallRuleQueryVolume", "a look-up that was refused"),
        ("IteratorAge", "a stream that is not followed"),
    ],
)
def test_an_operator_is_alarmed_of(metric: str, what: str) -> None:
    alarms = synthesise().of_type("AWS::CloudWatch::Alarm").values()
    assert metric in {alarm["MetricName"] for alarm in alarms}, what
    assert all(alarm["AlarmDescription"] for alarm in alarms)
