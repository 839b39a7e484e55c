"""Builds the deliveries that GitHub sends about new reviews and comments, and the events API Gateway makes of them."""

import base64
import json
from collections.abc import Mapping
from typing import Any

from autoswe.rules.intake.signature import sign

SECRET = "-".join(("webhook", "secret", "of", "tests"))
CONNECTION = "feedback"
REPOSITORY = "octo/widgets"
REVIEWER = 101
GUID = "72d3162e-cc78-11e3-81ab-4c9367dc0958"

Payload = dict[str, Any]


def account(account_id: int = REVIEWER, kind: str = "User") -> Payload:
    return {"login": f"account-{account_id}", "id": account_id, "type": kind}


def discussion_comment(body: str | None = "/auto-swe fix", comment_id: int = 501, number: int = 7) -> Payload:
    return {
        "action": "created",
        "issue": {"number": number, "pull_request": {"url": "https://github.test/pulls/7"}},
        "comment": {"id": comment_id, "body": body, "user": account()},
        **_surroundings(),
    }


def inline_comment(body: str | None = "/auto-swe fix", comment_id: int = 601, number: int = 7) -> Payload:
    return {
        "action": "created",
        "comment": {"id": comment_id, "body": body, "user": account()},
        "pull_request": {"number": number},
        **_surroundings(),
    }


def review(state: str = "changes_requested", body: str | None = None, review_id: int = 701, number: int = 7) -> Payload:
    return {
        "action": "submitted",
        "review": {"id": review_id, "body": body, "state": state, "user": account()},
        "pull_request": {"number": number},
        **_surroundings(),
    }


def _surroundings() -> Payload:
    return {
        "repository": {"id": 9001, "full_name": REPOSITORY},
        "sender": account(),
        "installation": {"id": 31, "node_id": "MDIz"},
    }


def request(
    payload: object,
    event: str = "issue_comment",
    *,
    guid: str = GUID,
    connection: str = CONNECTION,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Build the API Gateway event of a signed delivery."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    return raw_request(body, event, guid=guid, connection=connection, headers=headers)


def raw_request(
    body: bytes,
    event: str = "issue_comment",
    *,
    guid: str = GUID,
    connection: str = CONNECTION,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Build the API Gateway event of a signed delivery whose body may be any bytes, base64-encoded when it must be."""
    try:
        text, encoded = body.decode(), False
    except UnicodeDecodeError:
        text, encoded = base64.b64encode(body).decode(), True
    return {
        "version": "2.0",
        "routeKey": "POST /github/{connection}",
        "rawPath": f"/github/{connection}",
        "rawQueryString": "",
        "headers": {
            "content-type": "application/json",
            "x-github-event": event,
            "x-github-delivery": guid,
            "x-hub-signature-256": sign(body, SECRET),
            **(headers or {}),
        },
        "pathParameters": {"connection": connection},
        "requestContext": {"http": {"method": "POST", "path": f"/github/{connection}", "protocol": "HTTP/1.1"}},
        "body": text,
        "isBase64Encoded": encoded,
    }
