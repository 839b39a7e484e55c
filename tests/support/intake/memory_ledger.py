"""The intake's ledger in memory: what a step sees of the table, without the table."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from autoswe.contracts.records.offers import Offer
from autoswe.ports.intake.claims import Claim, PendingIntake, Suppression
from autoswe.rules.intake.admission import AdmissionContext
from autoswe.rules.records.automations import AutomationFilter
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER, SECRET


@dataclass
class MemoryLedger:
    """Lets every test say what is on record and what each claim will answer; remembers what it was asked."""

    switched_on: bool = True
    opened_by_platform: bool = True
    others_allowed: bool = False
    members: frozenset[tuple[str, str, int]] = frozenset({(CONNECTION, REPOSITORY, REVIEWER)})
    saved: list[AutomationFilter] = field(default_factory=lambda: [AutomationFilter("fix-feedback", enabled=True)])
    claims: list[Claim] = field(default_factory=lambda: [Claim.DECIDED])
    suppressions: list[Suppression] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    postponed_before: bool = False
    settled: list[tuple[PendingIntake, str, str | None]] = field(default_factory=list)

    def context(
        self, connection: str, repository: str, repository_id: int, pull_number: int, account_id: int
    ) -> AdmissionContext:
        self.asked.append("standing")
        member = (connection, repository, account_id) in self.members
        return AdmissionContext(
            self.switched_on, member, self.opened_by_platform, self.others_allowed, repository=repository
        )

    def automations(self, connection: str) -> Iterable[AutomationFilter]:
        self.asked.append("automations")
        return self.saved

    def claim(self, offer: Offer) -> Claim:
        self.asked.append("claim")
        self.offers.append(offer)
        return self.claims.pop(0)

    def suppress(self, offer: Offer) -> Suppression:
        self.asked.append("suppress")
        return self.suppressions.pop(0)

    def postpone(self, offer: Offer) -> bool:
        self.asked.append("postpone")
        self.offers.append(offer)
        return not self.postponed_before

    def suppress_again(self, intake: PendingIntake) -> Suppression:
        self.asked.append("suppress_again")
        return self.suppressions.pop(0)

    def settle(self, intake: PendingIntake, outcome: str, reason: str | None = None) -> None:
        self.settled.append((intake, outcome, reason))


@dataclass
class MemorySecrets:
    """Knows the secrets of connections."""

    known: dict[str, tuple[str, ...]] = field(default_factory=lambda: {CONNECTION: (SECRET,)})

    def webhook_secrets(self, connection: str) -> tuple[str, ...] | None:
        return self.known.get(connection)
