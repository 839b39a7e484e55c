"""Items past their time to live (Amazon DynamoDB: "Using time to live (TTL) in DynamoDB").

DynamoDB deletes them within a few days and returns them until then; so here they stay until they are swept.
"""

from datetime import datetime, timedelta
from typing import Any

LONGEST_OVERDUE = timedelta(days=5 * 365)
"""An item that expired longer ago than this is not deleted: its attribute is taken for a mistake."""


def sweep(table: Any, attribute: str, now: datetime) -> int:
    """Delete every expired item, with its record in the stream, and return how many there were."""
    expired = [item for item in table.all_items() if _is_expired(item.attrs.get(attribute), now)]
    for item in expired:
        table.delete_item(item.hash_key, item.range_key)
    return len(expired)


def _is_expired(expiry: Any, now: datetime) -> bool:
    if expiry is None or not expiry.is_number():
        return False
    overdue = now.timestamp() - float(expiry.value)
    return 0 < overdue <= LONGEST_OVERDUE.total_seconds()
