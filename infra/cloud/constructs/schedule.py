"""Schedules: what is called at which times, and the role by which it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_iam, aws_scheduler
from constructs import Construct

from infra.cloud.constructs.rights import Right


@dataclass(frozen=True)
class Call:
    """What a schedule calls, with what input; ``right`` is what calling it takes."""

    target_arn: str
    right: Right
    input: Mapping[str, Any] = field(default_factory=dict)


def let_schedule(scope: Construct, call: Call, description: str) -> aws_iam.Role:
    """Make the role that lets schedules make a call."""
    caller = aws_iam.Role(
        scope,
        "Caller",
        description=description,
        assumed_by=aws_iam.ServicePrincipal("scheduler.amazonaws.com").with_conditions(
            {"StringEquals": {"aws:SourceAccount": cdk.Stack.of(scope).account}}
        ),
    )
    call.right.give_to(caller)
    return caller


def schedule(
    scope: Construct,
    construct_id: str,
    *,
    call: Call,
    caller: aws_iam.Role,
    times: str,
    description: str,
    enabled: bool = True,
) -> None:
    """Make a call at the times of a cron expression in UTC, each time once: a call that fails is not repeated."""
    aws_scheduler.CfnSchedule(
        scope,
        construct_id,
        description=description,
        schedule_expression=times,
        schedule_expression_timezone="UTC",
        state="ENABLED" if enabled else "DISABLED",
        flexible_time_window=aws_scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
        target=aws_scheduler.CfnSchedule.TargetProperty(
            arn=call.target_arn,
            role_arn=caller.role_arn,
            input=json.dumps(call.input, sort_keys=True),
            retry_policy=aws_scheduler.CfnSchedule.RetryPolicyProperty(maximum_retry_attempts=0),
        ),
    )
