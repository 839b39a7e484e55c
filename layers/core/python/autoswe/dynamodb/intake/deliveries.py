"""The deliveries that were taken, as the table remembers them (architecture §4)."""

from collections.abc import Callable, Collection
from datetime import datetime

from autoswe.dynamodb.intake.claims import delivery_key
from autoswe.dynamodb.table.attributes import number
from autoswe.dynamodb.table.batch_reads import read_batch
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.timestamps import epoch


class DeliveryTable:
    """The rows that decided and suppressed deliveries leave."""

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._table = table
        self._now = now
        self._backoff = backoff

    def recorded(self, connection: str, guids: Collection[str]) -> frozenset[str]:
        """Pick the deliveries that left a row which has not expired; raises ``Contended`` and ``MalformedRow``."""
        by_key = {delivery_key(connection, guid)["pk"]: guid for guid in guids}
        keys = [delivery_key(connection, guid) for guid in by_key.values()]
        rows = read_batch(self._table, self._backoff, keys)
        return frozenset(by_key[str(row["pk"])] for row in rows if number(row, "expires_at") >= epoch(self._now()))
