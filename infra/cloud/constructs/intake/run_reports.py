"""Where other systems report their runs: a bus that only named principals reach, and the function that records."""

import json
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_events, aws_events_targets, aws_lambda_destinations, aws_sqs
from constructs import Construct

from infra.cloud.acknowledgements import accept
from infra.cloud.constructs.function import Ground, ProductFunction, Size
from infra.cloud.constructs.rights import Rights
from infra.cloud.constructs.state import State
from infra.cloud.deployment import RunReporters
from infra.cloud.names import REPOSITORY


class RunReports(Construct):
    """Takes events from the reporters and records them; what cannot be recorded is kept whole in a queue.

    The bus's policy lets the reporters in, and shuts everybody else out by name: without the latter, whoever has rights
    to every bus of the stack's own account could report as well.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        ground: Ground,
        state: State,
        rights: Rights,
        reporters: RunReporters,
    ) -> None:
        super().__init__(scope, construct_id)
        reports = json.loads((REPOSITORY / "infra" / "run_reports.json").read_text(encoding="utf-8"))
        self.record_run = ProductFunction(
            self,
            "record_run",
            ground=ground,
            size=Size(seconds=30),
            environment={"AUTOSWE_TABLE": state.table.table_name},
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("AGENTDAY", "PR", "RUN"), "PutItem", "UpdateItem"),
            ],
        )
        self.unrecorded = aws_sqs.Queue(
            self,
            "Unrecorded",
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(14),
        )
        accept(self.unrecorded, "AwsSolutions-SQS3", "This is the dead-letter queue")
        self.record_run.function.configure_async_invoke(
            on_failure=aws_lambda_destinations.SqsDestination(self.unrecorded), retry_attempts=2
        )
        self.bus = aws_events.EventBus(self, "Bus", event_bus_name=ground.names.run_bus)
        aws_events.Rule(
            self,
            "Reported",
            event_bus=self.bus,
            event_pattern=aws_events.EventPattern(source=reports["source"], detail_type=reports["detail-type"]),
            targets=[
                aws_events_targets.LambdaFunction(
                    self.record_run.function,
                    dead_letter_queue=self.unrecorded,
                    retry_attempts=10,
                    max_event_age=cdk.Duration.hours(1),
                )
            ],
        )
        statements = {"ShutOut": shut_out(reporters)}
        if reporters.principals:
            statements["LetIn"] = let_in(reporters, reports)
        for name, statement in statements.items():
            statement |= {"Sid": name, "Action": "events:PutEvents", "Resource": self.bus.event_bus_arn}
            aws_events.CfnEventBusPolicy(
                self, name, event_bus_name=self.bus.event_bus_name, statement_id=name, statement=statement
            )


def let_in(reporters: RunReporters, reports: dict[str, list[str]]) -> dict[str, Any]:
    """Let the reporters put reports, and nothing else, on the bus."""
    equal = {f"events:{name}": values for name, values in reports.items()}
    return {
        "Effect": "Allow",
        "Principal": {"AWS": list(reporters.principals)},
        "Condition": {"StringEquals": equal},
    }


def shut_out(reporters: RunReporters) -> dict[str, Any]:
    """Shut out whoever is neither of a named account nor a named role; with none named, everybody."""
    others: dict[str, Any] = {}
    if reporters.accounts:
        others["StringNotEquals"] = {"aws:PrincipalAccount": list(reporters.accounts)}
    if reporters.roles:
        others["ArnNotEquals"] = {"aws:PrincipalArn": list(reporters.roles)}
    return {"Effect": "Deny", "Principal": "*", **({"Condition": others} if others else {})}
