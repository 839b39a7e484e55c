"""What a REST answer that is no success means."""

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.github.transport.http import Answer, Credential, Request
from autoswe.github.transport.refusals import judge
from autoswe.ports.github import Barred, Forbidden, Gone, HostError, RateLimited, Refused, RuleBroken, Unavailable
from tests.adapters.github.scripted import API, NOW

_REQUEST = Request("GET /x", "GET", httpx.URL(API), None, is_read=True)


def _answer(status: int, message: object = "", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, httpx.Headers(named), json.dumps({"message": message}).encode())


@pytest.mark.parametrize(
    ("answer", "expected", "wait"),
    [
        (_answer(401, "Bad credentials"), Forbidden, None),
        (_answer(403, "Resource not accessible by integration", x_ratelimit_remaining="4999"), Forbidden, None),
        (_answer(403, "Repository was archived so is read-only."), Barred, None),
        (_answer(403, "Unable to create comment because issue is locked."), Barred, None),
        (_answer(451, "Repository access blocked"), Barred, None),
        (_answer(404, "Not Found"), Gone, None),
        (_answer(410), Gone, None),
        (_answer(301, "Moved Permanently", location=f"{API}/repositories/1"), Gone, None),
        (_answer(302, location="https://elsewhere.test"), Gone, None),
        (_answer(409, "Git Repository is empty."), Refused, None),
        (_answer(422, "Update is not a fast forward"), Refused, None),
        (_answer(422, "Validation Failed", x_ratelimit_remaining="0"), Refused, None),
        (_answer(422, "Repository rule violations found"), RuleBroken, None),
        (_answer(422, "Changes must be made to a protected branch through a pull request"), RuleBroken, None),
        (_answer(422, "was submitted too quickly after a previous comment"), RateLimited, 60),
        (_answer(422, "was submitted too quickly", retry_after="90"), RateLimited, 90),
        (_answer(403, "You have triggered an abuse detection mechanism."), RateLimited, 60),
        (_answer(400, "unsupported version"), Refused, None),
        (_answer(500), Unavailable, 0),
        (_answer(502), Unavailable, 0),
        (_answer(503, retry_after="3"), Unavailable, 3),
        (_answer(524), Unavailable, 0),
        (_answer(429, "slow down"), RateLimited, 60),
        (_answer(429, "slow down", retry_after="2"), RateLimited, 2),
        (_answer(403, "You have exceeded a secondary rate limit."), RateLimited, 60),
        (_answer(403, "You have exceeded a secondary rate limit.", retry_after="soon"), RateLimited, 60),
        (
            _answer(
                403,
                "API rate limit exceeded",
                x_ratelimit_remaining="0",
                x_ratelimit_reset=f"{NOW.timestamp() + 7:.0f}",
            ),
            RateLimited,
            7,
        ),
        (_answer(403, "API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1"), RateLimited, 0),
        (_answer(403, "denied", x_ratelimit_remaining="0"), RateLimited, 60),
    ],
)
def test_status_and_message_together_decide_what_a_refusal_is(
    answer: Answer, expected: type[HostError], wait: float | None
) -> None:
    refusal = judge(_REQUEST, answer, NOW)
    assert refusal is not None
    assert type(refusal.error) is expected
    assert refusal.wait_seconds == wait


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_success_is_no_refusal(status: int) -> None:
    assert judge(_REQUEST, _answer(status), NOW) is None


@pytest.mark.parametrize("code", ["abuse", "missing"])
def test_a_write_that_is_rejected_by_the_code_abuse_came_too_quickly(code: str) -> None:
    error = {"resource": "PullRequestReview", "code": code, "field": "base"}
    content = json.dumps({"message": "Validation Failed", "errors": [error]}).encode()
    refusal = judge(_REQUEST, Answer(422, httpx.Headers(), content), NOW)
    assert refusal is not None
    assert isinstance(refusal.error, RateLimited) == (code == "abuse")


@pytest.mark.parametrize("status", [401, 403])
def test_a_denial_to_a_fresh_credential_may_pass(status: int) -> None:
    fresh = Request("GET /x", "GET", httpx.URL(API), Credential("t", NOW.replace(second=1)), is_read=True)
    early = judge(fresh, _answer(status), NOW)
    late = judge(fresh, _answer(status), NOW.replace(second=1))
    assert early is not None
    assert early.wait_seconds == 0
    assert late is not None
    assert late.wait_seconds is None


def test_a_refusal_tells_what_was_asked_and_every_reason_the_host_gives() -> None:
    content = {"message": "Validation Failed", "errors": ["too long", {"message": "no such ref"}, {"code": "missing"}]}
    refusal = judge(_REQUEST, Answer(422, httpx.Headers(), json.dumps(content).encode()), NOW)
    assert refusal is not None
    assert str(refusal.error) == "GET /x: 422 Validation Failed; too long; no such ref; missing"


@given(
    st.integers(100, 599).filter(lambda status: not 200 <= status < 300),
    st.binary() | st.builds(lambda text: json.dumps({"message": text, "errors": text}).encode(), st.text()),
    st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=126)) | st.integers(0, 10**12).map(str),
    ),
)
def test_whatever_a_host_answers_is_a_refusal_of_one_bounded_printable_line(
    status: int, content: bytes, headers: dict[str, str]
) -> None:
    refusal = judge(_REQUEST, Answer(status, httpx.Headers(headers), content), NOW)
    assert refusal is not None
    line = str(refusal.error)
    assert line.isprintable()
    assert len(line) < 400
    assert refusal.wait_seconds is None or refusal.wait_seconds >= 0
