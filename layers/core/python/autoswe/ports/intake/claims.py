"""The roles that the way from a delivery to a started workflow asks for; wiring joins them to adapters.

They stand apart from the other ports because the webhook's path must not import pydantic.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from autoswe.contracts.records.offers import Offer
from autoswe.rules.intake.admission import AdmissionContext
from autoswe.rules.records.automations import AutomationFilter


class Claim(StrEnum):
    """How an attempt to decide on an offer ended.

    ``decided``: the decision is recorded and the pull request's slot is its own. ``duplicate``: the subject, or this
    very delivery, was decided before. ``held``: another decision holds the slot; nothing was written.
    """

    DECIDED = "decided"
    DUPLICATE = "duplicate"
    HELD = "held"


class Suppression(StrEnum):
    """How an attempt to record a suppressed offer ended.

    ``suppressed``: recorded, to be offered again. ``duplicate``: this delivery was recorded before. ``freed``: the slot
    has meanwhile become free, so the offer can be decided on after all; nothing was written.
    """

    SUPPRESSED = "suppressed"
    DUPLICATE = "duplicate"
    FREED = "freed"


class WebhookSecrets(Protocol):
    """The secrets that a connection's deliveries are signed with."""

    def webhook_secrets(self, connection: str) -> tuple[str, ...] | None:
        """Read every secret that is good now; ``None`` when there is no such connection."""
        ...


class Claims(Protocol):
    """The ledger of decisions."""

    def claim(self, offer: Offer) -> Claim:
        """Record the decision, take the pull request's slot and record the delivery: all of it or nothing."""
        ...


class IntakeLedger(Claims, Protocol):
    """The records that decide whether a trigger is acted on, and the ledger of what was decided."""

    def context(
        self, connection: str, repository: str, repository_id: int, pull_number: int, account_id: int
    ) -> AdmissionContext:
        """Read what is switched on, whether the account is an active member, and who opened the pull request."""
        ...

    def automations(self, connection: str) -> Iterable[AutomationFilter]:
        """Read every automation of a connection."""
        ...

    def suppress(self, offer: Offer) -> Suppression:
        """Record, while the slot is still held, that the offer came meanwhile; the decision is not used up."""
        ...

    def postpone(self, offer: Offer) -> bool:
        """Write the offer down to be decided on later; false when this delivery was written down before."""
        ...


@dataclass(frozen=True)
class PendingIntake:
    """An offer that was written down to be decided on later, and the keys of its row."""

    partition_key: str
    sort_key: str
    offer: Offer


class PendingIntakes(Protocol):
    """The record of what became of pending intakes."""

    def settle(self, intake: PendingIntake, outcome: str, reason: str | None = None) -> None:
        """Record what became of a pending intake; what was recorded before stays, unless it was suppressed."""
        ...

    def suppress_again(self, intake: PendingIntake) -> Suppression:
        """Record, while the slot is still held, that the intake came meanwhile, for the holder to offer it once more.

        ``duplicate`` means that something was recorded of this intake before.
        """
        ...
