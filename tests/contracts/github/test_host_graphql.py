"""GraphQL on the local GitHub host: GitHub's own schema, executed."""

import base64
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, parse, validate

from infra.local.github_host import InlineComment
from infra.local.github_host.git.store import ZERO_SHA
from infra.local.github_host.graphql.endpoint import served_schema
from infra.local.github_host.graphql.resolvers import FIELDS
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.reviews import Review, ReviewComment
from tests.contracts.github.regenerate import DOCUMENTS, GRAPHQL
from tests.contracts.github.scene import Caller, Scene

SERVED = (GRAPHQL / "served.graphql").read_text(encoding="utf-8")
QUERIES = sorted(DOCUMENTS[0].glob("*.graphql"))
REPOSITORY = {"owner": "octo", "name": "widgets"}
FORBIDDEN = {"type": "FORBIDDEN", "message": "Resource not accessible by integration"}


def threads(github: Scene, caller: Caller | None = None, **variables: Any) -> dict[str, Any]:
    asked = {**REPOSITORY, "number": 1, **variables}
    return (caller or github.caller()).graphql(SERVED, "ServedThreads", **asked)


def rollup(github: Scene, caller: Caller | None = None, **variables: Any) -> dict[str, Any]:
    asked = {**REPOSITORY, "oid": github.head, **variables}
    return (caller or github.caller()).graphql(SERVED, "ServedRollup", **asked)


def move(github: Scene, *updates: tuple[str, str | None, str], force: bool = False, **token: Any) -> dict[str, Any]:
    asked = [
        {"name": f"refs/heads/{name}", "beforeOid": before, "afterOid": after, "force": force}
        for name, before, after in updates
    ]
    caller = github.caller(**token)
    return caller.graphql(SERVED, "ServedRefs", repositoryId=github.repository.node_id, refUpdates=asked)


def told(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(error["type"], error["message"]) for error in answer["errors"]]


@pytest.mark.parametrize("path", [*QUERIES, GRAPHQL / "served.graphql"], ids=lambda path: path.stem)
def test_every_document_fits_githubs_schema(path: Any) -> None:
    assert validate(served_schema(), parse(path.read_text(encoding="utf-8"))) == []


def test_every_field_of_the_schema_that_a_document_can_reach_has_a_resolver() -> None:
    reachable = {
        name: set(kind.fields)
        for name, kind in served_schema().type_map.items()
        if isinstance(kind, GraphQLObjectType) and not name.startswith("__")
    }
    # Kinds of actors and git objects that the host has none of; queries may name them.
    absent = {"Blob", "EnterpriseUserAccount", "Mannequin", "Tag", "Tree"}
    missing = {
        f"{name}.{field}"
        for name, fields in reachable.items()
        if name not in absent
        for field in fields - set(FIELDS.get(name, ()))
    }
    assert missing == {"Query.id"}
    interfaces = [one for one in served_schema().type_map.values() if isinstance(one, GraphQLInterfaceType)]
    assert {one.name for one in interfaces} == {"Actor", "GitObject", "Node"}


def test_threads_come_with_their_comments_as_they_stand(github: Scene) -> None:
    inline = [InlineComment("src/area.txt", 3, "Why?", start_line=2), InlineComment("src/area.txt", None, "All of it")]
    review = github.pull.review(github.reviewer, "request_changes", "Please", inline)
    answer = review.threads[0].reply(github.app.bot, "Done", app=github.app)
    github.clock.advance(60)
    review.comments[0].edit("Why though?")
    review.threads[1].resolve(by=github.author)
    found = threads(github)
    assert "errors" not in found
    first, second = found["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"]
    anchor = [first[name] for name in ("line", "startLine", "originalLine", "originalStartLine", "subjectType")]
    assert anchor == [3, 2, 3, 2, "LINE"]
    assert (second["subjectType"], second["line"], second["isResolved"]) == ("FILE", None, True)
    assert second["resolvedBy"] == {"login": "abel"}
    opened, replied = first["comments"]["nodes"]
    assert (opened["body"], opened["lastEditedAt"], opened["replyTo"]) == ("Why though?", "2026-03-02T10:01:00Z", None)
    assert opened["author"] == {
        "__typename": "User",
        "login": "rita",
        "id": github.reviewer.node_id,
        "databaseId": github.reviewer.id,
    }
    # The number is beyond 32 bits and travels as a string; a bot's login lacks the suffix that REST writes.
    assert replied["fullDatabaseId"] == str(answer.id)
    assert (replied["author"]["__typename"], replied["author"]["login"]) == ("Bot", "fixer")
    assert replied["replyTo"]["fullDatabaseId"] == str(review.comments[0].id)
    assert opened["commit"]["oid"] == opened["originalCommit"]["oid"] == github.head


def test_of_every_text_the_last_editor_is_told_until_the_account_is_gone(github: Scene) -> None:
    review = github.pull.review(github.reviewer, "comment", "Hm", [InlineComment("src/area.txt", 2, "Why?")])
    editor = github.host.add_user("edith")
    told = ("lastEditedAt", "includesCreatedEdit", "editor")

    def ask(text: Review | ReviewComment | IssueComment) -> list[Any]:
        node = github.caller().graphql(SERVED, "ServedText", id=text.node_id)["data"]["node"]
        assert node["author"]["login"] == "rita"
        return [node[name] for name in told]

    texts: list[Review | ReviewComment | IssueComment] = [review, review.comments[0]]
    texts.append(github.pull.comment(github.reviewer, "First"))
    assert [ask(text) for text in texts] == [[None, False, None]] * 3
    github.clock.advance(60)
    for text in texts:
        text.edit("Mine", by=github.reviewer)
        text.edit("No, mine", by=editor)
    account = {"__typename": "User", "login": "edith", "id": editor.node_id, "databaseId": editor.id}
    assert [ask(text) for text in texts] == [["2026-03-02T10:01:00Z", True, account]] * 3
    github.host.delete_account(editor)
    assert [ask(text) for text in texts] == [["2026-03-02T10:01:00Z", True, None]] * 3


def test_an_outdated_thread_keeps_its_original_lines_alone(github: Scene) -> None:
    github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "Why?")])
    moved = github.repository.commit("feature/area", {"src/area.txt": "other\n"}, "Other")
    found = threads(github)["data"]["repository"]["pullRequest"]
    thread = found["reviewThreads"]["nodes"][0]
    assert (thread["isOutdated"], thread["line"], thread["originalLine"]) == (True, None, 2)
    assert found["headRefOid"] == moved
    assert thread["comments"]["nodes"][0]["commit"]["oid"] == github.head


def test_a_deleted_account_is_an_author_of_null(github: Scene) -> None:
    github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "Why?")])
    github.host.delete_account(github.reviewer)
    nodes = threads(github)["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"]
    assert nodes[0]["comments"]["nodes"][0]["author"] is None


def test_the_hundred_and_first_thread_and_the_fifty_first_comment_are_on_the_next_page(github: Scene) -> None:
    inline = [InlineComment("src/area.txt", 2, str(number)) for number in range(101)]
    review = github.pull.review(github.reviewer, "comment", "", inline)
    for number in range(50):
        review.threads[0].reply(github.author, str(number))
    first = threads(github)["data"]["repository"]["pullRequest"]["reviewThreads"]
    assert (len(first["nodes"]), first["totalCount"], first["pageInfo"]["hasNextPage"]) == (100, 101, True)
    rest = threads(github, after=first["pageInfo"]["endCursor"])["data"]["repository"]["pullRequest"]["reviewThreads"]
    assert [node["id"] for node in rest["nodes"]] == [review.threads[100].node_id]
    assert rest["pageInfo"]["hasNextPage"] is False
    comments = first["nodes"][0]["comments"]
    assert (len(comments["nodes"]), comments["totalCount"]) == (50, 51)
    after = comments["pageInfo"]["endCursor"]
    more = github.caller().graphql(SERVED, "ServedThread", id=first["nodes"][0]["id"], after=after)
    assert [one["body"] for one in more["data"]["node"]["moreComments"]["nodes"]] == ["49"]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [("", "MISSING_PAGINATION_BOUNDARIES"), ("(first: 101)", "EXCESSIVE_PAGINATION"), ("(last: 5)", "UNPROCESSABLE")],
)
def test_a_list_wants_bounds_of_at_most_a_hundred(github: Scene, arguments: str, kind: str) -> None:
    threads_alone = f"id reviewThreads{arguments} {{ nodes {{ id }} }}"
    query = f'{{ repository(owner: "octo", name: "widgets") {{ id pullRequest(number: 1) {{ {threads_alone} }} }} }}'
    answer = github.caller().graphql(query)
    assert [(error["type"], error["path"]) for error in answer["errors"]] == [
        (kind, ["repository", "pullRequest", "reviewThreads"])
    ]
    assert answer["data"]["repository"]["id"] == github.repository.node_id


def test_a_list_that_is_only_counted_wants_no_bounds(github: Scene) -> None:
    github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "Why?")])
    query = '{ repository(owner: "octo", name: "widgets") { pullRequest(number: 1) { reviewThreads { totalCount } } } }'
    found = github.caller().graphql(query)["data"]["repository"]["pullRequest"]
    assert found == {"reviewThreads": {"totalCount": 1}}


def test_a_query_that_may_bring_more_nodes_than_github_allows_is_not_executed(github: Scene) -> None:
    github.host.limits.query_nodes = 5_099
    answer = threads(github)
    assert answer == {
        "errors": [
            {
                "type": "MAX_NODE_LIMIT_EXCEEDED",
                "message": "This query requests up to 5,100 possible nodes which exceeds the maximum limit of 5,099.",
            }
        ]
    }
    github.host.limits.query_nodes = 4_999
    assert threads(github)["errors"][0]["message"] == (
        "By the time this query traverses to the comments connection, it is requesting up to 5,000 possible nodes "
        "which exceeds the maximum limit of 4,999."
    )
    github.host.limits.query_nodes = 5_100
    assert "errors" not in threads(github)


@pytest.mark.parametrize(("mergeable", "word"), [(None, "UNKNOWN"), (True, "MERGEABLE"), (False, "CONFLICTING")])
def test_whether_a_pull_request_can_be_merged_may_be_unknown(github: Scene, mergeable: Any, word: str) -> None:
    github.pull.mergeable = mergeable
    assert threads(github)["data"]["repository"]["pullRequest"]["mergeable"] == word


def test_a_status_that_a_rule_demands_is_expected_until_somebody_sets_it(github: Scene) -> None:
    github.repository.expect_status(github.head, "coverage")
    found = rollup(github)["data"]["repository"]["object"]
    assert found["statusCheckRollup"] == {"state": "EXPECTED"}
    assert [(one["context"], one["state"]) for one in found["reports"]["contexts"]["nodes"]] == [
        ("coverage", "EXPECTED")
    ]
    github.repository.set_status(github.head, "coverage", "success")
    found = rollup(github)["data"]["repository"]["object"]
    assert [one["state"] for one in found["reports"]["contexts"]["nodes"]] == ["SUCCESS"]


def test_what_is_public_is_answered_without_a_permission_and_not_changed(github: Scene) -> None:
    github.repository.private = False
    github.repository.set_status(github.head, "coverage", "success")
    caller = github.caller({"metadata": "read"})
    assert rollup(github, caller)["data"]["repository"]["object"]["statusCheckRollup"] == {"state": "SUCCESS"}
    assert "errors" not in threads(github, caller)
    github.installation.repositories.clear()
    assert "errors" not in threads(github)
    update = ("feature/area", github.head, github.base)
    assert told(move(github, update, force=True)) == [tuple(FORBIDDEN.values())]


@pytest.mark.parametrize("cursor", ["nonsense", base64.b64encode(b"cursor:v2:x").decode()])
def test_a_cursor_that_the_host_never_gave_is_refused(github: Scene, cursor: str) -> None:
    assert [kind for kind, _ in told(threads(github, after=cursor))] == ["INVALID_CURSOR_ARGUMENTS"]


def test_what_does_not_exist_is_null_with_an_error_of_its_own(github: Scene) -> None:
    missing = threads(github, number=7)
    assert missing["data"]["repository"]["pullRequest"] is None
    assert [kind for kind, _ in told(missing)] == ["NOT_FOUND"]
    unseen = threads(github, name="secret")
    assert unseen["data"]["repository"] is None
    assert told(unseen) == [("NOT_FOUND", "Could not resolve to a Repository with the name 'octo/secret'.")]
    assert [kind for kind, _ in told(github.caller().graphql(SERVED, "ServedThread", id="PRRT_x"))] == ["NOT_FOUND"]


def test_a_field_that_github_does_not_have_stops_the_whole_query(github: Scene) -> None:
    answer = github.caller().graphql('{ repository(owner: "octo", name: "widgets") { id flavour } }')
    assert "data" not in answer
    assert answer["errors"][0]["extensions"] == {
        "code": "undefinedField",
        "typeName": "Repository",
        "fieldName": "flavour",
    }
    assert answer["errors"][0]["message"] == "Field 'flavour' doesn't exist on type 'Repository'"


@pytest.mark.parametrize("text", ["", "query {", "query X($a: Int!) { rateLimit { cost } }", None])
def test_a_query_that_is_none_is_told_so(github: Scene, text: Any) -> None:
    answer = github.caller().graphql(text)
    assert answer.get("data") is None
    assert answer["errors"]


def test_a_rollup_lists_the_newest_checks_and_statuses_and_sums_them_up(github: Scene) -> None:
    assert rollup(github)["data"]["repository"]["object"]["statusCheckRollup"] is None
    run = github.repository.workflow_run(github.head, "CI", status="in_progress")
    github.repository.check_run(github.head, "tests", conclusion="failure", workflow_run=run)
    github.repository.check_run(github.head, "tests", conclusion="success", workflow_run=run)
    github.repository.set_status(github.head, "coverage", "pending")
    found = rollup(github)["data"]["repository"]["object"]
    assert found["statusCheckRollup"] == {"state": "PENDING"}
    check, status = found["reports"]["contexts"]["nodes"]
    assert (check["__typename"], check["name"], check["conclusion"]) == ("CheckRun", "tests", "SUCCESS")
    assert check["checkSuite"]["workflowRun"] == {"databaseId": run.id}
    assert check["checkSuite"]["app"]["slug"] == "github-actions"
    assert (status["__typename"], status["context"], status["state"]) == ("StatusContext", "coverage", "PENDING")
    github.repository.set_status(github.head, "coverage", "error")
    assert rollup(github)["data"]["repository"]["object"]["statusCheckRollup"] == {"state": "ERROR"}


def test_a_summary_beside_its_contexts_speaks_of_that_page_alone(github: Scene) -> None:
    github.repository.check_run(github.head, "a", conclusion="success")
    github.repository.check_run(github.head, "b", conclusion="failure")
    query = """query X($oid: GitObjectID!) { repository(owner: "octo", name: "widgets") { object(oid: $oid) {
      ... on Commit { statusCheckRollup { state contexts(first: 1) { totalCount } } all: statusCheckRollup { state } }
    } } }"""
    found = github.caller().graphql(query, oid=github.head)["data"]["repository"]["object"]
    assert (found["statusCheckRollup"]["state"], found["all"]["state"]) == ("SUCCESS", "FAILURE")


def test_a_missing_permission_gives_the_rest_of_the_data_and_an_error_for_what_is_missing(github: Scene) -> None:
    run = github.repository.workflow_run(github.head, "CI", status="in_progress")
    github.repository.check_run(github.head, "tests", conclusion="success", workflow_run=run)
    github.repository.set_status(github.head, "coverage", "success")
    path = ["repository", "object", "reports", "contexts", "nodes"]

    def nodes_and_errors(**permissions: str) -> tuple[list[Any], list[Any]]:
        answer = rollup(github, github.caller(permissions))
        assert all({name: error[name] for name in FORBIDDEN} == FORBIDDEN for error in answer["errors"])
        assert all(error["extensions"] == {"saml_failure": False} for error in answer["errors"])
        nodes = answer["data"]["repository"]["object"]["reports"]["contexts"]["nodes"]
        return nodes, [error["path"] for error in answer["errors"]]

    nodes, errors = nodes_and_errors(contents="read", statuses="read", actions="read")
    assert (nodes[0], nodes[1]["context"], errors) == (None, "coverage", [[*path, 0]])
    nodes, errors = nodes_and_errors(contents="read", checks="read", actions="read")
    assert (nodes[0]["name"], nodes[1], errors) == ("tests", None, [[*path, 1]])
    nodes, errors = nodes_and_errors(contents="read", checks="read", statuses="read")
    assert nodes[0]["checkSuite"]["workflowRun"] is None
    assert errors == [[*path, 0, "checkSuite", "workflowRun"]]


def test_without_any_permission_for_reports_the_rollup_is_null_with_an_error(github: Scene) -> None:
    github.repository.set_status(github.head, "coverage", "success")
    answer = rollup(github, github.caller({"contents": "read"}))
    assert answer["data"]["repository"]["object"]["statusCheckRollup"] is None
    assert ["repository", "object", "statusCheckRollup"] in [error["path"] for error in answer["errors"]]


def test_threads_need_the_pull_requests_permission(github: Scene) -> None:
    answer = threads(github, github.caller({"contents": "read"}))
    assert (answer["data"]["repository"]["pullRequest"], told(answer)) == (None, [tuple(FORBIDDEN.values())])


def test_refs_move_from_where_they_are_said_to_be_and_only_forward(github: Scene) -> None:
    answer = move(github, ("feature/area", github.base, github.base))
    assert (answer["data"], answer["errors"][0]["path"]) == ({"updateRefs": None}, ["updateRefs"])
    stale = f'Expected branch to point to "{github.base}" but it did not. Pull and try again.'
    assert told(answer) == [("STALE_DATA", stale)]
    back = ("feature/area", github.head, github.base)
    assert told(move(github, back)) == [("UNPROCESSABLE", "Update is not a fast forward")]
    assert github.repository.tip("feature/area") == github.head
    assert "errors" not in move(github, back, force=True)
    assert github.pull.head_sha == github.base


def test_a_commit_that_was_just_reset_away_does_not_come_back(github: Scene) -> None:
    github.repository.reset("feature/area", github.base)
    assert [kind for kind, _ in told(move(github, ("feature/area", github.head, github.head)))] == ["STALE_DATA"]
    assert github.repository.tip("feature/area") == github.base


def test_all_refs_move_or_none(github: Scene) -> None:
    answer = move(github, ("new", ZERO_SHA, github.head), ("main", github.base, "f" * 40))
    assert told(answer) == [("UNPROCESSABLE", "Object does not exist")]
    assert github.repository.store.tip("new") is None
    assert "errors" not in move(github, ("new", ZERO_SHA, github.head), ("main", github.base, github.head))
    assert (github.repository.tip("new"), github.repository.tip("main")) == (github.head, github.head)


def test_forty_zeros_mean_that_a_ref_must_not_exist_or_shall_not(github: Scene) -> None:
    assert [kind for kind, _ in told(move(github, ("main", ZERO_SHA, github.head)))] == ["STALE_DATA"]
    assert "errors" not in move(github, ("feature/area", None, ZERO_SHA))
    assert github.repository.store.tip("feature/area") is None
    assert [kind for kind, _ in told(move(github, ("feature/area", None, ZERO_SHA)))] == ["UNPROCESSABLE"]


def test_moving_refs_needs_the_permission_to_write_and_a_repository_that_takes_it(github: Scene) -> None:
    update = ("feature/area", github.head, github.base)
    assert told(move(github, update, permissions={"contents": "read"})) == [tuple(FORBIDDEN.values())]
    github.repository.protect("feature/*")
    assert [kind for kind, _ in told(move(github, update, force=True))] == ["UNPROCESSABLE"]
    github.repository.archived = True
    assert told(move(github, update)) == [("FORBIDDEN", "Repository was archived so is read-only.")]
    assert github.repository.tip("feature/area") == github.head


def test_calls_are_recorded_by_the_name_of_their_operation(github: Scene) -> None:
    threads(github)
    github.caller().graphql("{ rateLimit { cost } }")
    recorded = [call.operation for call in github.host.calls if call.operation.startswith("graphql")]
    assert recorded == ["graphql ServedThreads", "graphql anonymous"]
