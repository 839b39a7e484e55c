"""Signing, sending and recording deliveries.

Sources: "Validating webhook deliveries", "Handling webhook deliveries", "Redelivering webhooks". Nothing is sent again
unless somebody asks for it.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.events import Event
from infra.local.github_host.host_state import HostState
from infra.local.github_host.people.apps import App
from infra.local.github_host.webhooks.payloads import UNASKED, payload

# GitHub lists these where the receiver gave none. That a time-out counts as 504 is assumed from how 502 is used.
_UNREACHED = 502
_TOO_LATE = 504


@dataclass(frozen=True)
class Answer:
    """What came of sending something: HTTP status, GitHub's words for it, and the receiver's answer if it gave one."""

    status: int
    outcome: str
    headers: Mapping[str, str] | None = None
    body: str | None = None


@dataclass(frozen=True)
class Attempt:
    """One try to deliver, begun ``at`` a moment and over ``seconds`` later, to the address of that time."""

    id: int
    at: datetime
    seconds: float
    url: str
    answer: Answer
    redelivery: bool

    @property
    def status(self) -> int:
        """The receiver's HTTP status; 502 when it was not reached, 504 when it took too long."""
        return self.answer.status

    @property
    def body(self) -> str:
        """What the receiver said, empty when it said nothing."""
        return self.answer.body or ""

    @property
    def succeeded(self) -> bool:
        """Whether the receiver took it: any 2xx."""
        return 200 <= self.status < 300


@dataclass(eq=False)
class Delivery:
    """One event for one App: what is sent, and how each attempt ended.

    All Apps that hear of the same event get the same ``guid``.
    """

    guid: str
    event: str
    action: str | None
    app: App
    installation: Installation | None
    payload: Mapping[str, Any]
    body: bytes
    headers: Mapping[str, str]
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def status(self) -> int | None:
        """How the last attempt was answered, None before the first."""
        return self.attempts[-1].status if self.attempts else None

    @property
    def response_body(self) -> str | None:
        """What the receiver said last."""
        return self.attempts[-1].body if self.attempts else None


def signature(secret: str, body: bytes, method: str = "sha256") -> str:
    """Return the value of ``X-Hub-Signature-256``, or with ``sha1`` that of its older sibling ``X-Hub-Signature``."""
    return f"{method}=" + hmac.new(secret.encode(), body, method).hexdigest()


@dataclass(eq=False)
class Webhooks:
    """Hear what happens and tell the Apps."""

    state: HostState
    deliveries: list[Delivery] = field(default_factory=list)

    def __post_init__(self) -> None:
        # The first delivery makes it: a client reads the machine's certificates, and many hosts never deliver.
        self._client: httpx.Client | None = None

    def close(self) -> None:
        """Close the connections to receivers."""
        if self._client is not None:
            self._client.close()

    def hear(self, event: Event) -> None:
        """Build a delivery for each App that hears of this, and send it after the present change.

        A payload that is too large is not delivered at all.
        """
        guid = self.state.sequences.next_guid()
        for app, installation in self._audience(event):
            if not event.deliver or app.webhook_url is not None:
                delivery = self._build(guid, event, app, installation)
                if len(delivery.body) > self.state.limits.webhook_bytes:
                    continue
                self.deliveries.append(delivery)
                if event.deliver:
                    self._send_later(delivery)

    def deliver(self, delivery: Delivery, *, redelivery: bool = False) -> Attempt:
        """Send a delivery now and record how it ended; any thread may."""
        url = delivery.app.webhook_url
        if url is None:
            raise ValueError(f"App {delivery.app.slug} has no webhook address")
        at = self.state.clock()
        answer = self._post(url, delivery)
        with self.state.lock:
            number = self.state.sequences.next("delivery")
            seconds = (self.state.clock() - at).total_seconds()
            attempt = Attempt(number, at, seconds, url, answer, redelivery)
            delivery.attempts.append(attempt)
            return attempt

    def redeliver(self, guid: str) -> list[Attempt]:
        """Send every delivery of an event again; ValueError when there is none of that guid."""
        found = [delivery for delivery in self.deliveries if delivery.guid == guid]
        if not found:
            raise ValueError(f"nothing was ever delivered as {guid}")
        return [self.deliver(delivery, redelivery=True) for delivery in found]

    def _post(self, url: str, delivery: Delivery) -> Answer:
        with self.state.lock:
            self._client = self._client or httpx.Client(trust_env=False)
        seconds = self.state.limits.webhook_seconds
        try:
            given = self._client.post(url, content=delivery.body, headers=dict(delivery.headers), timeout=seconds)
        except httpx.ReadTimeout:
            return Answer(_TOO_LATE, "timed out")
        except httpx.HTTPError:
            return Answer(_UNREACHED, "failed to connect to host")
        outcome = "OK" if given.is_success else f"Invalid HTTP Response: {given.status_code}"
        return Answer(given.status_code, outcome, dict(given.headers), given.text)

    def _send_later(self, delivery: Delivery) -> None:
        self.state.afterwards(lambda: self.deliver(delivery))

    def _audience(self, event: Event) -> Iterable[tuple[App, Installation | None]]:
        if isinstance(event.subject, App):
            return [(event.subject, None)]
        if isinstance(event.subject, Installation):
            return [(event.subject.app, event.subject)]
        if event.repository is None:
            return []
        installations = self.state.installations_on(event.repository)
        return [(one.app, one) for one in installations if event.name in {*one.app.events, *UNASKED}]

    def _build(self, guid: str, event: Event, app: App, installation: Installation | None) -> Delivery:
        content = payload(self.state.links, event, installation)
        body = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
        headers = {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/0000000",
            "X-GitHub-Delivery": guid,
            "X-GitHub-Event": event.name,
            "X-GitHub-Hook-ID": str(app.hook_id),
            "X-GitHub-Hook-Installation-Target-ID": str(app.app_id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
        }
        if self.state.enterprise_version is not None:
            headers["X-GitHub-Enterprise-Host"] = urlsplit(self.state.links.web).netloc
            headers["X-GitHub-Enterprise-Version"] = self.state.enterprise_version
        if app.webhook_secret is not None:
            headers["X-Hub-Signature"] = signature(app.webhook_secret, body, "sha1")
            headers["X-Hub-Signature-256"] = signature(app.webhook_secret, body)
        return Delivery(guid, event.name, event.action, app, installation, content, body, headers)
