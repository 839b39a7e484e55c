"""Where state lives: one table, one versioned bucket (the table's shape is ``infra/table.json``)."""

import json
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_dynamodb, aws_s3
from constructs import Construct

from infra.cloud.acknowledgements import accept
from infra.cloud.names import DISCARDED_RECORDS, EVIDENCE, REPORTS, REPOSITORY, RESULTS, ROUNDS, SESSIONS

_KEPT_DAYS = {ROUNDS: 30, DISCARDED_RECORDS: 30, EVIDENCE: 7, SESSIONS: 7, RESULTS: 90, REPORTS: 90}
"""How long objects are kept, by the folder that they lie in; those of reviews as review §12 says."""


def read_table_shape() -> dict[str, Any]:
    """Read keys, indexes, stream and stream mappings of the table, as the local assembly reads them too."""
    shape: dict[str, Any] = json.loads((REPOSITORY / "infra" / "table.json").read_text(encoding="utf-8"))
    return shape


class State(Construct):
    """The table and the bucket; both outlive the stack."""

    def __init__(self, scope: Construct, construct_id: str, shape: dict[str, Any]) -> None:
        super().__init__(scope, construct_id)
        self.table = aws_dynamodb.Table(
            self,
            "Table",
            partition_key=_text_key(shape["partition_key"]),
            sort_key=_text_key(shape["sort_key"]),
            time_to_live_attribute=shape["ttl"],
            stream=aws_dynamodb.StreamViewType[shape["stream"]],
            billing_mode=aws_dynamodb.BillingMode.PAY_PER_REQUEST,
            encryption=aws_dynamodb.TableEncryption.AWS_MANAGED,
            point_in_time_recovery_specification=aws_dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            deletion_protection=True,
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )
        self.stream_arn = self.table.table_stream_arn or ""
        for index in shape["indexes"]:
            self.table.add_global_secondary_index(
                index_name=index["name"],
                partition_key=_text_key(index["partition_key"]),
                sort_key=_text_key(index["sort_key"]),
                projection_type=aws_dynamodb.ProjectionType[index["projection"]],
            )
        self.bucket = aws_s3.Bucket(
            self,
            "Bucket",
            versioned=True,
            encryption=aws_s3.BucketEncryption.S3_MANAGED,
            block_public_access=aws_s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=aws_s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            removal_policy=cdk.RemovalPolicy.RETAIN,
            lifecycle_rules=[*(_expire(folder, days) for folder, days in _KEPT_DAYS.items()), _sweep()],
        )
        accept(
            self.bucket,
            "AwsSolutions-S1",
            "Only roles of this stack reach the objects, which live 90 days at most; where access must be on record, "
            "CloudTrail data events keep it without a second bucket that would need the same care",
        )


def _text_key(name: str) -> aws_dynamodb.Attribute:
    return aws_dynamodb.Attribute(name=name, type=aws_dynamodb.AttributeType.STRING)


def _expire(folder: str, days: int) -> aws_s3.LifecycleRule:
    return aws_s3.LifecycleRule(
        prefix=folder, expiration=cdk.Duration.days(days), noncurrent_version_expiration=cdk.Duration.days(7)
    )


def _sweep() -> aws_s3.LifecycleRule:
    return aws_s3.LifecycleRule(
        abort_incomplete_multipart_upload_after=cdk.Duration.days(1), expired_object_delete_marker=True
    )
