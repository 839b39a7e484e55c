"""Repositories of the local GitHub host that are renamed, or given to somebody else."""

from typing import Any

import httpx
import pytest

from tests.contracts.github.receiver import Receiver
from tests.contracts.github.scene import Caller, Scene, refusal

OLD = "/repos/octo/widgets"
REPOSITORY = "query($owner: String!) { repository(owner: $owner, name: %s) { id nameWithOwner } }"


def ask(github: Scene, caller: Caller, method: str, path: str, json: Any = None) -> httpx.Response:
    """Ask without a judge: GitHub describes redirects for few operations, and answers so to all."""
    headers = {"Authorization": f"Bearer {caller.token}"}
    return github.client.request(method, f"{github.host.api_url}{path}", json=json, headers=headers)


def named(github: Scene, caller: Caller, owner: str, name: str) -> dict[str, Any]:
    return caller.graphql(REPOSITORY % f'"{name}"', owner=owner)


@pytest.mark.parametrize(
    ("method", "below", "json", "status"),
    [
        ("GET", "", None, 301),
        ("GET", "/pulls/1/files?per_page=1&page=2", None, 301),
        ("GET", "/git/ref/heads/feature/area", None, 301),
        ("POST", "/issues/1/comments", {"body": "Report"}, 307),
        ("PATCH", "/git/refs/heads/feature/area", {"sha": "f" * 40}, 307),
        ("DELETE", "/git/refs/heads/feature/area", None, 307),
    ],
)
def test_the_old_name_sends_the_caller_to_the_number_and_does_nothing(
    github: Scene, method: str, below: str, json: Any, status: int
) -> None:
    caller = github.caller()
    github.host.rename(github.repository, "gadgets")
    answer = ask(github, caller, method, f"{OLD}{below}", json)
    where = f"{github.host.api_url}/repositories/{github.repository.id}{below}"
    assert (answer.status_code, answer.headers["Location"]) == (status, where)
    assert (answer.json()["message"], answer.json()["url"]) == ("Moved Permanently", where)
    assert (github.pull.comments, github.repository.tip("feature/area")) == ([], github.head)


def test_what_the_caller_is_sent_to_answers_like_the_new_name(github: Scene) -> None:
    caller = github.caller()
    github.host.rename(github.repository, "gadgets")
    for below in ("", "/pulls/1", "/issues/1/comments"):
        sent_to = ask(github, caller, "GET", f"{OLD}{below}").headers["Location"].removeprefix(github.host.api_url)
        expected = ask(github, caller, "GET", f"/repos/octo/gadgets{below}")
        assert ask(github, caller, "GET", sent_to).json() == expected.json()
    path = f"/repositories/{github.repository.id}/issues/1/comments"
    assert ask(github, caller, "POST", path, {"body": "Report"}).status_code == 201
    assert github.host.calls[-1].operation == "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"
    assert ask(github, caller, "GET", "/repositories/999").status_code == 404


def test_graphql_finds_a_repository_by_its_old_name_and_says_the_new_one(github: Scene) -> None:
    caller = github.caller()
    github.host.rename(github.repository, "gadgets")
    shown = {"id": github.repository.node_id, "nameWithOwner": "octo/gadgets"}
    assert named(github, caller, "octo", "widgets")["data"] == {"repository": shown}
    assert named(github, caller, "octo", "gadgets")["data"] == {"repository": shown}


def test_a_name_that_something_else_took_leads_nowhere_any_more(github: Scene) -> None:
    caller = github.caller()
    github.host.rename(github.repository, "gadgets")
    taken = github.host.add_repository("octo/widgets")
    assert taken.id != github.repository.id
    assert ask(github, caller, "GET", OLD).status_code == 404
    with pytest.raises(ValueError, match="taken"):
        github.host.rename(github.repository, "widgets")


def test_a_repository_may_be_renamed_to_and_fro_and_to_another_letter_case(github: Scene) -> None:
    caller = github.caller()
    for name in ("gadgets", "widgets", "Widgets"):
        github.host.rename(github.repository, name)
    assert caller.get("")["full_name"] == "octo/Widgets"
    assert ask(github, caller, "GET", "/repos/octo/gadgets").status_code == 301


def test_webhooks_bear_the_new_name_and_one_tells_of_it(github: Scene, receiver: Receiver) -> None:
    github.host.rename(github.repository, "gadgets", by=github.reviewer)
    github.pull.comment(github.reviewer, "Hello")
    told, later = [one.payload for one in github.host.deliveries]
    assert told["action"] == "renamed"
    assert told["changes"] == {"repository": {"name": {"from": "widgets"}}}
    assert told["sender"]["login"] == github.reviewer.login
    for payload in (told, later):
        assert (payload["repository"]["id"], payload["repository"]["full_name"]) == (
            github.repository.id,
            "octo/gadgets",
        )
    assert "/repos/octo/gadgets/" in later["comment"]["url"]


def test_a_stranger_is_not_told_where_a_repository_went(github: Scene) -> None:
    github.host.rename(github.repository, "gadgets")
    other = github.host.add_app("other", permissions={"contents": "read"})
    there = github.host.install(other, [github.host.add_repository("octo/other")])
    stranger = Caller(github.host, github.client, github.mint({}, there).json()["token"])
    assert ask(github, stranger, "GET", OLD).status_code == 404


def test_a_repository_that_is_given_away_is_lost_to_the_former_owners_installations(
    github: Scene, receiver: Receiver
) -> None:
    caller = github.caller()
    there = github.host.install(github.app, [github.host.add_repository("octa/other")])
    github.host.transfer(github.repository, "octa", seen_by=[there])
    assert ask(github, caller, "GET", OLD).status_code == 404
    assert refusal(ask(github, caller, "GET", "/repos/octa/widgets")) == (404, "Not Found")
    new = Caller(github.host, github.client, github.mint({}, there).json()["token"])
    assert ask(github, new, "GET", OLD).status_code == 301
    assert ask(github, new, "GET", "/repos/octa/widgets").json()["owner"]["login"] == "octa"
    told = github.host.deliveries[-1]
    assert (told.event, told.action, told.installation) == ("repository", "transferred", there)
    assert told.payload["changes"]["owner"]["from"]["organization"]["login"] == "octo"
