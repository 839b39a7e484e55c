"""Where state lives: encrypted, not public, not lost by accident, shaped as the local assembly shapes it."""

import json
from typing import Any

import pytest

from autoswe.rules.review.run.naming import REVIEWS, Kept
from infra.cloud.names import REPOSITORY
from tests.infra.template.built import spell, synthesise

SHAPE = json.loads((REPOSITORY / "infra" / "table.json").read_text())


def test_the_tables_keys_stream_and_expiry_are_those_of_the_local_assembly() -> None:
    table = synthesise().only("AWS::DynamoDB::Table")
    assert table["KeySchema"] == [
        {"AttributeName": SHAPE["partition_key"], "KeyType": "HASH"},
        {"AttributeName": SHAPE["sort_key"], "KeyType": "RANGE"},
    ]
    assert table["TimeToLiveSpecification"] == {"AttributeName": SHAPE["ttl"], "Enabled": True}
    assert table["StreamSpecification"] == {"StreamViewType": SHAPE["stream"]}
    assert {attribute["AttributeType"] for attribute in table["AttributeDefinitions"]} == {"S"}


def test_the_tables_indexes_are_those_of_the_local_assembly() -> None:
    indexes = synthesise().only("AWS::DynamoDB::Table")["GlobalSecondaryIndexes"]
    assert [
        {
            "name": index["IndexName"],
            "partition_key": index["KeySchema"][0]["AttributeName"],
            "sort_key": index["KeySchema"][1]["AttributeName"],
            "projection": index["Projection"]["ProjectionType"],
        }
        for index in indexes
    ] == SHAPE["indexes"]


def test_the_stream_mappings_are_those_of_the_local_assembly() -> None:
    template = synthesise()
    names = {name: function["FunctionName"] for name, function in template.of_type("AWS::Lambda::Function").items()}
    mappings = template.of_type("AWS::Lambda::EventSourceMapping").values()
    assert sorted(
        (
            {
                "function": names[spell(mapping["FunctionName"]).strip("<>")].removeprefix("autoswe-"),
                "filter": json.loads(mapping["FilterCriteria"]["Filters"][0]["Pattern"]),
                "batch_size": mapping["BatchSize"],
                "maximum_retry_attempts": mapping["MaximumRetryAttempts"],
            }
            for mapping in mappings
        ),
        key=lambda mapping: str(mapping["function"]),
    ) == sorted(SHAPE["stream_mappings"], key=lambda mapping: str(mapping["function"]))


def test_a_record_that_fails_holds_up_no_other_and_is_kept_whole() -> None:
    for mapping in synthesise().of_type("AWS::Lambda::EventSourceMapping").values():
        assert spell(mapping["EventSourceArn"]) == "<StateTable.StreamArn>"
        assert mapping["StartingPosition"] == "TRIM_HORIZON"
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert mapping["BisectBatchOnFunctionError"] is True
        # A queue or a topic would be told about a record, without the record.
        assert spell(mapping["DestinationConfig"]["OnFailure"]["Destination"]) == "<StateBucket.Arn>"


def test_the_table_is_encrypted_with_a_kms_key_and_can_be_restored_to_any_second() -> None:
    table = synthesise().only("AWS::DynamoDB::Table")
    assert table["SSESpecification"] == {"SSEEnabled": True}
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}


def test_neither_table_nor_bucket_goes_with_the_stack() -> None:
    template = synthesise()
    assert template.only("AWS::DynamoDB::Table")["DeletionProtectionEnabled"] is True
    for name in ("StateTable", "StateBucket"):
        assert template.raw(name)["DeletionPolicy"] == "Retain"
        assert template.raw(name)["UpdateReplacePolicy"] == "Retain"


def test_the_bucket_is_versioned_encrypted_and_not_public() -> None:
    bucket = synthesise().only("AWS::S3::Bucket")
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"
    assert bucket["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }
    assert bucket["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}


def _refuses_what_is_not_encrypted(statements: list[dict[str, Any]]) -> bool:
    denied = [statement["Condition"] for statement in statements if statement["Effect"] == "Deny"]
    return {"Bool": {"aws:SecureTransport": "false"}} in denied


def test_the_bucket_refuses_requests_that_are_not_encrypted_and_grants_nothing() -> None:
    statements = synthesise().only("AWS::S3::BucketPolicy")["PolicyDocument"]["Statement"]
    assert _refuses_what_is_not_encrypted(statements)
    assert [statement for statement in statements if statement["Effect"] == "Allow"] == []


def test_each_queue_refuses_requests_that_are_not_encrypted_and_takes_messages_of_one_rule_alone() -> None:
    policies = synthesise().of_type("AWS::SQS::QueuePolicy")
    assert len(policies) == len(synthesise().of_type("AWS::SQS::Queue")) == 3
    for policy in policies.values():
        statements = policy["PolicyDocument"]["Statement"]
        assert _refuses_what_is_not_encrypted(statements)
        (allowed,) = (statement for statement in statements if statement["Effect"] == "Allow")
        assert allowed["Principal"] == {"Service": "events.amazonaws.com"}
        assert allowed["Action"] == "sqs:SendMessage"
        assert "aws:SourceArn" in allowed["Condition"]["ArnEquals"]


def test_each_queue_is_encrypted_and_keeps_what_it_holds_for_two_weeks() -> None:
    for queue in synthesise().of_type("AWS::SQS::Queue").values():
        assert queue["SqsManagedSseEnabled"] is True
        assert queue["MessageRetentionPeriod"] == 14 * 24 * 3600


@pytest.mark.parametrize(
    ("folder", "days"),
    [
        ("rounds/", 30),
        ("aws/lambda/", 30),
        (f"{REVIEWS}/{Kept.EVIDENCE}/", 7),
        (f"{REVIEWS}/{Kept.SESSIONS}/", 7),
        (f"{REVIEWS}/{Kept.RESULTS}/", 90),
        (f"{REVIEWS}/{Kept.REPORTS}/", 90),
    ],
)
def test_what_a_round_a_review_or_a_failure_leaves_is_kept_for_its_time_and_gone_a_week_later(
    folder: str, days: int
) -> None:
    """A version that is no longer the latest can be brought back for that week."""
    rules = synthesise().only("AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
    (rule,) = (rule for rule in rules if rule.get("Prefix") == folder)
    assert rule["Status"] == "Enabled"
    assert rule["ExpirationInDays"] == days
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 7}


def test_nothing_that_reviews_keep_is_without_an_end() -> None:
    rules = synthesise().only("AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
    ending = {rule["Prefix"] for rule in rules if "ExpirationInDays" in rule}
    assert {f"{REVIEWS}/{kept}/" for kept in Kept} <= ending


def test_every_log_ends_some_day() -> None:
    for log in synthesise().of_type("AWS::Logs::LogGroup").values():
        assert log["RetentionInDays"] == 90


def test_outputs_tell_where_things_are() -> None:
    outputs = {name: spell(output["Value"]) for name, output in synthesise().body["Outputs"].items()}
    assert outputs["WebhookUrl"].endswith("/github/{connection}")
    assert outputs["WebhookUrl"].startswith("<IntakeApi.ApiEndpoint>")
    assert outputs["TableName"] == "<StateTable>"
    assert outputs["BucketName"] == "<StateBucket>"
    assert outputs["SecretsPrefix"] == "autoswe/autoswe"
    assert outputs["FeedbackRoundArn"].endswith(":stateMachine:autoswe-feedback_round")
    assert outputs["ScheduledReviewArn"].endswith(":stateMachine:autoswe-scheduled_review")
