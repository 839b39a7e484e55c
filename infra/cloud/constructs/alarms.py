"""What an operator should be told: alarms without actions, which EventBridge passes on to whoever subscribes."""

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch
from constructs import Construct

from infra.cloud.constructs.function import ProductFunction
from infra.cloud.constructs.workflow import Workflow

_PERIOD = cdk.Duration.minutes(5)


class Alarms(Construct):
    """One alarm per kind of trouble; each fires at the first sign of it and says in words what it means."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        functions: Sequence[ProductFunction],
        followers: Sequence[ProductFunction],
        feedback: Workflow,
        review: Workflow,
        unrecorded: aws_cloudwatch.IMetric,
        blocked_names: aws_cloudwatch.IMetric,
    ) -> None:
        super().__init__(scope, construct_id)
        for function in functions:
            name = function.node.id
            self._alarm(f"{name}-errors", function.function.metric_errors(period=_PERIOD), f"{name} raised an error")
            self._alarm(
                f"{name}-throttles", function.function.metric_throttles(period=_PERIOD), f"{name} was throttled"
            )
        for function in followers:
            name = function.node.id
            self._alarm(
                f"{name}-lag",
                function.function.metric("IteratorAge", statistic="Maximum", period=_PERIOD),
                f"{name} is more than five minutes behind the table's stream",
                threshold=cdk.Duration.minutes(5).to_milliseconds(),
            )
        for name, meaning, workflow in (
            ("rounds", "feedback round", feedback),
            ("reviews", "scheduled review", review),
        ):
            self._alarm(f"{name}-failed", workflow.machine.metric_failed(), f"A {meaning} failed")
            self._alarm(
                f"{name}-unclosed",
                workflow.undelivered.metric_approximate_number_of_messages_visible(),
                f"A {meaning} ended badly, and the function that closes it could not be told",
            )
        self._alarm("reports-unrecorded", unrecorded, "A report on a run was refused or could not be recorded")
        self._alarm("names-blocked", blocked_names, "A container looked up a name that is not on the list")

    def _alarm(self, construct_id: str, metric: aws_cloudwatch.IMetric, meaning: str, threshold: float = 1) -> None:
        aws_cloudwatch.Alarm(
            self,
            construct_id,
            metric=metric,
            alarm_description=meaning,
            threshold=threshold,
            evaluation_periods=1,
            comparison_operator=aws_cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=aws_cloudwatch.TreatMissingData.NOT_BREACHING,
        )
