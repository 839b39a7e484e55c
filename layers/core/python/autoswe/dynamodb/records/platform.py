"""The platform's own records: connections, repositories, members, automations, settings and origins (architecture §4).

The command line and the demo write them; a round reads them.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from autoswe.contracts.records.platform import (
    Automation,
    Connection,
    Decision,
    Member,
    Origin,
    RepositoryRecord,
    SavedSetting,
)
from autoswe.dynamodb.records.agent_days import start_once
from autoswe.dynamodb.records.runs import read_run, run_key
from autoswe.dynamodb.records.settings import read_settings, repository_id_key, repository_key, setting_key
from autoswe.dynamodb.table.attributes import number
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.contract_rows import C, from_row, to_row
from autoswe.dynamodb.table.keys import SINGLE, key, origin_key
from autoswe.dynamodb.table.rows import Key, Row, Rows, put
from autoswe.dynamodb.table.timestamps import timestamp
from autoswe.rules.records.runs import Run
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import PLATFORM, Place, StoredSettings

V = TypeVar("V")

_CONNECTIONS = key("CONNECTION")
"""The partition of all connections: they are few, and who sweeps needs every one."""

_LOOKS = 5
"""How often a change is tried when somebody else keeps changing the same record."""


class RecordTable:
    """The records; each read is consistent, and what is not there is ``None``.

    Reads raise ``MalformedRow`` when a row is not what it should be, and everything raises ``Contended`` when the table
    cannot answer now.
    """

    def __init__(self, table: Table, backoff: Backoff) -> None:
        self._table = table
        self._rows = Rows(table, backoff)

    def decision(self, decision_id: str) -> Decision | None:
        """Read a recorded decision."""
        return self._read(Decision, {"pk": decision_id, "sk": SINGLE})

    def of_round(
        self, decision_id: str, connection: str, repository: str
    ) -> tuple[Decision | None, Connection | None, RepositoryRecord | None]:
        """Read a recorded decision, a connection and what is known of a repository, in one request."""
        decided, connected, known = self._rows.read_together(
            {"pk": decision_id, "sk": SINGLE}, _connection_key(connection), repository_key(connection, repository)
        )
        return (
            None if decided is None else from_row(Decision, decided),
            None if connected is None else from_row(Connection, connected),
            None if known is None else from_row(RepositoryRecord, known),
        )

    def connection(self, name: str) -> Connection | None:
        """Read a connection."""
        return self._read(Connection, _connection_key(name))

    def connections(self) -> tuple[Connection, ...]:
        """Read every connection, by name."""
        return tuple(from_row(Connection, row) for row in self._rows.partition(_CONNECTIONS))

    def repository(self, connection: str, repository: str) -> RepositoryRecord | None:
        """Read what the platform knows of a repository, by its full name."""
        return self._read(RepositoryRecord, repository_key(connection, repository))

    def member(self, connection: str, repository: str, account_id: int) -> Member | None:
        """Read the member linked to a numeric GitHub account."""
        return self._read(Member, _member_key(connection, repository, account_id))

    def automation(self, connection: str, automation_id: str) -> Automation | None:
        """Read an automation."""
        return self._read(Automation, _automation_key(connection, automation_id))

    def automations(self, connection: str) -> tuple[Automation, ...]:
        """Read every automation of a connection, by id."""
        return tuple(from_row(Automation, row) for row in self._rows.partition(key("AUTOMATION", connection)))

    def origin(self, connection: str, repository: str, pull_number: int) -> Origin | None:
        """Read who opened a pull request, by our records."""
        return self._read(Origin, origin_key(connection, repository, pull_number))

    def run_of(self, connection: str, repository: str, pull_number: int) -> Run | None:
        """Read the run that is on record as what opened a pull request."""
        opened = self.origin(connection, repository, pull_number)
        if opened is None or opened.run_id is None:
            return None
        row = self._rows.read(run_key(connection, repository, opened.run_id))
        return None if row is None else read_run(row)

    def start_follow_up(
        self, decision_id: str, organization: str | None, at: datetime, judge: Callable[[int], V | None]
    ) -> V | None:
        """Count a decision's round as a start of an agent, once a day, unless ``judge`` has a reason against it.

        ``judge`` is given how often the organisation's agents have started on that day. A round that counts already is
        not judged again.
        """
        return start_once(self._rows, organization, at, decision_id, judge)

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a place, as they stood at one moment."""
        return read_settings(lambda keys: self._rows.read_together(*keys), place, settings)

    def saved_setting(self, setting: Setting[Any], place: Place) -> SavedSetting | None:
        """Read what a place has stored of a setting, with who changed it, when, and what it was before."""
        return self._read(SavedSetting, setting_key(setting, place))

    def spent_usd(self, organization: str | None, month: str) -> int:
        """Read what an organisation's month has cost so far, as it was recorded; a month without a record cost nothing.

        ``month`` is written as in ``2026-11``. Repositories of no organisation have an account together.
        """
        row = self._rows.read(_spending_key(organization, month))
        return 0 if row is None else number(row, "usd")

    def save_connection(self, connection: Connection) -> None:
        """Save a connection, in place of what was there."""
        self._save(_connection_key(connection.name), to_row(connection))

    def save_repository(self, connection: str, repository: str, record: RepositoryRecord) -> None:
        """Save what the platform knows of a repository, in place of what was there.

        Its number leads to this name from now on, whatever the host calls it.
        """
        self._save(repository_key(connection, repository), to_row(record))
        self._save(repository_id_key(connection, record.repository_id), {"repository": repository})

    def save_automation(self, connection: str, automation: Automation) -> None:
        """Save an automation, in place of what was there."""
        self._save(_automation_key(connection, automation.automation_id), to_row(automation))

    def save_origin(self, connection: str, repository: str, pull_number: int, origin: Origin) -> None:
        """Save who opened a pull request and where its run stands, in place of what was there."""
        self._save(origin_key(connection, repository, pull_number), to_row(origin))

    def save_member(self, connection: str, repository: str, member: Member, *, by: str, at: datetime) -> None:
        """Save a member with who changed it (``by``), when, and what it was before; no change leaves the row alone."""
        self._save_audited(_member_key(connection, repository, member.account_id), to_row(member), by, at)

    def save_setting(
        self, setting: Setting[V], value: V | None, *, by: str, at: datetime, place: Place = PLATFORM
    ) -> None:
        """Save a place's value with who changed it (``by``), when, and what it was before; no change is none.

        Without a value the place has none of its own any more.
        """
        stored: Any = list(value) if isinstance(value, tuple) else value
        self._save_audited(setting_key(setting, place), {"value": stored}, by, at)

    def save_spending(self, organization: str | None, month: str, usd: int, *, by: str, at: datetime) -> None:
        """Save what an organisation's month has cost so far, as its bills say, with who changed it and what it was."""
        self._save_audited(_spending_key(organization, month), {"usd": usd}, by, at)

    def _read(self, kind: type[C], key: Key) -> C | None:
        row = self._rows.read(key)
        return None if row is None else from_row(kind, row)

    def _save(self, key: Key, attributes: Row) -> None:
        self._rows.write(put({**key, **attributes}))

    def _save_audited(self, key: Key, attributes: Row, by: str, at: datetime) -> None:
        for _ in range(_LOOKS):
            before = self._rows.read(key) or {}
            old: Row = {name: before.get(name) for name in attributes}
            if old == attributes:
                return
            audit: Row = {
                **{f"previous_{name}": value for name, value in old.items()},
                "changed_by": by,
                "changed_at": timestamp(at),
            }
            written = {name: value for name, value in attributes.items() if value is not None}
            if self._rows.write(put({**key, **written, **audit}, expect=old)):
                return
        raise Contended("others kept changing the same record")


def _connection_key(name: str) -> Key:
    return {"pk": _CONNECTIONS, "sk": name}


def _member_key(connection: str, repository: str, account_id: int) -> Key:
    return {"pk": key("MEMBER", connection, repository), "sk": str(account_id)}


def _automation_key(connection: str, automation_id: str) -> Key:
    return {"pk": key("AUTOMATION", connection), "sk": automation_id}


def _spending_key(organization: str | None, month: str) -> Key:
    return {"pk": key("SPENDING", organization or ""), "sk": month}
