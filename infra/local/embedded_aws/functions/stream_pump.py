"""The table's stream: Lambda's event source mappings, with filter, batches, retries and a failure destination."""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread
from typing import Any

from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import StreamShard
from moto.events.models import EventPattern

from infra.local.embedded_aws.account import ACCOUNT_ID, REGION
from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.functions.failure_destination import Condition, FailureDestination, created_at
from infra.local.embedded_aws.functions.functions import FunctionError, Functions
from infra.local.embedded_aws.storage import StreamMapping

Record = dict[str, Any]

_MOST_RECORDS = 1_000

RETENTION = timedelta(hours=24)
"""How long a stream keeps its records (Amazon DynamoDB: "Change data capture for DynamoDB Streams")."""


class Stream:
    """The records of one table's stream, oldest first.

    They are read where moto keeps them, with writers shut out: this is Lambda's reading, no request of the product's.
    """

    def __init__(self, table_name: str, stream_arn: str, lock: AbstractContextManager[object]) -> None:
        self._table = table_name
        self._arn = stream_arn
        self._lock = lock
        self.shard: str = self._now().id

    def after(self, sequence_number: str | None) -> list[Record]:
        """Read the next records after a sequence number, or the first ones; at most 1,000."""
        with self._lock:
            shard = self._now()
            start = shard.starting_sequence_number if sequence_number is None else int(sequence_number) + 1
            text = json.dumps(shard.get(start, _MOST_RECORDS), default=_wire_value)
        return [record | {"eventSourceARN": self._arn, "awsRegion": REGION} for record in json.loads(text)]

    def _now(self) -> StreamShard:
        """Look the shard up: a transaction that is cancelled leaves moto with another one."""
        shard: StreamShard = dynamodb_backends[ACCOUNT_ID][REGION].get_table(self._table).stream_shard
        return shard


@dataclass(frozen=True)
class _Batch:
    """Records to be delivered together, and how often they were in vain as they are."""

    records: Sequence[Record]
    failures: int = 0


class EventSource:
    """One mapping at its position in the stream.

    A batch that fails as a whole is halved, which does not count; one record alone is retried as often as the mapping
    says. A batch that fails in part is retried from its first failed record on. What comes later in the stream waits
    for it. Records that still fail, or that are too old to be delivered, are in ``given_up`` and at the failure
    destination, and are passed over (AWS Lambda: "Process DynamoDB records with Lambda", "Error handling"). The
    back-off between retries takes no time here.
    """

    def __init__(
        self, mapping: StreamMapping, functions: Functions, destination: FailureDestination, now: Callable[[], datetime]
    ) -> None:
        self.given_up: list[Record] = []
        self._mapping = mapping
        self._functions = functions
        self._destination = destination
        self._now = now
        self._pattern = EventPattern(None, mapping.filter)
        self._position: str | None = None
        oldest = mapping.maximum_record_age_seconds
        self._longest_wait = RETENTION if oldest is None else min(RETENTION, timedelta(seconds=oldest))

    def advance(self, stream: Stream) -> bool:
        """Deliver what is new in the stream; tell whether there was anything."""
        records = stream.after(self._position)
        if not records:
            return False
        self._deliver([record for record in records if self._pattern.matches_event(record)], stream.shard)
        self._position = sequence_number(records[-1])
        return True

    def _deliver(self, records: Sequence[Record], shard: str) -> None:
        size = self._mapping.batch_size
        waiting = [_Batch(records[start : start + size]) for start in range(0, len(records), size)]
        while waiting:
            batch = self._young_enough(waiting.pop(0), shard)
            done = self._delivered(batch.records) if batch.records else 0
            rest = batch.records[done:]
            if done and rest:
                waiting.insert(0, _Batch(rest))
            elif len(rest) > 1:
                middle = len(rest) // 2
                waiting[:0] = [_Batch(rest[:middle]), _Batch(rest[middle:])]
            elif rest and batch.failures < self._mapping.maximum_retry_attempts:
                waiting.insert(0, _Batch(rest, batch.failures + 1))
            elif rest:
                self._give_up(rest, shard, Condition.RETRIES_EXHAUSTED, batch.failures + 1)

    def _young_enough(self, batch: _Batch, shard: str) -> _Batch:
        horizon = self._now() - self._longest_wait
        young = [record for record in batch.records if created_at(record) >= horizon]
        if old := [record for record in batch.records if created_at(record) < horizon]:
            self._give_up(old, shard, Condition.TOO_OLD, batch.failures)
        return _Batch(young, batch.failures)

    def _give_up(self, records: Sequence[Record], shard: str, condition: Condition, invocations: int) -> None:
        self.given_up.extend(records)
        self._destination.keep(self._mapping.function, shard, records, condition, invocations)

    def _delivered(self, batch: Sequence[Record]) -> int:
        """Invoke the function and return how many records come before the first failed one."""
        try:
            response = self._functions.invoke(self._mapping.function, {"Records": list(batch)})
        except (FunctionError, ServiceFault, ConnectionError):
            return 0
        return delivered(response, [sequence_number(record) for record in batch])


def delivered(response: Any, sequence_numbers: Sequence[str]) -> int:
    """Count the records before the first failed one, by a function's ``ReportBatchItemFailures`` response.

    No response, or one without failures, is full success; one that names a record which is not in the batch, or that
    cannot be understood, fails the whole batch (AWS Lambda, "Configuring partial batch response").
    """
    if response is None or response == {}:
        return len(sequence_numbers)
    if not isinstance(response, dict) or "batchItemFailures" not in response:
        return 0
    failures = response["batchItemFailures"] or []
    try:
        failed = [sequence_numbers.index(failure["itemIdentifier"]) for failure in failures]
    except (KeyError, TypeError, ValueError):
        return 0
    return min(failed, default=len(sequence_numbers))


def sequence_number(record: Record) -> str:
    """Return the record's place in the stream."""
    return str(record["dynamodb"]["SequenceNumber"])


class StreamPump:
    """Moves the stream's records to the functions, when told to or in a thread of its own when ``written`` is set."""

    def __init__(self, stream: Stream, sources: Sequence[EventSource], written: Event) -> None:
        self.sources = sources
        self._stream = stream
        self._written = written
        self._pumping = Lock()
        self._stopping = False
        self._thread: Thread | None = None

    @property
    def given_up(self) -> list[Record]:
        """What went to the failure destination, over all mappings."""
        return [record for source in self.sources for record in source.given_up]

    def pump_until_idle(self) -> bool:
        """Deliver until nothing is left, what the functions write meanwhile included; tell if there was anything."""
        with self._pumping:
            moved = False
            while True in [source.advance(self._stream) for source in self.sources]:
                moved = True
            return moved

    def start(self) -> None:
        """Pump in the background from now on."""
        self._thread = Thread(target=self._run, daemon=True, name="stream pump")
        self._thread.start()

    def stop(self) -> None:
        """End the background thread, if there is one, after the batch it delivers."""
        self._stopping = True
        self._written.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._written.wait() and not self._stopping:
            self._written.clear()
            self.pump_until_idle()


def _wire_value(value: object) -> float:
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC).timestamp()
    raise TypeError(f"a stream record holds a {type(value).__name__}")
