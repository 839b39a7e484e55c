"""The table and the bucket, as the definition shared with the cloud assembly describes them."""

from pathlib import Path
from typing import Any, Literal, Self

import boto3
from pydantic import BaseModel, ConfigDict, Field, field_validator

from infra.local.embedded_aws.account import REGION

DEFINITION_FILE = Path(__file__).parents[2] / "table.json"


class Definition(BaseModel):
    """A part of the definition; a field that is unknown, or missing without a default, is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class IndexDefinition(Definition):
    """A global secondary index over two string attributes; only items that have both are in it."""

    name: str
    partition_key: str
    sort_key: str
    projection: Literal["KEYS_ONLY", "ALL"]


class StreamMapping(Definition):
    """Which stream records invoke which function.

    ``filter`` is an event pattern over a record, of which exact values are modelled. A record that fails is given up
    after ``maximum_retry_attempts`` retries (0 or more), or when it is older than ``maximum_record_age_seconds``;
    without that it is given up when it leaves the stream.
    """

    function: str
    filter: dict[str, Any]
    batch_size: int = Field(ge=1, le=10_000)
    maximum_retry_attempts: int = Field(ge=0, le=10_000)
    maximum_record_age_seconds: int | None = Field(default=None, ge=60, le=604_800)

    @field_validator("filter")
    @classmethod
    def _holds_exact_values(cls, pattern: dict[str, Any]) -> dict[str, Any]:
        if not _is_exact(pattern):
            raise ValueError("an event pattern is an object of objects and of lists of strings, none of them empty")
        return pattern


class TableDefinition(Definition):
    """The one table: two string keys, a time-to-live attribute, a stream of new images, indexes, stream mappings."""

    partition_key: str
    sort_key: str
    ttl: str
    stream: Literal["NEW_IMAGE"]
    indexes: tuple[IndexDefinition, ...]
    stream_mappings: tuple[StreamMapping, ...]

    @classmethod
    def load(cls, path: Path = DEFINITION_FILE) -> Self:
        """Read the definition; raises ``pydantic.ValidationError`` naming each field that is not as described."""
        return cls.model_validate_json(path.read_bytes())


def create_table(name: str, definition: TableDefinition) -> str:
    """Create the table and return the ARN of its stream."""
    dynamodb = boto3.client("dynamodb", region_name=REGION)
    keys = {definition.partition_key, definition.sort_key}
    keys |= {key for index in definition.indexes for key in (index.partition_key, index.sort_key)}
    table = dynamodb.create_table(
        TableName=name,
        KeySchema=_key_schema(definition.partition_key, definition.sort_key),
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in sorted(keys)],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": definition.stream},
        GlobalSecondaryIndexes=[
            {
                "IndexName": index.name,
                "KeySchema": _key_schema(index.partition_key, index.sort_key),
                "Projection": {"ProjectionType": index.projection},
            }
            for index in definition.indexes
        ],
    )
    dynamodb.update_time_to_live(
        TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": definition.ttl}
    )
    return str(table["TableDescription"]["LatestStreamArn"])


def create_bucket(name: str) -> None:
    """Create the bucket, which keeps every version of every object."""
    s3 = boto3.client("s3", region_name=REGION)
    s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})


def _is_exact(pattern: object) -> bool:
    if isinstance(pattern, dict):
        return bool(pattern) and all(map(_is_exact, pattern.values()))
    return isinstance(pattern, list) and bool(pattern) and all(isinstance(value, str) for value in pattern)


def _key_schema(partition_key: str, sort_key: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition_key, "KeyType": "HASH"},
        {"AttributeName": sort_key, "KeyType": "RANGE"},
    ]
