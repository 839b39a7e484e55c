"""What the local GitHub host takes from nobody: texts, names in trees, lines, branches, workflow files, strangers."""

import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.github_host import File, InlineComment
from infra.local.github_host.git.tree_names import is_linked_gitmodules, is_malformed
from infra.local.github_host.pulls.pulls import NotReviewable
from tests.contracts.github.scene import Scene, refusal

LONGEST = 65_536
FORBIDDEN = (403, "Resource not accessible by integration")
WORKFLOW = ".github/workflows/ci.yml"
UPDATE = "mutation UpdateRefs($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }"


def answers(github: Scene, body: str) -> dict[str, int]:
    """Write a text in every place where an App may, and return the status of each answer."""
    caller = github.caller()
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "?")]).threads[0]
    inline = {"path": "src/area.txt", "line": 2, "body": body}
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "comment": ("issues/1/comments", {"body": body}),
        "reply": (f"pulls/1/comments/{thread.comments[0].id}/replies", {"body": body}),
        "review": ("pulls/1/reviews", {"event": "COMMENT", "body": body}),
        "inline": ("pulls/1/reviews", {"event": "COMMENT", "body": "See", "comments": [inline]}),
    }
    return {name: caller.rest("POST", *where).status_code for name, where in asked.items()}


@pytest.mark.parametrize("body", ["", " \n", "x" * (LONGEST + 1)])
def test_a_text_is_neither_blank_nor_too_long_wherever_an_app_writes_it(github: Scene, body: str) -> None:
    assert set(answers(github, body).values()) == {422}
    assert (github.pull.comments, len(github.pull.reviews), len(github.pull.threads[0].comments)) == ([], 1, 1)


def test_a_text_may_have_so_many_characters_of_any_number_of_bytes(github: Scene) -> None:
    assert answers(github, "€" * LONGEST) == {"comment": 201, "reply": 201, "review": 200, "inline": 200}


def test_a_comment_does_not_become_blank_or_too_long_by_an_edit(github: Scene) -> None:
    comment = github.pull.comment(github.app.bot, "Report")
    caller = github.caller()
    for body in ("", "x" * (LONGEST + 1)):
        assert caller.rest("PATCH", f"issues/comments/{comment.id}", {"body": body}).status_code == 422
    assert comment.body == "Report"


MALFORMED = (
    "..",
    "a/../x",
    "a//x",
    "./x",
    ".git",
    ".GIT/config",
    "sub/.Git/config",
    "git~1/config",
    "GIT~1",
    ".git ./x",
    ".git::$INDEX_ALLOCATION/x",
    ".g\u200cit/config",
    "a\\.git\\config",
)
HARMLESS = (".gitignore", ".github/x", "git~2", "git", ".gitx", "a.git", "dotgit/..x", "...")
LINKED = (".gitmodules", "sub/.GITMODULES", ".gitmodules ", "gitmod~1", "GI7EBA~1", ".gitm\u200codules")


def entry(path: str, mode: str = "100644") -> dict[str, Any]:
    return {"path": path, "mode": mode, "type": "blob", "content": "text"}


@pytest.mark.parametrize("path", MALFORMED)
def test_no_tree_has_a_name_that_a_file_system_takes_for_the_repository(unchanging: Scene, path: str) -> None:
    answer = unchanging.caller().rest("POST", "git/trees", {"tree": [entry(path)]})
    assert refusal(answer) == (422, "tree.path contains a malformed path component")
    with pytest.raises(ValueError, match="git fsck"):
        unchanging.repository.commit("main", {path: "text"}, "Hostile")


@pytest.mark.parametrize("path", LINKED)
def test_the_list_of_submodules_is_no_symbolic_link(unchanging: Scene, path: str) -> None:
    answer = unchanging.caller().rest("POST", "git/trees", {"tree": [entry(path, "120000")]})
    assert answer.status_code == 422
    assert unchanging.caller().rest("POST", "git/trees", {"tree": [entry(path)]}).status_code == 201
    with pytest.raises(ValueError, match="git fsck"):
        unchanging.repository.commit("main", {path: File(b"elsewhere", "120000")}, "Hostile")


@pytest.mark.parametrize("path", HARMLESS)
def test_a_name_that_only_looks_alike_is_taken(unchanging: Scene, path: str) -> None:
    tree = [entry(path), entry(f"below/{path}", "120000")]
    assert unchanging.caller().rest("POST", "git/trees", {"tree": tree}).status_code == 201


def git(folder: Path, *arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", str(folder), *arguments], input=text, capture_output=True, check=False)


@pytest.mark.parametrize("name", sorted({path for path in (*MALFORMED, *HARMLESS, *LINKED) if "/" not in path}))
@pytest.mark.parametrize("mode", ["100644", "120000"])
def test_the_rules_about_names_are_those_of_git_fsck(tmp_path: Path, name: str, mode: str) -> None:
    git(tmp_path, "init", "--quiet", "--bare")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", text=b"[core]\n").stdout.decode().strip()
    tree = mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(blob)
    sha = git(tmp_path, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", text=tree).stdout.decode().strip()
    complaints = git(tmp_path, "fsck", "--no-dangling", sha).stderr.decode()
    found = any(word in complaints for word in ("hasDotgit", "hasDotdot", "hasDot:", "gitmodulesSymlink"))
    assert found == (is_malformed(name) or is_linked_gitmodules(name, mode)), complaints


def long_file(github: Scene) -> None:
    lines = [f"line {number}\n" for number in range(1, 41)]
    github.repository.commit("main", {"long.txt": "".join(lines)}, "Long")
    github.repository.commit("feature/long", {}, "Begin")
    lines[19], lines[39] = "changed\n", "changed\n"
    github.repository.commit("feature/long", {"long.txt": "".join(lines)}, "Change")
    github.repository.open_pull("feature/long", "main", github.author, "Long")


@pytest.mark.parametrize(
    ("start", "line", "taken"),
    [
        (None, 20, True),
        (None, 17, True),
        (None, 16, False),
        (None, 23, True),
        (None, 24, False),
        (17, 23, True),
        (16, 20, False),
        (20, 40, False),
    ],
)
def test_a_comment_stands_on_lines_that_one_hunk_of_the_diff_shows(
    github: Scene, start: int | None, line: int, taken: bool
) -> None:
    long_file(github)
    inline = {"path": "long.txt", "line": line, "body": "Why?"} | ({} if start is None else {"start_line": start})
    answer = github.caller().rest("POST", "pulls/2/reviews", {"event": "COMMENT", "body": "Hm", "comments": [inline]})
    assert answer.status_code == (200 if taken else 422)
    if not taken:
        told = "Pull request review thread line must be part of the diff"
        assert answer.json()["errors"][0].startswith(told)
        with pytest.raises(NotReviewable):
            github.repository.pull(2).review(
                github.reviewer, "comment", "", [InlineComment("long.txt", line, "?", start_line=start)]
            )
    assert len(github.repository.pull(2).threads) == int(taken)


def test_the_default_branch_is_not_deleted_by_anybody(github: Scene) -> None:
    told = "Cannot delete the default branch"
    caller = github.caller()
    assert refusal(caller.rest("DELETE", "git/refs/heads/main")) == (422, told)
    delete = {"name": "refs/heads/main", "afterOid": "0" * 40}
    answer = caller.graphql(UPDATE, input={"repositoryId": github.repository.node_id, "refUpdates": [delete]})
    assert answer["errors"][0]["message"] == told
    with pytest.raises(ValueError, match="default branch"):
        github.repository.delete_branch("main")
    assert github.repository.tip("main") == github.base
    assert caller.rest("DELETE", "git/refs/heads/feature/area").status_code == 204


def commit_with(github: Scene, files: dict[str, str], parent: str | None = None, *, without: str | None = None) -> str:
    """Make a commit the App may have objects of, yet not a ref to; ``without`` leaves a folder of the parent out."""
    base = parent or github.head
    granted = dict(github.installation.permissions)
    github.installation.permissions["workflows"] = "write"
    entries: list[dict[str, Any]] = [{**entry(path), "content": text} for path, text in files.items()]
    if without is not None:
        entries.append({"path": without, "mode": "100644", "type": "blob", "sha": None})
    caller = github.caller()
    tree = caller.rest("POST", "git/trees", {"base_tree": base, "tree": entries}).json()["sha"]
    made = caller.rest("POST", "git/commits", {"message": "m", "tree": tree, "parents": [base]}).json()["sha"]
    github.installation.permissions.clear()
    github.installation.permissions.update(granted)
    return str(made)


@pytest.mark.parametrize(
    "change",
    [
        {"files": {WORKFLOW: "on: pull_request\n"}},
        {"files": {".github/workflows/new.yml": "on: push\n"}},
        {"files": {"x": "x"}, "without": WORKFLOW},
    ],
)
def test_no_ref_moves_to_a_commit_that_touches_a_workflow_without_the_permission(
    github: Scene, change: dict[str, Any]
) -> None:
    made = commit_with(github, **change)
    caller = github.caller()
    assert refusal(caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": made})) == FORBIDDEN
    assert refusal(caller.rest("POST", "git/refs", {"ref": "refs/heads/new", "sha": made})) == FORBIDDEN
    move = {"name": "refs/heads/feature/area", "beforeOid": github.head, "afterOid": made}
    given = {"repositoryId": github.repository.node_id, "refUpdates": [move]}
    assert caller.graphql(UPDATE, input=given)["errors"][0]["type"] == "FORBIDDEN"
    assert github.repository.tip("feature/area") == github.head
    github.installation.permissions["workflows"] = "write"
    assert github.caller().rest("PATCH", "git/refs/heads/feature/area", {"sha": made}).status_code == 200


def test_a_workflow_may_come_that_another_branch_has_already(github: Scene) -> None:
    github.repository.commit("main", {WORKFLOW: "on: pull_request\n"}, "Theirs")
    made = commit_with(github, {WORKFLOW: "on: pull_request\n"})
    assert github.caller().rest("PATCH", "git/refs/heads/feature/area", {"sha": made}).status_code == 200


def test_a_branch_may_begin_at_any_commit_that_is_there(github: Scene) -> None:
    github.repository.commit("feature/area", {WORKFLOW: "on: pull_request\n"}, "Theirs")
    ours = commit_with(github, {"x": "x"}, github.repository.tip("feature/area"))
    caller = github.caller()
    for name, sha in (("a", github.base), ("b", github.repository.tip("feature/area")), ("c", ours)):
        assert caller.rest("POST", "git/refs", {"ref": f"refs/heads/{name}", "sha": sha}).status_code == 201


def test_no_tree_leaves_out_all_the_workflows_of_its_base(github: Scene) -> None:
    gone = {"path": WORKFLOW, "mode": "100644", "type": "blob", "sha": None}
    answer = github.caller().rest("POST", "git/trees", {"base_tree": github.head, "tree": [gone]})
    assert refusal(answer) == FORBIDDEN


def anonymous(github: Scene, method: str, url: str) -> httpx.Response:
    request = github.client.build_request(method, url, headers={"Authorization": f"Bearer {github.caller().token}"})
    del request.headers["User-Agent"]
    return github.client.send(request)


def test_nobody_is_answered_who_does_not_say_who_asks(github: Scene) -> None:
    for method, url in (("GET", f"{github.host.api_url}/repos/octo/widgets"), ("POST", github.host.graphql_url)):
        answer = anonymous(github, method, url)
        assert answer.status_code == 403
        assert "Please make sure your request has a User-Agent header" in answer.text
        assert github.host.calls[-1].status == 403
