"""The role whose sessions sign the addresses that a container is handed."""

from collections.abc import Iterable

import aws_cdk as cdk
from aws_cdk import aws_iam
from constructs import Construct

from infra.cloud.constructs.function import ProductFunction
from infra.cloud.constructs.rights import Right


def open_signer(scope: Construct, prepare: ProductFunction, rights: Iterable[Right]) -> aws_iam.Role:
    """Make a signer with ``rights``; ``prepare`` alone may open sessions of it, and is told its ARN."""
    signer = aws_iam.Role(
        scope,
        "Signer",
        description="Signs the addresses of one container task, in sessions narrowed to its keys",
        assumed_by=aws_iam.ArnPrincipal(prepare.role.role_arn),
        max_session_duration=cdk.Duration.hours(1),
    )
    for right in rights:
        right.give_to(signer)
    Right(("sts:AssumeRole",), signer.role_arn).give_to(prepare.role)
    prepare.function.add_environment("AUTOSWE_SIGNER_ROLE_ARN", signer.role_arn)
    return signer
