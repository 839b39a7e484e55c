"""The platform's own records: connections, repositories, members, automations, settings and origins (architecture §4).

The command line and the demo write them; a round reads them.
"""

from datetime import datetime

from autoswe.contracts.rows import Automation, Connection, Decision, Member, Origin, RepositoryRecord
from autoswe.dynamodb.claims import timestamp
from autoswe.dynamodb.client import Contended, Patience, Table
from autoswe.dynamodb.contract_rows import C, from_row, to_row
from autoswe.dynamodb.keys import SINGLE, key, pull_partition
from autoswe.dynamodb.rows import Key, Row, Rows, put
from autoswe.dynamodb.settings import setting_key, switched_on

_CONNECTIONS = key("CONNECTION")
"""The partition of all connections: they are few, and who sweeps needs every one."""

_LOOKS = 5
"""How often a change is tried when somebody else keeps changing the same record."""


class RecordTable:
    """The records; each read is consistent, and what is not there is ``None``.

    Reads raise ``MalformedRow`` when a row is not what it should be, and everything raises ``Contended`` when the table
    cannot answer now.
    """

    def __init__(self, table: Table, patience: Patience) -> None:
        self._table = table
        self._rows = Rows(table, patience)

    def decision(self, decision_id: str) -> Decision | None:
        """Read a recorded decision."""
        return self._read(Decision, {"pk": decision_id, "sk": SINGLE})

    def of_round(
        self, decision_id: str, connection: str, repository: str
    ) -> tuple[Decision | None, Connection | None, RepositoryRecord | None]:
        """Read a recorded decision, a connection and what is known of a repository, in one request."""
        decided, connected, known = self._rows.read_together(
            {"pk": decision_id, "sk": SINGLE}, _connection_key(connection), _repository_key(connection, repository)
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
        return self._read(RepositoryRecord, _repository_key(connection, repository))

    def member(self, connection: str, repository: str, account_id: int) -> Member | None:
        """Read the member linked to a numeric GitHub account."""
        return self._read(Member, _member_key(connection, repository, account_id))

    def automation(self, connection: str, automation_id: str) -> Automation | None:
        """Read an automation."""
        return self._read(Automation, _automation_key(connection, automation_id))

    def origin(self, connection: str, repository: str, pull_number: int) -> Origin | None:
        """Read who opened a pull request, by our records."""
        return self._read(Origin, _origin_key(connection, repository, pull_number))

    def switched_on(self, setting: str) -> bool:
        """Read an on/off setting; one that was never saved is off."""
        return switched_on(self._table, setting)

    def save_connection(self, connection: Connection) -> None:
        """Save a connection, in place of what was there."""
        self._save(_connection_key(connection.name), to_row(connection))

    def save_repository(self, connection: str, repository: str, record: RepositoryRecord) -> None:
        """Save what the platform knows of a repository, in place of what was there."""
        self._save(_repository_key(connection, repository), to_row(record))

    def save_automation(self, connection: str, automation: Automation) -> None:
        """Save an automation, in place of what was there."""
        self._save(_automation_key(connection, automation.automation_id), to_row(automation))

    def save_origin(self, connection: str, repository: str, pull_number: int, origin: Origin) -> None:
        """Save who opened a pull request and where its run stands, in place of what was there."""
        self._save(_origin_key(connection, repository, pull_number), to_row(origin))

    def save_member(self, connection: str, repository: str, member: Member, *, by: str, at: datetime) -> None:
        """Save a member with who changed it (``by``), when, and what it was before; no change leaves the row alone."""
        self._save_audited(_member_key(connection, repository, member.account_id), to_row(member), by, at)

    def save_setting(self, setting: str, value: bool, *, by: str, at: datetime) -> None:
        """Save an on/off setting with who changed it (``by``), when, and what it was before; no change is none."""
        self._save_audited(setting_key(setting), {"value": value}, by, at)

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
            if self._rows.write(put({**key, **attributes, **audit}, expect=old)):
                return
        raise Contended("others kept changing the same record")


def _connection_key(name: str) -> Key:
    return {"pk": _CONNECTIONS, "sk": name}


def _repository_key(connection: str, repository: str) -> Key:
    return {"pk": key("REPOSITORY", connection, repository), "sk": SINGLE}


def _member_key(connection: str, repository: str, account_id: int) -> Key:
    return {"pk": key("MEMBER", connection, repository), "sk": str(account_id)}


def _automation_key(connection: str, automation_id: str) -> Key:
    return {"pk": key("AUTOMATION", connection), "sk": automation_id}


def _origin_key(connection: str, repository: str, pull_number: int) -> Key:
    return {"pk": pull_partition(connection, repository, pull_number), "sk": "ORIGIN"}
