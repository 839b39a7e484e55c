"""Review threads."""

import copy
from dataclasses import replace
from typing import Any

import pytest

from autoswe.ports.github import PartialAnswer
from autoswe.rules.github.facts import Author, Edit, Text, Thread, ThreadComment
from tests.adapters.github.scripted import HEAD, TRIGGER, TRIGGER_NODE, Script, ok

COMMENT = {
    "fullDatabaseId": "3100000001",
    "body": "Rename this.",
    "isMinimized": False,
    "state": "SUBMITTED",
    "diffHunk": "@@ -1 +1 @@\n-a\n+b",
    "originalCommit": {"oid": HEAD},
    "author": {"__typename": "User", "login": "alice", "databaseId": 5},
    "lastEditedAt": None,
    "includesCreatedEdit": False,
    "editor": None,
}
THREAD = {
    "id": "PRRT_1",
    "isResolved": False,
    "isOutdated": False,
    "path": "src/a.py",
    "line": 4,
    "startLine": 2,
    "diffSide": "RIGHT",
    "startDiffSide": "RIGHT",
    "subjectType": "LINE",
    "comments": {"pageInfo": {"hasNextPage": False}, "nodes": [COMMENT]},
}


def _read(script: Script, *threads: object, more: bool = False) -> tuple[Thread, ...]:
    _answer(script, TRIGGER_NODE, *threads, more=more)
    return script.github().gather_host("octo/widgets").feedback(7, TRIGGER).threads


def _read_trigger(script: Script, changes: dict[str, object], trigger: Text = TRIGGER) -> Text:
    _answer(script, TRIGGER_NODE | changes)
    return script.github().gather_host("octo/widgets").feedback(7, trigger).trigger


def _answer(script: Script, node: object, *threads: object, more: bool = False) -> None:
    connection = {"pageInfo": {"hasNextPage": more}, "nodes": list(threads)}
    script.on(
        "POST /graphql", ok({"data": {"repository": {"pullRequest": {"reviewThreads": connection}}, "node": node}})
    )


def _thread(**changes: object) -> dict[str, Any]:
    return copy.deepcopy(THREAD) | changes


def _without(field: str) -> dict[str, object]:
    return {name: value for name, value in COMMENT.items() if name != field}


def _with_comment(**changes: object) -> dict[str, Any]:
    return _thread(comments={"pageInfo": {"hasNextPage": False}, "nodes": [COMMENT | changes]})


def test_a_thread_is_read_with_its_place_and_comments(script: Script) -> None:
    assert _read(script, THREAD) == (
        Thread(
            thread_id="PRRT_1",
            resolved=False,
            outdated=False,
            path="src/a.py",
            start_line=2,
            line=4,
            right_side=True,
            line_level=True,
            comments=(
                ThreadComment(
                    comment_id=3_100_000_001,
                    author=Author(5, "alice", is_bot=False),
                    body="Rename this.",
                    minimized=False,
                    pending=False,
                    original_commit=HEAD,
                    diff_hunk="@@ -1 +1 @@\n-a\n+b",
                    edit=None,
                ),
            ),
        ),
    )


def test_a_thread_that_is_resolved_outdated_and_on_a_file_says_so(script: Script) -> None:
    (thread,) = _read(
        script,
        _thread(isResolved=True, isOutdated=True, subjectType="FILE", line=None, startLine=None, startDiffSide=None),
    )
    assert (thread.resolved, thread.outdated, thread.line_level) == (True, True, False)
    assert (thread.line, thread.start_line) == (None, None)


@pytest.mark.parametrize(
    ("side", "start", "right"),
    [("RIGHT", None, True), ("LEFT", None, False), ("RIGHT", "LEFT", False), ("LEFT", "LEFT", False)],
)
def test_a_range_is_on_the_new_side_only_when_both_its_ends_are(
    script: Script, side: str, start: str | None, right: bool
) -> None:
    (thread,) = _read(script, _thread(diffSide=side, startDiffSide=start))
    assert thread.right_side is right


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (None, None),
        ({"__typename": "Bot", "login": "helper", "databaseId": 9}, Author(9, "helper[bot]", is_bot=True)),
        ({"__typename": "Mannequin", "login": "imported"}, None),
        ({"__typename": "Organization", "login": "octo"}, None),
        ({"__typename": "User", "login": "alice", "databaseId": None}, None),
    ],
)
def test_only_people_and_bots_with_an_id_are_authors(
    script: Script, account: dict[str, object] | None, expected: Author | None
) -> None:
    (thread,) = _read(script, _with_comment(author=account))
    assert thread.comments[0].author == expected


def test_a_pending_minimised_comment_on_a_lost_commit_says_so(script: Script) -> None:
    (thread,) = _read(script, _with_comment(state="PENDING", isMinimized=True, originalCommit=None, fullDatabaseId=7))
    (comment,) = thread.comments
    assert (comment.pending, comment.minimized, comment.original_commit, comment.comment_id) == (True, True, None, 7)


def test_more_than_the_bounds_is_left_alone(script: Script) -> None:
    full = _thread(comments={"pageInfo": {"hasNextPage": True}, "nodes": [COMMENT] * 50})
    threads = _read(script, *[full] * 100, more=True)
    assert len(threads) == 100
    assert {len(thread.comments) for thread in threads} == {50}


def test_fewer_threads_than_the_host_has_is_partial(script: Script) -> None:
    with pytest.raises(PartialAnswer, match="there are more"):
        _read(script, *[THREAD] * 99, more=True)


def test_fewer_comments_than_the_host_has_is_partial(script: Script) -> None:
    with pytest.raises(PartialAnswer, match="PRRT_1"):
        _read(script, _thread(comments={"pageInfo": {"hasNextPage": True}, "nodes": [COMMENT] * 49}))


@pytest.mark.parametrize(
    "thread",
    [
        None,
        _thread(subjectType="HUNK"),
        _thread(diffSide="BOTH"),
        _thread(line="4"),
        _thread(isResolved=None),
        _thread(comments=None),
        _thread(comments={"pageInfo": {"hasNextPage": False}, "nodes": [None]}),
        _thread(comments={"nodes": []}),
        _with_comment(fullDatabaseId=None),
        _with_comment(fullDatabaseId="x"),
        _with_comment(fullDatabaseId="-1"),
        _with_comment(state="DRAFT"),
        _with_comment(body=None),
        _with_comment(includesCreatedEdit=None),
        _with_comment(editor="alice"),
        _thread(comments={"pageInfo": {"hasNextPage": False}, "nodes": [_without("editor")]}),
        _thread(comments={"pageInfo": {"hasNextPage": False}, "nodes": [_without("lastEditedAt")]}),
        _with_comment(originalCommit={"oid": "main"}),
        {key: value for key, value in THREAD.items() if key != "path"},
        {**THREAD, "comments": {"pageInfo": {"hasNextPage": False}, "nodes": [{**COMMENT, "diffHunk": None}]}},
    ],
)
def test_what_cannot_be_understood_is_partial(script: Script, thread: dict[str, object] | None) -> None:
    with pytest.raises(PartialAnswer):
        _read(script, thread)


@pytest.mark.parametrize("data", [None, {"repository": None}, {"repository": {"pullRequest": None}}])
def test_an_absent_pull_request_without_an_error_is_partial(script: Script, data: object) -> None:
    script.on("POST /graphql", ok({"data": data}))
    with pytest.raises(PartialAnswer):
        script.github().gather_host("octo/widgets").feedback(7, TRIGGER)


ALICE = {"__typename": "User", "login": "alice", "databaseId": 5}
BOB = {"__typename": "User", "login": "bob", "databaseId": 6}
EDITED = "2026-03-02T10:01:00Z"


@pytest.mark.parametrize(("told", "edit"), [
    ({}, None),
    ({"lastEditedAt": EDITED, "includesCreatedEdit": True, "editor": ALICE}, Edit(Author(5, "alice", is_bot=False))),
    ({"lastEditedAt": EDITED, "includesCreatedEdit": True, "editor": BOB}, Edit(Author(6, "bob", is_bot=False))),
    (
        {"lastEditedAt": EDITED, "editor": {"__typename": "Bot", "login": "helper", "databaseId": 9}},
        Edit(Author(9, "helper[bot]", is_bot=True)),
    ),
    ({"lastEditedAt": EDITED, "editor": None}, Edit(None)),
    ({"lastEditedAt": EDITED, "editor": {"__typename": "Mannequin", "login": "imported"}}, Edit(None)),
    ({"includesCreatedEdit": True}, Edit(None)),
    ({"editor": BOB}, Edit(Author(6, "bob", is_bot=False))),
])  # fmt: skip
def test_any_sign_of_a_change_is_one_and_an_editor_who_is_not_named_is_nobody(
    script: Script, told: dict[str, object], edit: Edit | None
) -> None:
    (thread,) = _read(script, _with_comment(**told))
    assert thread.comments[0].edit == edit
    assert _read_trigger(script, told).edit == edit


def test_the_triggers_text_is_as_the_same_query_tells_it(script: Script) -> None:
    read = _read_trigger(script, {"body": "/auto-swe fix", "author": BOB})
    assert read == replace(TRIGGER, body="/auto-swe fix", author=Author(6, "bob", is_bot=False), edit=None)
    review = replace(TRIGGER, node_id="PRR_11", review_state="CHANGES_REQUESTED")
    assert _read_trigger(script, {"state": "DISMISSED"}, review).review_state == "DISMISSED"


def test_what_only_rest_has_told_of_counts_as_changed_by_nobody_knows_whom() -> None:
    assert TRIGGER.edit == Edit(None)


@pytest.mark.parametrize("changes", [
    {"fullDatabaseId": "12"},
    {"state": "CHANGES_REQUESTED"},
    {"body": None},
    {"includesCreatedEdit": None},
])  # fmt: skip
def test_another_text_than_the_triggers_is_partial(script: Script, changes: dict[str, object]) -> None:
    with pytest.raises(PartialAnswer):
        _read_trigger(script, changes)


def test_a_review_that_is_none_to_graphql_is_partial(script: Script) -> None:
    with pytest.raises(PartialAnswer):
        _read_trigger(script, {}, replace(TRIGGER, review_state="CHANGES_REQUESTED"))


def test_a_trigger_that_is_gone_since_it_was_read_is_asked_for_anew_from_the_start(script: Script) -> None:
    errors = [{"type": "NOT_FOUND", "path": ["node"], "message": "Could not resolve to a node"}]
    script.on("POST /graphql", ok({"data": {"repository": None, "node": None}, "errors": errors}))
    with pytest.raises(PartialAnswer):
        script.github().gather_host("octo/widgets").feedback(7, TRIGGER)
