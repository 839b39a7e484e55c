"""How often an organisation's agents have started on a day: a number that counts every start once (feedback §6)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from autoswe.dynamodb.table.attributes import number
from autoswe.dynamodb.table.client import Contended
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.dynamodb.table.rows import Key, Row, Rows, Write, put, update
from autoswe.dynamodb.table.timestamps import epoch

R = TypeVar("R")

_LIFE = timedelta(days=8)
"""How long a day is remembered: longer than its own number counts."""

_LOOKS = 5
"""How often a start is judged anew because another was added first."""


def started_on(row: Row | None) -> int:
    """Read a day's number from its row; raises ``MalformedRow``."""
    return 0 if row is None else number(row, "started")


def day_key(organization: str | None, moment: datetime) -> Key:
    """Spell the key of a day's number; repositories of no organisation are counted together."""
    return {"pk": key("AGENTDAY", organization or "", f"{moment:%Y-%m-%d}"), "sk": SINGLE}


def add_start(organization: str | None, moment: datetime, started: int) -> Write:
    """Add one to a day's number, if it is ``started`` still."""
    changes: Row = {"started": started + 1, "expires_at": epoch(moment + _LIFE)}
    return update(day_key(organization, moment), changes, expect={"started": started or None})


def start_once(
    rows: Rows, organization: str | None, moment: datetime, start: str, judge: Callable[[int], R | None]
) -> R | None:
    """Add a start to its day once, unless ``judge`` has a reason against it, given the number without it.

    A start that was added before is not judged again. Raises ``Contended`` when others kept being added first.
    """
    day = day_key(organization, moment)
    mark = {"pk": day["pk"], "sk": key("START", start)}
    for _ in range(_LOOKS):
        added, counted = rows.read_together(mark, day)
        if added is not None:
            return None
        reason = judge(started_on(counted))
        if reason is not None:
            return reason
        marked = put({**mark, "expires_at": epoch(moment + _LIFE)}, expect={"pk": None})
        if rows.write(marked, add_start(organization, moment, started_on(counted))):
            return None
    raise Contended("others kept being added to the same day")
