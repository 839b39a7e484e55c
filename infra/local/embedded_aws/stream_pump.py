"""The table's stream: Lambda's event source mappings, with filter, batches, retries and a failure destination."""

import base64
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from threading import Event, Lock, Thread
from typing import Any

import boto3
from moto.events.models import EventPattern

from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.functions import FunctionError, Functions
from infra.local.embedded_aws.storage import StreamMapping

Record = dict[str, Any]


class Stream:
    """The records of one table's stream, oldest first."""

    def __init__(self, stream_arn: str, lock: AbstractContextManager[object]) -> None:
        self._arn = stream_arn
        self._lock = lock
        self._client = boto3.client("dynamodbstreams", region_name=REGION)
        shards = self._client.describe_stream(StreamArn=stream_arn)["StreamDescription"]["Shards"]
        self._shard = shards[0]["ShardId"]

    def after(self, sequence_number: str | None) -> list[Record]:
        """Read the next records after a sequence number, or the first ones; at most 1,000.

        Each read takes a fresh iterator, with writers shut out: one that was open while a transaction was cancelled
        would return the cancelled write and then nothing any more.
        """
        start = {"ShardIteratorType": "TRIM_HORIZON"}
        if sequence_number is not None:
            start = {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": sequence_number}
        with self._lock:
            iterator = self._client.get_shard_iterator(StreamArn=self._arn, ShardId=self._shard, **start)
            records = self._client.get_records(ShardIterator=iterator["ShardIterator"])["Records"]
            text = json.dumps(records, default=_wire_value)
        return [record | {"eventSourceARN": self._arn} for record in json.loads(text)]


class EventSource:
    """One mapping at its position in the stream.

    A record that still fails after the mapping's retries is in ``given_up`` and passed over.
    """

    def __init__(self, mapping: StreamMapping, functions: Functions) -> None:
        self.given_up: list[Record] = []
        self._mapping = mapping
        self._functions = functions
        self._pattern = EventPattern(None, mapping.filter)
        self._position: str | None = None

    def advance(self, stream: Stream) -> bool:
        """Deliver what is new in the stream; tell whether there was anything."""
        records = stream.after(self._position)
        if not records:
            return False
        self._deliver([record for record in records if self._pattern.matches_event(record)])
        self._position = sequence_number(records[-1])
        return True

    def _deliver(self, records: list[Record]) -> None:
        failures = Counter[str]()
        while records:
            batch = records[: self._mapping.batch_size]
            done = self._delivered(batch)
            records = records[done:]
            if done == len(batch):
                continue
            failed = sequence_number(records[0])
            failures[failed] += 1
            if failures[failed] > self._mapping.maximum_retry_attempts:
                self.given_up.append(records.pop(0))

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

    def __init__(self, stream: Stream, mappings: Sequence[StreamMapping], functions: Functions, written: Event) -> None:
        self.sources = [EventSource(mapping, functions) for mapping in mappings]
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


def _wire_value(value: object) -> object:
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"a stream record holds a {type(value).__name__}")
