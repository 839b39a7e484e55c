"""Builds the events that the table's stream makes of new rows."""

from collections.abc import Mapping
from typing import Any

from autoswe.dynamodb.table.attributes import to_item


def inserted(*rows: Mapping[str, Any]) -> dict[str, Any]:
    """Build the event of a batch of new rows; their sequence numbers count from 1."""
    return {
        "Records": [
            {
                "eventID": f"event-{number}",
                "eventName": "INSERT",
                "eventSource": "aws:dynamodb",
                "dynamodb": {
                    "Keys": to_item({"pk": row.get("pk"), "sk": row.get("sk")}),
                    "NewImage": to_item(row),
                    "SequenceNumber": str(number),
                    "StreamViewType": "NEW_IMAGE",
                },
            }
            for number, row in enumerate(rows, start=1)
        ]
    }


def failures(*sequence_numbers: int) -> dict[str, Any]:
    """Build the answer that reports these records as failed."""
    return {"batchItemFailures": [{"itemIdentifier": str(number)} for number in sequence_numbers]}
