"""The task that runs a model and repository code: three containers without any AWS role or GitHub credential."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import aws_cdk as cdk
from aws_cdk import aws_ecr_assets, aws_ecs, aws_iam, aws_logs
from constructs import Construct

from infra.cloud.acknowledgements import accept, accept_pattern
from infra.cloud.constructs.function import LOG_RETENTION
from infra.cloud.constructs.network import Network
from infra.cloud.constructs.rights import Right
from infra.cloud.deployment import Deployment
from infra.cloud.names import REPOSITORY, Names

_FOLDER = REPOSITORY / "functions" / "fixer_task"
_SCRATCH = "/scratch"
_MODEL_CREDENTIAL = "model-credential"

_Task = aws_ecs.CfnTaskDefinition

# Fargate adds no capability but one, so a container that needs four has to name all the others that Docker grants.
_GRANTED_BY_DOCKER = {
    *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "NET_RAW"),
    *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
}
_NEEDED_BY_GATES = {"CHOWN", "KILL", "SETGID", "SETUID"}


@dataclass(frozen=True)
class _Part:
    """One container.

    ``name`` is its module's too; it starts after the end of ``after``. ``user`` is a numeric user and group.
    ``scratch`` is what it may do with the folder that containers share; with ``None`` it does not see the folder.
    ``init`` puts a process of the platform first, whose variables other programs of the same user can read.
    """

    name: str
    after: str | None
    user: str
    scratch: Literal["write", "read"] | None
    dropped_capabilities: Sequence[str]
    read_only_root: bool
    init: bool


_PARTS = (
    # Its first process is our own, which hides its variables from the programs of the agent and ends what they leave.
    _Part("agent", None, "10001:10001", "write", ["ALL"], read_only_root=True, init=False),
    _Part("collect", "agent", "10001:10001", "read", ["ALL"], read_only_root=True, init=True),
    # A repository's own programs expect a /tmp that they can write to.
    _Part(
        "gates", "collect", "0:0", None, sorted(_GRANTED_BY_DOCKER - _NEEDED_BY_GATES), read_only_root=False, init=True
    ),
)


class FixerTask(Construct):
    """An agent edits the workspace, its change is collected, the repository's gates judge it.

    Each container starts when the one before has ended, whatever its end was; the last one's end is the task's. The
    definition is written out because the L2 construct would make a task role. No start time-out is set: on Fargate it
    could be 120 s at most, and the containers wait far longer for each other.

    Where the agent asks a model, its container alone is given the model's credential, from a secret that the platform
    reads as the task starts.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        deployment: Deployment,
        network: Network,
        signer: aws_iam.IRole,
    ) -> None:
        super().__init__(scope, construct_id)
        self._agent = deployment.agent_settings
        self.cluster = aws_ecs.Cluster(
            self, "Cluster", vpc=network.vpc, container_insights_v2=aws_ecs.ContainerInsights.ENABLED
        )
        self._image = aws_ecr_assets.DockerImageAsset(
            self,
            "Image",
            directory=str(REPOSITORY),
            file="functions/fixer_task/Dockerfile",
            target=deployment.agent,
            platform=aws_ecr_assets.Platform.LINUX_ARM64,
            exclude=_all_but(_copied_into_image()),
            ignore_mode=cdk.IgnoreMode.DOCKER,
        )
        self._log = aws_logs.LogGroup(
            self,
            "Log",
            log_group_name=f"/aws/ecs/{names.stack}-fixer_task",
            retention=LOG_RETENTION,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        self.execution_role = self._execution_role()
        network.admit(execution_role=self.execution_role, signer=signer)
        self._credential = self._model_credential(names, network) if self._agent.asks_a_model else None
        self.definition = _Task(
            self,
            "Definition",
            family=f"{names.stack}-fixer_task",
            cpu="2048",
            memory="4096",
            network_mode="awsvpc",
            requires_compatibilities=["FARGATE"],
            runtime_platform=_Task.RuntimePlatformProperty(cpu_architecture="ARM64", operating_system_family="LINUX"),
            execution_role_arn=self.execution_role.role_arn,
            volumes=[_Task.VolumeProperty(name="scratch")],
            container_definitions=[self._container(part) for part in _PARTS],
        )
        if self._agent_variables():
            accept(self.definition, "AwsSolutions-ECS2", "A model's name and an agent's program are no secrets")

    def _execution_role(self) -> aws_iam.Role:
        role = aws_iam.Role(
            self,
            "ExecutionRole",
            description="Lets the platform pull the image and write the log; no container ever holds it",
            assumed_by=aws_iam.ServicePrincipal("ecs-tasks.amazonaws.com"),
        )
        self._image.repository.grant_pull(role)
        self._log.grant_write(role)
        accept_pattern(role, "*", "Amazon ECR's login token knows no resource that it could be for")
        return role

    def _model_credential(self, names: Names, network: Network) -> str:
        """Let the platform read the secret, by a way out that a model's service needs as well; gives its ARN."""
        stack = cdk.Stack.of(self)
        arn: str = stack.format_arn(
            service="secretsmanager",
            resource="secret",
            resource_name=f"{names.secrets_prefix}/{_MODEL_CREDENTIAL}",
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
        )
        Right(
            ("secretsmanager:GetSecretValue",),
            f"{arn}-??????",
            pattern="Secrets Manager ends the ARN of a secret with six characters of its own choice",
        ).give_to(self.execution_role)
        network.name_firewall.allow(f"secretsmanager.{stack.region}.{stack.url_suffix}")
        return arn

    def _agent_variables(self) -> list[aws_ecs.CfnTaskDefinition.KeyValuePairProperty] | None:
        told = {
            "AUTOSWE_MODEL": self._agent.model,
            "AUTOSWE_AGENT_COMMAND": json.dumps(self._agent.command) if self._agent.command else "",
        }
        return [_Task.KeyValuePairProperty(name=name, value=value) for name, value in told.items() if value] or None

    def _agent_secrets(self) -> list[aws_ecs.CfnTaskDefinition.SecretProperty] | None:
        if self._credential is None:
            return None
        return [_Task.SecretProperty(name="AUTOSWE_MODEL_CREDENTIAL", value_from=self._credential)]

    def _container(self, part: _Part) -> aws_ecs.CfnTaskDefinition.ContainerDefinitionProperty:
        """Define one container; its entry point is the image's own."""
        waits_for = [_Task.ContainerDependencyProperty(container_name=part.after, condition="COMPLETE")]
        scratch = _Task.MountPointProperty(
            source_volume="scratch", container_path=_SCRATCH, read_only=part.scratch == "read"
        )
        return _Task.ContainerDefinitionProperty(
            name=part.name,
            image=self._image.image_uri,
            command=[f"functions.fixer_task.{part.name}"],
            environment=self._agent_variables() if part is _PARTS[0] else None,
            secrets=self._agent_secrets() if part is _PARTS[0] else None,
            user=part.user,
            essential=part is _PARTS[-1],
            depends_on=waits_for if part.after else None,
            readonly_root_filesystem=part.read_only_root,
            mount_points=[scratch] if part.scratch else None,
            linux_parameters=_Task.LinuxParametersProperty(
                init_process_enabled=part.init,
                capabilities=_Task.KernelCapabilitiesProperty(drop=list(part.dropped_capabilities)),
            ),
            log_configuration=_Task.LogConfigurationProperty(
                log_driver="awslogs",
                options={
                    "awslogs-group": self._log.log_group_name,
                    "awslogs-region": cdk.Stack.of(self).region,
                    "awslogs-stream-prefix": "fixer_task",
                },
            ),
        )


def _copied_into_image() -> list[str]:
    """List what the Dockerfile copies from the repository: nothing else belongs to the image's context."""
    lines = (_FOLDER / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copies = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from=" not in line]
    return ["functions/fixer_task/Dockerfile", *(path for paths in copies for path in paths)]


def _all_but(paths: Sequence[str]) -> list[str]:
    """Spell, as a ``.dockerignore`` does, that only these paths belong to the context."""
    return ["*", *(f"!{path}" for path in paths), "**/__pycache__"]
