"""The webhook's entry: an API Gateway request becomes a step's request, its receipt an answer and one line of log.

API Gateway describes both in "Working with AWS Lambda proxy integrations for HTTP APIs", payload format 2.0.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.rules.intake.admission import IntakeOutcome
from autoswe.rules.intake.signature import SignatureVerdict
from autoswe.runtime import aws
from autoswe.runtime.log_line import log_line, metric_line
from autoswe.runtime.process import Process, current
from autoswe.secrets.secrets_manager import Secrets
from autoswe.steps.intake import receive_delivery as step
from autoswe.steps.intake.receive_delivery import Receipt, RefusalReason, Request

MAX_BODY_BYTES = 6 * 1024 * 1024
"""The largest body that is looked at, counted after decoding."""

_MAX_BASE64_CHARACTERS = (MAX_BODY_BYTES + 2) // 3 * 4

_COUNTED = frozenset(IntakeOutcome) - {IntakeOutcome.IGNORED, IntakeOutcome.REFUSED}
"""What becomes of requests for a round; anybody can send what is ignored or refused, as often as they like."""

_STATUS: Mapping[object, int] = {
    RefusalReason.UNKNOWN_ROUTE: 404,
    RefusalReason.UNKNOWN_CONNECTION: 404,
    RefusalReason.TOO_LARGE: 413,
    RefusalReason.MALFORMED: 400,
    SignatureVerdict.MISSING: 401,
    SignatureVerdict.MALFORMED: 401,
    SignatureVerdict.WRONG: 401,
}


def receive_delivery(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
    """Answer ``POST /github/{connection}``: 202 for every delivery, whatever became of it.

    404 for an unknown connection or route, 413 for a body over the bound, 401 for a missing or bad signature, 400 for
    what cannot be a delivery. A failure of ours is raised, and API Gateway answers 500.
    """
    request = _read_request(event)
    process = current()
    receipt = request if isinstance(request, Receipt) else _receive(request, process)
    log_line(asdict(receipt))
    if receipt.outcome in _COUNTED:
        metric_line({"step": "receive_delivery", "outcome": receipt.outcome}, {"Deliveries": 1}, process.now())
    body = {"outcome": receipt.outcome, "reason": receipt.reason, "detail": receipt.detail}
    return {
        "statusCode": _STATUS[receipt.reason] if receipt.outcome is IntakeOutcome.REFUSED else 202,
        "headers": {"content-type": "application/json"},
        "body": json.dumps({name: value for name, value in body.items() if value is not None}),
    }


def _receive(request: Request, process: Process) -> Receipt:
    secrets = process.once(
        "secrets",
        lambda: Secrets(
            lambda: aws.client(process, "secretsmanager"), process.variable("AUTOSWE_SECRETS_PREFIX"), process.now
        ),
    )
    table = Table(process.variable("AUTOSWE_TABLE"), lambda: aws.client(process, "dynamodb"))
    return step.receive_delivery(request, secrets, IntakeTable(table, process.now, Backoff(process.sleep)))


def _read_request(event: Mapping[str, Any]) -> Request | Receipt:
    connection = event.get("pathParameters", {}).get("connection")
    if connection is None or event["requestContext"]["http"]["method"] != "POST":
        return Receipt(IntakeOutcome.REFUSED, reason=RefusalReason.UNKNOWN_ROUTE)
    body = _read_body(event.get("body") or "", encoded=event.get("isBase64Encoded", False))
    if isinstance(body, Receipt):
        return body
    headers = {name.lower(): value for name, value in event.get("headers", {}).items()}
    return Request(connection, headers, body)


def _read_body(body: str, *, encoded: bool) -> bytes | Receipt:
    if len(body) > (_MAX_BASE64_CHARACTERS if encoded else MAX_BODY_BYTES):
        return Receipt(IntakeOutcome.REFUSED, reason=RefusalReason.TOO_LARGE)
    try:
        decoded = base64.b64decode(body, validate=True) if encoded else body.encode()
    except ValueError:
        detail = "the body is not base64" if encoded else "the body is not text"
        return Receipt(IntakeOutcome.REFUSED, reason=RefusalReason.MALFORMED, detail=detail)
    if len(decoded) > MAX_BODY_BYTES:
        return Receipt(IntakeOutcome.REFUSED, reason=RefusalReason.TOO_LARGE)
    return decoded
