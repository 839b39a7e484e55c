"""What became of the deliveries to an App's webhook (REST API endpoints for GitHub App webhooks).

The App asks as itself, not as one of its installations: no token is minted.
"""

from collections.abc import Callable, Iterator
from typing import Annotated

import httpx
from pydantic import AwareDatetime, StringConstraints, TypeAdapter

from autoswe.contracts.intake.deliveries import GUID
from autoswe.contracts.records.platform import Connection
from autoswe.github.transport.api import address, api_base, read_pages
from autoswe.github.transport.http import Credential, Request, Transport
from autoswe.github.transport.refusals import judge
from autoswe.github.transport.shape import Shape
from autoswe.rules.intake.redelivery import Attempt


class _Item(Shape):
    id: int
    guid: Annotated[str, StringConstraints(pattern=f"^{GUID}$")]
    event: str
    action: str | None
    delivered_at: AwareDatetime
    status_code: int
    redelivery: bool

    def attempt(self) -> Attempt:
        return Attempt(
            attempt_id=self.id,
            guid=self.guid,
            event=self.event,
            action=self.action,
            delivered_at=self.delivered_at,
            status_code=self.status_code,
            redelivery=self.redelivery,
        )


_PAGE = TypeAdapter(list[_Item])


class HookDeliveries:
    """Reads the attempts to deliver to the App's webhook, and asks for new ones."""

    def __init__(self, transport: Transport, connection: Connection, credential: Callable[[], Credential]) -> None:
        """``credential`` signs as the App; it is asked once for a listing, which must be read within nine minutes."""
        self._transport = transport
        self._base = api_base(connection)
        self._credential = credential

    def pages(self) -> Iterator[tuple[Attempt, ...]]:
        """Read every attempt that the host lists, newest first, a page at a time."""
        request = self._request("GET", is_read=True)
        for page in read_pages(self._transport, request, _PAGE, self._base):
            yield tuple(item.attempt() for item in page)

    def ask_again(self, attempt_id: int) -> None:
        """Ask for one more attempt of the delivery that this one belonged to; the host makes it when it likes.

        It keeps its GUID, and whatever arrives twice is decided once, so asking again after a lost answer would do no
        harm. It is not done here, because the next look at the listing shows what came of it.
        """
        self._transport.send(self._request("POST", attempt_id, "attempts", is_read=False), judge)

    def _request(self, method: str, *path: str | int, is_read: bool) -> Request:
        url = address(self._base, "app", "hook", "deliveries", *path)
        return Request(
            name=f"{method} {url.removeprefix(self._base)}",
            method=method,
            url=httpx.URL(url),
            credential=self._credential(),
            is_read=is_read,
        )
