"""Deliveries that came while a round held their pull request, and how one is offered again (architecture §4)."""

from dataclasses import fields
from datetime import datetime

from autoswe.contracts.records.offers import Offer
from autoswe.contracts.records.platform import Decision
from autoswe.dynamodb.records.offers import intake_attributes
from autoswe.dynamodb.records.slots import pull_partition
from autoswe.dynamodb.table.attributes import MalformedRow, text
from autoswe.dynamodb.table.keys import key
from autoswe.dynamodb.table.rows import Row, Rows
from autoswe.rules.records.decisions import decision_digest

_SUPPRESSED = "delivery_suppressed"
_LAST = key("EVENT", "~")
"""Above the sort key of every event: a time starts with a digit."""


class DeliveryNotSuppressed(Exception):
    """A delivery was to be offered again that was never suppressed on the pull request."""


def suppressed_deliveries(rows: Rows, decision: Decision, since: str) -> tuple[str, ...]:
    """List the deliveries suppressed on the decision's pull request since a time, oldest first, its own left out."""
    events = rows.query(
        pull_partition(decision),
        key("EVENT", since),
        _LAST,
        where="event = :event AND delivery <> :own",
        event=_SUPPRESSED,
        own=decision.delivery,
    )
    return tuple(text(event, "delivery") for event in events)


def suppressed_delivery(rows: Rows, decision: Decision, delivery: str) -> Row:
    """Read the event of a suppressed delivery; raises ``DeliveryNotSuppressed`` when there is none."""
    events = rows.query(
        pull_partition(decision),
        key("EVENT", ""),
        _LAST,
        where="event = :event AND delivery = :delivery",
        event=_SUPPRESSED,
        delivery=delivery,
    )
    event = next(events, None)
    if event is None:
        raise DeliveryNotSuppressed(f"no delivery {delivery} was suppressed on this pull request")
    return event


def intake_row(event: Row, decision: Decision, now: datetime) -> Row:
    """Make the row by which a decision's round offers a suppressed delivery.

    It is keyed by the round: another round, which held the pull request when the offer came, may offer it once more.
    Raises ``MalformedRow`` when the event lacks a part.
    """
    missing = [field.name for field in fields(Offer) if field.name not in event]
    if missing:
        raise MalformedRow(f"the event {event['sk']} lacks {', '.join(missing)}")
    offer = {field.name: event[field.name] for field in fields(Offer)}
    place = {
        "pk": key("INTAKE", text(event, "connection"), text(event, "delivery")),
        "sk": key("BY", decision_digest(decision.decision_id)),
    }
    return {**place, **intake_attributes(offer, now)}
