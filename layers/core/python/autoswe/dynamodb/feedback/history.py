"""Everything the table knows of what happened on a pull request (architecture §4)."""

from collections.abc import Iterable, Iterator

from autoswe.contracts.records.platform import Decision
from autoswe.dynamodb.records.offers import postponed_key
from autoswe.dynamodb.table.attributes import MalformedRow, number, text
from autoswe.dynamodb.table.batch_reads import read_batch
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.contract_rows import from_row
from autoswe.dynamodb.table.keys import SINGLE, SLOT, key, pull_partition
from autoswe.dynamodb.table.rows import Row, Rows
from autoswe.rules.feedback.history import (
    Decided,
    HistoryEvent,
    Noted,
    OfferedAgain,
    Postponed,
    Resolved,
    Round,
    Suppressed,
    Write,
)

_POSTPONED = "delivery_postponed"


class HistoryTable:
    """Reads what happened on a pull request; raises ``Contended`` and ``MalformedRow``."""

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._table = table
        self._backoff = backoff
        self._rows = Rows(table, backoff)

    def events(self, connection: str, repository: str, pull_number: int) -> list[HistoryEvent]:
        """List what happened, in no order: deliveries, decisions, rounds, notes and writes."""
        rows = list(self._rows.partition(pull_partition(connection, repository, pull_number)))
        waiting = self._waiting(f"{key('DECISION', connection, repository)}#pr-{pull_number}@")
        events = [event for row in rows if (event := _of_pull_row(row)) is not None]
        events += [_decided(row) for row in self._decisions({*_named_decisions(rows), *waiting})]
        suppressed = {one.delivery for one in events if isinstance(one, Suppressed)}
        events += [_offered_again(row) for one in sorted(suppressed) for row in self._offers(connection, one)]
        events += [self._postponed(connection, row) for row in rows if row.get("event") == _POSTPONED]
        return events

    def _offers(self, connection: str, delivery: str) -> Iterator[Row]:
        """Read the intakes by which rounds offered a delivery again."""
        own = postponed_key(connection, delivery)
        return (row for row in self._rows.partition(own["pk"]) if row["sk"] != own["sk"])

    def _postponed(self, connection: str, event: Row) -> Postponed:
        delivery = text(event, "delivery")
        intake = self._rows.read(postponed_key(connection, delivery))
        trigger, sender_id = text(event, "trigger"), number(event, "sender_id")
        return Postponed(_event_time(event), delivery, trigger, sender_id, _resolved(intake or {}))

    def _waiting(self, prefix: str) -> Iterator[str]:
        """List the decisions that no workflow has started for: the pull request's own rows do not name them all."""
        for row in self._rows.index("unstarted", "unstarted = :kind", kind="decision"):
            if text(row, "pk").startswith(prefix):
                yield text(row, "pk")

    def _decisions(self, ids: Iterable[str]) -> Iterator[Row]:
        return read_batch(self._table, self._backoff, [{"pk": one, "sk": SINGLE} for one in sorted(ids)])


def _named_decisions(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        name = row.get("holder") if row["sk"] == SLOT else row.get("decision_id")
        if isinstance(name, str):
            yield name


def _of_pull_row(row: Row) -> HistoryEvent | None:
    kind = text(row, "sk").partition("#")[0]
    if kind == "FIRE":
        return Round(
            started_at=text(row, "started_at"),
            execution=text(row, "execution").rpartition(":")[2],
            outcome=text(row, "outcome"),
            reason=_maybe(row, "reason"),
            head_sha=_maybe(row, "head_sha"),
            commit_sha=_maybe(row, "commit_sha"),
            pushed_at=_maybe(row, "pushed_at"),
            ended_at=_maybe(row, "ended_at"),
        )
    if kind == "WRITE":
        name = text(row, "sk").partition("#")[2].replace("%23", "#").replace("%25", "%")
        return Write(text(row, "intended_at"), name, _maybe(row, "effect"))
    if kind != "EVENT" or text(row, "event") == _POSTPONED:
        return None
    if text(row, "event") == "delivery_suppressed":
        return Suppressed(_event_time(row), text(row, "delivery"), text(row, "trigger"), number(row, "sender_id"))
    return Noted(text(row, "noted_at"), text(row, "event"))


def _decided(row: Row) -> Decided:
    decision = from_row(Decision, row)
    return Decided(
        at=decision.decided_at,
        delivery=decision.delivery,
        trigger=decision.trigger,
        source=decision.source,
        trigger_id=decision.trigger_id,
        sender_id=decision.sender_id,
        automation_id=decision.automation_id,
        waiting="unstarted" in row,
    )


def _offered_again(row: Row) -> OfferedAgain:
    return OfferedAgain(text(row, "decided_at"), text(row, "delivery"), _resolved(row))


def _resolved(intake: Row) -> Resolved | None:
    outcome = _maybe(intake, "outcome")
    return None if outcome is None else Resolved(outcome, _maybe(intake, "reason"))


def _event_time(event: Row) -> str:
    return text(event, "sk").split("#")[1]


def _maybe(row: Row, name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise MalformedRow(f"{name} of {row['sk']} is no text")
    return value
