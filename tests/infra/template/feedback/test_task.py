"""The containers that run a model and repository code hold nothing worth stealing."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template.built import Right, Template, spell, synthesise, synthesise_asking, synthesise_with

NEEDED_BY_GATES = {"CHOWN", "KILL", "SETGID", "SETUID"}
DOCKERS_OWN = {
    *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "NET_RAW"),
    *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
}
"""What Docker grants a container that asks for nothing (Docker documentation, "Runtime privilege")."""


def definition(template: Template | None = None) -> dict[str, Any]:
    return (template or synthesise()).of_type("AWS::ECS::TaskDefinition")["FixerTaskDefinition"]


def containers() -> dict[str, dict[str, Any]]:
    return {container["Name"]: container for container in definition()["ContainerDefinitions"]}


def test_no_container_has_an_aws_role() -> None:
    assert "TaskRoleArn" not in definition()


def test_without_a_model_no_container_is_given_a_secret_or_any_variable() -> None:
    """What a container needs comes with the manifest whose address the workflow hands it."""
    for container in containers().values():
        assert "Secrets" not in container
        assert "Environment" not in container
        assert "EnvironmentFiles" not in container
        assert "RepositoryCredentials" not in container


@pytest.fixture
def asking() -> Template:
    """A deployment whose agent asks a model."""
    return synthesise_asking()


def test_a_models_credential_is_given_to_the_agent_alone_by_reference(asking: Template) -> None:
    agent, collect, gates = definition(asking)["ContainerDefinitions"]
    assert [(secret["Name"], spell(secret["ValueFrom"])) for secret in agent["Secrets"]] == [
        ("AUTOSWE_MODEL_CREDENTIAL", "arn:aws:secretsmanager:REGION:ACCOUNT:secret:autoswe/autoswe/model-credential")
    ]
    assert agent["Environment"] == [{"Name": "AUTOSWE_MODEL", "Value": "model-1"}]
    for container in (collect, gates):
        assert not {"Secrets", "Environment", "EnvironmentFiles"} & set(container)


def test_the_role_that_starts_the_task_reads_that_one_secret_and_no_function_does(asking: Template) -> None:
    secret = "arn:aws:secretsmanager:REGION:ACCOUNT:secret:autoswe/autoswe/model-credential"
    rights = asking.rights("FixerTaskExecutionRole")
    assert {right for right in rights if right.action.startswith("secretsmanager:")} == {
        Right("secretsmanager:GetSecretValue", f"{secret}-??????")
    }
    assert {right.action.split(":")[0] for right in rights} == {"ecr", "logs", "secretsmanager"}
    readers = [
        name for name in asking.functions() if asking.may(name, "secretsmanager:GetSecretValue", f"{secret}-abcdef")
    ]
    assert readers == []


def test_a_models_service_and_the_store_of_secrets_can_be_looked_up(asking: Template) -> None:
    lists = asking.of_type("AWS::Route53Resolver::FirewallDomainList").values()
    (allowed,) = (each["Domains"] for each in lists if each["Domains"] != ["*"])
    assert {"api.anthropic.com", "secretsmanager.REGION.amazonaws.com"} <= set(map(spell, allowed))
    assert len(asking.of_type("AWS::EC2::NatGateway")) == 1


def test_a_command_without_a_model_is_told_its_program_and_no_secret(tmp_path: Path) -> None:
    template = synthesise_with(tmp_path, agent="command", agent_command='["my-agent", "--fix"]')
    agent = definition(template)["ContainerDefinitions"][0]
    assert agent["Environment"] == [{"Name": "AUTOSWE_AGENT_COMMAND", "Value": '["my-agent", "--fix"]'}]
    assert "Secrets" not in agent
    assert template.of_type("AWS::EC2::NatGateway") == {}


def test_the_image_is_the_one_of_the_agent(asking: Template) -> None:
    for template, agent in ((asking, "claude"), (synthesise(), "suggestions")):
        assert template.image_of("fixer_task")[0] == agent


def test_the_first_process_of_the_agents_container_is_ours() -> None:
    """An init of the platform would show the container's variables to every program of the same user."""
    inits = [container["LinuxParameters"]["InitProcessEnabled"] for container in containers().values()]
    assert inits == [False, True, True]


def test_the_role_that_pulls_the_image_reads_no_secret_and_no_bucket() -> None:
    granted = {right.action.split(":")[0] for right in synthesise().rights("FixerTaskExecutionRole")}
    assert granted == {"ecr", "logs"}
    assert spell(definition()["ExecutionRoleArn"]) == "<FixerTaskExecutionRole.Arn>"


def test_the_workflow_addresses_exactly_these_containers() -> None:
    workflow = json.loads((REPOSITORY / "infra" / "workflows" / "feedback_round.asl.json").read_text())
    overrides = workflow["States"]["Run fixer"]["Parameters"]["Overrides"]["ContainerOverrides"]
    assert [override["Name"] for override in overrides] == list(containers()) == ["agent", "collect", "gates"]


def test_a_container_runs_the_entry_point_of_its_name() -> None:
    for name, container in containers().items():
        assert container["Command"] == [f"functions.fixer_task.{name}"]
        assert "EntryPoint" not in container
        assert (REPOSITORY / "functions" / "fixer_task" / f"{name}.py").is_file()


def test_each_container_waits_for_the_end_of_the_one_before_and_the_last_ones_end_is_the_tasks() -> None:
    """A dependency on an end needs a container that may end, so only the last is essential."""
    agent, collect, gates = containers().values()
    assert "DependsOn" not in agent
    assert collect["DependsOn"] == [{"ContainerName": "agent", "Condition": "COMPLETE"}]
    assert gates["DependsOn"] == [{"ContainerName": "collect", "Condition": "COMPLETE"}]
    assert [container["Essential"] for container in (agent, collect, gates)] == [False, False, True]
    assert not [container for container in (agent, collect, gates) if "StartTimeout" in container]


def test_the_agent_writes_the_shared_folder_collect_reads_it_and_gates_do_not_see_it() -> None:
    agent, collect, gates = containers().values()
    (shared,) = definition()["Volumes"]
    mount = {"SourceVolume": shared["Name"], "ContainerPath": "/scratch"}
    assert agent["MountPoints"] == [mount | {"ReadOnly": False}]
    assert collect["MountPoints"] == [mount | {"ReadOnly": True}]
    assert "MountPoints" not in gates


def test_agent_and_collect_run_as_an_ordinary_user_without_capabilities_on_a_root_they_cannot_write() -> None:
    for name in ("agent", "collect"):
        container = containers()[name]
        assert container["User"] == "10001:10001"
        assert container["LinuxParameters"]["Capabilities"] == {"Drop": ["ALL"]}
        assert container["ReadonlyRootFilesystem"] is True


def test_gates_keeps_only_what_running_programs_as_another_user_takes() -> None:
    gates = containers()["gates"]
    assert gates["User"] == "0:0"
    assert "Add" not in gates["LinuxParameters"]["Capabilities"]
    assert DOCKERS_OWN - set(gates["LinuxParameters"]["Capabilities"]["Drop"]) == NEEDED_BY_GATES


def test_no_container_is_privileged_or_shares_a_namespace() -> None:
    assert not {"PidMode", "IpcMode"} & set(definition())
    assert not [container for container in containers().values() if container.get("Privileged")]


def test_it_runs_on_fargate_on_the_same_architecture_as_the_functions() -> None:
    task = definition()
    assert task["RequiresCompatibilities"] == ["FARGATE"]
    assert task["NetworkMode"] == "awsvpc"
    assert task["RuntimePlatform"] == {"CpuArchitecture": "ARM64", "OperatingSystemFamily": "LINUX"}


def test_each_container_logs_to_the_tasks_log() -> None:
    for container in containers().values():
        options = container["LogConfiguration"]["Options"]
        assert container["LogConfiguration"]["LogDriver"] == "awslogs"
        assert spell(options["awslogs-group"]) == "<FixerTaskLog>"


def test_the_image_is_built_from_the_dockerfile_and_what_it_copies_alone() -> None:
    _, context = synthesise().image_of("fixer_task")
    assert {path.name for path in context.iterdir()} == {"functions", "layers"}
    assert {path.name for path in (context / "functions" / "fixer_task").iterdir()} >= {"Dockerfile", "agent.py"}
    product = context / "layers" / "core" / "python" / "autoswe"
    assert {path.name for path in product.iterdir()} == {"__init__.py", "contracts", "rules", "tasks"}
    assert not list(context.rglob("*.pyc"))
