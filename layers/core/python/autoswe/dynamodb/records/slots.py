"""The slot of a pull request: a lease with a fencing number, which one decision holds at a time (architecture §4)."""

from dataclasses import dataclass
from typing import Self

from autoswe.contracts.records.platform import Decision
from autoswe.dynamodb.table import keys
from autoswe.dynamodb.table.attributes import number, text
from autoswe.dynamodb.table.rows import Key, Row


def pull_partition(decision: Decision) -> str:
    """Return the partition that holds everything about the decision's pull request."""
    return keys.pull_partition(decision.connection, decision.repository, decision.pull_number)


def slot_key(decision: Decision) -> Key:
    """Return the key of the pull request's slot."""
    return {"pk": pull_partition(decision), "sk": keys.SLOT}


@dataclass(frozen=True)
class Slot:
    """The lease on a pull request.

    ``holder`` is the decision that has it, absent when it is free. ``fence`` grows by one each time the slot is taken
    and is 0 before the first time. ``lease_until`` is when anybody else may take it, absent when it is free.
    """

    holder: str | None
    fence: int
    lease_until: str | None

    @classmethod
    def read(cls, row: Row | None) -> Self:
        """Read the slot's row; one that was never written is free. Raises ``MalformedRow``."""
        if row is None:
            return cls(None, 0, None)
        if "holder" not in row:
            return cls(None, number(row, "fence"), None)
        return cls(text(row, "holder"), number(row, "fence"), text(row, "lease_until"))

    def is_open_to(self, decision_id: str, now: str) -> bool:
        """Say whether a decision may take the slot: it is free, its lease is over, or it is the decision's already."""
        return self.holder in (None, decision_id) or self.lease_until is None or self.lease_until < now
