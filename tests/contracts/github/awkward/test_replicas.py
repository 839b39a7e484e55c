"""The local GitHub host when what was just written is not everywhere yet."""

from typing import Any

import pytest

from infra.local.github_host import InlineComment
from tests.contracts.github.scene import Scene, refusal

THREADS = """query ReviewThreads { repository(owner: "octo", name: "widgets") { pullRequest(number: 1) {
    headRefOid
    reviewThreads(first: 100) { nodes { isResolved comments(first: 100) { nodes { body } } } }
    statusCheckRollup { state }
} } }"""
COMMENTS = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments"


def comments(github: Scene) -> list[str]:
    return [one["body"] for one in github.caller().get("issues/1/comments")]


def pull(github: Scene) -> dict[str, Any]:
    shown: dict[str, Any] = github.caller().graphql(THREADS)["data"]["repository"]["pullRequest"]
    return shown


def threads(github: Scene) -> list[tuple[bool, list[str]]]:
    nodes = pull(github)["reviewThreads"]["nodes"]
    return [(one["isResolved"], [comment["body"] for comment in one["comments"]["nodes"]]) for one in nodes]


def remark(github: Scene) -> Any:
    return github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "Why?")]).threads[0]


def test_nothing_lags_unless_it_is_asked_to(github: Scene) -> None:
    assert github.host.limits.replica_lag_seconds == 0
    github.pull.comment(github.reviewer, "Hello")
    assert comments(github) == ["Hello"]


def test_lists_of_comments_and_threads_may_lag_by_default_so_long_by_the_hosts_clock(github: Scene) -> None:
    github.pull.comment(github.reviewer, "Before")
    github.host.limits.replica_lag_seconds = 5
    caller = github.caller()
    made = caller.rest("POST", "issues/1/comments", {"body": "After"}).json()["id"]
    thread = remark(github)
    github.clock.advance(4.9)
    assert (comments(github), threads(github), caller.get("pulls/1/comments")) == (["Before"], [], [])
    # Everything else is read where it was written.
    assert caller.get(f"issues/comments/{made}")["body"] == "After"
    assert len(caller.get("pulls/1/reviews")) == 1
    github.clock.advance(0.1)
    assert (comments(github), threads(github)) == (["Before", "After"], [(False, ["Why?"])])
    thread.reply(github.author, "Because")
    thread.resolve()
    assert threads(github) == [(False, ["Why?"])]
    assert len(caller.get("pulls/1/comments")) == 1
    github.clock.advance(5)
    assert threads(github) == [(True, ["Why?", "Because"])]


def test_edits_and_deletions_come_late_too(github: Scene) -> None:
    github.host.limits.replica_lag_seconds = 5
    first, second = (github.pull.comment(github.reviewer, text) for text in ("One", "Two"))
    github.clock.advance(5)
    first.edit("Other")
    github.clock.advance(2)
    second.delete()
    assert comments(github) == ["One", "Two"]
    github.clock.advance(3)
    assert comments(github) == ["Other", "Two"]
    github.clock.advance(2)
    assert comments(github) == ["Other"]


def test_a_lag_may_be_of_one_operation_alone(github: Scene) -> None:
    github.host.replicas.lag(COMMENTS, 8)
    made = github.pull.comment(github.reviewer, "Hello")
    remark(github)
    assert (comments(github), threads(github)) == ([], [(False, ["Why?"])])
    assert github.caller().get(f"issues/comments/{made.id}")["body"] == "Hello"
    github.host.replicas.catch_up()
    assert comments(github) == ["Hello"]


def test_an_operation_that_does_not_lag_stands_out_from_the_default(github: Scene) -> None:
    github.host.limits.replica_lag_seconds = 5
    github.host.replicas.lag("graphql *", 0)
    github.pull.comment(github.reviewer, "Hello")
    remark(github)
    assert (comments(github), threads(github)) == ([], [(False, ["Why?"])])


def test_what_was_just_written_is_not_found_by_a_replica_that_lags_in_everything(github: Scene) -> None:
    github.host.replicas.lag("GET *", 30)
    caller = github.caller()
    comment = caller.rest("POST", "issues/1/comments", {"body": "Report"}).json()["id"]
    thread = remark(github)
    told = caller.rest("POST", f"pulls/1/comments/{thread.comments[0].id}/replies", {"body": "Done"}).json()
    tree = caller.get(f"git/commits/{github.base}")["tree"]["sha"]
    made = caller.rest("POST", "git/commits", {"message": "m", "tree": tree, "parents": [github.head]}).json()["sha"]
    paths = (
        f"issues/comments/{comment}",
        f"pulls/comments/{told['id']}",
        f"pulls/1/reviews/{told['pull_request_review_id']}",
        f"git/commits/{made}",
        f"compare/{github.head}...{made}",
    )
    assert {refusal(caller.rest("GET", path)) for path in paths} == {(404, "Not Found")}
    # What is written goes on where it was written.
    assert caller.rest("PATCH", f"issues/comments/{comment}", {"body": "Other"}).status_code == 200
    assert caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": made}).status_code == 200
    github.clock.advance(30)
    assert [caller.rest("GET", path).status_code for path in paths] == [200] * len(paths)


def test_checks_may_be_known_to_one_api_and_not_yet_to_the_other(github: Scene) -> None:
    github.host.replicas.lag("graphql *", 10)
    run = github.repository.check_run(github.head, "build", status="in_progress")
    assert [one["status"] for one in github.caller().get(f"commits/{github.head}/check-runs")["check_runs"]] == [
        "in_progress"
    ]
    assert pull(github)["statusCheckRollup"] is None
    github.clock.advance(10)
    run.update(status="completed", conclusion="failure")
    assert pull(github)["statusCheckRollup"] == {"state": "PENDING"}
    github.clock.advance(10)
    assert pull(github)["statusCheckRollup"] == {"state": "FAILURE"}


@pytest.mark.parametrize("path", ["actions/runs", "commits/{head}/check-suites", "commits/{head}/status"])
def test_lists_of_what_ci_says_may_lag(github: Scene, path: str) -> None:
    github.host.replicas.lag("GET *", 10)
    run = github.repository.workflow_run(github.head, status="queued")
    github.repository.check_run(github.head, "build", workflow_run=run, conclusion="success")
    github.repository.set_status(github.head, "ci", "success")
    caller = github.caller()
    assert caller.get(path.format(head=github.head))["total_count"] == 0
    github.clock.advance(10)
    assert caller.get(path.format(head=github.head))["total_count"] == 1


def test_a_node_that_is_not_there_yet_cannot_be_asked_for(github: Scene) -> None:
    github.host.replicas.lag("graphql *", 10)
    thread = remark(github)
    query = "query($id: ID!) { node(id: $id) { ... on PullRequestReviewThread { isResolved } } }"
    assert github.caller().graphql(query, id=thread.node_id)["errors"][0]["type"] == "NOT_FOUND"
    github.clock.advance(10)
    assert github.caller().graphql(query, id=thread.node_id)["data"] == {"node": {"isResolved": False}}
