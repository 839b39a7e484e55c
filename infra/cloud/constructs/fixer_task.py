"""The task that runs a model and repository code: three containers without any AWS role or GitHub credential."""

from collections.abc import Sequence
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_ecr_assets, aws_ecs, aws_iam, aws_logs
from constructs import Construct

from infra.cloud.acknowledgements import accept, accept_pattern
from infra.cloud.constructs.function import LOG_RETENTION
from infra.cloud.constructs.network import Network
from infra.cloud.names import REPOSITORY, Names

SCRATCH = "/scratch"
TEMPORARY = "/tmp"  # noqa: S108 - each container has a volume of its own there

_IMAGE_FILES = ("functions/fixer_task", "layers/core/python/autoswe", "layers/vendor/requirements.txt")

_Task = aws_ecs.CfnTaskDefinition


@dataclass(frozen=True)
class _Part:
    """One container: its name, which is its module's too, whose end it waits for, and whether it edits the scratch."""

    name: str
    after: str | None
    edits_scratch: bool

    @property
    def temporary(self) -> str:
        return f"temporary-{self.name}"


_PARTS = (
    _Part("agent", after=None, edits_scratch=True),
    _Part("collect", after="agent", edits_scratch=False),
    _Part("gates", after="collect", edits_scratch=False),
)


class FixerTask(Construct):
    """An agent edits the workspace, its change is collected, the repository's gates judge it.

    Each container starts when the one before has ended, whatever its end was; the last one's end is the task's. The
    definition is written out because the L2 construct would make a task role. No start time-out is set: on Fargate it
    could be 120 s at most, and the containers wait far longer for each other.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, names: Names, network: Network, signer: aws_iam.IRole
    ) -> None:
        super().__init__(scope, construct_id)
        self.cluster = aws_ecs.Cluster(
            self, "Cluster", vpc=network.vpc, container_insights_v2=aws_ecs.ContainerInsights.ENABLED
        )
        self._image = aws_ecr_assets.DockerImageAsset(
            self,
            "Image",
            directory=str(REPOSITORY),
            file="functions/fixer_task/Dockerfile",
            platform=aws_ecr_assets.Platform.LINUX_ARM64,
            exclude=_all_but(_IMAGE_FILES),
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
            volumes=[_Task.VolumeProperty(name=name) for name in ("scratch", *(part.temporary for part in _PARTS))],
            container_definitions=[self._container(part) for part in _PARTS],
        )
        accept(
            self.definition,
            "AwsSolutions-ECS2",
            "The one variable set here is the folder that the containers share; there is no secret to keep out",
        )

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

    def _container(self, part: _Part) -> aws_ecs.CfnTaskDefinition.ContainerDefinitionProperty:
        return _Task.ContainerDefinitionProperty(
            name=part.name,
            image=self._image.image_uri,
            command=["python", "-m", f"functions.fixer_task.{part.name}"],
            essential=part is _PARTS[-1],
            depends_on=[_Task.ContainerDependencyProperty(container_name=part.after, condition="COMPLETE")]
            if part.after
            else None,
            environment=[_Task.KeyValuePairProperty(name="AUTOSWE_SCRATCH", value=SCRATCH)],
            readonly_root_filesystem=True,
            mount_points=[
                _Task.MountPointProperty(
                    source_volume="scratch", container_path=SCRATCH, read_only=not part.edits_scratch
                ),
                _Task.MountPointProperty(source_volume=part.temporary, container_path=TEMPORARY, read_only=False),
            ],
            linux_parameters=_Task.LinuxParametersProperty(init_process_enabled=True),
            log_configuration=_Task.LogConfigurationProperty(
                log_driver="awslogs",
                options={
                    "awslogs-group": self._log.log_group_name,
                    "awslogs-region": cdk.Stack.of(self).region,
                    "awslogs-stream-prefix": "fixer_task",
                },
            ),
        )


def _all_but(paths: Sequence[str]) -> list[str]:
    """Spell, as a ``.dockerignore`` does, that only these paths belong to the image's context."""
    return ["*", *(f"!{path}" for path in paths), "**/__pycache__"]
