"""The one way in from the internet."""

import json

from tests.infra.template.built import spell, synthesise


def test_the_only_route_is_a_connections_webhook() -> None:
    route = synthesise().only("AWS::ApiGatewayV2::Route")
    assert route["RouteKey"] == "POST /github/{connection}"


def test_a_delivery_reaches_the_published_version_of_receive_delivery() -> None:
    template = synthesise()
    assert spell(template.only("AWS::ApiGatewayV2::Integration")["IntegrationUri"]) == "<IntakeLive>"
    alias = template.only("AWS::Lambda::Alias")
    assert spell(alias["FunctionName"]) == "<IntakereceivedeliveryFunction>"
    assert alias["FunctionVersion"]["Fn::GetAtt"][1] == "Version"


def test_the_integration_speaks_the_payload_format_that_the_handler_reads() -> None:
    assert synthesise().only("AWS::ApiGatewayV2::Integration")["PayloadFormatVersion"] == "2.0"


def test_requests_are_throttled_and_logged_without_their_bodies() -> None:
    stage = synthesise().only("AWS::ApiGatewayV2::Stage")
    assert stage["DefaultRouteSettings"]["ThrottlingRateLimit"] == 100
    assert stage["DefaultRouteSettings"]["ThrottlingBurstLimit"] == 200
    logged = json.loads(stage["AccessLogSettings"]["Format"])
    assert "$context.requestId" in logged.values()
    assert not [value for value in logged.values() if "body" in value.lower() or "header" in value.lower()]


def test_the_path_is_the_webhooks_own_without_a_stage() -> None:
    stage = synthesise().only("AWS::ApiGatewayV2::Stage")
    assert stage["StageName"] == "$default"
    assert stage["AutoDeploy"] is True
