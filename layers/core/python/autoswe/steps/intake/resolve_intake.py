"""Resolve an intake: decide on a trigger that was written down to be decided on later (feedback §1).

That is a command on a pull request that the platform did not open, which has to be there first; or a trigger which came
while a round held its pull request, offered again when that round ended and had not served it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from autoswe.contracts.records.offers import Offer
from autoswe.contracts.records.platform import Connection
from autoswe.ports.github import Gone
from autoswe.ports.intake.claims import IntakeLedger, PendingIntake, PendingIntakes, Suppression
from autoswe.ports.intake.starts import HeadHost
from autoswe.ports.records import Connections
from autoswe.rules.intake.admission import Admitted, IntakeOutcome, IntakeRefusal, admit
from autoswe.steps.intake.slot_claim import claim_or_suppress


class ConnectionUnknown(Exception):
    """An intake's connection has no record, so its host cannot be asked; the message names the connection."""


@dataclass(frozen=True)
class Ports:
    """What resolving reads and writes; ``open_host`` mints a token only when the host is asked something."""

    ledger: IntakeLedger
    intakes: PendingIntakes
    connections: Connections
    open_host: Callable[[Connection, int], HeadHost]


@dataclass(frozen=True)
class Resolution:
    """What became of an intake; ``reason`` says why it was ignored."""

    outcome: IntakeOutcome
    reason: IntakeRefusal | None = None


def resolve_intake(intake: PendingIntake, ports: Ports) -> Resolution:
    """Claim the decision that the intake asks for if the records still admit it, and record what became of it.

    The kill switch, the settings and the automations are read anew before anything else; nothing is read from the host
    unless the trigger would be decided on. ``suppressed`` means that the slot is held again, by a round that can offer
    the trigger once more when it ends. Raises ``SlotContended``, ``ConnectionUnknown``, and whatever an adapter raises:
    the stream then brings the intake again.
    """
    admission = _admit(intake.offer, ports)
    if isinstance(admission, IntakeRefusal):
        ports.intakes.settle(intake, IntakeOutcome.IGNORED, admission)
        return Resolution(IntakeOutcome.IGNORED, admission)
    taken = replace(intake, offer=replace(intake.offer, automation_id=admission.automation_id))
    became = claim_or_suppress(lambda: ports.ledger.claim(taken.offer), lambda: ports.intakes.suppress_again(taken))
    if isinstance(became, Suppression):
        return Resolution(IntakeOutcome.SUPPRESSED)
    outcome = IntakeOutcome(became)
    ports.intakes.settle(intake, outcome)
    return Resolution(outcome)


def _admit(offer: Offer, ports: Ports) -> Admitted | IntakeRefusal:
    context = ports.ledger.context(
        offer.connection, offer.repository, offer.repository_id, offer.pull_number, offer.sender_id
    )
    admission = admit(offer.trigger, context, ports.ledger.automations(offer.connection))
    if isinstance(admission, Admitted) and admission.if_on_host and not _is_on_host(offer, ports):
        return IntakeRefusal.PULL_GONE
    return admission


def _is_on_host(offer: Offer, ports: Ports) -> bool:
    connection = ports.connections.connection(offer.connection)
    if connection is None:
        raise ConnectionUnknown(f"the connection {offer.connection} of an intake has no record")
    try:
        ports.open_host(connection, offer.repository_id).pull(offer.pull_number)
    except Gone:
        return False
    return True
