"""A GitHub that answers by script, for answers no honest host gives."""

import json
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pydantic import TypeAdapter

from autoswe.contracts.records.platform import Connection
from autoswe.github.hosts import GitHub
from autoswe.github.transport.http import open_client
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.rules.github.facts import Author, Text

API = "https://api.github.test"
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
HEAD = "a" * 40
BASE = "b" * 40
TOKEN = "gh" + "s_12_" + "A" * 80

TRIGGER = Text(11, "IC_11", Author(5, "alice", is_bot=False), "please")
"""The text that asked for a round, as REST tells it."""

TRIGGER_NODE: dict[str, object] = {
    "__typename": "IssueComment",
    "fullDatabaseId": "11",
    "body": "please",
    "lastEditedAt": None,
    "includesCreatedEdit": False,
    "author": {"__typename": "User", "login": "alice", "databaseId": 5},
    "editor": None,
}
"""The same text, as GraphQL tells it."""


class _Shown(Shape):
    id: int
    default_branch: str
    archived: bool


_SHOWN = TypeAdapter(_Shown)


def read_repository(host: Resource) -> _Shown:
    """Read the repository: the simplest question that goes through all of the transport."""
    return host._api.read(_SHOWN)


Reply = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


@cache
def private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    ).decode()


CONNECTION = Connection(
    name="feedback",
    api_url=API,
    graphql_url=f"{API}/graphql",
    app_id=12,
    app_slug="auto-swe",
    bot_id=1200,
    installation_id=34,
)


class Script:
    """Answers each request with the next reply planned for it, the last one again and again."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []
        self.calls: list[tuple[str, int | None]] = []
        self.now = NOW
        self._replies: defaultdict[str, list[Reply]] = defaultdict(list)
        self.on("POST /app/installations/34/access_tokens", grant)

    def on(self, what: str, *replies: Reply) -> None:
        """Plan the replies to a request such as ``GET /repos/octo/widgets``; what was planned before is forgotten."""
        self._replies[what] = list(replies)

    def github(self) -> GitHub:
        return GitHub(
            CONNECTION,
            private_key,
            client=open_client(httpx.MockTransport(self._answer)),
            now=lambda: self.now,
            sleep=self.slept.append,
            on_call=lambda name, status: self.calls.append((name, status)),
        )

    def sent(self, what: str) -> list[httpx.Request]:
        return [request for request in self.requests if _name(request) == what]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        planned = self._replies[_name(request)]
        if not planned:
            return told(404, "Not Found")
        reply = planned.pop(0) if len(planned) > 1 else planned[0]
        if isinstance(reply, Exception):
            raise reply
        # A response is read once, so each request gets its own.
        return (
            reply(request)
            if callable(reply)
            else httpx.Response(reply.status_code, headers=reply.headers, stream=httpx.ByteStream(reply.content))
        )


def _name(request: httpx.Request) -> str:
    prefix = "" if request.url.host == httpx.URL(API).host else f"{request.url.scheme}://{request.url.host}"
    return f"{request.method} {prefix}{request.url.raw_path.decode().partition('?')[0]}"


def told(status: int, message: str, **headers: str) -> httpx.Response:
    """Refuse as GitHub does; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"message": message, "documentation_url": "https://docs"}, headers=named)


def ok(content: object, **headers: str) -> httpx.Response:
    return httpx.Response(200, json=content, headers=headers)


def grant(request: httpx.Request) -> httpx.Response:
    """Mint exactly what was asked for; of repositories only those are told that were named."""
    asked = json.loads(request.content)
    answer = {"token": TOKEN, "expires_at": "2026-11-30T13:00:00Z", "permissions": asked["permissions"]}
    if "repositories" in asked:
        answer["repositories"] = [{"id": 1, "full_name": f"octo/{name}"} for name in asked["repositories"]]
    return httpx.Response(201, json=answer)
