"""Who the App is, as the host tells it (Get the authenticated app)."""

from collections.abc import Callable

import httpx
from pydantic import TypeAdapter

from autoswe.contracts.records.platform import Connection
from autoswe.github.transport.api import address, api_base, understood
from autoswe.github.transport.http import Credential, Request, Transport
from autoswe.github.transport.refusals import judge
from autoswe.github.transport.shape import Shape


class _App(Shape):
    slug: str


_APP = TypeAdapter(_App)


class AppIdentity:
    """Reads who the App is that signs with our key; no token is minted."""

    def __init__(self, transport: Transport, connection: Connection, credential: Callable[[], Credential]) -> None:
        """``credential`` signs as the App."""
        self._transport = transport
        self._url = httpx.URL(address(api_base(connection), "app"))
        self._credential = credential

    def slug(self) -> str:
        """Read the slug of the App, which is the one that mints every token of the connection."""
        request = Request("GET /app", "GET", self._url, self._credential(), is_read=True)
        return understood(_APP, request, self._transport.send(request, judge)).slug
