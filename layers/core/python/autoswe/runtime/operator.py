"""The platform's records for a person at a terminal: the table that the environment names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Contended
from autoswe.runtime.process import EnvironmentVariableMissing, Process, current
from autoswe.runtime.wiring import records

__all__ = [
    "RecordTable",
    "RecordsUnavailable",
    "operator_records",
    "operator_wiring",
]

T = TypeVar("T")


class RecordsUnavailable(Exception):
    """The records cannot be read or written now, or one of them is broken; the message says in a sentence why."""


@contextmanager
def operator_records() -> Iterator[RecordTable]:
    """Open the records for as long as the block lasts; raises ``RecordsUnavailable`` for whatever the table refuses."""
    with operator_wiring(records) as opened:
        yield opened


@contextmanager
def operator_wiring(wire: Callable[[Process], T]) -> Iterator[T]:
    """Open what ``wire`` joins; raises ``RecordsUnavailable`` for whatever AWS or the records refuse."""
    try:
        yield wire(current())
    except (BotoCoreError, ClientError, Contended, EnvironmentVariableMissing, MalformedRow) as failure:
        raise RecordsUnavailable(str(failure)) from failure
