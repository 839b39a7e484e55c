"""What finds again whatever was lost on the way to a round: one function, called by a schedule."""

import aws_cdk as cdk
from aws_cdk import aws_iam, aws_scheduler
from constructs import Construct

from infra.cloud.constructs.function import Ground, ProductFunction, Size
from infra.cloud.constructs.rights import Right, Rights
from infra.cloud.constructs.state import State
from infra.cloud.names import SecretKind

EVERY_TEN_MINUTES = "cron(0/10 * * * ? *)"


class Sweep(Construct):
    """Sweeps every ten minutes, while the platform's kill switch is on: the function itself looks at it first.

    A sweep that fails is not repeated, because the next one finds whatever this one would have.
    """

    def __init__(self, scope: Construct, construct_id: str, *, ground: Ground, state: State, rights: Rights) -> None:
        super().__init__(scope, construct_id)
        self.sweep_deliveries = ProductFunction(
            self,
            "sweep_deliveries",
            ground=ground,
            size=Size(seconds=300),
            environment={
                "AUTOSWE_TABLE": state.table.table_name,
                "AUTOSWE_FEEDBACK_ROUND_ARN": rights.feedback_round_arn,
                "AUTOSWE_SECRETS_PREFIX": ground.names.secrets_prefix,
            },
            rights=[
                rights.read_rows("GetItem", "BatchGetItem", "Query"),
                rights.read_index("unstarted"),
                rights.write_rows(
                    ("DECISION", "DELIVERY", "INTAKE", "PR"), "PutItem", "UpdateItem", "ConditionCheckItem"
                ),
                rights.start_feedback_round(),
                rights.read_secret(SecretKind.PRIVATE_KEY),
            ],
        )
        self.sweep_deliveries.function.configure_async_invoke(retry_attempts=0)
        caller = aws_iam.Role(
            self,
            "Caller",
            description="Lets the schedule call sweep_deliveries",
            assumed_by=aws_iam.ServicePrincipal("scheduler.amazonaws.com").with_conditions(
                {"StringEquals": {"aws:SourceAccount": cdk.Stack.of(self).account}}
            ),
        )
        function_arn = self.sweep_deliveries.function.function_arn
        Right(("lambda:InvokeFunction",), function_arn).give_to(caller)
        aws_scheduler.CfnSchedule(
            self,
            "Schedule",
            description="Finds deliveries, decisions and intakes that were lost",
            schedule_expression=EVERY_TEN_MINUTES,
            schedule_expression_timezone="UTC",
            flexible_time_window=aws_scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            target=aws_scheduler.CfnSchedule.TargetProperty(
                arn=function_arn,
                role_arn=caller.role_arn,
                input="{}",
                retry_policy=aws_scheduler.CfnSchedule.RetryPolicyProperty(maximum_retry_attempts=0),
            ),
        )
