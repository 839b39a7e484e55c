"""Git data on the local GitHub host: trees, commits and refs over real bare repositories."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.github_host import GitHubHost
from tests.contracts.github.scene import Clock, Scene, refusal

MISSING = "f" * 40


def blob_entry(path: str, content: str | None = None, **fields: Any) -> dict[str, Any]:
    given_content = {} if content is None else {"content": content}
    return {"path": path, "mode": "100644", "type": "blob", **given_content, **fields}


def listing(github: Scene, tree: str) -> dict[str, tuple[str, str]]:
    entries = github.caller().get(f"git/trees/{tree}?recursive=1")["tree"]
    return {entry["path"]: (entry["mode"], entry["sha"]) for entry in entries if entry["type"] != "tree"}


def make_tree(github: Scene, *entries: dict[str, Any], base: str | None = None) -> Any:
    return github.caller().rest("POST", "git/trees", {"base_tree": base or github.head, "tree": list(entries)})


def make_commit(github: Scene, parent: str, **fields: Any) -> dict[str, Any]:
    tree = make_tree(github, blob_entry("fix.txt", "fixed\n"), base=parent).json()["sha"]
    body = {"message": "Fix", "tree": tree, "parents": [parent], **fields}
    answer = github.caller().rest("POST", "git/commits", body)
    assert answer.status_code == 201, answer.text
    commit: dict[str, Any] = answer.json()
    return commit


paths = st.sampled_from(["a", "b", "d/a", "d/e/a", "d/e/b", "f"])
changes = st.dictionaries(paths, st.none() | st.sampled_from(["", "one\n", "two\n"]), min_size=1)


@settings(max_examples=15, deadline=None)
@given(st.lists(changes, min_size=1, max_size=3))
def test_a_tree_is_its_base_with_files_set_and_deleted_as_in_a_dictionary(unchanging: Scene, steps: list[Any]) -> None:
    caller, model = unchanging.caller(), {"kept": "kept\n"}
    tree = caller.rest("POST", "git/trees", {"tree": [blob_entry("kept", "kept\n")]}).json()["sha"]
    for step in steps:
        wanted = {path: content for path, content in step.items() if content is not None or path in model}
        entries = [
            blob_entry(path, content, **({"sha": None} if content is None else {})) for path, content in wanted.items()
        ]
        if not entries:
            continue
        tree = caller.rest("POST", "git/trees", {"base_tree": tree, "tree": entries}).json()["sha"]
        model.update({path: content for path, content in wanted.items() if content is not None})
        for path in [path for path, content in wanted.items() if content is None]:
            del model[path]
    store = unchanging.repository.store
    found = {entry.path: store.find(entry.sha) for entry in store.tree(tree, recursive=True) if entry.type == "blob"}
    assert {path: blob.content.decode() for path, blob in found.items() if blob} == model


def test_deleting_a_path_that_is_not_there_is_refusal(github: Scene) -> None:
    for path in ("nowhere.txt", "src", "src/area.txt/deeper"):
        assert refusal(make_tree(github, blob_entry(path, sha=None))) == (422, "GitRPC::BadObjectState")


@pytest.mark.parametrize(
    "entry",
    [
        blob_entry("x", sha=MISSING),
        blob_entry("x", "text", sha=MISSING),
        blob_entry("x"),
        blob_entry("x", "text", mode="100666"),
        blob_entry("../x", "text"),
        blob_entry("a//x", "text"),
        blob_entry(".git/config", "text"),
        blob_entry("", "text"),
        {"path": "x", "mode": "040000", "type": "tree", "sha": MISSING},
    ],
)
def test_an_entry_that_makes_no_sense_is_refusal(unchanging: Scene, entry: dict[str, Any]) -> None:
    assert make_tree(unchanging, entry).status_code == 422


def test_a_file_keeps_its_mode_and_a_whole_directory_can_be_replaced(github: Scene) -> None:
    inner = make_tree(github, blob_entry("run.sh", "#!\n", mode="100755"), base=github.base).json()["sha"]
    outer = make_tree(github, {"path": "src", "mode": "040000", "type": "tree", "sha": inner}).json()["sha"]
    found = listing(github, outer)
    assert found["src/run.sh"][0] == "100755"
    assert "src/area.txt" not in found
    assert "README.md" in found


def test_a_submodule_is_listed_as_a_commit_without_an_address(github: Scene) -> None:
    entry = {"path": "vendored", "mode": "160000", "type": "commit", "sha": MISSING}
    tree = make_tree(github, entry).json()["sha"]
    shown = next(one for one in github.caller().get(f"git/trees/{tree}")["tree"] if one["path"] == "vendored")
    assert shown == {"path": "vendored", "mode": "160000", "type": "commit", "sha": MISSING}


def test_a_tree_that_changes_a_workflow_needs_the_workflows_permission(github: Scene) -> None:
    entries = [
        blob_entry(".github/workflows/ci.yml", "on: pull_request\n"),
        blob_entry(".github/workflows/new.yml", "on: push\n"),
        blob_entry(".github/workflows/ci.yml", sha=None),
    ]
    forbidden = (403, "Resource not accessible by integration")
    assert [refusal(make_tree(github, entry)) for entry in entries[:2]] == [forbidden, forbidden]
    assert make_tree(github, blob_entry(".github/workflows/ci.yml", "on: push\n")).status_code == 201
    github.installation.permissions["workflows"] = "write"
    assert [make_tree(github, entry).status_code for entry in entries] == [201, 201, 201]


def test_deleting_a_workflow_among_others_needs_the_workflows_permission(github: Scene) -> None:
    more = github.repository.commit("main", {".github/workflows/b.yml": "on: push\n"}, "More")
    answer = make_tree(github, blob_entry(".github/workflows/b.yml", sha=None), base=more)
    assert refusal(answer) == (403, "Resource not accessible by integration")


def test_a_recursive_tree_above_the_limit_is_truncated_and_says_so(github: Scene) -> None:
    github.host.limits.tree_entries = 2
    found = github.caller().get("git/trees/main?recursive=1")
    assert (len(found["tree"]), found["truncated"]) == (2, True)
    assert github.caller().get("git/trees/main")["truncated"] is False


def test_a_recursive_tree_that_grows_too_large_is_truncated_too(github: Scene) -> None:
    caller = github.caller()
    whole = caller.get("git/trees/main?recursive=1")["tree"]
    github.host.limits.tree_bytes = sum(len(json.dumps(entry)) for entry in whole)
    assert caller.get("git/trees/main?recursive=1")["truncated"] is False
    github.host.limits.tree_bytes -= 1
    found = caller.get("git/trees/main?recursive=1")
    assert (found["tree"], found["truncated"]) == (whole[:-1], True)


def test_a_commit_without_an_author_is_the_bots_and_signed(github: Scene) -> None:
    commit = make_commit(github, github.head)
    bot = github.app.bot
    assert commit["author"] == {
        "name": "fixer[bot]",
        "email": f"{bot.id}+fixer[bot]@users.noreply.github.com",
        "date": "2026-03-02T10:00:00Z",
    }
    assert (commit["verification"]["verified"], commit["verification"]["reason"]) == (True, "valid")
    assert github.caller().get(f"git/commits/{commit['sha']}")["verification"]["verified"] is True


@pytest.mark.parametrize("role", ["author", "committer"])
def test_a_commit_that_names_somebody_is_unsigned(github: Scene, role: str) -> None:
    person = {"name": "A", "email": "a@example.com", "date": "2026-01-01T12:00:00+02:00"}
    commit = make_commit(github, github.head, **{role: person})
    assert commit[role] == {"name": "A", "email": "a@example.com", "date": "2026-01-01T10:00:00Z"}
    assert (commit["verification"]["verified"], commit["verification"]["reason"]) == (False, "unsigned")


def test_a_commit_of_missing_objects_is_refusal(github: Scene) -> None:
    caller, tree = github.caller(), make_tree(github, blob_entry("x", "x")).json()["sha"]
    for body in (
        {"message": "m", "tree": MISSING, "parents": [github.head]},
        {"message": "m", "tree": tree, "parents": [MISSING]},
        {"message": "m", "tree": tree, "parents": [tree]},
        {"message": "m", "tree": "main", "parents": []},
        {"tree": tree, "parents": []},
    ):
        assert caller.rest("POST", "git/commits", body).status_code == 422


def test_the_same_story_gives_the_same_commits(github: Scene, tmp_path: Path) -> None:
    with GitHubHost(Clock(), tmp_path / "again") as host:
        host.add_user("abel")
        host.add_user("rita")
        host.add_app("fixer", permissions={})
        repository = host.add_repository("octo/widgets")
        files = {"src/area.txt": "one\ntwo\nthree\nfour\nfive\n", ".github/workflows/ci.yml": "on: push\n"}
        assert repository.commit("main", {**files, "README.md": "Widgets\n"}, "Begin") == github.base


def test_a_ref_is_created_once_read_moved_forward_and_deleted(github: Scene) -> None:
    caller = github.caller()
    body = {"ref": "refs/heads/auto/fix", "sha": github.head}
    assert caller.rest("POST", "git/refs", body).status_code == 201
    assert refusal(caller.rest("POST", "git/refs", body)) == (422, "Reference already exists")
    commit = make_commit(github, github.head)["sha"]
    assert caller.rest("PATCH", "git/refs/heads/auto/fix", {"sha": commit}).json()["object"]["sha"] == commit
    assert caller.get("git/ref/heads/auto/fix")["object"] == {
        "type": "commit",
        "sha": commit,
        "url": f"{github.host.api_url}/repos/octo/widgets/git/commits/{commit}",
    }
    assert caller.rest("DELETE", "git/refs/heads/auto/fix").status_code == 204
    assert caller.rest("GET", "git/ref/heads/auto/fix").status_code == 404


def test_a_ref_that_is_missing_can_neither_be_moved_nor_deleted(github: Scene) -> None:
    caller = github.caller()
    missing = (422, "Reference does not exist")
    assert refusal(caller.rest("PATCH", "git/refs/heads/none", {"sha": github.head})) == missing
    assert refusal(caller.rest("DELETE", "git/refs/heads/none")) == missing


def test_a_ref_moves_forward_only_unless_forced(github: Scene) -> None:
    caller = github.caller()
    back = {"sha": github.base, "force": False}
    assert refusal(caller.rest("PATCH", "git/refs/heads/feature/area", back)) == (422, "Update is not a fast forward")
    assert github.repository.tip("feature/area") == github.head
    assert caller.rest("PATCH", "git/refs/heads/feature/area", {**back, "force": True}).status_code == 200
    assert github.repository.tip("feature/area") == github.base


def test_force_must_be_a_real_boolean(github: Scene) -> None:
    answer = github.caller().rest("PATCH", "git/refs/heads/feature/area", {"sha": github.base, "force": "true"})
    assert answer.status_code == 422
    assert github.repository.tip("feature/area") == github.head


@pytest.mark.parametrize(
    "ref", ["main", "refs/heads", "heads/x", "refs/pull/1/head", "refs/heads/a..b", "refs/heads/.a", "refs/heads/a b"]
)
def test_a_name_that_no_ref_may_have_is_refusal(unchanging: Scene, ref: str) -> None:
    answer = unchanging.caller().rest("POST", "git/refs", {"ref": ref, "sha": unchanging.head})
    assert answer.status_code == 422


def test_a_ref_cannot_be_below_another_ref(github: Scene) -> None:
    answer = github.caller().rest("POST", "git/refs", {"ref": "refs/heads/main/deeper", "sha": github.head})
    assert refusal(answer) == (422, "Reference update failed")


def test_a_ref_needs_an_object_that_exists(github: Scene) -> None:
    caller = github.caller()
    for sha, told in (
        (MISSING, "Object does not exist"),
        (github.repository.store.write_blob(b"x"), "Object is not a commit"),
    ):
        assert refusal(caller.rest("POST", "git/refs", {"ref": "refs/heads/x", "sha": sha})) == (422, told)
    assert caller.rest("POST", "git/refs", {"ref": "refs/heads/x", "sha": "main"}).status_code == 422


def test_matching_refs_are_those_that_start_alike(github: Scene) -> None:
    github.repository.commit("feature/b", {"b": "b"}, "B")
    caller = github.caller()
    names = [one["ref"] for one in caller.get("git/matching-refs/heads/feature")]
    assert names == ["refs/heads/feature/area", "refs/heads/feature/b"]
    assert caller.get("git/matching-refs/heads/none") == []


def test_a_revision_expression_is_no_ref(github: Scene) -> None:
    assert github.caller().rest("GET", "git/ref/heads/feature/area~1").status_code == 404


# What clients look for in the words of a refusal to tell that a branch is protected.
PROTECTED = re.compile(
    "protected branch|not authorized to push|required status check|must not contain merge commits|cannot force-push",
    re.IGNORECASE,
)


def test_a_protected_branch_takes_no_push_from_an_app_in_words_that_clients_know(github: Scene) -> None:
    github.repository.protect("feature/*")
    commit = make_commit(github, github.head)["sha"]
    caller = github.caller()
    for method, body in (
        ("PATCH", {"sha": commit}),
        ("PATCH", {"sha": github.base, "force": True}),
        ("DELETE", None),
    ):
        status, told = refusal(caller.rest(method, "git/refs/heads/feature/area", body))
        assert (status, bool(PROTECTED.search(told))) == (422, True), told
    assert github.repository.tip("feature/area") == github.head


def test_a_branch_whose_name_is_protected_cannot_be_created_and_no_reason_is_given(github: Scene) -> None:
    github.repository.protect("feature/*")
    created = github.caller().rest("POST", "git/refs", {"ref": "refs/heads/feature/new", "sha": github.head})
    assert refusal(created) == (422, "Reference update failed")


@pytest.mark.parametrize(
    ("rule", "status", "told"),
    [
        ("pull_request", 422, "Changes must be made through a pull request."),
        ("required_status_checks", 422, "Required status check"),
        ("update", 422, "Cannot update"),
        ("merge_queue", 422, "Changes must be made through the merge queue"),
    ],
)
def test_a_rule_refuses_a_push_and_says_which(github: Scene, rule: str, status: int, told: str) -> None:
    github.repository.add_rule("feature/*", rule)
    commit = make_commit(github, github.head)["sha"]
    found, message = refusal(github.caller().rest("PATCH", "git/refs/heads/feature/area", {"sha": commit}))
    assert found == status
    assert message.startswith(f"Repository rule violations found\n\n{told}")


def test_a_rule_about_signatures_lets_signed_commits_through_and_answers_others_with_a_conflict(github: Scene) -> None:
    github.repository.add_rule("feature/area", "required_signatures")
    person = {"name": "A", "email": "a@example.com"}
    unsigned = make_commit(github, github.head, author=person)["sha"]
    caller = github.caller()
    status, told = refusal(caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": unsigned}))
    assert (status, told.splitlines()[0]) == (409, "Repository rule violations found")
    signed = make_commit(github, github.head)["sha"]
    assert caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": signed}).status_code == 200


def test_a_rule_about_linear_history_refuses_merge_commits_alone(github: Scene) -> None:
    github.repository.add_rule("feature/area", "required_linear_history")
    caller = github.caller()
    merge = make_commit(github, github.head, parents=[github.head, github.base])["sha"]
    status, told = refusal(caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": merge}))
    assert (status, "must not contain merge commits" in told) == (422, True)
    plain = make_commit(github, github.head)["sha"]
    assert caller.rest("PATCH", "git/refs/heads/feature/area", {"sha": plain}).status_code == 200
