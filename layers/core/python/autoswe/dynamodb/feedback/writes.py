"""The rows of writes to the host, each announced before it is made (architecture §4)."""

from dataclasses import asdict

from autoswe.dynamodb.table.attributes import MalformedRow, text
from autoswe.dynamodb.table.rows import Row
from autoswe.ports.feedback.rounds import Written


def read_written(row: Row) -> Written:
    """Read what is on record of a write; raises ``MalformedRow``."""
    return Written(text(row, "decision_id"), text(row, "intended_at"), _maybe(row, "effect"), _maybe(row, "content"))


def row_of(written: Written) -> Row:
    """Spell a record as its row holds it; ``None`` stands for an attribute that is not there."""
    return asdict(written)


def _maybe(row: Row, name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise MalformedRow(f"{name} of {row['sk']} is no text")
    return value
