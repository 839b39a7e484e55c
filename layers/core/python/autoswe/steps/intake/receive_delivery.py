"""Receive a delivery: verify it, recognise a trigger in it, and claim the one decision its subject gets (feedback §1).

A delivery is a doorbell, not a letter: nothing it says is acted on without being read again when the round gathers.
This module is on the webhook's path: it imports no library.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from autoswe.contracts.intake.deliveries import (
    Envelope,
    MalformedDelivery,
    NewTextDelivery,
    is_connection_name,
    read_envelope,
    read_new_text,
    read_payload,
)
from autoswe.contracts.records.offers import Offer
from autoswe.ports.intake.claims import IntakeLedger, WebhookSecrets
from autoswe.rules.intake.admission import IntakeOutcome, IntakeRefusal, admit
from autoswe.rules.intake.recognition import IgnoreReason, recognise
from autoswe.rules.intake.signature import SIGNATURE_HEADER, SignatureVerdict, verify
from autoswe.steps.intake.slot_claim import claim_or_suppress


class RefusalReason(StrEnum):
    """Why a request is no delivery, beside a bad signature.

    ``unknown_route``: nothing is answered there. ``unknown_connection``: there is no such connection. ``too_large``:
    the body is over the bound. ``malformed``: the body or the headers are not what a delivery has.
    """

    UNKNOWN_ROUTE = "unknown_route"
    UNKNOWN_CONNECTION = "unknown_connection"
    TOO_LARGE = "too_large"
    MALFORMED = "malformed"


@dataclass(frozen=True)
class Request:
    """A request to a connection's webhook; header names are lower case, the body is decoded."""

    connection: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Receipt:
    """The answer to a delivery; never holds text that somebody wrote.

    ``reason`` says why it was ignored or refused, ``detail`` in a sentence what is malformed. ``connection`` is known
    when there is such a connection, ``event`` and ``delivery`` once the signature was good, the others once the payload
    was understood.
    """

    outcome: IntakeOutcome
    connection: str | None = None
    reason: IgnoreReason | IntakeRefusal | RefusalReason | SignatureVerdict | None = None
    detail: str | None = None
    event: str | None = None
    delivery: str | None = None
    repository: str | None = None
    pull: int | None = None
    subject: str | None = None


def receive_delivery(request: Request, secrets: WebhookSecrets, ledger: IntakeLedger) -> Receipt:
    """Decide what becomes of a delivery, and record it when it is a trigger of a member's.

    What is ignored or refused before the records are asked costs no database call. Raises ``SlotContended``, and
    whatever an adapter raises: GitHub then shows the delivery as failed, for an operator to deliver again.
    """
    connection = request.connection
    known = secrets.webhook_secrets(connection) if is_connection_name(connection) else None
    if known is None:
        return Receipt(IntakeOutcome.REFUSED, reason=RefusalReason.UNKNOWN_CONNECTION)
    verdict = verify(request.headers.get(SIGNATURE_HEADER), request.body, known)
    if verdict is not SignatureVerdict.VALID:
        return Receipt(IntakeOutcome.REFUSED, connection, verdict)
    envelope = None
    try:
        payload = read_payload(request.body)
        envelope = read_envelope(request.headers)
        delivery = read_new_text(envelope.event, payload)
    except MalformedDelivery as malformed:
        refused = IntakeOutcome.REFUSED
        return _receipt(refused, connection, envelope, reason=RefusalReason.MALFORMED, detail=str(malformed))
    if delivery is None:
        return _receipt(IntakeOutcome.IGNORED, connection, envelope, reason=IgnoreReason.UNINTERESTING)
    return _decide(connection, envelope, delivery, ledger)


def _decide(connection: str, envelope: Envelope, delivery: NewTextDelivery, ledger: IntakeLedger) -> Receipt:
    trigger = recognise(delivery.text)
    if isinstance(trigger, IgnoreReason):
        return _receipt(IntakeOutcome.IGNORED, connection, envelope, delivery, reason=trigger)
    subject = trigger.subject(delivery.pull_number)
    if delivery.installation_id is None:
        refused = IntakeRefusal.NO_INSTALLATION
        return _receipt(IntakeOutcome.IGNORED, connection, envelope, delivery, reason=refused, subject=subject)
    context = ledger.context(
        connection, delivery.repository, delivery.repository_id, delivery.pull_number, delivery.text.sender_id
    )
    admission = admit(trigger.kind, context, ledger.automations(connection))
    if isinstance(admission, IntakeRefusal):
        return _receipt(IntakeOutcome.IGNORED, connection, envelope, delivery, reason=admission, subject=subject)
    offer = Offer(
        connection=connection,
        repository=context.repository,
        repository_id=delivery.repository_id,
        pull_number=delivery.pull_number,
        subject=subject,
        trigger=trigger.kind,
        source=trigger.source,
        trigger_id=trigger.source_id,
        sender_id=delivery.text.sender_id,
        delivery=envelope.guid,
        automation_id=admission.automation_id,
    )
    if admission.if_on_host:
        # Whether the pull request is there is asked by resolve_intake: the webhook holds no key to the host.
        became = IntakeOutcome.POSTPONED if ledger.postpone(offer) else IntakeOutcome.DUPLICATE
    else:
        claimed = claim_or_suppress(lambda: ledger.claim(offer), lambda: ledger.suppress(offer))
        became = IntakeOutcome(claimed)
    return _receipt(became, connection, envelope, delivery, subject=subject)


def _receipt(
    outcome: IntakeOutcome,
    connection: str,
    envelope: Envelope | None,
    delivery: NewTextDelivery | None = None,
    *,
    reason: IgnoreReason | IntakeRefusal | RefusalReason | None = None,
    detail: str | None = None,
    subject: str | None = None,
) -> Receipt:
    return Receipt(
        outcome,
        connection,
        reason,
        detail,
        event=envelope.event if envelope else None,
        delivery=envelope.guid if envelope else None,
        repository=delivery.repository if delivery else None,
        pull=delivery.pull_number if delivery else None,
        subject=subject,
    )
