"""Each deployed workflow is its file, and what no ``Catch`` sees still closes what it began."""

import re

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template.built import spell, synthesise
from tests.support.workflow_files import every_state

FILES = {path.name.partition(".")[0]: path for path in (REPOSITORY / "infra" / "workflows").glob("*.asl.json")}
WORKFLOW = "arn:aws:states:REGION:ACCOUNT:stateMachine:autoswe"
CLOSING = [
    ("feedback_round", "FeedbackRound", "RoundcloseroundFunction"),
    ("scheduled_review", "ScheduledReview", "ReviewreportrunFunction"),
]
"""Each workflow with its construct, and the function that is told of its bad ends."""


def test_every_workflow_file_is_deployed_and_nothing_else() -> None:
    machines = synthesise().of_type("AWS::StepFunctions::StateMachine").values()
    assert {machine["StateMachineName"] for machine in machines} == {f"autoswe-{name}" for name in FILES}


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_definition_is_the_workflow_file_to_the_letter(name: str) -> None:
    assert synthesise().workflow(name)["DefinitionString"] == FILES[name].read_text()


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_placeholder_of_the_file_is_filled_and_no_other(name: str) -> None:
    substitutions = synthesise().workflow(name)["DefinitionSubstitutions"]
    assert set(substitutions) == set(re.findall(r"\$\{(\w+)\}", FILES[name].read_text()))


@pytest.mark.parametrize("workflow", sorted(FILES))
def test_a_state_invokes_the_function_of_its_own_name(workflow: str) -> None:
    template = synthesise()
    machine = template.workflow(workflow)
    names = {f"<{name}.Arn>": body["FunctionName"] for name, body in template.of_type("AWS::Lambda::Function").items()}
    for name, state in every_state(FILES[workflow]):
        if state.get("Resource") == "arn:aws:states:::lambda:invoke":
            placeholder = state["Parameters"]["FunctionName"].strip("${}")
            function = names[spell(machine["DefinitionSubstitutions"][placeholder])].removeprefix("autoswe-")
            assert name.lower().replace(" ", "_").startswith(function), name


@pytest.mark.parametrize(("workflow", "task"), [("feedback_round", "FixerTask"), ("scheduled_review", "ReviewTask")])
def test_the_task_runs_in_the_networks_two_subnets_behind_its_own_group(workflow: str, task: str) -> None:
    machine = synthesise().workflow(workflow)
    filled = {name: spell(value) for name, value in machine["DefinitionSubstitutions"].items()}
    assert filled["SubnetA"] == "<NetworkVpctasksSubnet1Subnet>"
    assert filled["SubnetB"] == "<NetworkVpctasksSubnet2Subnet>"
    assert filled["SecurityGroup"] == "<NetworkTasks.GroupId>"
    assert filled["Cluster"] == f"<{task}Cluster.Arn>"
    assert filled[task] == f"<{task}Definition>"


@pytest.mark.parametrize("workflow", sorted(FILES))
def test_no_task_gets_a_public_address_or_a_shell(workflow: str) -> None:
    for _, state in every_state(FILES[workflow]):
        if "ecs:runTask" in state.get("Resource", ""):
            network = state["Parameters"]["NetworkConfiguration"]["AwsvpcConfiguration"]
            assert network["AssignPublicIp"] == "DISABLED"
            assert not state["Parameters"].get("EnableExecuteCommand")


def test_functions_know_the_workflow_by_the_name_it_is_given() -> None:
    variables = synthesise().functions()["start_workflow"]["Environment"]["Variables"]
    assert spell(variables["AUTOSWE_FEEDBACK_ROUND_ARN"]) == f"{WORKFLOW}-feedback_round"


@pytest.mark.parametrize("workflow", sorted(FILES))
def test_every_event_is_logged_but_no_state_because_state_carries_signed_addresses(workflow: str) -> None:
    machine = synthesise().workflow(workflow)
    assert machine["LoggingConfiguration"]["Level"] == "ALL"
    assert machine["LoggingConfiguration"]["IncludeExecutionData"] is False
    assert machine["TracingConfiguration"] == {"Enabled": True}


@pytest.mark.parametrize(("workflow", "construct", "closing"), CLOSING)
def test_an_execution_that_fails_times_out_or_is_aborted_is_closed(workflow: str, construct: str, closing: str) -> None:
    rule = synthesise().of_type("AWS::Events::Rule")[f"{construct}EndedBadly"]
    pattern = rule["EventPattern"]
    assert pattern["source"] == ["aws.states"]
    assert pattern["detail-type"] == ["Step Functions Execution Status Change"]
    assert sorted(pattern["detail"]["status"]) == ["ABORTED", "FAILED", "TIMED_OUT"]
    assert [spell(arn) for arn in pattern["detail"]["stateMachineArn"]] == [f"{WORKFLOW}-{workflow}"]
    (target,) = rule["Targets"]
    assert spell(target["Arn"]) == f"<{closing}.Arn>"
    assert "InputTransformer" not in target, "the function reads the event as EventBridge sends it"


@pytest.mark.parametrize("construct", [construct for _, construct, _ in CLOSING])
def test_telling_of_a_bad_end_is_tried_finitely_often_and_then_kept(construct: str) -> None:
    (target,) = synthesise().of_type("AWS::Events::Rule")[f"{construct}EndedBadly"]["Targets"]
    assert target["RetryPolicy"] == {"MaximumEventAgeInSeconds": 3600, "MaximumRetryAttempts": 10}
    assert spell(target["DeadLetterConfig"]["Arn"]) == f"<{construct}Undelivered.Arn>"


@pytest.mark.parametrize("alarm", ["roundsfailed", "roundsunclosed", "reviewsfailed", "reviewsunclosed"])
def test_an_operator_is_alarmed_of_each_workflow_that_failed_or_was_not_closed(alarm: str) -> None:
    found = synthesise().of_type("AWS::CloudWatch::Alarm")[f"Alarms{alarm}"]
    assert found["Threshold"] == 1
    about = spell(found["Dimensions"][0]["Value"])
    assert about.startswith("<FeedbackRound" if alarm.startswith("rounds") else "<ScheduledReview")


@pytest.mark.parametrize(
    ("metric", "what"),
    [
        ("FirewallRuleQueryVolume", "a look-up that was refused"),
        ("IteratorAge", "a stream that is not followed"),
    ],
)
def test_an_operator_is_alarmed_of(metric: str, what: str) -> None:
    alarms = synthesise().of_type("AWS::CloudWatch::Alarm").values()
    assert metric in {alarm["MetricName"] for alarm in alarms}, what
    assert all(alarm["AlarmDescription"] for alarm in alarms)
