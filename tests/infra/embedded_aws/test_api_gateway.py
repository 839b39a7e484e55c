"""The HTTP API gives a function what API Gateway gives it, and a caller what API Gateway answers."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import Client

from infra.local.embedded_aws.api_gateway import MAX_BODY_BYTES, MAX_HEAD_BYTES, ApiGateway
from infra.local.embedded_aws.calls import ServiceCalls
from infra.local.embedded_aws.functions.functions import Functions, Hooks

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ROUTE = "POST /github/{connection}"


class Endpoint:
    """An API with one route, whose function keeps its events and answers as told."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.result: object = {"statusCode": 202}
        functions = Functions({"receive": self.receive}, ServiceCalls(), Hooks(), timeout_seconds=30)
        self.gateway = ApiGateway({ROUTE: "receive"}, functions, lambda: NOW)
        self.client = Client(self.gateway)

    def receive(self, event: dict[str, Any], _context: object) -> object:
        self.events.append(event)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def post(self, **request: Any) -> dict[str, Any]:
        self.client.post("/github/acme", **request)
        return self.events[-1]


@pytest.fixture
def endpoint() -> Endpoint:
    return Endpoint()


@pytest.fixture
def url(endpoint: Endpoint) -> Iterator[str]:
    with endpoint.gateway.serving() as url:
        yield url


def test_a_request_over_http_reaches_the_function_as_a_format_2_event(endpoint: Endpoint, url: str) -> None:
    headers = [("X-GitHub-Event", "ping"), ("X-Many", "a"), ("X-Many", "b"), ("Content-Type", "application/json")]
    answer = httpx.post(f"{url}/github/acme?a=1&b=2&a=3", headers=headers, content=b'{"zen": "\xc3\xa9"}')
    assert answer.status_code == 202
    (event,) = endpoint.events
    assert (event["version"], event["routeKey"], event["rawPath"]) == ("2.0", ROUTE, "/github/acme")
    assert event["pathParameters"] == {"connection": "acme"}
    assert event["rawQueryString"] == "a=1&b=2&a=3"
    assert event["queryStringParameters"] == {"a": "1,3", "b": "2"}
    assert event["headers"]["x-github-event"] == "ping"
    assert event["headers"]["x-many"] == "a,b"
    assert event["body"] == '{"zen": "é"}'
    assert event["isBase64Encoded"] is False
    http = event["requestContext"]["http"]
    assert (http["method"], http["path"], http["sourceIp"]) == ("POST", "/github/acme", "127.0.0.1")
    assert event["requestContext"]["timeEpoch"] == NOW.timestamp() * 1000
    assert event["requestContext"]["time"] == "02/Jan/2026:03:04:05 +0000"


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", "text/plain", "application/xml", "application/javascript"],
)
def test_text_json_xml_and_javascript_bodies_are_text(endpoint: Endpoint, content_type: str) -> None:
    event = endpoint.post(data=b"{}", content_type=content_type)
    assert (event["body"], event["isBase64Encoded"]) == ("{}", False)


@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "application/octet-stream", "application/vnd.api+json", None]
)
def test_every_other_body_is_base64(endpoint: Endpoint, content_type: str | None) -> None:
    event = endpoint.post(data=b"payload=%7B%7D", content_type=content_type)
    assert event["isBase64Encoded"] is True
    assert base64.b64decode(event["body"]) == b"payload=%7B%7D"


@given(body=st.binary(min_size=1, max_size=200))
def test_a_binary_body_arrives_byte_for_byte(body: bytes) -> None:
    event = Endpoint().post(data=body, content_type="application/octet-stream")
    assert base64.b64decode(event["body"]) == body


@given(text=st.text(min_size=1, max_size=100))
def test_a_text_body_arrives_byte_for_byte(text: str) -> None:
    event = Endpoint().post(data=text.encode(), content_type="application/json")
    assert event["body"].encode() == text.encode()


def test_a_request_without_a_body_has_no_body_field(endpoint: Endpoint) -> None:
    event = endpoint.post()
    assert "body" not in event
    assert event["isBase64Encoded"] is False


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/"), ("POST", "/github"), ("POST", "/github/a/b"), ("POST", "/github/a/"), ("GET", "/github/acme")],
)
def test_an_unknown_route_is_not_found(endpoint: Endpoint, method: str, path: str) -> None:
    answer = endpoint.client.open(path, method=method)
    assert (answer.status_code, answer.json) == (404, {"message": "Not Found"})
    assert endpoint.events == []


@pytest.mark.parametrize(("size", "status"), [(MAX_BODY_BYTES, 500), (MAX_BODY_BYTES + 1, 413)])
def test_a_body_above_10_mb_is_too_large_and_one_that_lambda_cannot_take_is_an_error(
    endpoint: Endpoint, url: str, size: int, status: int
) -> None:
    answer = httpx.post(f"{url}/github/acme", content=b"x" * size, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert endpoint.events == []


@pytest.mark.parametrize("over", [0, 1])
@pytest.mark.parametrize("where", ["one header", "two headers", "the address"])
def test_request_line_and_header_values_have_10240_bytes_at_most(endpoint: Endpoint, where: str, over: int) -> None:
    """Documentation page "Quotas for configuring and running an HTTP API in API Gateway"."""
    used = len("POST /github/acme?q= HTTP/1.1") + len("localhost")
    room = MAX_HEAD_BYTES - used + over
    query, headers = {
        "one header": ("", [("X-Long-Name-That-Does-Not-Count", "x" * room)]),
        "two headers": ("", [("X-A", "x" * (room // 2)), ("X-B", "x" * (room - room // 2))]),
        "the address": ("x" * room, []),
    }[where]
    answer = endpoint.client.post(f"/github/acme?q={query}", headers=headers)
    assert answer.status_code == (431 if over else 202)
    assert len(endpoint.events) == 1 - over


def test_the_functions_result_is_the_response(endpoint: Endpoint) -> None:
    endpoint.result = {
        "statusCode": 418,
        "headers": {"X-Reason": "teapot", "Content-Type": "text/html"},
        "cookies": ["a=1", "b=2"],
        "body": base64.b64encode(b"\x00").decode(),
        "isBase64Encoded": True,
    }
    answer = endpoint.client.post("/github/acme")
    assert (answer.status_code, answer.data, answer.content_type) == (418, b"\x00", "text/html")
    assert answer.headers["X-Reason"] == "teapot"
    assert answer.headers.getlist("Set-Cookie") == ["a=1", "b=2"]


def test_a_result_without_a_status_code_is_the_body_of_a_200(endpoint: Endpoint) -> None:
    endpoint.result = {"ok": True}
    answer = endpoint.client.post("/github/acme")
    assert (answer.status_code, answer.json) == (200, {"ok": True})


@pytest.mark.parametrize(
    "result",
    [
        RuntimeError("bug"),
        {"statusCode": "200"},
        {"statusCode": 200, "body": 1},
        {"statusCode": 200, "body": "no base64", "isBase64Encoded": True},
        {"statusCode": 200, "body": "x" * (6 * 1024 * 1024)},
    ],
    ids=["it fails", "no number", "no text", "no base64", "above 6 MB"],
)
def test_a_function_that_fails_or_answers_nonsense_is_an_internal_error(endpoint: Endpoint, result: object) -> None:
    endpoint.result = result
    answer = endpoint.client.post("/github/acme")
    assert (answer.status_code, answer.json) == (500, {"message": "Internal Server Error"})
