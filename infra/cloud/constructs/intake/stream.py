"""The table's stream and the functions that follow it."""

import json
from typing import Any

from aws_cdk import aws_lambda
from constructs import Construct

from infra.cloud.constructs.function import ProductFunction
from infra.cloud.constructs.state import State


class StreamMapping(Construct):
    """Hands the records that pass one filter of ``infra/table.json`` to a function.

    A failing batch is halved, only its failed records are tried again, finitely often, and what still fails is kept
    whole in the bucket.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, follower: ProductFunction, state: State, mapping: dict[str, Any]
    ) -> None:
        super().__init__(scope, construct_id)
        source = aws_lambda.CfnEventSourceMapping(
            self,
            "Mapping",
            function_name=follower.function.function_name,
            event_source_arn=state.stream_arn,
            starting_position="TRIM_HORIZON",
            batch_size=mapping["batch_size"],
            maximum_retry_attempts=mapping["maximum_retry_attempts"],
            bisect_batch_on_function_error=True,
            function_response_types=["ReportBatchItemFailures"],
            filter_criteria=aws_lambda.CfnEventSourceMapping.FilterCriteriaProperty(
                filters=[aws_lambda.CfnEventSourceMapping.FilterProperty(pattern=json.dumps(mapping["filter"]))]
            ),
            destination_config=aws_lambda.CfnEventSourceMapping.DestinationConfigProperty(
                on_failure=aws_lambda.CfnEventSourceMapping.OnFailureProperty(destination=state.bucket.bucket_arn)
            ),
        )
        source.node.add_dependency(follower.role)
