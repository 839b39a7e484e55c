"""``autoswe deliver``: play GitHub, and post a delivery that is kept in a file."""

import json
import os
from pathlib import Path
from typing import Annotated

import httpx
import typer

from autoswe.cli.ending import stop
from autoswe.rules.intake.signature import SIGNATURE_HEADER, sign


def deliver(
    file: Annotated[Path, typer.Argument(help="A file with event, delivery and payload, like those in events/github.")],
    url: Annotated[str, typer.Option(help="Where the webhooks are, without /github/{connection}.")],
    secret_env: Annotated[str, typer.Option(help="The environment variable that holds the connection's secret.")],
    connection: Annotated[str, typer.Option(help="The connection that the delivery is for.")] = "feedback",
) -> None:
    """Sign the delivery in FILE as GitHub would, post it, and print the answer; fails unless it is taken."""
    secret = os.environ.get(secret_env)
    if not secret:
        stop(f"the environment variable {secret_env} is not set")
    event, delivery, payload = _read(file)
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "content-type": "application/json",
        "x-github-event": event,
        "x-github-delivery": delivery,
        SIGNATURE_HEADER: sign(body, secret),
    }
    try:
        answer = httpx.post(f"{url.rstrip('/')}/github/{connection}", content=body, headers=headers, timeout=30)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        stop(f"{url} did not answer: {error}")
    print(f"{answer.status_code} {answer.text}")
    if not answer.is_success:
        raise typer.Exit(1)


def _read(file: Path) -> tuple[str, str, object]:
    try:
        kept = json.loads(file.read_bytes())
    except OSError as error:
        stop(f"{file} cannot be read: {error.strerror}")
    except ValueError as error:
        stop(f"{file} is not JSON: {error}")
    if not isinstance(kept, dict):
        stop(f"{file} must hold an object")
    event, delivery = kept.get("event"), kept.get("delivery")
    if not isinstance(event, str) or not isinstance(delivery, str) or "payload" not in kept:
        stop(f"{file} must hold event and delivery, which are strings, and payload")
    return event, delivery, kept["payload"]
