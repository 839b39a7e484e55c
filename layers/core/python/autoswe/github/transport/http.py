"""The one place that sends requests to GitHub.

A read is repeated while that can help and the retry budget lasts; a write is sent once, because a lost answer says
nothing about its effect. No message, log line or representation made here contains a credential.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from typing import BinaryIO

import httpx

from autoswe.github.transport.retry_budget import RetryBudget
from autoswe.ports.clock import Clock
from autoswe.ports.github import HostError, PartialAnswer, Refused, Unavailable

MOST_BYTES = 20 << 20
_EXPLANATION_BYTES = 1 << 20
_TIMEOUT = httpx.Timeout(12.0, connect=3.0)
_HEADERS = {
    "Accept": "application/vnd.github+json",
    "User-Agent": "auto-swe",
    "X-GitHub-Api-Version": "2022-11-28",
}

OnCall = Callable[[str, int | None], None]
"""Told of every attempt: the request's name and the status, ``None`` when no answer came."""


@dataclass(frozen=True)
class Credential:
    """What a request is authorised by; until ``fresh_until`` some of the host's machines may not know it yet."""

    token: str = field(repr=False)
    fresh_until: datetime | None = None


@dataclass(frozen=True)
class Request:
    """One request; ``name`` stands for it in messages.

    ``credential`` is absent for an address that carries its own permission. ``max_bytes`` caps a successful answer's
    content. ``part`` names the first and the last byte that is asked for, counted from 0.
    """

    name: str
    method: str
    url: httpx.URL = field(repr=False)
    credential: Credential | None
    is_read: bool
    body: bytes | None = field(default=None, repr=False)
    max_bytes: int = MOST_BYTES
    part: tuple[int, int] | None = None

    def misunderstood(self, why: str) -> HostError:
        """Return what to raise when a success cannot be read: after a write nobody knows what it left behind."""
        return (PartialAnswer if self.is_read else Unavailable)(f"{self.name}: {why}")


@dataclass(frozen=True)
class Answer:
    """What came back, whatever its status; ``content`` is empty after a download, ``next_url`` leads to a next page."""

    status: int
    headers: httpx.Headers = field(repr=False)
    content: bytes = field(repr=False)
    next_url: str | None = None


@dataclass(frozen=True)
class Refusal:
    """Why an answer is no success, and the seconds after which the same read may succeed (``None``: it will not)."""

    error: HostError
    wait_seconds: float | None = None


Judge = Callable[[Request, Answer, datetime], Refusal | None]
"""Decides whether an answer is a refusal, and of what kind."""


def open_client(transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """Open the connection pool that the steps of a process share; it follows no redirect.

    ``transport`` replaces the network.
    """
    # At its information level httpx logs whole addresses, and an archive's address is a credential.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    return httpx.Client(timeout=_TIMEOUT, headers=_HEADERS, follow_redirects=False, transport=transport)


class Transport:
    """Sends the requests of one step."""

    def __init__(self, client: httpx.Client, budget: RetryBudget, now: Clock, on_call: OnCall) -> None:
        self._client = client
        self._budget = budget
        self._now = now
        self._on_call = on_call

    def send(self, request: Request, judge: Judge, sink: BinaryIO | None = None) -> Answer:
        """Send a request and return the answer that ``judge`` finds no fault with, else raise the error it names.

        A successful answer's bytes go to ``sink``, when there is one, exactly as they were sent; it is emptied first.
        Raises ``Unavailable`` when no whole answer came. An answer over the cap is ``Refused``; for a write, which had
        its effect, that is ``Unavailable``.
        """
        attempt = 0
        while isinstance(outcome := self._attempt(request, judge, sink), Refusal):
            wait = outcome.wait_seconds
            if not request.is_read or wait is None or not self._budget.wait(attempt, wait):
                raise outcome.error
            attempt += 1
        return outcome

    def _attempt(self, request: Request, judge: Judge, sink: BinaryIO | None) -> Answer | Refusal:
        status = None
        try:
            with self._client.stream(
                request.method, request.url, content=request.body, headers=_headers(request, sink)
            ) as response:
                status = response.status_code
                answer = _receive(request, response, sink)
        except httpx.RequestError as error:
            # Only the kind of error is told: its text may quote the request's headers.
            return Refusal(Unavailable(f"{request.name}: no whole answer came ({type(error).__name__})"), 0.0)
        finally:
            self._on_call(request.name, status)
        return judge(request, answer, self._now()) or answer


def _headers(request: Request, sink: BinaryIO | None) -> dict[str, str]:
    headers = {}
    if request.credential is not None:
        headers["Authorization"] = f"Bearer {request.credential.token}"
    if request.body is not None:
        headers["Content-Type"] = "application/json"
    if request.part is not None:
        headers["Range"] = "bytes={}-{}".format(*request.part)
    if sink is not None:
        headers["Accept-Encoding"] = "identity"
    return headers


def _receive(request: Request, response: httpx.Response, sink: BinaryIO | None) -> Answer:
    content = BytesIO()
    if not response.is_success:
        _copy(response.iter_bytes(), content, _EXPLANATION_BYTES)
        whole = True
    elif sink is None:
        whole = _copy(response.iter_bytes(), content, request.max_bytes)
    else:
        sink.seek(0)
        sink.truncate()
        whole = _copy(response.iter_raw(), sink, request.max_bytes)
    if not whole:
        error = Refused if request.is_read else Unavailable
        raise error(f"{request.name}: the answer is larger than {request.max_bytes} bytes")
    return Answer(response.status_code, response.headers, content.getvalue(), response.links.get("next", {}).get("url"))


def _copy(chunks: Iterable[bytes], into: BinaryIO, max_bytes: int) -> bool:
    """Copy chunks until one would exceed the cap, and say whether that was all of them."""
    for chunk in chunks:
        max_bytes -= len(chunk)
        if max_bytes < 0:
            return False
        into.write(chunk)
    return True
