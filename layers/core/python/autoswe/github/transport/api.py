"""One repository's API: addresses and authorises requests, pages to the end and reads the answers."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import BinaryIO, TypeVar
from urllib.parse import quote

import httpx
from pydantic import JsonValue, TypeAdapter

from autoswe.contracts.records.platform import Connection
from autoswe.github.transport.graphql import document, judge_mutation, judge_query
from autoswe.github.transport.http import MOST_BYTES, Answer, Credential, Refusal, Request, Transport
from autoswe.github.transport.refusals import judge
from autoswe.github.transport.shape import Unreadable, read_shape
from autoswe.github.transport.tail import Tail
from autoswe.ports.github import PartialAnswer

T = TypeVar("T")

MOST_PAGES = 50
_PER_PAGE = 100


def address(base: str, *segments: str | int) -> str:
    """Append path segments to a base address, each percent-encoded whole: a slash in a branch's name is part of it.

    Raises ValueError for a segment that would lead elsewhere: an empty one, ``.`` or ``..``.
    """
    for segment in segments:
        if segment in {"", ".", ".."}:
            raise ValueError(f"{segment!r} cannot be a segment of an address")
    return "/".join((base.rstrip("/"), *(quote(str(segment), safe="") for segment in segments)))


def read_pages(transport: Transport, request: Request, shape: TypeAdapter[T], base: str) -> Iterator[T]:
    """Read every page of the list that a request leads to, as large as they come.

    A list that leads off the API at ``base``, or never seems to end, is ``PartialAnswer``.
    """
    request = replace(request, url=request.url.copy_merge_params({"per_page": _PER_PAGE}))
    for _ in range(MOST_PAGES):
        answer = transport.send(request, judge)
        yield understood(shape, request, answer)
        if answer.next_url is None:
            return
        if not answer.next_url.startswith(f"{base}/"):
            raise PartialAnswer(f"{request.name}: the next page is not on this API")
        request = replace(request, url=_url(request, answer.next_url))
    raise PartialAnswer(f"{request.name}: more than {MOST_PAGES} pages")


def graphql_query(
    connection: Connection, credential: Credential, name: str, variables: Mapping[str, JsonValue], *, is_read: bool
) -> Request:
    """Ask what the named document asks, with these variables."""
    return Request(
        name=f"GraphQL {name}",
        method="POST",
        url=httpx.URL(connection.graphql_url),
        credential=credential,
        is_read=is_read,
        body=_dump({"query": document(name), "variables": dict(variables)}),
    )


def understood(shape: TypeAdapter[T], request: Request, answer: Answer) -> T:
    """Read a successful answer; one that cannot be read is ``PartialAnswer``, after a write ``Unavailable``."""
    try:
        return read_shape(shape, answer.content)
    except Unreadable as unreadable:
        raise request.misunderstood(str(unreadable)) from None


def api_base(connection: Connection) -> str:
    """Return where a connection's REST API is, without a slash at its end."""
    return str(httpx.URL(connection.api_url)).rstrip("/")


class Api:
    """What the resources of one repository ask through; lives as long as one step.

    Every method raises the ``HostError`` that fits: a success that cannot be read is ``PartialAnswer`` after a read
    and ``Unavailable`` after a write.
    """

    def __init__(
        self,
        transport: Transport,
        connection: Connection,
        repository: str | Callable[[], str],
        credential: Callable[[], Credential],
    ) -> None:
        """``repository`` is a full name, ``owner/name``, else a ValueError, or returns what the host calls it now."""
        self._transport = transport
        self._base = api_base(connection)
        self._repository: Callable[[], str] = partial(str, repository) if isinstance(repository, str) else repository
        self._connection = connection
        self._credential = credential
        if isinstance(repository, str):
            self._address()

    def _address(self, *path: str | int) -> str:
        return address(self._base, "repos", *self._names(), *path)

    def _names(self) -> tuple[str, str]:
        """Return owner and name; raises ValueError for what is no full name."""
        repository = self._repository()
        owner, slash, name = repository.partition("/")
        if not slash or "/" in name:
            raise ValueError(f"{repository!r} is not a repository's full name")
        return owner, name

    def read(self, shape: TypeAdapter[T], *path: str | int, max_bytes: int = MOST_BYTES, **query: str | int) -> T:
        """Read one resource below the repository."""
        request = self._request("GET", path, query, is_read=True, max_bytes=max_bytes)
        return understood(shape, request, self._transport.send(request, judge))

    def read_with_headers(self, shape: TypeAdapter[T], *path: str | int) -> tuple[T, httpx.Headers]:
        """Read one resource below the repository, and what else the host said with it."""
        request = self._request("GET", path, {}, is_read=True)
        answer = self._transport.send(request, judge)
        return understood(shape, request, answer), answer.headers

    def pages(self, shape: TypeAdapter[T], *path: str | int, **query: str | int) -> Iterator[T]:
        """Read every page of a list; a list that leads off the API or never seems to end is ``PartialAnswer``."""
        request = self._request("GET", path, query, is_read=True)
        return read_pages(self._transport, request, shape, self._base)

    def write(self, shape: TypeAdapter[T], method: str, *path: str | int, body: JsonValue) -> T:
        """Write once and read what the host says it made."""
        request = self._request(method, path, {}, is_read=False, body=_dump(body))
        return understood(shape, request, self._transport.send(request, judge))

    def delete(self, *path: str | int) -> None:
        """Delete once."""
        self._transport.send(self._request("DELETE", path, {}, is_read=False), judge)

    def query(self, shape: TypeAdapter[T], name: str, **variables: JsonValue) -> T:
        """Run the named GraphQL query; the repository's ``owner`` and ``name`` are always among its variables."""
        return self.query_with_headers(shape, name, **variables)[0]

    def query_with_headers(self, shape: TypeAdapter[T], name: str, **variables: JsonValue) -> tuple[T, httpx.Headers]:
        """Run the named GraphQL query, and return what else the host said with its answer."""
        owner, own_name = self._names()
        asked = {"owner": owner, "name": own_name, **variables}
        request = graphql_query(self._connection, self._credential(), name, asked, is_read=True)
        answer = self._transport.send(request, judge_query)
        return understood(shape, request, answer), answer.headers

    def mutate(self, shape: TypeAdapter[T], name: str, **variables: JsonValue) -> T:
        """Run the named GraphQL mutation once."""
        request = graphql_query(self._connection, self._credential(), name, variables, is_read=False)
        return understood(shape, request, self._transport.send(request, judge_mutation))

    def download(self, *path: str | int, into: BinaryIO, max_bytes: int) -> None:
        """Stream what a resource redirects to; the second request carries no credential, whatever its address.

        ``Refused`` above ``max_bytes``. ``into`` is emptied first, and again when the download is repeated.
        """
        self._transport.send(replace(self._redirected(path), max_bytes=max_bytes), judge, into)

    def download_end(self, *path: str | int, most: int, max_bytes: int) -> Tail:
        """Fetch the last ``most`` bytes of what a resource redirects to, in two requests at most when it is longer.

        Its length is asked for with its beginning, because not every store counts from the end ("Specifying the range
        header for Blob service operations"). One that sends no parts sends everything, ``Refused`` above ``max_bytes``.
        """
        tail, request = Tail(most), replace(self._redirected(path), max_bytes=max_bytes)
        beginning = self._transport.send(replace(request, part=(0, most - 1)), judge, tail)
        length = _length(beginning)
        if length is not None and length > most:
            rest = replace(request, part=(length - most, length - 1))
            if _length(self._transport.send(rest, judge, tail)) != length:
                raise PartialAnswer(f"{request.name}: it changed while it was read")
            tail.cut = True
        return tail

    def _redirected(self, path: tuple[str | int, ...]) -> Request:
        request = self._request("GET", path, {}, is_read=True)
        location = self._transport.send(request, _judge_redirection).headers.get("location", "")
        if not location.startswith(f"{httpx.URL(self._base).scheme}://"):
            raise PartialAnswer(f"{request.name}: it leads to no address of the API's own kind")
        return replace(request, name=f"{request.name} (download)", url=_url(request, location), credential=None)

    def _request(
        self,
        method: str,
        path: tuple[str | int, ...],
        query: dict[str, str | int],
        *,
        is_read: bool,
        body: bytes | None = None,
        max_bytes: int = MOST_BYTES,
    ) -> Request:
        url = httpx.URL(self._address(*path))
        return Request(
            name=f"{method} {str(url).removeprefix(self._base)}",
            method=method,
            url=url.copy_merge_params(query),
            credential=self._credential(),
            is_read=is_read,
            body=body,
            max_bytes=max_bytes,
        )


def _dump(body: JsonValue) -> bytes:
    return json.dumps(body).encode()


def _url(request: Request, text: str) -> httpx.URL:
    try:
        return httpx.URL(text)
    except httpx.InvalidURL:
        raise PartialAnswer(f"{request.name}: it leads to something that is no address") from None


def _length(answer: Answer) -> int | None:
    """Read how long the whole is of which a part came; ``None`` when the whole came, or nobody can tell."""
    if answer.status != httpx.codes.PARTIAL_CONTENT:
        return None
    length = answer.headers.get("content-range", "").rpartition("/")[2]
    return int(length) if length.isdecimal() else None


def _judge_redirection(request: Request, answer: Answer, now: datetime) -> Refusal | None:
    if answer.status == httpx.codes.FOUND:
        return None
    refusal = judge(request, answer, now)
    return refusal or Refusal(PartialAnswer(f"{request.name}: {answer.status} instead of a redirection"))
