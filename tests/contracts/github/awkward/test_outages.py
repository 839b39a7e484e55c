"""The local GitHub host when it is away for a while, and when it takes a text for spam."""

import httpx
import pytest

from infra.local.github_host import InlineComment
from infra.local.github_host.http import faults
from tests.contracts.github.scene import Scene, refusal

COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"


def ask(github: Scene, method: str, path: str, json: object = None) -> httpx.Response:
    """Ask without a judge: what comes from before the API is described nowhere."""
    headers = {"Authorization": "Bearer whatever"}
    return github.client.request(method, f"{github.host.api_url}{path}", json=json, headers=headers)


def test_an_outage_lasts_by_the_hosts_clock_and_meets_everything(github: Scene) -> None:
    caller = github.caller()
    archive = caller.rest("GET", "tarball/main").headers["Location"]
    github.host.outage(3 * 3600)
    github.clock.advance(3 * 3600 - 1)
    calls = [
        ask(github, "GET", "/repos/octo/widgets"),
        ask(github, "POST", "/repos/octo/widgets/issues/1/comments", {"body": "Report"}),
        ask(github, "POST", f"/app/installations/{github.installation.id}/access_tokens"),
        ask(github, "GET", "/nonsense"),
        github.client.post(github.host.graphql_url, json={"query": "{ rateLimit { cost } }"}),
        github.client.get(archive),
    ]
    assert [answer.status_code for answer in calls] == [503] * len(calls)
    assert "json" not in calls[0].headers["Content-Type"]
    assert github.pull.comments == []
    github.clock.advance(1)
    assert github.caller().rest("POST", "issues/1/comments", {"body": "Report"}).status_code == 201


def test_an_outage_may_begin_later_and_meet_some_operations_alone(github: Scene) -> None:
    github.host.outage(60, operation="POST */comments", begins_in=30)
    caller = github.caller()
    statuses = []
    for _ in range(4):
        statuses.append(ask_with(github, caller.token))
        github.clock.advance(30)
        assert caller.rest("GET", "issues/1/comments").status_code == 200
    assert statuses == [201, 503, 503, 201]


def ask_with(github: Scene, token: str) -> int:
    where = f"{github.host.api_url}/repos/octo/widgets/issues/1/comments"
    return github.client.post(where, json={"body": "Hm"}, headers={"Authorization": f"Bearer {token}"}).status_code


def test_an_outage_may_cut_every_connection_and_do_nothing(github: Scene) -> None:
    token = github.caller().token
    github.host.outage(60, status=None)
    with pytest.raises(httpx.RemoteProtocolError):
        ask_with(github, token)
    assert (github.pull.comments, github.host.calls[-1].status) == ([], None)
    github.clock.advance(60)
    assert ask_with(github, token) == 201


def test_an_outage_uses_up_neither_limits_nor_the_faults_that_are_planned(github: Scene) -> None:
    caller = github.caller()
    before = int(caller.rest("GET", "").headers["X-RateLimit-Remaining"])
    github.host.faults.add(COMMENT, faults.refuse(500, "Oops"))
    github.host.outage(60)
    assert ask_with(github, caller.token) == 503
    github.clock.advance(60)
    assert int(caller.rest("GET", "").headers["X-RateLimit-Remaining"]) == before - 1
    assert [ask_with(github, caller.token) for _ in range(2)] == [500, 201]


def test_outages_end_when_faults_are_cleared(github: Scene) -> None:
    github.host.outage(60)
    github.host.faults.clear()
    assert github.caller().rest("GET", "").status_code == 200


def test_a_text_that_comes_too_quickly_is_refused_like_a_bad_one_and_taken_later(github: Scene) -> None:
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "?")]).threads[0]
    github.host.faults.add("POST /repos/*", faults.spam(), times=3)
    caller = github.caller()
    asked = (
        ("issues/1/comments", {"body": "Report"}, "Validation Failed"),
        (f"pulls/1/comments/{thread.comments[0].id}/replies", {"body": "Done"}, "Validation Failed"),
        ("pulls/1/reviews", {"event": "COMMENT", "body": "Fine"}, "Unprocessable Entity"),
    )
    for path, body, message in asked:
        answer = caller.rest("POST", path, body)
        assert refusal(answer) == (422, message)
        assert "was submitted too quickly" in str(answer.json()["errors"])
        assert "Retry-After" not in answer.headers
    assert [caller.rest("POST", path, body).is_success for path, body, _ in asked] == [True, True, True]


def test_a_text_that_comes_too_quickly_over_graphql_is_an_error_with_status_200(github: Scene) -> None:
    github.host.faults.add("graphql anonymous", faults.spam())
    told = github.caller().graphql("{ rateLimit { cost } }")
    assert told == {"errors": [{"type": "UNPROCESSABLE", "message": "was submitted too quickly"}]}


def test_abuse_is_a_secondary_limit_under_an_older_name(github: Scene) -> None:
    github.host.faults.add(COMMENT, faults.abuse())
    answer = github.caller().rest("POST", "issues/1/comments", {"body": "Report"})
    assert answer.status_code == 403
    assert "abuse detection mechanism" in answer.json()["message"]
