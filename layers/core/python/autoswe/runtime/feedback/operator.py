"""The history of pull requests for a person at a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from autoswe.dynamodb.feedback.history import HistoryTable
from autoswe.runtime.feedback.wiring import history
from autoswe.runtime.operator import operator_wiring


@contextmanager
def operator_history() -> Iterator[HistoryTable]:
    """Open what happened on pull requests, as ``operator_records`` opens the records."""
    with operator_wiring(history) as opened:
        yield opened
