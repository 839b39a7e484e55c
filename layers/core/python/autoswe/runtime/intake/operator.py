"""The records of reported runs for a person at a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from autoswe.dynamodb.records.runs import RunTable
from autoswe.runtime.intake.wiring import record_run, runs
from autoswe.runtime.operator import operator_wiring
from autoswe.steps.intake.record_run import Ports as RunPorts


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
