"""Decisions and intakes that nobody has acted on, as the sparse index ``unstarted`` holds them (architecture §4)."""

from collections.abc import Iterator
from datetime import datetime

from autoswe.contracts.records.platform import Decision
from autoswe.dynamodb.intake.pending_intakes import read_intake
from autoswe.dynamodb.table.attributes import text
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.contract_rows import from_row
from autoswe.dynamodb.table.keys import SINGLE
from autoswe.dynamodb.table.rows import Row, Rows
from autoswe.dynamodb.table.timestamps import timestamp
from autoswe.ports.intake.claims import PendingIntake
from autoswe.ports.intake.starts import IntakeKey

_INDEX = "unstarted"


class UnstartedTable:
    """What the index holds, and each row as it really stands.

    The index lags behind the table, so a row is read again before anything is done about it. Every method raises
    ``Contended`` when the table cannot answer now, and reading a row ``MalformedRow`` when it is not what it should be.
    """

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)

    def decisions(self, before: datetime) -> Iterator[str]:
        """List the ids of decisions that were made before a moment, oldest first."""
        return (text(row, "pk") for row in self._before(before, "decision"))

    def decision(self, decision_id: str) -> Decision | None:
        """Read a decision; ``None`` when it has started after all."""
        row = self._rows.read({"pk": decision_id, "sk": SINGLE})
        return None if row is None or "unstarted" not in row else from_row(Decision, row)

    def intakes(self, before: datetime) -> Iterator[IntakeKey]:
        """List the intakes that were offered before a moment, oldest first."""
        return (IntakeKey(text(row, "pk"), text(row, "sk")) for row in self._before(before, "intake"))

    def intake(self, place: IntakeKey) -> PendingIntake | None:
        """Read an intake; ``None`` when it was resolved after all."""
        row = self._rows.read({"pk": place.partition_key, "sk": place.sort_key})
        return None if row is None or "unstarted" not in row else read_intake(row)

    def _before(self, moment: datetime, kind: str) -> Iterator[Row]:
        return self._rows.index(
            _INDEX, "unstarted = :kind AND decided_at < :moment", kind=kind, moment=timestamp(moment)
        )
