"""A workflow, from the file that the local assembly runs too, and what happens when it ends badly."""

from collections.abc import Mapping, Sequence

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
from infra.cloud.constructs.container_task import ContainerTask
from infra.cloud.constructs.function import LOG_RETENTION, ProductFunction
from infra.cloud.constructs.network import Network
from infra.cloud.constructs.rights import Right, Rights
from infra.cloud.names import REPOSITORY, Names

_ENDED_BADLY = ["FAILED", "TIMED_OUT", "ABORTED"]
_NOTHING_MORE: Mapping[str, str] = {}


class Workflow(Construct):
    """Runs ``infra/workflows/<name>.asl.json``; its role may invoke its functions and run its task, nothing else.

    In the file, a function and the task stand as ``${…}`` around their names in capitalised words; ``more`` are the
    other placeholders. ``closing`` is told of the ends that no ``Catch`` sees.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        names: Names,
        functions: Sequence[ProductFunction],
        closing: ProductFunction,
        task: ContainerTask,
        network: Network,
        rights: Rights,
        more: Mapping[str, str] = _NOTHING_MORE,
    ) -> None:
        super().__init__(scope, construct_id)
        file = REPOSITORY / "infra" / "workflows" / f"{name}.asl.json"
        role = aws_iam.Role(self, "Role", assumed_by=aws_iam.ServicePrincipal("states.amazonaws.com"))
        for right in (*_invoke(functions), *_run(task)):
            right.give_to(role)
        first, second = network.subnets
        self.machine = aws_stepfunctions.StateMachine(
            self,
            "Machine",
            state_machine_name=names.workflow(name),
            definition_body=aws_stepfunctions.DefinitionBody.from_string(file.read_text(encoding="utf-8")),
            definition_substitutions={
                **{_placeholder(function.node.id): function.function.function_arn for function in functions},
                _placeholder(task.plan.name): task.definition.ref,
                "Cluster": task.cluster.cluster_arn,
                "SubnetA": first.subnet_id,
                "SubnetB": second.subnet_id,
                "SecurityGroup": network.security_group.security_group_id,
                **more,
            },
            role=role,
            tracing_enabled=True,
            logs=aws_stepfunctions.LogOptions(
                destination=aws_logs.LogGroup(
                    self,
                    "Log",
                    log_group_name=f"/aws/vendedlogs/states/{names.workflow(name)}",
                    retention=LOG_RETENTION,
                    removal_policy=cdk.RemovalPolicy.DESTROY,
                ),
                level=aws_stepfunctions.LogLevel.ALL,
                # State carries presigned addresses, which are credentials for as long as they live.
                include_execution_data=False,
            ),
        )
        accept_pattern(role, "*", "X-Ray and the delivery of logs know no resource to name")
        self.undelivered = self._close_what_ended_badly(closing, rights.workflow_arn(name))

    def _close_what_ended_badly(self, closing: ProductFunction, workflow_arn: str) -> aws_sqs.Queue:
        """Tell of an abort, the workflow's time-out, and a state that is too long."""
        undelivered = aws_sqs.Queue(
            self,
            "Undelivered",
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(14),
        )
        accept(undelivered, "AwsSolutions-SQS3", "This is the dead-letter queue")
        closing.function.configure_async_invoke(
            on_failure=aws_lambda_destinations.SqsDestination(undelivered), retry_attempts=2
        )
        aws_events.Rule(
            self,
            "EndedBadly",
            event_pattern=aws_events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={"stateMachineArn": [workflow_arn], "status": _ENDED_BADLY},
            ),
            targets=[
                aws_events_targets.LambdaFunction(
                    closing.function,
                    dead_letter_queue=undelivered,
                    retry_attempts=10,
                    max_event_age=cdk.Duration.hours(1),
                )
            ],
        )
        return undelivered


def _placeholder(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _invoke(functions: Sequence[ProductFunction]) -> list[Right]:
    return [Right(("lambda:InvokeFunction",), function.function.function_arn) for function in functions]


def _run(task: ContainerTask) -> list[Right]:
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
