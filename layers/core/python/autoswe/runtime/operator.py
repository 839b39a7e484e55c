"""The platform's records for a person at a terminal: the table that the environment names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from autoswe.dynamodb.attributes import MalformedRow
from autoswe.dynamodb.client import Contended
from autoswe.dynamodb.history import HistoryTable
from autoswe.dynamodb.records import RecordTable
from autoswe.dynamodb.runs import RunTable
from autoswe.runtime.process import EnvironmentVariableMissing, Process, current
from autoswe.runtime.wiring import history, record_run, records, runs
from autoswe.steps.record_run import Ports as RunPorts

__all__ = [
    "HistoryTable",
    "RecordTable",
    "RecordsUnavailable",
    "RunTable",
    "operator_history",
    "operator_records",
    "operator_run_records",
    "operator_runs",
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
def operator_history() -> Iterator[HistoryTable]:
    """Open what happened on pull requests, as ``operator_records`` opens the records."""
    with operator_wiring(history) as opened:
        yield opened


@contextmanager
def operator_runs() -> Iterator[RunTable]:
    """Open the records of runs, as ``operator_records`` opens the records."""
    with operator_wiring(runs) as opened:
        yield opened


@contextmanager
def operator_run_records() -> Iterator[RunPorts]:
    """Open what recording a run reads and writes, as ``operator_records`` opens the records."""
    with operator_wiring(record_run) as opened:
        yield opened


@contextmanager
def operator_wiring(wire: Callable[[Process], T]) -> Iterator[T]:
    """Open what ``wire`` joins; raises ``RecordsUnavailable`` for whatever AWS or the records refuse."""
    try:
        yield wire(current())
    except (BotoCoreError, ClientError, Contended, EnvironmentVariableMissing, MalformedRow) as failure:
        raise RecordsUnavailable(str(failure)) from failure
