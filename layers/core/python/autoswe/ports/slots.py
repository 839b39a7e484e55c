"""The role that keeps the slots of pull requests: a decision's lease on one, from its claim to its end."""

from enum import StrEnum
from typing import Protocol

from autoswe.contracts.records.platform import Decision, FireOutcome


class Hold(StrEnum):
    """Whether a decision may start now.

    ``held``: the pull request's slot is the decision's, for half an hour from now. ``gathered``: an execution has
    claimed the decision's round before. ``taken``: another decision has the slot; nothing was written.
    """

    HELD = "held"
    GATHERED = "gathered"
    TAKEN = "taken"


class Slots(Protocol):
    """The slots of pull requests, as far as a start is concerned."""

    def hold(self, decision: Decision) -> Hold:
        """Keep the slot for a decision whose round nobody has claimed, or is to be taken up again.

        The slot is free, its lease is over, or it is the decision's own.
        """
        ...

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        """End the decision's round and free its slot; false when another execution has claimed the round."""
        ...
