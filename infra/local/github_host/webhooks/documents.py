"""Attempts to deliver a webhook as JSON."""

from __future__ import annotations

from infra.local.github_host.answers.timestamps import precise_timestamp
from infra.local.github_host.documents.accounts import Document
from infra.local.github_host.webhooks.deliveries import Attempt, Delivery


def delivery_item(delivery: Delivery, attempt: Attempt) -> Document:
    """Show an attempt in a list (schema ``hook-delivery-item``)."""
    repository = delivery.payload.get("repository")
    return {
        "id": attempt.id,
        "guid": delivery.guid,
        "delivered_at": precise_timestamp(attempt.at),
        "redelivery": attempt.redelivery,
        "duration": round(attempt.seconds, 2),
        "status": attempt.answer.outcome,
        "status_code": attempt.status,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": None if delivery.installation is None else delivery.installation.id,
        "repository_id": None if repository is None else repository["id"],
        "throttled_at": None,
    }


def full_delivery(delivery: Delivery, attempt: Attempt) -> Document:
    """Show an attempt by itself, with what was sent and what came back (schema ``hook-delivery``)."""
    answer = attempt.answer
    return {
        **delivery_item(delivery, attempt),
        "url": attempt.url,
        "request": {"headers": dict(delivery.headers), "payload": dict(delivery.payload)},
        "response": {"headers": None if answer.headers is None else dict(answer.headers), "payload": answer.body},
    }
