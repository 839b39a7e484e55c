"""How the row of an offer is spelled that is decided on later (architecture §4)."""

from collections.abc import Mapping
from datetime import datetime

from autoswe.dynamodb.table.attributes import Plain
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.dynamodb.table.timestamps import timestamp


def postponed_key(connection: str, guid: str) -> dict[str, str]:
    """Spell the key of the intake that a delivery itself left; those of rounds that offer it again stand beside it."""
    return {"pk": key("INTAKE", connection, guid), "sk": SINGLE}


def intake_attributes(offer: Mapping[str, Plain], now: datetime) -> Mapping[str, Plain]:
    """Spell what an intake holds beside its key; until it is resolved it is in the index ``unstarted``."""
    return {"kind": "intake", "unstarted": "intake", "decided_at": timestamp(now), **offer}
