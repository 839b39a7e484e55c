"""The platform's records for a person at a terminal: the table that the environment names."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from autoswe.dynamodb.attributes import MalformedRow
from autoswe.dynamodb.client import Contended
from autoswe.dynamodb.records import RecordTable
from autoswe.runtime.process import EnvironmentVariableMissing, current
from autoswe.runtime.wiring import records

__all__ = ["RecordTable", "RecordsUnavailable", "operator_records"]


class RecordsUnavailable(Exception):
    """The records cannot be read or written now, or one of them is broken; the message says in a sentence why."""


@contextmanager
def operator_records() -> Iterator[RecordTable]:
    """Open the records for as long as the block lasts; raises ``RecordsUnavailable`` for whatever the table refuses."""
    try:
        yield records(current())
    except (BotoCoreError, ClientError, Contended, EnvironmentVariableMissing, MalformedRow) as failure:
        raise RecordsUnavailable(str(failure)) from failure
