"""The transactions that decide what becomes of an offer, and how their reasons are read (architecture §4).

Times are UTC with second precision, spelled so that they compare as strings. An expired row counts as gone, whether the
table has got round to deleting it or not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from autoswe.contracts.records.offers import Offer
from autoswe.dynamodb.records.offers import intake_attributes, postponed_key
from autoswe.dynamodb.table.attributes import to_item
from autoswe.dynamodb.table.keys import SINGLE, SLOT, key, pull_partition
from autoswe.dynamodb.table.timestamps import epoch, timestamp
from autoswe.dynamodb.table.transactions import CONDITION_FAILED, Reasons
from autoswe.ports.intake.claims import Claim, PendingIntake, Suppression
from autoswe.rules.records.slots import LEASE

DELIVERY_LIFE = timedelta(days=30)
"""How long a delivery is remembered; a person can have GitHub deliver it again for three days."""

Write = Mapping[str, Mapping[str, Any]]

_FREE = "attribute_not_exists(holder) OR lease_until < :now"
_HELD = "attribute_exists(holder) AND lease_until >= :now"
_ABSENT = "attribute_not_exists(pk) OR expires_at < :epoch"


def claim_writes(table_name: str, offer: Offer, now: datetime) -> Sequence[Write]:
    """Write the transaction that decides on an offer, in the order in which ``claim_verdict`` reads its reasons.

    First the decision, which must not exist. Then the pull request's slot, which must be free or its lease over; it
    gets the next fencing number. Then the delivery, which must be unknown or merely suppressed.
    """
    decision_id = key("DECISION", offer.connection, offer.repository, offer.subject, offer.automation_id)
    decision = {
        "pk": decision_id,
        "sk": SINGLE,
        "kind": "decision",
        "unstarted": "decision",
        "decision_id": decision_id,
        "connection": offer.connection,
        "repository": offer.repository,
        "repository_id": offer.repository_id,
        "pull_number": offer.pull_number,
        "automation_id": offer.automation_id,
        "trigger": offer.trigger,
        "source": offer.source,
        "trigger_id": offer.trigger_id,
        "sender_id": offer.sender_id,
        "delivery": offer.delivery,
        "decided_at": timestamp(now),
    }
    slot = {":holder": decision_id, ":lease": timestamp(now + LEASE), ":now": timestamp(now), ":one": 1}
    delivery = {**_delivery(offer, now, "decided"), "decision_id": decision_id}
    return [
        {
            "Put": {
                "TableName": table_name,
                "Item": to_item(decision),
                "ConditionExpression": "attribute_not_exists(pk)",
            }
        },
        {
            "Update": {
                "TableName": table_name,
                "Key": to_item(_slot_key(offer)),
                "UpdateExpression": "SET holder = :holder, lease_until = :lease ADD fence :one",
                "ConditionExpression": _FREE,
                "ExpressionAttributeValues": to_item(slot),
            }
        },
        {
            "Put": {
                "TableName": table_name,
                "Item": to_item(delivery),
                "ConditionExpression": f"{_ABSENT} OR outcome = :suppressed",
                "ExpressionAttributeValues": to_item({":epoch": epoch(now), ":suppressed": "suppressed"}),
            }
        },
    ]


def claim_verdict(reasons: Reasons) -> Claim | None:
    """Read, by position, how a claim ended; nothing when the reasons do not settle it.

    A slot counts as held only when nothing else stood in the way: a conflict on the delivery may hide that it was
    decided.
    """
    match reasons:
        case ():
            return Claim.DECIDED
        case (first, _, last) if CONDITION_FAILED in (first, last):
            return Claim.DUPLICATE
        case ("None", slot, "None") if slot == CONDITION_FAILED:
            return Claim.HELD
    return None


def suppression_writes(table_name: str, offer: Offer, now: datetime) -> Sequence[Write]:
    """Write the transaction that records an offer as suppressed, in the order of ``suppression_verdict``.

    First a check that the slot is still held: a round that has just ended would not see the record any more, and the
    offer would be lost. Then the delivery, which must be unknown. Then the event, with all it takes to offer it again.
    """
    return [
        _still_held(table_name, offer, now),
        {
            "Put": {
                "TableName": table_name,
                "Item": to_item(_delivery(offer, now, "suppressed")),
                "ConditionExpression": _ABSENT,
                "ExpressionAttributeValues": to_item({":epoch": epoch(now)}),
            }
        },
        _suppressed_event(table_name, offer, now),
    ]


def renewed_suppression_writes(table_name: str, intake: PendingIntake, now: datetime) -> Sequence[Write]:
    """Write the transaction that suppresses a pending intake once more, in the order of ``suppression_verdict``.

    First the check that the slot is still held. Then the outcome on the intake's row, which must have none. Then an
    event of its own, because a round looks for those that were written while it ran.
    """
    outcome = {":outcome": "suppressed", ":expiry": epoch(now + DELIVERY_LIFE)}
    return [
        _still_held(table_name, intake.offer, now),
        {
            "Update": {
                "TableName": table_name,
                "Key": to_item({"pk": intake.partition_key, "sk": intake.sort_key}),
                "UpdateExpression": "SET outcome = :outcome, expires_at = :expiry REMOVE unstarted",
                "ConditionExpression": "attribute_not_exists(outcome)",
                "ExpressionAttributeValues": to_item(outcome),
            }
        },
        _suppressed_event(table_name, intake.offer, now),
    ]


def suppression_verdict(reasons: Reasons) -> Suppression | None:
    """Read, by position, how a suppression ended; nothing when the reasons do not settle it."""
    match reasons:
        case ():
            return Suppression.SUPPRESSED
        case (slot, _, _) if slot == CONDITION_FAILED:
            return Suppression.FREED
        case ("None", delivery, _) if delivery == CONDITION_FAILED:
            return Suppression.DUPLICATE
    return None


def postponement_writes(table_name: str, offer: Offer, now: datetime) -> Sequence[Write]:
    """Write the transaction that writes an offer down to be decided on later.

    First the intake, which must not exist: the table's stream brings it. Then an event, by which the pull request's
    history finds it.
    """
    intake = {**postponed_key(offer.connection, offer.delivery), **intake_attributes(asdict(offer), now)}
    event = {
        "pk": _pull(offer),
        "sk": key("EVENT", timestamp(now), offer.delivery, "postponed"),
        "event": "delivery_postponed",
        "delivery": offer.delivery,
        "trigger": offer.trigger,
        "sender_id": offer.sender_id,
    }
    return [
        {"Put": {"TableName": table_name, "Item": to_item(intake), "ConditionExpression": "attribute_not_exists(pk)"}},
        {"Put": {"TableName": table_name, "Item": to_item(event)}},
    ]


def postponement_verdict(reasons: Reasons) -> bool | None:
    """Read, by position, whether a postponement was new; nothing when the reasons do not settle it."""
    match reasons:
        case ():
            return True
        case (intake, _) if intake == CONDITION_FAILED:
            return False
    return None


def delivery_key(connection: str, guid: str) -> dict[str, str]:
    """Spell the key of what is remembered of a delivery."""
    return {"pk": key("DELIVERY", connection, guid), "sk": SINGLE}


def _still_held(table_name: str, offer: Offer, now: datetime) -> Write:
    return {
        "ConditionCheck": {
            "TableName": table_name,
            "Key": to_item(_slot_key(offer)),
            "ConditionExpression": _HELD,
            "ExpressionAttributeValues": to_item({":now": timestamp(now)}),
        }
    }


def _suppressed_event(table_name: str, offer: Offer, now: datetime) -> Write:
    event = {
        "pk": _pull(offer),
        "sk": key("EVENT", timestamp(now), offer.delivery),
        "event": "delivery_suppressed",
        **asdict(offer),
    }
    return {"Put": {"TableName": table_name, "Item": to_item(event)}}


def _pull(offer: Offer) -> str:
    return pull_partition(offer.connection, offer.repository, offer.pull_number)


def _slot_key(offer: Offer) -> dict[str, str]:
    return {"pk": _pull(offer), "sk": SLOT}


def _delivery(offer: Offer, now: datetime, outcome: str) -> dict[str, object]:
    return {
        **delivery_key(offer.connection, offer.delivery),
        "outcome": outcome,
        "pull": _pull(offer),
        "expires_at": epoch(now + DELIVERY_LIFE),
    }
