"""How a delivery comes in: the HTTP API with its function, and the two functions that follow the recorded decisions."""

import json
from collections.abc import Mapping
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_apigatewayv2, aws_apigatewayv2_integrations, aws_lambda, aws_logs
from constructs import Construct

from infra.cloud.acknowledgements import accept
from infra.cloud.constructs.function import LOG_RETENTION, Ground, ProductFunction, Size
from infra.cloud.constructs.intake.stream import StreamMapping
from infra.cloud.constructs.rights import Rights
from infra.cloud.constructs.state import State
from infra.cloud.names import Names, SecretKind

WEBHOOK_PATH = "/github/{connection}"

_ACCESS_LOG = {
    "request": "$context.requestId",
    "at": "$context.requestTime",
    "source": "$context.identity.sourceIp",
    "path": "$context.path",
    "status": "$context.status",
    "length": "$context.responseLength",
    "error": "$context.error.message",
    "integration_error": "$context.integrationErrorMessage",
}


class Intake(Construct):
    """Receives deliveries, starts what was decided, decides what needed the head first."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        ground: Ground,
        state: State,
        shape: dict[str, Any],
        rights: Rights,
    ) -> None:
        super().__init__(scope, construct_id)
        table = {"AUTOSWE_TABLE": state.table.table_name}
        secrets = {"AUTOSWE_SECRETS_PREFIX": ground.names.secrets_prefix}
        self.receive_delivery = ProductFunction(
            self,
            "receive_delivery",
            ground=ground,
            size=Size(seconds=10, memory=1024),
            environment=table | secrets,
            rights=[
                rights.read_rows("BatchGetItem", "Query"),
                rights.write_rows(
                    ("DECISION", "DELIVERY", "INTAKE", "PR"), "PutItem", "UpdateItem", "ConditionCheckItem"
                ),
                rights.read_secret(SecretKind.WEBHOOK_SECRETS),
            ],
            snap_start=True,
        )
        self.start_workflow = ProductFunction(
            self,
            "start_workflow",
            ground=ground,
            size=Size(seconds=30),
            environment=table | {"AUTOSWE_FEEDBACK_ROUND_ARN": rights.feedback_round_arn},
            rights=[
                rights.read_rows("GetItem"),
                rights.write_rows(("DECISION", "PR"), "UpdateItem"),
                rights.start_feedback_round(),
                *rights.read_stream(),
                *rights.keep_discarded_records(),
            ],
        )
        self.resolve_intake = ProductFunction(
            self,
            "resolve_intake",
            ground=ground,
            size=Size(seconds=60),
            environment=table | secrets,
            rights=[
                rights.read_rows("GetItem", "BatchGetItem", "Query"),
                rights.write_rows(
                    ("DECISION", "DELIVERY", "INTAKE", "PR"), "PutItem", "UpdateItem", "ConditionCheckItem"
                ),
                rights.read_secret(SecretKind.PRIVATE_KEY),
                *rights.read_stream(),
                *rights.keep_discarded_records(),
            ],
        )
        self.followers = (self.start_workflow, self.resolve_intake)
        self.functions = (self.receive_delivery, *self.followers)
        self._follow_stream(state, shape)
        self.webhook_url = self._serve(ground.names)

    def _follow_stream(self, state: State, shape: Mapping[str, Any]) -> None:
        followers = {"start_workflow": self.start_workflow, "resolve_intake": self.resolve_intake}
        for mapping in shape["stream_mappings"]:
            name = mapping["function"]
            StreamMapping(self, f"Follow-{name}", follower=followers[name], state=state, mapping=mapping)

    def _serve(self, names: Names) -> str:
        receiver = self.receive_delivery.function
        accept(receiver, "Annotation::@aws-cdk/aws-lambda:snapStartRequirePublish", "The API calls a published version")
        version = receiver.current_version
        live = aws_lambda.Alias(self, "Live", alias_name="live", version=version)
        api = aws_apigatewayv2.HttpApi(self, "Api", create_default_stage=False)
        routes = api.add_routes(
            path=WEBHOOK_PATH,
            methods=[aws_apigatewayv2.HttpMethod.POST],
            integration=aws_apigatewayv2_integrations.HttpLambdaIntegration("Receive", live),
        )
        log = aws_logs.LogGroup(
            self,
            "AccessLog",
            log_group_name=f"/aws/vendedlogs/{names.stack}/deliveries",
            retention=LOG_RETENTION,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        stage = aws_apigatewayv2.CfnStage(
            self,
            "Stage",
            api_id=api.api_id,
            stage_name="$default",
            auto_deploy=True,
            access_log_settings=aws_apigatewayv2.CfnStage.AccessLogSettingsProperty(
                destination_arn=log.log_group_arn, format=json.dumps(_ACCESS_LOG)
            ),
            default_route_settings=aws_apigatewayv2.CfnStage.RouteSettingsProperty(
                throttling_rate_limit=100, throttling_burst_limit=200
            ),
        )
        for route in routes:
            stage.node.add_dependency(route)
            accept(
                route,
                "AwsSolutions-APIG4",
                "A delivery proves itself by its signature, which receive_delivery verifies before anything else",
            )
        return f"{api.api_endpoint}{WEBHOOK_PATH}"
