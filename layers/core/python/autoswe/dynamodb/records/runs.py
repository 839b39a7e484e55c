"""The records of runs that work elsewhere, and of the pull requests they opened (feedback §2, §3)."""

from collections.abc import Callable

from autoswe.contracts.records.platform import Origin
from autoswe.contracts.records.runs import RunReport
from autoswe.dynamodb.records.agent_days import add_start, day_key, started_on
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.contract_rows import from_row, to_row
from autoswe.dynamodb.table.keys import key, origin_key
from autoswe.dynamodb.table.rows import Key, Row, Rows, Write, put
from autoswe.rules.records.origin import OriginKind
from autoswe.rules.records.runs import Claim, Recorded, Run, Verdict

_LOOKS = 5
"""How often a report is judged anew because the record had changed before it was written."""

_CHANGING = ("status", "reported_at", "pull_number")
"""What may differ between two reports of one run; the rest never changes."""


def run_key(connection: str, repository: str, run_id: str) -> Key:
    """Spell the key of a run's record."""
    return {"pk": key("RUN", connection, repository), "sk": run_id}


def read_run(row: Row) -> Run:
    """Read a run's record; raises ``MalformedRow``."""
    return from_row(RunReport, row).run


class RunTable:
    """The runs in the table; every method raises ``Contended`` and ``MalformedRow``."""

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)

    def runs(self, connection: str, repository: str) -> tuple[Run, ...]:
        """Read every run of a repository, by its id."""
        return tuple(map(read_run, self._rows.partition(key("RUN", connection, repository))))

    def settle(
        self, report: Run, organization: str | None, judge: Callable[[Run | None, Claim | None], Verdict]
    ) -> Verdict:
        """Judge a report by the record of its run and the origin of the pull request, and write what comes of it.

        Run, origin and the day's number of agent runs are written together, on condition that they are what the report
        was judged by; else it is judged anew. A new agent run counts on the day of its first report.
        """
        for _ in range(_LOOKS):
            seen = self._rows.read(run_key(report.connection, report.repository, report.run_id))
            record = None if seen is None else read_run(seen)
            claim = self._claim(report, report.pull_number or (record.pull_number if record else None))
            verdict = judge(record, claim)
            if not isinstance(verdict, Recorded):
                return verdict
            if self._rows.write(*self._writes(verdict.run, seen, claim, organization)):
                return verdict
        raise Contended("others kept changing the same run")

    def _claim(self, report: Run, pull_number: int | None) -> Claim | None:
        if pull_number is None:
            return None
        row = self._rows.read(origin_key(report.connection, report.repository, pull_number))
        return None if row is None else Claim(from_row(Origin, row).run_id)

    def _writes(self, run: Run, seen: Row | None, claim: Claim | None, organization: str | None) -> list[Write]:
        known = {name: seen.get(name) for name in _CHANGING} if seen is not None else {"pk": None}
        place = run_key(run.connection, run.repository, run.run_id)
        writes = [put({**place, **to_row(RunReport.of(run))}, expect=known)]
        if run.pull_number is not None:
            opened = Origin(
                kind=run.kind, run_status=run.status, author_id=run.author_id, branch=run.branch, run_id=run.run_id
            )
            of_pull = origin_key(run.connection, run.repository, run.pull_number)
            writes.append(put({**of_pull, **to_row(opened)}, expect={"run_id": run.run_id} if claim else {"pk": None}))
        if seen is None and run.kind is OriginKind.AGENT_RUN:
            counted = self._rows.read(day_key(organization, run.reported_at))
            writes.append(add_start(organization, run.reported_at, started_on(counted)))
        return writes
