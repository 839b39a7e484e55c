"""The feedback workflow, from the file that the local assembly runs too, and what happens when it ends badly."""

import aws_cdk as cdk
from aws_cdk import (
    aws_events,
    aws_events_targets,
    aws_iam,
    aws_lambda_destinations,
    aws_logs,
    aws_sqs,
    aws_stepfunctions,
)
from constructs import Construct

from infra.cloud.acknowledgements import accept, accept_pattern
from infra.cloud.constructs.fixer_task import FixerTask
from infra.cloud.constructs.function import LOG_RETENTION
from infra.cloud.constructs.network import Network
from infra.cloud.constructs.rights import Right, Rights
from infra.cloud.constructs.round_functions import RoundFunctions
from infra.cloud.names import REPOSITORY, Names

_DEFINITION = REPOSITORY / "infra" / "workflows" / "feedback_round.asl.json"
_ENDED_BADLY = ["FAILED", "TIMED_OUT", "ABORTED"]


class FeedbackRound(Construct):
    """Runs one feedback round; its role may invoke the round's functions and run the fixer's task, nothing else."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        functions: RoundFunctions,
        task: FixerTask,
        network: Network,
        rights: Rights,
    ) -> None:
        super().__init__(scope, construct_id)
        role = aws_iam.Role(self, "Role", assumed_by=aws_iam.ServicePrincipal("states.amazonaws.com"))
        for right in (*_invoke(functions), *_run(task)):
            right.give_to(role)
        first, second = network.subnets
        self.machine = aws_stepfunctions.StateMachine(
            self,
            "Machine",
            state_machine_name=names.feedback_round,
            definition_body=aws_stepfunctions.DefinitionBody.from_string(_DEFINITION.read_text(encoding="utf-8")),
            definition_substitutions={
                "GatherFeedback": functions.gather_feedback.function.function_arn,
                "PrepareTask": functions.prepare_task.function.function_arn,
                "PushFix": functions.push_fix.function.function_arn,
                "PollCi": functions.poll_ci.function.function_arn,
                "Respond": functions.respond.function.function_arn,
                "CloseRound": functions.close_round.function.function_arn,
                "Cluster": task.cluster.cluster_arn,
                "FixerTask": task.definition.ref,
                "SubnetA": first.subnet_id,
                "SubnetB": second.subnet_id,
                "SecurityGroup": network.security_group.security_group_id,
            },
            role=role,
            tracing_enabled=True,
            logs=aws_stepfunctions.LogOptions(
                destination=aws_logs.LogGroup(
                    self,
                    "Log",
                    log_group_name=f"/aws/vendedlogs/states/{names.feedback_round}",
                    retention=LOG_RETENTION,
                    removal_policy=cdk.RemovalPolicy.DESTROY,
                ),
                level=aws_stepfunctions.LogLevel.ALL,
                # State carries presigned addresses, which are credentials for as long as they live.
                include_execution_data=False,
            ),
        )
        accept_pattern(role, "*", "X-Ray and the delivery of logs know no resource to name")
        self.undelivered = self._close_what_ended_badly(functions, rights)

    def _close_what_ended_badly(self, functions: RoundFunctions, rights: Rights) -> aws_sqs.Queue:
        """Tell close_round of the ends that no ``Catch`` sees: an abort, the workflow's time-out, an overlong state."""
        undelivered = aws_sqs.Queue(
            self,
            "Undelivered",
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(14),
        )
        accept(undelivered, "AwsSolutions-SQS3", "This is the dead-letter queue")
        functions.close_round.function.configure_async_invoke(
            on_failure=aws_lambda_destinations.SqsDestination(undelivered), retry_attempts=2
        )
        aws_events.Rule(
            self,
            "EndedBadly",
            event_pattern=aws_events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={"stateMachineArn": [rights.feedback_round_arn], "status": _ENDED_BADLY},
            ),
            targets=[
                aws_events_targets.LambdaFunction(
                    functions.close_round.function,
                    dead_letter_queue=undelivered,
                    retry_attempts=10,
                    max_event_age=cdk.Duration.hours(1),
                )
            ],
        )
        return undelivered


def _invoke(functions: RoundFunctions) -> list[Right]:
    return [Right(("lambda:InvokeFunction",), function.function.function_arn) for function in functions.functions]


def _run(task: FixerTask) -> list[Right]:
    """Allow what ``ecs:runTask.sync`` does: run this very definition here, follow and stop its tasks, pass its role."""
    stack = cdk.Stack.of(task)
    in_cluster = {"ArnEquals": {"ecs:cluster": task.cluster.cluster_arn}}
    watcher = stack.format_arn(service="events", resource="rule", resource_name="StepFunctionsGetEventsForECSTaskRule")
    return [
        Right(("ecs:RunTask",), task.definition.ref, in_cluster),
        Right(
            ("ecs:StopTask", "ecs:DescribeTasks"),
            stack.format_arn(service="ecs", resource="task", resource_name=f"{task.cluster.cluster_name}/*"),
            in_cluster,
            pattern="A task's id is known only once it runs",
        ),
        Right(("events:PutTargets", "events:PutRule", "events:DescribeRule"), watcher),
        Right(
            ("iam:PassRole",),
            task.execution_role.role_arn,
            {"StringEquals": {"iam:PassedToService": "ecs-tasks.amazonaws.com"}},
        ),
    ]
