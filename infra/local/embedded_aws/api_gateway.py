"""API Gateway: an HTTP API on the loopback address whose routes invoke functions (payload format 2.0).

Its bounds are those of "Quotas for configuring and running an HTTP API in API Gateway".
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

from infra.local.embedded_aws.account import ACCOUNT_ID
from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.functions.functions import FunctionError, Functions
from infra.local.embedded_aws.loopback import serve

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MAX_BODY_BYTES = 10 * 1024 * 1024
MAX_HEAD_BYTES = 10_240
_PATH_PARAMETER = re.compile(r"\{(\w+)\}")
_TEXT_TYPES = frozenset({"application/json", "application/xml", "application/javascript"})


class ApiGateway:
    """An HTTP API; ``routes`` maps a route key such as ``POST /github/{connection}`` to a function's name."""

    def __init__(self, routes: Mapping[str, str], functions: Functions, now: Callable[[], datetime]) -> None:
        self._routes = dict(routes)
        self._functions = functions
        self._now = now
        self._map = Map([_rule(route_key) for route_key in routes], merge_slashes=False)

    @contextmanager
    def serving(self, *, port: int = 0) -> Iterator[str]:
        """Serve the API until the block ends and give its URL; port 0 takes a free one."""
        with serve(self, port=port) as url:
            yield url

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer one request, as a WSGI application."""
        return self._respond(Request(environ))(environ, start_response)

    def _respond(self, request: Request) -> Response:
        if _head_bytes(request) > MAX_HEAD_BYTES:
            return _message(431, "Request Header Fields Too Large")
        try:
            route_key, parameters = self._map.bind_to_environ(request.environ).match()
        except HTTPException:
            return _message(404, "Not Found")
        request.max_content_length = MAX_BODY_BYTES
        try:
            event = payload(request, route_key, parameters, self._now())
        except RequestEntityTooLarge:
            return _message(413, "Request Entity Too Large")
        try:
            return response(self._functions.invoke(self._routes[route_key], event))
        except (FunctionError, ServiceFault, ConnectionError, _UnusableResponse):
            return _message(500, "Internal Server Error")


class _UnusableResponse(Exception):
    """A function returned what cannot be made an HTTP response of."""


def payload(request: Request, route_key: str, parameters: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """Build a function's event from a request (API Gateway, "Lambda proxy integrations for HTTP APIs", format 2.0).

    Header names are lower-case, repeated headers joined by commas. The body is base64 unless its media type is
    text or JSON, XML or JavaScript, form data included.
    """
    body = request.get_data()
    encoded = bool(body) and not _is_text(request.mimetype)
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": request.path,
        "rawQueryString": request.query_string.decode("latin-1"),
        "headers": {name.lower(): value for name, value in request.headers.items()},
        "requestContext": {
            "accountId": ACCOUNT_ID,
            "apiId": "local",
            "domainName": request.host,
            "domainPrefix": request.host.partition(".")[0],
            "http": {
                "method": request.method,
                "path": request.path,
                "protocol": request.environ.get("SERVER_PROTOCOL", "HTTP/1.1"),
                "sourceIp": request.remote_addr or "",
                "userAgent": request.headers.get("User-Agent", ""),
            },
            "requestId": uuid4().hex[:16],
            "routeKey": route_key,
            "stage": "$default",
            "time": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
            "timeEpoch": int(now.timestamp() * 1000),
        },
        "isBase64Encoded": encoded,
    }
    if request.args:
        event["queryStringParameters"] = {name: ",".join(values) for name, values in request.args.lists()}
    if parameters:
        event["pathParameters"] = dict(parameters)
    if body:
        event["body"] = base64.b64encode(body).decode() if encoded else body.decode("utf-8", errors="replace")
    return event


def response(result: Any) -> Response:
    """Make the HTTP response of a function's result; one without a status code is the body of a 200.

    A result that does not have this form raises an error that the caller is told as a 500.
    """
    if not isinstance(result, dict) or "statusCode" not in result:
        return Response(json.dumps(result), status=200, content_type="application/json")
    body = result.get("body", "")
    if not isinstance(result["statusCode"], int) or not isinstance(body, str):
        raise _UnusableResponse
    content = _decoded(body) if result.get("isBase64Encoded") else body.encode()
    answer = Response(content, status=result["statusCode"], content_type="text/plain;charset=UTF-8")
    for name, value in (result.get("headers") or {}).items():
        answer.headers[name] = str(value)
    for cookie in result.get("cookies") or ():
        answer.headers.add("Set-Cookie", cookie)
    return answer


def _head_bytes(request: Request) -> int:
    """Count the request line and the headers' values; their names do not count."""
    target = request.environ.get("RAW_URI", request.full_path)
    line = f"{request.method} {target} HTTP/1.1"
    return len(line.encode()) + sum(len(value.encode("latin-1", "replace")) for value in request.headers.values())


def _decoded(body: str) -> bytes:
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise _UnusableResponse from error


def _rule(route_key: str) -> Rule:
    method, _, path = route_key.partition(" ")
    return Rule(_PATH_PARAMETER.sub(r"<\1>", path), methods=[method], endpoint=route_key)


def _is_text(media_type: str) -> bool:
    return media_type.startswith("text/") or media_type in _TEXT_TYPES


def _message(status: int, text: str) -> Response:
    return Response(json.dumps({"message": text}), status=status, content_type="application/json")
