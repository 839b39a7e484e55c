"""Many repositories and pull requests at once on the local GitHub host."""

from typing import Any

import pytest

from infra.local.github_host.people.accounts import Team
from tests.contracts.github.regenerate import DOCUMENTS
from tests.contracts.github.scene import EVERYTHING, Caller, Scene


def ask(github: Scene, query: str, caller: Caller | None = None, **variables: Any) -> dict[str, Any]:
    document = (DOCUMENTS[0] / f"{query}.graphql").read_text(encoding="utf-8")
    return (caller or github.caller()).graphql(document, **variables)


def state(github: Scene) -> dict[str, Any]:
    answer = ask(github, "pull_states", ids=[github.pull.node_id])
    assert "errors" not in answer
    (node,) = answer["data"]["nodes"]
    found: dict[str, Any] = node
    return found


def test_nodes_come_in_the_order_of_their_ids_and_a_missing_one_spoils_no_other(github: Scene) -> None:
    other = github.repository.open_pull("feature/area", "main", github.author, "Another")
    answer = ask(github, "pull_states", ids=[other.node_id, "PR_nothing", github.pull.node_id])
    assert [node and node["id"] for node in answer["data"]["nodes"]] == [other.node_id, None, github.pull.node_id]
    assert [(error["type"], error["path"]) for error in answer["errors"]] == [("NOT_FOUND", ["nodes", 1])]


def test_more_than_a_hundred_ids_are_refused(github: Scene) -> None:
    assert "errors" not in ask(github, "pull_states", ids=[github.pull.node_id] * 100)
    answer = ask(github, "pull_states", ids=[github.pull.node_id] * 101)
    assert answer["data"] is None
    assert [error["type"] for error in answer["errors"]] == ["ARGUMENT_LIMIT"]


def test_a_repository_lists_its_open_pull_requests_oldest_first_in_pages(github: Scene) -> None:
    pulls = [github.pull] + [
        github.repository.open_pull("feature/area", "main", github.author, str(number)) for number in range(101)
    ]
    pulls[1].close()
    first = ask(github, "open_pulls", ids=[github.repository.node_id])["data"]["nodes"][0]["pullRequests"]
    assert first["pageInfo"]["hasNextPage"]
    after = first["pageInfo"]["endCursor"]
    second = ask(github, "open_pulls", ids=[github.repository.node_id], after=after)["data"]["nodes"][0]["pullRequests"]
    assert not second["pageInfo"]["hasNextPage"]
    listed = [pull["number"] for pull in [*first["nodes"], *second["nodes"]]]
    assert listed == [pull.number for pull in pulls if pull.is_open]
    assert first["nodes"][0]["url"].endswith("/octo/widgets/pull/1")


def test_another_order_is_refused_rather_than_answered_wrongly(github: Scene) -> None:
    query = """query($ids: [ID!]!) { nodes(ids: $ids) { ... on Repository {
      pullRequests(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { totalCount } } } }"""
    answer = github.caller().graphql(query, ids=[github.repository.node_id])
    assert [error["type"] for error in answer["errors"]] == ["UNPROCESSABLE"]


def test_who_is_asked_for_a_review_is_shown_until_that_one_reviews(github: Scene) -> None:
    copilot = github.host.add_app("copilot-pull-request-reviewer", permissions={"pull_requests": "write"}).bot
    for reviewer in (github.reviewer, copilot, Team(7, "owners")):
        github.pull.request_review(reviewer)
    asked = [node["requestedReviewer"] for node in state(github)["reviewRequests"]["nodes"]]
    assert asked == [
        {"__typename": "User", "login": "rita"},
        {"__typename": "Bot", "login": "copilot-pull-request-reviewer"},
        {"__typename": "Team"},
    ]
    github.pull.review(github.reviewer, "comment", "Hm")
    assert len(state(github)["reviewRequests"]["nodes"]) == 2
    shown = github.caller().get("pulls/1")
    assert [one["login"] for one in shown["requested_reviewers"]] == ["copilot-pull-request-reviewer[bot]"]
    assert [one["slug"] for one in shown["requested_teams"]] == ["owners"]


def test_labels_are_shown_by_both_interfaces(github: Scene) -> None:
    github.pull.label("good first issue")
    answer = ask(github, "pull_details", owner="octo", name="widgets", number=1)
    assert answer["data"]["repository"]["pullRequest"]["labels"]["nodes"] == [{"name": "good first issue"}]
    assert [one["name"] for one in github.caller().get("pulls/1")["labels"]] == ["good first issue"]


def test_a_review_is_shown_with_its_author_commit_and_time(github: Scene) -> None:
    github.pull.review(github.reviewer, "approve")
    moved = github.repository.commit("feature/area", {"x": "x"}, "More")
    found = state(github)
    assert found["headRefOid"] == moved
    (review,) = found["reviews"]["nodes"]
    assert review == {
        "state": "APPROVED",
        "submittedAt": github.clock.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "author": {"__typename": "User", "login": "rita"},
        "commit": {"oid": github.head},
    }


def test_a_pull_request_is_summed_up_by_the_checks_of_its_head(github: Scene) -> None:
    assert state(github)["statusCheckRollup"] is None
    github.repository.check_run(github.head, "tests", conclusion="failure")
    assert state(github)["statusCheckRollup"] == {"state": "FAILURE"}
    github.repository.commit("feature/area", {"x": "x"}, "More")
    assert state(github)["statusCheckRollup"] is None


def test_checks_that_a_token_may_not_see_are_an_error_and_never_no_checks(github: Scene) -> None:
    github.repository.check_run(github.head, "tests", conclusion="success")
    permissions = {name: level for name, level in EVERYTHING.items() if name not in {"checks", "statuses"}}
    answer = ask(github, "pull_states", github.caller(permissions), ids=[github.pull.node_id])
    assert [error["path"] for error in answer["errors"]] == [["nodes", 0, "statusCheckRollup"]]


def test_a_token_lists_the_repositories_that_it_is_for(github: Scene) -> None:
    others = [github.host.add_repository(f"octo/r{number}") for number in range(30)]
    github.installation.repositories += others
    github.host.add_repository("octo/elsewhere", private=False)
    first = github.caller().get("/installation/repositories")
    assert (first["total_count"], len(first["repositories"])) == (31, 30)
    second = github.caller().get("/installation/repositories?page=2")
    names = [one["full_name"] for one in [*first["repositories"], *second["repositories"]]]
    assert names == ["octo/widgets", *(other.full_name for other in others)]
    selected = github.caller(repositories=["r3"]).get("/installation/repositories")
    assert [one["full_name"] for one in selected["repositories"]] == ["octo/r3"]


def test_commits_are_listed_oldest_first_and_no_more_than_the_limit(github: Scene) -> None:
    assert github.host.limits.pull_commits == 250
    later = [github.repository.commit("feature/area", {str(number): "x"}, str(number)) for number in range(3)]
    assert [one["sha"] for one in github.caller().get("pulls/1/commits")] == [github.head, *later]
    github.host.limits.pull_commits = 2
    assert [one["sha"] for one in github.caller().get("pulls/1/commits")] == [github.head, later[0]]


@pytest.mark.parametrize("path", ["git/trees/{head}?recursive=1", "git/commits/{head}"])
def test_a_forks_head_is_read_through_the_repository_that_it_is_to_be_merged_into(github: Scene, path: str) -> None:
    fork = github.host.add_repository("abel/widgets", fork_of=github.repository)
    head = fork.commit("main", {"fork.txt": "f"}, "Fork")
    github.repository.open_pull("main", "main", github.author, "From a fork", head_repository=fork)
    assert github.caller().get(path.format(head=head))
