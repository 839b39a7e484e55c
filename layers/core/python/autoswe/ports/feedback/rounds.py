"""The role that keeps the ledger of rounds."""

from dataclasses import dataclass
from typing import Protocol

from autoswe.contracts.records.platform import Decision, Fire, FireOutcome


@dataclass(frozen=True)
class Written:
    """A write to the host as it is on record.

    ``decision_id`` names the decision that announced it last, at ``intended_at`` (ISO 8601). ``effect`` is what it
    left, absent while nobody knows of any; ``content`` is a digest of what was written.
    """

    decision_id: str
    intended_at: str
    effect: str | None = None
    content: str | None = None


class Rounds(Protocol):
    """The ledger of rounds: who runs one now, what it wrote, how it ended."""

    def fire(self, decision: Decision) -> Fire | None:
        """Read the decision's round."""
        ...

    def claim(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        """Take the pull request's slot for this execution and make it the round's current one.

        The slot is taken when it is this decision's, free or expired; otherwise the answer is ``None``. The same
        execution asking again gets the same fence; a new execution of the same decision gets a new one and the old one
        is powerless from then on. What the round had recorded (head, commit, pushed) stays.
        """
        ...

    def held(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        """Renew the lease and return the round if this execution still holds the slot, else ``None``."""
        ...

    def record_head(self, decision: Decision, execution: str, head_sha: str, head_ref: str) -> None:
        """Record the commit and branch the fix is cut from."""
        ...

    def record_commit(self, decision: Decision, execution: str, commit_sha: str, instead_of: str | None) -> str | None:
        """Record the fix on the round and as a commit of ours, before it is pushed; return the commit on record then.

        Only ``instead_of``, the commit that the caller saw on record, gives way: another try of the same state may have
        recorded its commit meanwhile, and pushes that. ``None`` when the slot is not ours.
        """
        ...

    def record_pushed(self, decision: Decision, commit_sha: str) -> None:
        """Record that the branch holds the fix; the round counts from now on, once."""
        ...

    def earlier_commits(self, decision: Decision) -> tuple[str, ...]:
        """List the commits of the automation's other pushed rounds on this pull request, newest first."""
        ...

    def intend(self, decision: Decision, write: str) -> None:
        """Record that a write is about to be made; recording it again changes nothing."""
        ...

    def effect(self, decision: Decision, write: str, effect: str) -> None:
        """Record what a write left behind."""
        ...

    def intended(self, decision: Decision, write: str) -> str | None:
        """Say which decision intended a write on this pull request, if any did."""
        ...

    def written(self, decision: Decision, write: str) -> Written | None:
        """Read what is on record of a write on this pull request, whichever decision announced it."""
        ...

    def announce(self, decision: Decision, write: str, seen: Written | None) -> Written | None:
        """Record that a write is about to be made, as long as its record is still what was seen.

        Of tries that overlap one alone is let through; ``None`` for the others.
        """
        ...

    def settle(self, decision: Decision, write: str, seen: Written, effect: str, content: str | None) -> None:
        """Record what a write left behind, unless its record is not what was seen any more."""
        ...

    def doubted_seconds(self, decision: Decision, what: str) -> float:
        """Say how long ago the decision's round first doubted something; the first time that is now, on record."""
        ...

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        """Write the outcome and free the slot; false when this execution is not the round's current one."""
        ...

    def take_up(self, decision: Decision, attempt: int) -> None:
        """Have the decision's round started anew as this attempt, from 1, by the next sweep; again changes nothing."""
        ...

    def suppressed_during(self, decision: Decision) -> tuple[str, ...]:
        """List the deliveries suppressed on this pull request since the round started, oldest first."""
        ...

    def offer_again(self, decision: Decision, delivery: str) -> None:
        """Offer a suppressed delivery as a new intake row; offering it again changes nothing."""
        ...

    def note(self, decision: Decision, event: str) -> None:
        """Write a fixed-string activity event under the pull request."""
        ...
