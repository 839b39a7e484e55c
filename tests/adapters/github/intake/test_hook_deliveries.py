"""What an App's webhook was sent is read whole and in order, and a new attempt is asked for once."""

from datetime import UTC, datetime
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from autoswe.ports.github import Forbidden, Gone, HostError, PartialAnswer, RateLimited, Refused, Unavailable
from autoswe.ports.intake.starts import HookHost
from autoswe.rules.intake.redelivery import Attempt
from tests.adapters.github.scripted import API, NOW, Script, ok, private_key, told

LIST = "GET /app/hook/deliveries"
ASK = "POST /app/hook/deliveries/12345678901234/attempts"
GUID = "0b989ba4-242f-11e5-81e1-c7b6966d2516"
ITEM: dict[str, Any] = {
    "id": 12345678901234,
    "guid": GUID,
    "delivered_at": "2026-11-30T11:59:30.123Z",
    "redelivery": False,
    "duration": 10.0,
    "status": "timed out",
    "status_code": 504,
    "event": "issue_comment",
    "action": "created",
    "installation_id": 34,
    "repository_id": 1,
    "throttled_at": None,
}
ATTEMPT = Attempt(
    attempt_id=12345678901234,
    guid=GUID,
    event="issue_comment",
    action="created",
    delivered_at=datetime(2026, 11, 30, 11, 59, 30, 123_000, tzinfo=UTC),
    status_code=504,
    redelivery=False,
)


def host(script: Script) -> HookHost:
    return script.github().hook_deliveries()


def listed(script: Script, *items: Any) -> list[tuple[Attempt, ...]]:
    script.on(LIST, ok(list(items)))
    return list(host(script).pages())


def test_an_attempt_is_read_with_its_time_to_the_part_of_a_second(script: Script) -> None:
    assert listed(script, ITEM) == [(ATTEMPT,)]


def test_pages_of_a_hundred_are_read_one_by_one_to_the_end_and_no_sooner_than_they_are_wanted(script: Script) -> None:
    following = f"{API}/app/hook/deliveries?per_page=100&cursor=v1_7"
    first = ok([ITEM], Link=f'<{following}>; rel="next"')
    script.on(LIST, first, ok([{**ITEM, "id": 7}]))
    pages = host(script).pages()
    assert script.requests == []
    assert [attempt.attempt_id for attempt in next(pages)] == [12345678901234]
    assert len(script.sent(LIST)) == 1
    assert [attempt.attempt_id for attempt in next(pages)] == [7]
    assert next(pages, None) is None
    asked = [request.url.params for request in script.sent(LIST)]
    assert [params.get("per_page") for params in asked] == ["100", "100"]
    assert [params.get("cursor") for params in asked] == [None, "v1_7"]


def test_the_app_asks_as_itself_and_mints_no_token(script: Script) -> None:
    listed(script, ITEM)
    script.on(ASK, httpx.Response(202, json={}))
    host(script).ask_again(12345678901234)
    assert [request.url.path for request in script.requests if "access_tokens" in request.url.path] == []
    key = load_pem_private_key(private_key().encode(), None).public_key()
    for request in script.requests:
        token = request.headers["Authorization"].removeprefix("Bearer ")
        claims = jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False})  # type: ignore[arg-type]
        assert (claims["iss"], claims["exp"]) == ("12", NOW.timestamp() + 540)


@pytest.mark.parametrize(
    "damage",
    [
        {"guid": "../../secrets"},
        {"guid": GUID.upper()},
        {"guid": None},
        {"id": "1"},
        {"status_code": None},
        {"status_code": "200"},
        {"delivered_at": "2026-11-30T11:59:30"},
        {"delivered_at": "yesterday"},
        {"redelivery": None},
        {"event": None},
    ],
)
def test_an_attempt_that_cannot_be_understood_is_never_passed_over(script: Script, damage: dict[str, Any]) -> None:
    with pytest.raises(PartialAnswer, match=f"deliveries: 1.{next(iter(damage))}"):
        listed(script, ITEM, {**ITEM, **damage})


def test_an_attempt_without_an_action_is_read(script: Script) -> None:
    [[attempt]] = listed(script, {**ITEM, "event": "ping", "action": None})
    assert (attempt.event, attempt.action) == ("ping", None)


def test_a_page_that_leads_off_the_api_is_not_followed_because_the_request_carries_the_app_s_credential(
    script: Script,
) -> None:
    script.on(LIST, ok([ITEM], Link='<https://elsewhere.test/app/hook/deliveries?cursor=1>; rel="next"'))
    with pytest.raises(PartialAnswer, match="not on this API"):
        list(host(script).pages())
    assert len(script.requests) == 1


def test_listing_is_a_read_and_outlasts_short_trouble(script: Script) -> None:
    script.on(LIST, told(502, "Bad Gateway"), ok([ITEM]))
    assert list(host(script).pages()) == [(ATTEMPT,)]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (told(401, "A JSON web token could not be decoded"), Forbidden),
        (told(404, "Not Found"), Gone),
        (told(429, "Slow down", retry_after="60"), RateLimited),
        (told(503, "Busy"), Unavailable),
        (httpx.ConnectError("no route"), Unavailable),
    ],
)
def test_a_listing_that_fails_says_how(
    script: Script, reply: httpx.Response | Exception, expected: type[HostError]
) -> None:
    script.on(LIST, reply)
    with pytest.raises(expected):
        list(host(script).pages())


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (told(404, "Not Found"), Gone),
        (told(422, "Validation Failed"), Refused),
        (told(502, "Bad Gateway"), Unavailable),
        (httpx.ReadTimeout("too late"), Unavailable),
        (told(403, "You have exceeded a secondary rate limit."), RateLimited),
    ],
)
def test_a_new_attempt_is_asked_for_once_whatever_the_answer(
    script: Script, reply: httpx.Response | Exception, expected: type[HostError]
) -> None:
    """The next sweep sees in the listing whether a lost answer had its effect."""
    script.on(ASK, reply)
    with pytest.raises(expected):
        host(script).ask_again(12345678901234)
    assert len(script.sent(ASK)) == 1
    assert script.slept == []


def test_a_new_attempt_that_is_accepted_is_asked_for_without_a_body(script: Script) -> None:
    script.on(ASK, httpx.Response(202, json={}))
    host(script).ask_again(12345678901234)
    [request] = script.requests
    assert request.content == b""
