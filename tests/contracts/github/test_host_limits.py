"""The limits of the local GitHub host: of an hour, of a minute, of what people are told of, and of ten seconds."""

import threading
from typing import Any

import httpx
import pytest

from infra.local.github_host import InlineComment
from infra.local.github_host.http import faults
from infra.local.github_host.http.rate_limits import Charge, PrimaryLimit, Resource, SecondaryLimits
from infra.local.github_host.limits import Limits
from tests.contracts.github.scene import Caller, Clock, Scene, refusal

SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
CONTENT = (
    "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. "
    "Please retry your request again later."
)
REF = {"ref": "refs/heads/none", "sha": "f" * 40}
COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"


def remaining(answer: httpx.Response) -> int:
    return int(answer.headers["X-RateLimit-Remaining"])


def ask_graphql(github: Scene, caller: Caller, query: str = "{ rateLimit { cost } }") -> httpx.Response:
    headers = {"Authorization": f"Bearer {caller.token}"}
    return github.client.post(github.host.graphql_url, json={"query": query}, headers=headers)


def test_the_limits_are_githubs_unless_a_scenario_lowers_them(unchanging: Scene) -> None:
    limits = unchanging.host.limits
    assert limits.requests_per_hour == 5_000
    assert (limits.rest_points_per_minute, limits.graphql_points_per_minute) == (900, 2_000)
    assert (limits.content_per_minute, limits.content_per_hour, limits.concurrent_requests) == (80, 500, 100)
    assert (limits.pull_files, limits.compared_files, limits.query_nodes) == (3_000, 300, 500_000)
    assert (limits.tree_entries, limits.tree_bytes, limits.blob_bytes) == (100_000, 7 * 2**20, 100 * 2**20)


def test_an_hour_has_so_many_calls_and_then_none_until_the_next(github: Scene) -> None:
    github.host.limits.requests_per_hour = 2
    caller = github.caller()
    assert [caller.rest("GET", "").status_code for _ in range(2)] == [200, 200]
    answer = caller.rest("GET", "")
    expected = f"API rate limit exceeded for installation ID {github.installation.id}."
    assert (*refusal(answer), answer.headers["X-RateLimit-Remaining"]) == (403, expected, "0")
    github.clock.advance(3600)
    assert github.caller().rest("GET", "").status_code == 200


def test_an_hour_has_so_many_points_over_graphql_and_then_an_error_with_status_200(github: Scene) -> None:
    github.host.limits.requests_per_hour = 1
    caller = github.caller()
    assert ask_graphql(github, caller).json()["data"]["rateLimit"]["cost"] == 1
    answer = ask_graphql(github, caller)
    assert (answer.status_code, remaining(answer), answer.headers["X-RateLimit-Resource"]) == (200, 0, "graphql")
    assert answer.json() == {
        "errors": [
            {
                "type": "RATE_LIMITED",
                "message": f"API rate limit exceeded for installation ID {github.installation.id}.",
            }
        ]
    }
    # The other kind of API has an hour of its own.
    assert caller.rest("GET", "").status_code == 200


def test_a_query_takes_as_many_points_of_the_hour_as_it_costs(github: Scene) -> None:
    page = "first: 100) { nodes { id } }"
    threads = " ".join(
        f"t{number}: reviewThreads(first: 100) {{ nodes {{ a: comments({page} b: comments({page} }} }}"
        for number in range(2)
    )
    pull = f'repository(owner: "octo", name: "widgets") {{ pullRequest(number: 1) {{ {threads} }} }}'
    query = f"{{ rateLimit {{ cost nodeCount remaining }} {pull} }}"
    limit = ask_graphql(github, github.caller(), query).json()["data"]["rateLimit"]
    # Twice: one request for the threads, two for each of a hundred; 402 requests are 4 points.
    assert limit == {"cost": 4, "nodeCount": 2 * (100 + 2 * 100 * 100), "remaining": 5_000 - 4}


def test_a_minute_has_so_many_points_over_rest_of_which_writing_takes_five(github: Scene) -> None:
    github.host.limits.rest_points_per_minute = 7
    caller = github.caller()
    assert caller.rest("POST", "git/refs", REF).status_code == 422
    assert [caller.rest("GET", "").status_code for _ in range(2)] == [200, 200]
    github.clock.advance(20)
    answer = caller.rest("GET", "")
    assert (*refusal(answer), answer.headers["Retry-After"]) == (403, SECONDARY, "40")
    github.clock.advance(40)
    assert caller.rest("GET", "").status_code == 200


def test_a_minute_has_so_many_points_over_graphql_of_which_a_mutation_takes_five(github: Scene) -> None:
    github.host.limits.graphql_points_per_minute = 6
    caller = github.caller()
    mutation = 'mutation { updateRefs(input: {repositoryId: "R_x", refUpdates: []}) { clientMutationId } }'
    assert [ask_graphql(github, caller, mutation).status_code for _ in range(2)] == [200, 403]
    assert ask_graphql(github, caller).status_code == 200
    answer = ask_graphql(github, caller)
    assert (*refusal(answer), answer.headers["Retry-After"]) == (403, SECONDARY, "60")
    assert caller.rest("GET", "").status_code == 200


def test_a_minute_and_an_hour_have_so_much_that_people_are_told_of(github: Scene) -> None:
    github.host.limits.content_per_minute, github.host.limits.content_per_hour = 2, 3
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "?")]).threads[0]
    caller = github.caller()
    comment = ("POST", "issues/1/comments", {"body": "Report"})
    reply = ("POST", f"pulls/1/comments/{thread.comments[0].id}/replies", {"body": "Done"})
    review = ("POST", "pulls/1/reviews", {"body": "Fine", "event": "COMMENT"})
    assert [caller.rest(*asked).status_code for asked in (comment, reply)] == [201, 201]
    answer = caller.rest(*review)
    assert (*refusal(answer), answer.headers["Retry-After"]) == (403, CONTENT, "60")
    assert len(github.pull.reviews) == 2
    # What nobody is told of goes on.
    assert caller.rest("POST", "git/blobs", {"content": "x"}).status_code == 201
    github.clock.advance(60)
    assert caller.rest(*review).status_code == 200
    answer = caller.rest(*comment)
    assert (*refusal(answer), answer.headers["Retry-After"]) == (403, CONTENT, str(3600 - 60))
    github.clock.advance(3600 - 60)
    assert github.caller().rest(*comment).status_code == 201


def test_one_callers_limit_is_not_anothers() -> None:
    limits, now = SecondaryLimits(Limits(rest_points_per_minute=1)), Clock().now
    assert limits.spend("a", Charge(Resource.REST), now) is None
    assert limits.spend("a", Charge(Resource.REST), now) is not None
    assert limits.spend("b", Charge(Resource.REST), now) is None


def test_what_would_exceed_the_hour_leaves_nothing_of_it() -> None:
    primary, now = PrimaryLimit(Limits(requests_per_hour=3)), Clock().now
    assert primary.spend("a", Charge(Resource.GRAPHQL, 2), now)[0]
    within, headers = primary.spend("a", Charge(Resource.GRAPHQL, 2), now)
    assert (within, headers["X-RateLimit-Remaining"], headers["X-RateLimit-Used"]) == (False, "0", "3")


def test_so_many_requests_may_be_under_way_at_once(github: Scene) -> None:
    github.host.limits.concurrent_requests = 1
    caller, arrived, go_on = github.caller(), threading.Event(), threading.Event()

    def wait(_call: Any, proceed: Any) -> Any:
        arrived.set()
        assert go_on.wait(10)
        return proceed()

    github.host.faults.add("GET /repos/{owner}/{repo}", wait)
    where, headers = f"{github.host.api_url}/repos/octo/widgets", {"Authorization": f"Bearer {caller.token}"}
    statuses: list[int] = []
    waiting = threading.Thread(target=lambda: statuses.append(github.client.get(where, headers=headers).status_code))
    waiting.start()
    assert arrived.wait(10)
    answer = caller.rest("GET", "pulls/1")
    assert (*refusal(answer), "Retry-After" in answer.headers) == (403, SECONDARY, False)
    assert ask_graphql(github, caller).status_code == 403
    go_on.set()
    waiting.join(10)
    assert (statuses, caller.rest("GET", "pulls/1").status_code) == ([200], 200)


@pytest.mark.parametrize("after_effect", [False, True])
@pytest.mark.parametrize("status", [502, 504])
def test_a_request_that_takes_more_than_ten_seconds_is_ended_and_costs_more(
    github: Scene, status: int, after_effect: bool
) -> None:
    github.host.faults.add(COMMENT, faults.overrun(after_effect=after_effect, status=status))
    caller = github.caller()
    before = remaining(caller.rest("GET", ""))
    where = f"{github.host.api_url}/repos/octo/widgets/issues/1/comments"
    headers = {"Authorization": f"Bearer {caller.token}"}
    answer = github.client.post(where, json={"body": "Report"}, headers=headers)
    assert (answer.status_code, len(github.pull.comments)) == (status, int(after_effect))
    spent = before - 1 - remaining(caller.rest("GET", ""))
    assert spent == 1 + int(after_effect)


def test_a_query_that_takes_more_than_ten_seconds_comes_without_data(github: Scene) -> None:
    github.host.faults.add("graphql anonymous", faults.overrun())
    answer = ask_graphql(github, github.caller())
    assert (answer.status_code, answer.json()["data"]) == (502, None)
    assert answer.json()["errors"][0]["message"].startswith("Something went wrong while executing your query.")


def test_a_request_of_nobody_that_takes_too_long_is_ended_too(github: Scene) -> None:
    github.host.faults.add("GET *", faults.overrun(), times=-1)
    for path in ("/app", "/repos/octo/widgets", "/nonsense"):
        assert github.client.get(github.host.api_url + path).status_code == 502
