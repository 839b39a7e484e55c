"""Global secondary indexes that lag behind the table (Amazon DynamoDB: "Using Global Secondary Indexes in DynamoDB").

A write shows in an index only some time later. moto's indexes are the table itself.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from moto.dynamodb.models.table import StreamShard

from infra.local.embedded_aws.patches import Patches


class _Write(NamedTuple):
    at: datetime
    partition: Any
    sort: Any
    before: Any


class IndexLag:
    """How far the indexes are behind: ``seconds`` of the local time, 0 or more, for the writes from then on."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.seconds = 0.0
        self._now = now
        self._recent: list[_Write] = []

    def install(self, patches: Patches) -> None:
        """Take note of each write from now on."""

        def add(shard: Any, old: Any, new: Any) -> None:
            if self.seconds:
                item = new if old is None else old
                self._forget()
                self._recent.append(_Write(self._now(), item.hash_key, item.range_key, old))
            original(shard, old, new)

        original = patches.method(StreamShard, "add", add)

    @contextmanager
    def behind(self, table: Any) -> Iterator[None]:
        """Have the table look until the block ends as its indexes do; the caller keeps writers out."""
        self._forget()
        items = table.items
        table.items = defaultdict(dict, {partition: dict(rows) for partition, rows in items.items()})
        for write in reversed(self._recent):
            rows = table.items[write.partition]
            if write.before is None:
                rows.pop(write.sort, None)
            else:
                rows[write.sort] = write.before
        try:
            yield
        finally:
            table.items = items

    def _forget(self) -> None:
        horizon = self._now() - timedelta(seconds=self.seconds)
        self._recent = [write for write in self._recent if write.at > horizon]
