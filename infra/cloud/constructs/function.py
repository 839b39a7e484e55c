"""One Lambda function with a role, a log group and rights of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_iam, aws_lambda, aws_logs
from constructs import Construct

from infra.cloud.acknowledgements import accept, accept_pattern
from infra.cloud.constructs.layers import ARCHITECTURE, RUNTIME, Layers
from infra.cloud.constructs.rights import Right
from infra.cloud.names import REPOSITORY, Names

LOG_RETENTION = aws_logs.RetentionDays.THREE_MONTHS


@dataclass(frozen=True)
class Ground:
    """What every function stands on: the stack's names and the layers."""

    names: Names
    layers: Layers


@dataclass(frozen=True)
class Size:
    """How large a function is: how long it may run, its memory (CPU grows with it) and its disk, both in MiB."""

    seconds: int
    memory: int = 512
    storage: int = 512


class ProductFunction(Construct):
    """Runs ``functions/<name>/handler.py``; its role holds the given rights, its own log group and its traces."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        ground: Ground,
        size: Size,
        environment: Mapping[str, str],
        rights: Sequence[Right],
        snap_start: bool = False,
    ) -> None:
        super().__init__(scope, name)
        full_name = ground.names.function(name)
        log = aws_logs.LogGroup(
            self,
            "Log",
            log_group_name=f"/aws/lambda/{full_name}",
            retention=LOG_RETENTION,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        role = aws_iam.Role(self, "Role", assumed_by=aws_iam.ServicePrincipal("lambda.amazonaws.com"))
        log.grant_write(role)
        for right in rights:
            right.give_to(role)
        self.role = role
        self.function = aws_lambda.Function(
            self,
            "Function",
            function_name=full_name,
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            code=aws_lambda.Code.from_asset(str(REPOSITORY / "functions" / name), exclude=["__pycache__"]),
            handler="handler.handler",
            layers=ground.layers.all,
            role=role,
            timeout=cdk.Duration.seconds(size.seconds),
            memory_size=size.memory,
            ephemeral_storage_size=cdk.Size.mebibytes(size.storage),
            environment=dict(environment),
            tracing=aws_lambda.Tracing.ACTIVE,
            log_group=log,
            logging_format=aws_lambda.LoggingFormat.JSON,
            snap_start=aws_lambda.SnapStartConf.ON_PUBLISHED_VERSIONS if snap_start else None,
            current_version_options=aws_lambda.VersionOptions(removal_policy=cdk.RemovalPolicy.DESTROY),
        )
        accept_pattern(role, "*", "X-Ray knows no resource to name when a trace is sent")
        accept(
            self.function,
            "AwsSolutions-L1",
            "python3.13 is the newest runtime for which every locked package has a wheel",
        )
