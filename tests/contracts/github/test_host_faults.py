"""How calls to the local GitHub host are made to fail."""

import threading
from typing import Any

import httpx
import pytest

from infra.local.github_host.http import faults
from tests.contracts.github.scene import Scene, refusal

COMMENT = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"
PULL = "GET /repos/{owner}/{repo}/pulls/{pull_number}"


def comment(github: Scene) -> httpx.Response:
    caller = github.caller()
    return github.client.post(
        f"{github.host.api_url}/repos/octo/widgets/issues/1/comments",
        json={"body": "Report"},
        headers={"Authorization": f"Bearer {caller.token}"},
    )


def test_a_refused_call_has_no_effect_and_the_next_one_works(github: Scene) -> None:
    github.host.faults.add(COMMENT, faults.refuse(502, "Bad Gateway"))
    assert comment(github).status_code == 502
    assert github.pull.comments == []
    assert comment(github).status_code == 201
    assert [call.status for call in github.host.calls.of(COMMENT)] == [502, 201]


def test_a_lost_reply_has_had_its_effect(github: Scene) -> None:
    github.host.faults.add(COMMENT, faults.lose_reply())
    with pytest.raises(httpx.RemoteProtocolError):
        comment(github)
    assert [one.body for one in github.pull.comments] == ["Report"]
    assert github.host.calls[-1].status is None
    github.host.faults.add(COMMENT, faults.lose_reply(504))
    assert comment(github).status_code == 504
    assert len(github.pull.comments) == 2


@pytest.mark.parametrize("after_effect", [False, True])
def test_a_call_that_is_never_answered_lasts_until_the_caller_gives_up(github: Scene, after_effect: bool) -> None:
    github.host.faults.add(COMMENT, faults.time_out(after_effect=after_effect))
    github.client.timeout = httpx.Timeout(5, read=0.1)
    with pytest.raises(httpx.ReadTimeout):
        comment(github)
    assert len(github.pull.comments) == int(after_effect)


def test_the_host_stops_while_a_caller_still_waits(github: Scene) -> None:
    arrived, ended = threading.Event(), list[Exception]()

    def keep_silent(_call: Any, _proceed: Any) -> Any:
        arrived.set()
        raise faults.Silence

    github.host.faults.add(COMMENT, keep_silent)

    def wait() -> None:
        try:
            comment(github)
        except httpx.HTTPError as error:
            ended.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert arrived.wait(10)
    github.host.close()
    waiting.join(10)
    assert len(ended) == 1


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize("wait", [7, None])
def test_a_secondary_limit_may_say_how_long_to_wait(github: Scene, status: int, wait: int | None) -> None:
    github.host.faults.add(COMMENT, faults.throttle(wait, status=status))
    answer = comment(github)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, wait and str(wait))
    assert "secondary rate limit" in answer.json()["message"]
    assert github.pull.comments == []


@pytest.mark.parametrize("status", [403, 429])
def test_the_primary_limit_says_when_it_begins_anew(github: Scene, status: int) -> None:
    github.host.faults.add(COMMENT, faults.exhaust(github.clock.now, status=status))
    answer = comment(github)
    headers = (answer.headers["X-RateLimit-Remaining"], answer.headers["X-RateLimit-Reset"])
    assert (answer.status_code, *headers) == (status, "0", str(int(github.clock.now.timestamp())))


@pytest.mark.parametrize("status", [200, 403])
def test_a_secondary_limit_over_graphql_comes_with_either_status(github: Scene, status: int) -> None:
    github.host.faults.add("graphql anonymous", faults.throttle(7, status=status))
    headers = {"Authorization": f"Bearer {github.caller().token}"}
    answer = github.client.post(github.host.graphql_url, json={"query": "{ rateLimit { cost } }"}, headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (status, "7")
    told = answer.json()["errors"][0] if status == 200 else answer.json()
    assert "secondary rate limit" in told["message"]


def test_a_primary_limit_over_graphql_is_an_error_with_status_200(github: Scene) -> None:
    github.host.faults.add("graphql anonymous", faults.exhaust(github.clock.now, status=200))
    assert github.caller().graphql("{ rateLimit { cost } }")["errors"][0]["type"] == "RATE_LIMITED"


def test_a_ref_may_be_said_not_to_move_forward_where_the_host_looks_at_old_data(github: Scene) -> None:
    move = "PATCH /repos/{owner}/{repo}/git/refs/{ref}"
    forward = github.repository.commit("later", {"x": "x"}, "More", parent_branch="feature/area")
    github.host.faults.add(move, faults.not_fast_forward())
    caller, update = github.caller(), {"sha": forward}
    assert refusal(caller.rest("PATCH", "git/refs/heads/feature/area", update)) == (422, "Update is not a fast forward")
    assert caller.get("git/ref/heads/feature/area")["object"]["sha"] == github.head
    assert caller.rest("PATCH", "git/refs/heads/feature/area", update).status_code == 200
    github.host.faults.add("graphql UpdateRefs", faults.not_fast_forward())
    told = caller.graphql("mutation UpdateRefs { updateRefs(input: {}) { clientMutationId } }")
    assert (told["data"], told["errors"][0]["message"]) == ({"updateRefs": None}, "Update is not a fast forward")


def test_a_permission_that_is_there_may_be_denied_for_once(github: Scene) -> None:
    github.host.faults.add("PATCH */git/refs/{ref}", faults.deny())
    caller, update = github.caller(), {"sha": github.base, "force": True}
    denied = (403, "Resource not accessible by integration")
    assert refusal(caller.rest("PATCH", "git/refs/heads/feature/area", update)) == denied
    assert github.repository.tip("feature/area") == github.head
    assert caller.rest("PATCH", "git/refs/heads/feature/area", update).status_code == 200


def test_a_part_of_a_query_may_be_withheld_with_an_error_in_its_place(github: Scene) -> None:
    message = "Resource limits for this query exceeded."
    withheld = faults.withhold("repository", "pullRequest", kind="RESOURCE_LIMITS_EXCEEDED", message=message)
    github.host.faults.add("graphql anonymous", withheld)
    query = '{ repository(owner: "octo", name: "widgets") { id pullRequest(number: 1) { id } } }'
    answer = github.caller().graphql(query)
    assert answer["data"] == {"repository": {"id": github.repository.node_id, "pullRequest": None}}
    path = ["repository", "pullRequest"]
    assert answer["errors"] == [{"type": "RESOURCE_LIMITS_EXCEEDED", "path": path, "locations": [], "message": message}]


def test_a_partial_answer_is_whatever_is_left_of_it(github: Scene) -> None:
    def without_head(body: Any) -> Any:
        return {name: value for name, value in body.items() if name != "head"}

    github.host.faults.add(PULL, faults.alter(without_head))
    caller = github.caller()
    where = f"{github.host.api_url}/repos/octo/widgets/pulls/1"
    shown = github.client.get(where, headers={"Authorization": f"Bearer {caller.token}"}).json()
    assert "head" not in shown
    assert "base" in shown


def test_a_stale_answer_is_the_one_before_the_last_change(github: Scene) -> None:
    caller = github.caller()
    assert caller.get("pulls/1")["head"]["sha"] == github.head
    moved = github.repository.commit("feature/area", {"x": "x"}, "More")
    github.host.faults.add(PULL, github.host.faults.stale)
    assert caller.get("pulls/1")["head"]["sha"] == github.head
    assert caller.get("pulls/1")["head"]["sha"] == moved
    github.host.faults.add(PULL, github.host.faults.stale)
    assert caller.get("pulls/1")["head"]["sha"] == github.head


def test_an_answer_is_only_stale_where_there_was_another_one(github: Scene) -> None:
    github.host.faults.add("*", github.host.faults.stale, times=-1)
    assert github.caller().get("pulls/1")["head"]["sha"] == github.head


def test_a_host_can_lack_a_mutation(github: Scene) -> None:
    github.host.faults.add("graphql UpdateRefs", faults.lack_field("Mutation", "updateRefs"))
    query = "mutation UpdateRefs($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }"
    update = {"name": "refs/heads/new", "afterOid": github.head}
    given = {"repositoryId": github.repository.node_id, "refUpdates": [update]}
    answer = github.caller().graphql(query, input=given)
    assert answer["errors"][0]["extensions"]["code"] == "undefinedField"
    assert github.repository.store.tip("new") is None
    assert "errors" not in github.caller().graphql(query, input=given)


def test_faults_come_after_so_many_calls_for_so_many_calls_until_cleared(github: Scene) -> None:
    github.host.faults.add("POST */comments", faults.refuse(500, "Oops"), skip=1, times=2)
    assert [comment(github).status_code for _ in range(4)] == [201, 500, 500, 201]
    github.host.faults.add(COMMENT, faults.refuse(500, "Oops"), times=-1)
    assert [comment(github).status_code for _ in range(2)] == [500, 500]
    github.host.faults.clear()
    assert comment(github).status_code == 201


def test_fetching_an_archive_can_fail_like_any_other_call(github: Scene) -> None:
    where = github.caller().rest("GET", "tarball/main").headers["Location"]
    github.host.faults.add("GET codeload", faults.refuse(503, "Busy"))
    assert [github.client.get(where).status_code for _ in range(2)] == [503, 200]
    assert github.client.get(f"{github.host.url}/codeload/octo").status_code == 404


def test_a_fault_may_refuse_even_the_minting_of_a_token(github: Scene) -> None:
    github.host.faults.add("POST /app/installations/*", faults.answer(401, {"message": "Bad credentials"}))
    assert [github.mint({}).status_code for _ in range(2)] == [401, 201]
