"""The review ledger's records: what was decided about which head, for 90 days (review §6)."""

from collections.abc import Callable, Iterable
from datetime import datetime

from autoswe.contracts.review.ledger import LedgerEntry
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.contract_rows import from_row, to_row
from autoswe.dynamodb.table.keys import key
from autoswe.dynamodb.table.rows import Key, Row, Rows, put
from autoswe.dynamodb.table.timestamps import epoch
from autoswe.ports.review.runs import Remembered
from autoswe.rules.review.run.ledger import RETENTION, Assessment, merge

_LOOKS = 5
"""How often a record is compared anew because another run changed it first."""


class AssessmentTable:
    """The assessments in the table, a partition for each organisation; every method raises ``Contended``."""

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)
        self._now = now

    def remembered(self, org: str) -> Remembered:
        """Read every assessment of an organisation; one that cannot be read is counted and left out (review §6.6)."""
        read: list[Assessment] = []
        forgotten = 0
        for row in self._rows.partition(_partition(org)):
            try:
                read.append(from_row(LedgerEntry, row).assessment())
            except MalformedRow:
                forgotten += 1
        return Remembered(tuple(read), forgotten)

    def record(self, org: str, assessments: Iterable[Assessment]) -> None:
        """Keep each assessment unless a newer one of its head is on record; recording it again changes nothing."""
        for assessment in assessments:
            self._record(org, assessment)

    def _record(self, org: str, assessment: Assessment) -> None:
        place = _place(org, assessment)
        for _ in range(_LOOKS):
            row = self._rows.read(place)
            if row is not None and not self._is_newer(assessment, row):
                return
            kept = to_row(LedgerEntry.model_validate(vars(assessment)))
            expires = {"expires_at": epoch(assessment.assessed_at + RETENTION)}
            if self._rows.write(put({**place, **kept, **expires}, expect=_as_seen(row))):
                return
        raise Contended("others kept assessing the same head")

    def _is_newer(self, assessment: Assessment, row: Row) -> bool:
        try:
            known = from_row(LedgerEntry, row).assessment()
        except MalformedRow:
            return True
        return merge([known], [assessment], now=self._now()).get(assessment.key) != known


def _partition(org: str) -> str:
    return key("ASSESSED", org.casefold())


def _place(org: str, assessment: Assessment) -> Key:
    repository, number, head_sha = assessment.key
    return {"pk": _partition(org), "sk": key(repository, str(number), head_sha)}


def _as_seen(row: Row | None) -> Row:
    return {"pk": None} if row is None else {name: row.get(name) for name in ("run_id", "assessed_at", "dry_run")}
