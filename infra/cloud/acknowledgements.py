"""How a finding of the security checks is accepted: one finding, on one construct, with the reason."""

from typing import Any

import aws_cdk as cdk
from constructs import IConstruct


def accept(construct: IConstruct, finding: str, reason: str) -> None:
    """Accept one finding of cdk-nag on ``construct`` and below it; every other finding still fails the synthesis."""
    cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id=finding, reason=reason))


def accept_pattern(construct: IConstruct, resource: str, reason: str) -> None:
    """Accept that a policy on ``construct`` names ``resource``, a pattern instead of one ARN."""
    accept(construct, f"AwsSolutions-IAM5[Resource::{_spell(cdk.Stack.of(construct).resolve(resource))}]", reason)


def _spell(value: Any) -> str:
    """Write a resolved ARN the way cdk-nag does in the name of a finding."""
    match value:
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::GetAtt": [name, attribute]}:
            return f"<{name}.{attribute}>"
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(_spell(part) for part in parts)
        case _:
            return str(value)
