"""How requests are sent, repeated and capped."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO

import httpx
import pytest

from autoswe.github.transport.http import Credential, Request, open_client
from autoswe.ports.github import Forbidden, HostError, RateLimited, Refused, Unavailable
from tests.adapters.github.scripted import API, NOW, TOKEN, Script, ok, read_repository, told

PULL = "GET /repos/octo/widgets/pulls/7"
REPOSITORY = "GET /repos/octo/widgets"
COMMENTS = "POST /repos/octo/widgets/issues/7/comments"
WIDGETS = {"id": 1, "node_id": "R_1", "full_name": "octo/widgets", "default_branch": "main", "archived": False}


@pytest.mark.parametrize(
    "trouble",
    [
        told(502, "Bad Gateway"),
        told(503, "Busy", retry_after="1"),
        told(403, "You have exceeded a secondary rate limit.", retry_after="2"),
        told(401, "Bad credentials"),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("cut"),
        httpx.DecodingError("not gzip"),
    ],
)
def test_a_read_is_repeated_when_that_can_help(script: Script, trouble: httpx.Response | Exception) -> None:
    script.on(REPOSITORY, trouble, trouble, ok(WIDGETS))
    assert read_repository(script.github().gather_host("octo/widgets")).id == 1
    assert len(script.sent(REPOSITORY)) == 3


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (told(502, "Bad Gateway"), Unavailable),
        (httpx.ReadTimeout("slow"), Unavailable),
        (told(429, "slow down", retry_after="1"), RateLimited),
        (told(401, "Bad credentials"), Forbidden),
    ],
)
def test_reads_are_repeated_for_five_seconds_at_most_in_a_step(
    script: Script, trouble: httpx.Response | Exception, expected: type[HostError]
) -> None:
    script.on(REPOSITORY, trouble)
    script.on(PULL, trouble)
    host = script.github().gather_host("octo/widgets")
    for ask in (lambda: read_repository(host), lambda: host.pull(7)):
        with pytest.raises(expected):
            ask()
    assert 0 < sum(script.slept) <= 5


def test_a_limit_beyond_the_step_s_retry_budget_is_raised_at_once(script: Script) -> None:
    script.on(REPOSITORY, told(429, "slow down", retry_after="30"))
    with pytest.raises(RateLimited, match="30 seconds"):
        read_repository(script.github().gather_host("octo/widgets"))
    assert script.slept == []


def test_an_old_token_s_refusal_is_final(script: Script) -> None:
    script.on(REPOSITORY, ok(WIDGETS))
    script.on(PULL, told(401, "Bad credentials"))
    host = script.github().gather_host("octo/widgets")
    read_repository(host)
    script.now = NOW + timedelta(minutes=5)
    with pytest.raises(Forbidden):
        host.pull(7)
    assert script.slept == []


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (told(502, "Bad Gateway"), Unavailable),
        (httpx.ReadTimeout("slow"), Unavailable),
        (httpx.ConnectError("refused"), Unavailable),
        (told(403, "secondary rate limit", retry_after="1"), RateLimited),
        (told(401, "Bad credentials"), Forbidden),
        (told(422, "Validation Failed"), Refused),
        (httpx.Response(201, content=b"<html>"), Unavailable),
        (httpx.Response(201, json={"body": "no id"}), Unavailable),
        (httpx.Response(201, content=b'{"id": 1, "user": null, "body": "' + b"x" * (20 << 20) + b'"}'), Unavailable),
    ],
)
def test_a_write_is_sent_once_and_says_when_its_effect_is_unknown(
    script: Script, trouble: httpx.Response | Exception, expected: type[HostError]
) -> None:
    script.on(COMMENTS, trouble)
    with pytest.raises(HostError) as raised:
        script.github().report_host("octo/widgets").comment(7, "hello")
    assert type(raised.value) is expected
    assert len(script.sent(COMMENTS)) == 1
    assert script.slept == []


def test_an_answer_over_its_cap_is_not_read_to_the_end(script: Script) -> None:
    produced = 0

    def endless() -> Iterator[bytes]:
        nonlocal produced
        while True:
            produced += 1
            yield b" " * (1 << 20)

    script.on(REPOSITORY, lambda _: httpx.Response(200, content=endless()))
    with pytest.raises(Refused, match="larger than"):
        read_repository(script.github().gather_host("octo/widgets"))
    assert produced == 21


def test_a_refusal_with_an_endless_explanation_keeps_its_status(script: Script) -> None:
    script.on(REPOSITORY, httpx.Response(403, content=b"x" * (2 << 20)))
    with pytest.raises(Forbidden):
        read_repository(script.github().gather_host("octo/widgets"))


def test_every_request_names_its_version_and_sender_and_is_counted(script: Script) -> None:
    script.on(REPOSITORY, told(502, "Bad Gateway"), httpx.ConnectError("refused"), ok(WIDGETS))
    read_repository(script.github().gather_host("octo/widgets"))
    for request in script.requests:
        assert request.headers["x-github-api-version"] == "2022-11-28"
        assert request.headers["accept"] == "application/vnd.github+json"
        assert request.headers["user-agent"] == "auto-swe"
    assert script.requests[-1].headers["authorization"] == f"Bearer {TOKEN}"
    assert script.calls == [
        ("a token for octo/widgets", 201),
        (REPOSITORY, 502),
        (REPOSITORY, None),
        (REPOSITORY, 200),
    ]


def test_waiting_for_a_host_has_an_end() -> None:
    timeout = open_client().timeout
    assert (timeout.connect, timeout.read) == (3, 12)


def test_no_credential_is_told_by_error_log_or_representation(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    script.on(REPOSITORY, httpx.LocalProtocolError(f"Illegal header value b'Bearer {TOKEN}'"))
    with pytest.raises(Unavailable) as raised:
        read_repository(script.github().gather_host("octo/widgets"))
    request = Request("GET /x", "GET", httpx.URL(f"{API}/archive?token={TOKEN}"), Credential(TOKEN), is_read=True)
    told_anywhere = f"{raised.getrepr(chain=True)}{caplog.text}{request!r}{request.credential!r}"
    assert TOKEN not in told_anywhere


def test_an_archive_s_address_is_not_logged(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    signed = "https://codeload.test/octo/widgets?token=" + "t0ps" + "ecret"
    script.on("GET /repos/octo/widgets/tarball/main", httpx.Response(302, headers={"location": signed}))
    script.on("GET https://codeload.test/octo/widgets", httpx.Response(200, content=b"archive"))
    script.github().gather_host("octo/widgets").archive("main", BytesIO(), 100)
    assert len(script.requests) == 3
    assert "t0ps" + "ecret" not in caplog.text
