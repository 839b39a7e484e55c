"""Whatever is signed, it is answered: nothing that GitHub could send makes the webhook fail."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.runtime.process import Process, running_as
from autoswe.runtime.webhook import receive_delivery
from tests.support import deliveries
from tests.support.fake_clock import FakeClock
from tests.support.memory_ledger import MemorySecrets

BUILDERS: dict[str, Callable[..., deliveries.Payload]] = {
    "issue_comment": deliveries.discussion_comment,
    "pull_request_review_comment": deliveries.inline_comment,
    "pull_request_review": deliveries.review,
}
events = st.sampled_from([*BUILDERS, "ping"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
AWKWARD = ["/auto-swe fix", "/auto-swe", "\n", "\n\n", "> ", "```", "    ", "<!--", "-->", "<b>", "\ud800", "[", "\0"]
comments = st.text() | st.lists(st.sampled_from(AWKWARD) | st.text(max_size=3), max_size=12).map("".join)


class EmptyTable:
    """A table with nothing in it, so that no trigger is ever admitted."""

    def batch_get_item(self, **_parameters: Any) -> dict[str, Any]:
        return {"Responses": {}, "UnprocessedKeys": {}}

    def get_paginator(self, _operation: str) -> "EmptyTable":
        return self

    def paginate(self, **_parameters: Any) -> Iterator[dict[str, Any]]:
        yield {"Items": []}


@pytest.fixture(scope="module", autouse=True)
def process() -> Iterator[None]:
    process = Process({"AUTOSWE_TABLE": "table", "AUTOSWE_SECRETS_PREFIX": "prefix"}, FakeClock())
    process.once("secrets", MemorySecrets)
    process.once("aws client dynamodb", EmptyTable)
    with running_as(process):
        yield


def status(event: dict[str, Any]) -> int:
    """Call the webhook, and check that its answer is one."""
    answered = receive_delivery(event, None)
    assert json.loads(answered["body"])["outcome"] in {"ignored", "refused"}
    return int(answered["statusCode"])


@given(st.binary(max_size=300), events)
def test_any_signed_bytes_are_answered(body: bytes, event: str) -> None:
    assert status(deliveries.raw_request(body, event)) in {202, 400}


@given(json_values, events)
def test_any_signed_json_is_answered(value: object, event: str) -> None:
    assert status(deliveries.raw_request(json.dumps(value).encode(), event)) in {202, 400}


@given(st.sampled_from(sorted(BUILDERS)), json_values, st.data())
def test_any_value_in_any_place_of_a_payload_is_answered(event: str, value: object, data: st.DataObject) -> None:
    payload = BUILDERS[event]()
    holder: Any = payload
    while True:
        name = data.draw(st.sampled_from(sorted(holder)))
        if not isinstance(holder[name], dict) or data.draw(st.booleans()):
            break
        holder = holder[name]
    holder[name] = value
    assert status(deliveries.raw_request(json.dumps(payload).encode(), event)) in {202, 400}


@given(comments, st.sampled_from(sorted(BUILDERS)))
def test_any_comment_is_answered_as_a_delivery(comment: str, event: str) -> None:
    assert status(deliveries.raw_request(json.dumps(BUILDERS[event](comment)).encode(), event)) == 202


@given(st.text(), st.text(), st.text())
def test_any_headers_are_answered(event: str, guid: str, signature: str) -> None:
    headers = {"x-github-event": event, "x-github-delivery": guid}
    asked = deliveries.request(deliveries.review(), headers=headers)
    assert status(asked) in {202, 400}
    asked["headers"]["x-hub-signature-256"] = signature
    assert status(asked) == 401
