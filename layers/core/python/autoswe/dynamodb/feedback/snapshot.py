"""Where a round stands: its own row and the pull request's slot, as both were at one moment (architecture §4)."""

from dataclasses import dataclass
from typing import Self

from autoswe.contracts.records.platform import Decision, Fire
from autoswe.dynamodb.records.slots import Slot, pull_partition
from autoswe.dynamodb.table import keys
from autoswe.dynamodb.table.contract_rows import from_row
from autoswe.dynamodb.table.rows import Key, Row
from autoswe.rules.records.decisions import decision_digest


def fire_key(decision: Decision) -> Key:
    """Return the key of the decision's round."""
    return {"pk": pull_partition(decision), "sk": keys.key("FIRE", decision_digest(decision.decision_id))}


@dataclass(frozen=True)
class RoundSnapshot:
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
