"""A Fargate task as every task of ours is: containers without an AWS role, and one secret at most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import aws_cdk as cdk
from aws_cdk import aws_ecr_assets, aws_ecs, aws_iam, aws_logs
from constructs import Construct

from infra.cloud.acknowledgements import accept, accept_pattern
from infra.cloud.constructs.function import LOG_RETENTION
from infra.cloud.constructs.network import Network
from infra.cloud.constructs.rights import Right
from infra.cloud.names import REPOSITORY, Names

_SCRATCH = "/scratch"

_Task = aws_ecs.CfnTaskDefinition


@dataclass(frozen=True)
class Part:
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


@dataclass(frozen=True)
class TaskPlan:
    """What tells one task from another.

    ``name`` is the task's and its folder's. ``stage`` of its Dockerfile is its image. ``cpu`` is in units of which 1024
    are one processor, ``memory`` in MiB. ``folders`` of the bucket are what its addresses may be about. Of ``parts``,
    the last one's end is the task's, and the first alone is told ``variables`` and the model's credential, which is the
    secret that ``credential`` names after the stack's prefix.
    """

    name: str
    stage: str
    cpu: int
    memory: int
    folders: Sequence[str]
    parts: Sequence[Part]
    variables: Mapping[str, str] = field(default_factory=dict)
    credential: str | None = None


class ContainerTask(Construct):
    """Runs the parts of a plan one after another.

    Each container starts when the one before has ended, whatever its end was. The definition is written out because the
    L2 construct would make a task role. No start time-out is set: on Fargate it could be 120 s at most, and containers
    may wait far longer for each other. The credential is read by the platform as the task starts.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        plan: TaskPlan,
        network: Network,
        signer: aws_iam.IRole,
    ) -> None:
        super().__init__(scope, construct_id)
        self.plan = plan
        self.cluster = aws_ecs.Cluster(
            self, "Cluster", vpc=network.vpc, container_insights_v2=aws_ecs.ContainerInsights.ENABLED
        )
        self._image = aws_ecr_assets.DockerImageAsset(
            self,
            "Image",
            directory=str(REPOSITORY),
            file=_dockerfile(plan),
            target=plan.stage,
            platform=aws_ecr_assets.Platform.LINUX_ARM64,
            exclude=_all_but(_copied_into_image(plan)),
            ignore_mode=cdk.IgnoreMode.DOCKER,
        )
        self._log = aws_logs.LogGroup(
            self,
            "Log",
            log_group_name=f"/aws/ecs/{names.stack}-{plan.name}",
            retention=LOG_RETENTION,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        self.execution_role = self._execution_role()
        network.admit(execution_role=self.execution_role, signer=signer, folders=plan.folders)
        credential = self._read_credential(f"{names.secrets_prefix}/{plan.credential}", network)
        self.definition = _Task(
            self,
            "Definition",
            family=f"{names.stack}-{plan.name}",
            cpu=str(plan.cpu),
            memory=str(plan.memory),
            network_mode="awsvpc",
            requires_compatibilities=["FARGATE"],
            runtime_platform=_Task.RuntimePlatformProperty(cpu_architecture="ARM64", operating_system_family="LINUX"),
            execution_role_arn=self.execution_role.role_arn,
            volumes=[_Task.VolumeProperty(name="scratch")],
            container_definitions=[self._container(part, credential) for part in plan.parts],
        )
        if plan.variables:
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

    def _read_credential(self, name: str, network: Network) -> str | None:
        """Let the platform read the secret, by a way out that a model's service needs as well; gives its ARN."""
        if self.plan.credential is None:
            return None
        stack = cdk.Stack.of(self)
        arn: str = stack.format_arn(
            service="secretsmanager",
            resource="secret",
            resource_name=name,
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
        )
        Right(
            ("secretsmanager:GetSecretValue",),
            f"{arn}-??????",
            pattern="Secrets Manager ends the ARN of a secret with six characters of its own choice",
        ).give_to(self.execution_role)
        network.name_firewall.allow(f"secretsmanager.{stack.region}.{stack.url_suffix}")
        return arn

    def _container(self, part: Part, credential: str | None) -> aws_ecs.CfnTaskDefinition.ContainerDefinitionProperty:
        """Define one container; its entry point is the image's own."""
        is_told = part is self.plan.parts[0]
        variables = [
            _Task.KeyValuePairProperty(name=name, value=value) for name, value in self.plan.variables.items() if is_told
        ]
        secrets = [_Task.SecretProperty(name="AUTOSWE_MODEL_CREDENTIAL", value_from=credential or "")]
        waits_for = [_Task.ContainerDependencyProperty(container_name=part.after or "", condition="COMPLETE")]
        scratch = _Task.MountPointProperty(
            source_volume="scratch", container_path=_SCRATCH, read_only=part.scratch == "read"
        )
        return _Task.ContainerDefinitionProperty(
            name=part.name,
            image=self._image.image_uri,
            command=[f"functions.{self.plan.name}.{part.name}"],
            environment=variables or None,
            secrets=secrets if is_told and credential is not None else None,
            user=part.user,
            essential=part is self.plan.parts[-1],
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
                    "awslogs-stream-prefix": self.plan.name,
                },
            ),
        )


def _dockerfile(plan: TaskPlan) -> str:
    return f"functions/{plan.name}/Dockerfile"


def _copied_into_image(plan: TaskPlan) -> list[str]:
    """List what the Dockerfile copies from the repository: nothing else belongs to the image's context."""
    lines = (REPOSITORY / _dockerfile(plan)).read_text(encoding="utf-8").splitlines()
    copies = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from=" not in line]
    return [_dockerfile(plan), *(path for paths in copies for path in paths)]


def _all_but(paths: Sequence[str]) -> list[str]:
    """Spell, as a ``.dockerignore`` does, that only these paths belong to the context."""
    return ["*", *(f"!{path}" for path in paths), "**/__pycache__"]
