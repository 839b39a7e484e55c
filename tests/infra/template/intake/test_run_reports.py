"""Where other systems report their runs: only whom the deployment names gets in, and nothing accepted is lost."""

import json
from typing import Any

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template.built import spell, synthesise

BUS = "<RunsBus.Arn>"


def policies(*reporters: str) -> dict[str, dict[str, Any]]:
    """Give the bus's policy statements by their effect, when these may report."""
    from infra.cloud.constructs.intake import run_reports
    from infra.cloud.deployment import read_deployment

    given = {"stack": "s", "agent": "suggestions", "review_agent": "rules", "run_reporters": list(reporters)}
    named = read_deployment(given.get).run_reporters
    let_in = [run_reports.let_in(named, {"source": ["a"], "detail-type": ["b"]})] if named.principals else []
    return {one["Effect"]: one for one in (*let_in, run_reports.shut_out(named))}


def test_until_somebody_is_named_nobody_may_report() -> None:
    (policy,) = synthesise().of_type("AWS::Events::EventBusPolicy").values()
    statement = policy["Statement"]
    assert (statement["Effect"], statement["Principal"], statement["Action"]) == ("Deny", "*", "events:PutEvents")
    assert spell(statement["Resource"]) == BUS
    assert "Condition" not in statement


def test_who_is_named_may_put_reports_on_the_bus_and_nothing_else() -> None:
    role = "arn:aws:iam::210987654321:role/reporter"
    allowed = policies("123456789012", role)["Allow"]
    assert allowed["Principal"] == {"AWS": ["123456789012", role]}
    assert allowed["Condition"] == {"StringEquals": {"events:source": ["a"], "events:detail-type": ["b"]}}


@pytest.mark.parametrize(
    ("reporters", "others"),
    [
        (["123456789012"], {"StringNotEquals": {"aws:PrincipalAccount": ["123456789012"]}}),
        (
            ["arn:aws:iam::210987654321:role/reporter"],
            {"ArnNotEquals": {"aws:PrincipalArn": ["arn:aws:iam::210987654321:role/reporter"]}},
        ),
    ],
)
def test_everybody_else_is_shut_out_also_of_our_own_account(reporters: list[str], others: dict[str, Any]) -> None:
    """Within one account rights to a bus come from an identity's own policies too, and only a denial is above them."""
    denied = policies(*reporters)["Deny"]
    assert (denied["Principal"], denied["Condition"]) == ("*", others)


def test_the_rule_passes_reports_alone_to_record_run_and_keeps_what_it_cannot_deliver() -> None:
    template = synthesise()
    (rule,) = (one for one in template.of_type("AWS::Events::Rule").values() if "EventBusName" in one)
    assert spell(rule["EventBusName"]) == "<RunsBus>"
    assert rule["EventPattern"] == json.loads((REPOSITORY / "infra" / "run_reports.json").read_text())
    (target,) = rule["Targets"]
    assert spell(target["Arn"]) == "<RunsrecordrunFunction.Arn>"
    assert spell(target["DeadLetterConfig"]["Arn"]) == "<RunsUnrecorded.Arn>"
    assert target["RetryPolicy"] == {"MaximumEventAgeInSeconds": 3600, "MaximumRetryAttempts": 10}


def test_a_report_that_record_run_fails_at_is_tried_again_and_then_kept_for_two_weeks() -> None:
    template = synthesise()
    (invoked,) = (
        one
        for one in template.of_type("AWS::Lambda::EventInvokeConfig").values()
        if spell(one["FunctionName"]) == "<RunsrecordrunFunction>"
    )
    assert invoked["MaximumRetryAttempts"] == 2
    assert spell(invoked["DestinationConfig"]["OnFailure"]["Destination"]) == "<RunsUnrecorded.Arn>"
    assert template.of_type("AWS::SQS::Queue")["RunsUnrecorded"]["MessageRetentionPeriod"] == 14 * 86_400


def test_an_alarm_tells_of_reports_that_were_not_recorded() -> None:
    alarm = synthesise().of_type("AWS::CloudWatch::Alarm")["Alarmsreportsunrecorded"]
    assert alarm["MetricName"] == "ApproximateNumberOfMessagesVisible"
    assert alarm["Threshold"] == 1


def test_the_bus_is_where_an_output_says() -> None:
    assert spell(synthesise().body["Outputs"]["RunBusArn"]["Value"]) == BUS
