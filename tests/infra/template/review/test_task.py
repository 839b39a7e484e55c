"""The container that has a model read a pull request holds nothing worth stealing but the model's credential."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template.built import (
    REVIEW_MODEL,
    Right,
    Template,
    spell,
    synthesise,
    synthesise_asking,
    synthesise_with,
)
from tests.support.workflow_files import every_state

CREDENTIAL = "arn:aws:secretsmanager:REGION:ACCOUNT:secret:autoswe/autoswe/review/model-credential"


def definition(template: Template) -> dict[str, Any]:
    return template.of_type("AWS::ECS::TaskDefinition")["ReviewTaskDefinition"]


def container(template: Template) -> dict[str, Any]:
    (only,) = definition(template)["ContainerDefinitions"]
    found: dict[str, Any] = only
    return found


@pytest.fixture
def asking() -> Template:
    """A deployment whose fixer and whose reviewer ask a model each."""
    return synthesise_asking()


def test_the_container_has_no_aws_role() -> None:
    assert "TaskRoleArn" not in definition(synthesise())


def test_without_a_model_it_is_given_no_secret_and_no_variable() -> None:
    given = {"Secrets", "Environment", "EnvironmentFiles", "RepositoryCredentials"}
    assert not given & set(container(synthesise()))


def test_with_a_model_it_is_given_the_review_connections_credential_by_reference_and_nothing_else(
    asking: Template,
) -> None:
    (secret,) = container(asking)["Secrets"]
    assert (secret["Name"], spell(secret["ValueFrom"])) == ("AUTOSWE_MODEL_CREDENTIAL", CREDENTIAL)
    assert not {"Environment", "EnvironmentFiles"} & set(container(asking))


def test_each_tasks_role_reads_its_own_credential_and_not_the_others(asking: Template) -> None:
    fixers = CREDENTIAL.replace("/review/", "/")
    for role, secret in (("ReviewTaskExecutionRole", CREDENTIAL), ("FixerTaskExecutionRole", fixers)):
        read = {right for right in asking.rights(role) if right.action.startswith("secretsmanager:")}
        assert read == {Right("secretsmanager:GetSecretValue", f"{secret}-??????")}


def test_of_functions_preflight_alone_looks_at_the_credential(asking: Template) -> None:
    readers = [
        name for name in asking.functions() if asking.may(name, "secretsmanager:GetSecretValue", f"{CREDENTIAL}-abcdef")
    ]
    assert readers == ["preflight"]


def test_preflight_judges_the_credential_of_the_reviewer_that_the_task_runs(asking: Template) -> None:
    for template, reviewer in ((asking, "copilot"), (synthesise(), "rules")):
        assert template.image_of("review_task")[0] == reviewer
        for function in ("preflight", "prepare_review"):
            variables = template.functions()[function]["Environment"]["Variables"]
            assert variables["AUTOSWE_REVIEWER"] == reviewer


def test_the_models_service_and_the_store_of_secrets_can_be_looked_up_each_named_once(asking: Template) -> None:
    lists = asking.of_type("AWS::Route53Resolver::FirewallDomainList").values()
    (allowed,) = (each["Domains"] for each in lists if each["Domains"] != ["*"])
    assert list(map(spell, allowed))[-3:] == [
        "api.anthropic.com",
        "*.githubcopilot.com",
        "secretsmanager.REGION.amazonaws.com",
    ]


def test_a_look_up_of_another_name_is_on_record_and_raises_an_alarm(asking: Template) -> None:
    """Review §7.5: what goes elsewhere is watched, and nothing relies on its being blocked."""
    watched = asking.of_type("AWS::CloudWatch::Alarm")["Alarmsnamesblocked"]
    assert (watched["MetricName"], watched["Threshold"]) == ("FirewallRuleQueryVolume", 1)
    assert asking.only("AWS::EC2::FlowLog")["TrafficType"] == "ALL"
    assert asking.only("AWS::Route53Resolver::ResolverQueryLoggingConfigAssociation")


def test_a_command_is_told_its_program(tmp_path: Path) -> None:
    told = REVIEW_MODEL | {"review_agent": "command", "review_agent_command": '["my-reviewer", "--read"]'}
    template = synthesise_with(tmp_path, **told)
    assert container(template)["Environment"] == [
        {"Name": "AUTOSWE_AGENT_COMMAND", "Value": '["my-reviewer", "--read"]'}
    ]
    assert [secret["Name"] for secret in container(template)["Secrets"]] == ["AUTOSWE_MODEL_CREDENTIAL"]


def test_it_runs_as_an_ordinary_user_without_capabilities_on_a_root_it_cannot_write() -> None:
    only = container(synthesise())
    assert only["User"] == "10001:10001"
    assert only["LinuxParameters"]["Capabilities"] == {"Drop": ["ALL"]}
    assert only["ReadonlyRootFilesystem"] is True
    assert not only.get("Privileged")
    assert not {"PidMode", "IpcMode"} & set(definition(synthesise()))


def test_its_first_process_is_ours_and_its_end_is_the_tasks() -> None:
    """An init of the platform would show the container's variables to every program of the same user."""
    only = container(synthesise())
    assert only["LinuxParameters"]["InitProcessEnabled"] is False
    assert only["Essential"] is True
    assert "DependsOn" not in only


def test_it_writes_to_a_folder_of_its_own() -> None:
    (volume,) = definition(synthesise())["Volumes"]
    assert container(synthesise())["MountPoints"] == [
        {"SourceVolume": volume["Name"], "ContainerPath": "/scratch", "ReadOnly": False}
    ]


def test_the_workflow_addresses_exactly_this_container_and_it_runs_the_entry_point_of_its_name() -> None:
    workflow = REPOSITORY / "infra" / "workflows" / "scheduled_review.asl.json"
    (state,) = (state for name, state in every_state(workflow) if name == "Run reviewer")
    (override,) = state["Parameters"]["Overrides"]["ContainerOverrides"]
    only = container(synthesise())
    assert override["Name"] == only["Name"]
    assert only["Command"] == [f"functions.review_task.{only['Name']}"]
    assert (REPOSITORY / "functions" / "review_task" / f"{only['Name']}.py").is_file()


def test_it_runs_on_fargate_and_logs_to_the_tasks_log() -> None:
    task = definition(synthesise())
    assert task["RequiresCompatibilities"] == ["FARGATE"]
    assert task["NetworkMode"] == "awsvpc"
    assert task["RuntimePlatform"] == {"CpuArchitecture": "ARM64", "OperatingSystemFamily": "LINUX"}
    assert spell(container(synthesise())["LogConfiguration"]["Options"]["awslogs-group"]) == "<ReviewTaskLog>"


def test_the_image_is_built_from_the_dockerfile_and_what_it_copies_alone() -> None:
    _, context = synthesise().image_of("review_task")
    assert {path.name for path in (context / "functions").iterdir()} == {"fixer_task", "review_task"}
    assert {path.name for path in (context / "functions" / "fixer_task").iterdir()} == {"clis"}
    product = context / "layers" / "core" / "python" / "autoswe"
    assert {path.name for path in product.iterdir()} == {"__init__.py", "contracts", "rules", "tasks"}
    assert not list(context.rglob("*.pyc"))


def test_the_two_tasks_run_in_clusters_of_their_own() -> None:
    """So neither workflow's role can stop a task of the other."""
    definitions = json.dumps(synthesise().of_type("AWS::IAM::Policy"))
    assert len(synthesise().of_type("AWS::ECS::Cluster")) == 2
    for policy in synthesise().of_type("AWS::IAM::Policy").values():
        assert not ("FixerTaskCluster" in json.dumps(policy) and "ReviewTaskCluster" in json.dumps(policy))
    assert "FixerTaskCluster" in definitions
    assert "ReviewTaskCluster" in definitions
