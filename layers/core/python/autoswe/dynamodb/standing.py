"""Where a round stands: its own row and the pull request's slot, as both were at one moment (architecture §4)."""

from dataclasses import dataclass
from typing import Self

from autoswe.contracts.rows import Decision, Fire
from autoswe.dynamodb import keys
from autoswe.dynamodb.attributes import number, text
from autoswe.dynamodb.contract_rows import from_row
from autoswe.dynamodb.rows import Key, Row
from autoswe.rules.feedback.naming import decision_digest


def pull_partition(decision: Decision) -> str:
    """Return the partition that holds everything about the decision's pull request."""
    return keys.pull_partition(decision.connection, decision.repository, decision.pull_number)


def slot_key(decision: Decision) -> Key:
    """Return the key of the pull request's slot."""
    return {"pk": pull_partition(decision), "sk": keys.SLOT}


def fire_key(decision: Decision) -> Key:
    """Return the key of the decision's round."""
    return {"pk": pull_partition(decision), "sk": keys.key("FIRE", decision_digest(decision.decision_id))}


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


@dataclass(frozen=True)
class Standing:
    """A decision, its round, absent when no execution has claimed it, and the slot; ``now`` is when they were read."""

    decision: Decision
    fire: Fire | None
    slot: Slot
    now: str

    @classmethod
    def read(cls, decision: Decision, fire: Row | None, slot: Row | None, now: str) -> Self:
        """Read both rows; raises ``MalformedRow``."""
        return cls(decision, None if fire is None else from_row(Fire, fire), Slot.read(slot), now)

    @property
    def slot_is_the_decisions(self) -> bool:
        """Whether nobody has taken the slot from the decision."""
        return self.slot.holder == self.decision.decision_id

    def held_by(self, execution: str) -> Fire | None:
        """Return the round if this execution is its current one and still has the slot it took, else ``None``."""
        fire = self.fire
        if fire is None or fire.execution != execution:
            return None
        return fire if self.slot_is_the_decisions and self.slot.fence == fire.fence else None
