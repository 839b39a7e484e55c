"""Where the records go that a stream mapping gave up on: an S3 bucket, which keeps them whole.

AWS Lambda, "Retain discarded records for a DynamoDB event source in Lambda".
"""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from moto.s3.models import s3_backends

from infra.local.embedded_aws.account import ACCOUNT_ID, arn

PREFIX = "aws/lambda/"


class Condition(StrEnum):
    """Why a batch was given up."""

    RETRIES_EXHAUSTED = "RetryAttemptsExhausted"
    TOO_OLD = "RecordAgeExceeded"


class FailureDestination:
    """The bucket as Lambda writes to it; that is no request of the product's, and is not recorded as one."""

    def __init__(self, bucket: str, lock: AbstractContextManager[object], now: Callable[[], datetime]) -> None:
        self._bucket = bucket
        self._lock = lock
        self._now = now
        self._mapping = str(uuid4())

    def keep(
        self, function: str, shard: str, records: Sequence[dict[str, Any]], condition: Condition, invocations: int
    ) -> None:
        """Store the records with why they were given up, after how many invocations with them."""
        now = self._now()
        note = {
            "requestContext": {
                "requestId": str(uuid4()),
                "functionArn": arn("lambda", f"function:{function}"),
                "condition": condition,
                "approximateInvokeCount": invocations,
            },
            "version": "1.0",
            "timestamp": _spell(now),
            "DDBStreamBatchInfo": {
                "shardId": shard,
                "startSequenceNumber": records[0]["dynamodb"]["SequenceNumber"],
                "endSequenceNumber": records[-1]["dynamodb"]["SequenceNumber"],
                "approximateArrivalOfFirstRecord": _spell(created_at(records[0])),
                "approximateArrivalOfLastRecord": _spell(created_at(records[-1])),
                "batchSize": len(records),
                "streamArn": records[0]["eventSourceARN"],
            },
            "payload": json.dumps({"Records": list(records)}),
        }
        name = f"{now:%Y/%m/%d/%Y-%m-%dT%H.%M.%S}-{uuid4()}"
        with self._lock:
            s3_backends[ACCOUNT_ID]["aws"].put_object(
                self._bucket, f"{PREFIX}{self._mapping}/{shard}/{name}", json.dumps(note).encode()
            )


def created_at(record: dict[str, Any]) -> datetime:
    """Tell when a record came into its stream."""
    return datetime.fromtimestamp(record["dynamodb"]["ApproximateCreationDateTime"], UTC)


def _spell(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
