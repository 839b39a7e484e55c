"""The wire to GitHub, watched where the functions' own client sends its requests."""

import json
from collections.abc import Callable
from typing import Any

import httpx

from autoswe.github.transport.http import open_client
from autoswe.runtime.process import Process
from infra.local.github_host.graphql.endpoint import operation_name
from infra.local.github_host.http.dispatch import CODELOAD_ROOT, JOB_LOGS_ROOT
from infra.local.github_host.http.server import GRAPHQL_ROOT, REST_ROOT
from infra.local.github_host.rest.api import find_route
from tests.faults.kinds import Kind

Meet = Callable[[str], Kind | None]

SECONDS_TO_WAIT = 90
"""What a throttled answer that names a time asks for: more than a step's own retry budget."""


def watch_github(process: Process, meet: Meet) -> None:
    """Have a process send what it asks of GitHub through the watched wire; it must not have asked anything before."""
    process.once("github client", lambda: open_client(_WatchedTransport(meet)))


class _WatchedTransport(httpx.BaseTransport):
    def __init__(self, meet: Meet) -> None:
        self._meet = meet
        self._wire = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        kind = self._meet(f"github {_operation(request)}")
        if kind is None:
            return self._wire.handle_request(request)
        if kind is Kind.ERROR:
            return httpx.Response(502, text="<html>Bad Gateway</html>")
        if kind is Kind.TIME_OUT:
            raise httpx.ReadTimeout("no answer", request=request)
        if kind is Kind.THROTTLED:
            return _throttled({})
        if kind is Kind.THROTTLED_WITH_WAIT:
            return _throttled({"Retry-After": str(SECONDS_TO_WAIT)})
        answered = self._wire.handle_request(request)
        content = b"".join(answered.iter_raw())
        answered.close()
        if kind is Kind.PARTIAL:
            part = httpx.ByteStream(_part(content))
            return httpx.Response(answered.status_code, headers=_without_length(answered), stream=part)
        if kind is Kind.DIED:
            # Only a system exit passes every handler between here and the function's end.
            raise SystemExit
        raise httpx.ReadError("the connection was cut", request=request)

    def close(self) -> None:
        self._wire.close()


def _operation(request: httpx.Request) -> str:
    path = request.url.path
    if path == GRAPHQL_ROOT:
        return f"graphql {operation_name(request.read())}"
    if path.startswith(CODELOAD_ROOT):
        return f"{request.method} codeload"
    if path.startswith(JOB_LOGS_ROOT):
        return f"{request.method} job log"
    route, _ = find_route(request.method, path.removeprefix(REST_ROOT))
    return route.operation


def _throttled(headers: dict[str, str]) -> httpx.Response:
    message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    return httpx.Response(403, headers=headers, json={"message": message, "status": "403"})


def _without_length(answered: httpx.Response) -> list[tuple[str, str]]:
    return [(name, value) for name, value in answered.headers.multi_items() if name.lower() != "content-length"]


def _part(content: bytes) -> bytes:
    try:
        document: Any = json.loads(content)
    except ValueError:
        document = None
    if isinstance(document, dict) and isinstance(document.get("data"), dict):
        return json.dumps(_lacking(document)).encode()
    return content[: len(content) // 2]


def _lacking(document: dict[str, Any]) -> dict[str, Any]:
    """Answer as GraphQL does when a part took too much: null in its place, and an error that names the place."""
    name, value = next(iter(document["data"].items()))
    inner = next(iter(value), None) if isinstance(value, dict) else None
    path = [name] if inner is None else [name, inner]
    data = {name: None if inner is None else {**value, inner: None}}
    error = {"type": "RESOURCE_LIMITS_EXCEEDED", "path": path, "message": "Resource limits for this query exceeded."}
    return {"data": {**document["data"], **data}, "errors": [error]}
