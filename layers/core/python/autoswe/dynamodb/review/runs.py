"""The runs of scheduled review: which execution acts for a run, and what it has selected (review §12)."""

from collections.abc import Callable
from datetime import datetime

from autoswe.contracts.review.rows import ReviewRun
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.contract_rows import from_row, to_row
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.dynamodb.table.rows import Key, Row, Rows, Write, put
from autoswe.dynamodb.table.timestamps import epoch
from autoswe.rules.review.run.ledger import RETENTION


class ReviewRunTable:
    """The runs in the table; every method raises ``Contended`` and ``MalformedRow``."""

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)
        self._now = now

    def run(self, namespace: str) -> ReviewRun | None:
        """Read a run."""
        row = self._rows.read(_run_key(namespace))
        return None if row is None else from_row(ReviewRun, row)

    def begin(self, run: ReviewRun) -> bool:
        """Record a run; false when there is one of its namespace."""
        return self._rows.write(self._put(run, {"pk": None}))

    def go_on(self, before: ReviewRun, after: ReviewRun) -> bool:
        """Replace a run's record; false when another attempt or another end has been recorded since."""
        known: Row = {"execution": before.execution, "attempt": before.attempt, "outcome": before.outcome.value}
        return self._rows.write(self._put(after, known))

    def _put(self, run: ReviewRun, expect: Row) -> Write:
        return put(
            {**_run_key(run.namespace), **to_row(run), "expires_at": epoch(self._now() + RETENTION)}, expect=expect
        )


def _run_key(namespace: str) -> Key:
    return {"pk": key("RUNREVIEW", namespace), "sk": SINGLE}
