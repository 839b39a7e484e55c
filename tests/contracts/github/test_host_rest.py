"""Every REST operation of the local GitHub host answers as GitHub's own description says."""

import base64
import io
import tarfile
from typing import Any

import pytest

from infra.local.github_host import InlineComment
from infra.local.github_host.rest.api import ROUTES
from tests.contracts.github.judges import openapi
from tests.contracts.github.scene import Scene, refusal


def ask_everything(github: Scene) -> set[tuple[str, int]]:
    """Call every operation once with success and return what was called, with its status."""
    review = github.pull.review(
        github.reviewer, "request_changes", "Please", [InlineComment("src/area.txt", 2, "Why?")]
    )
    comment = github.pull.comment(github.reviewer, "Hm")
    run = github.repository.workflow_run(github.head, "CI", status="in_progress")
    job = github.repository.check_run(github.head, "tests", conclusion="failure", workflow_run=run, log="Oh\n")
    job.annotate("area.txt", 2, "Loud", title="Style")
    github.repository.check_run(github.head, "lint", app=github.app, status="in_progress")
    github.repository.set_status(github.head, "coverage", "success", target_url="https://example.com/1")
    github.repository.add_rule("main", "pull_request")
    app, caller = github.as_app(), github.caller(repositories=["widgets"])
    blob = caller.rest("POST", "git/blobs", {"content": "new\n"}).json()["sha"]
    entry = {"path": "new.txt", "mode": "100644", "type": "blob", "sha": blob}
    tree = caller.rest("POST", "git/trees", {"base_tree": github.head, "tree": [entry]}).json()["sha"]
    made = {"message": "Add", "tree": tree, "parents": [github.head]}
    commit = caller.rest("POST", "git/commits", made).json()["sha"]
    caller.rest("POST", "git/refs", {"ref": "refs/heads/work", "sha": github.head})
    caller.rest("PATCH", "git/refs/heads/work", {"sha": commit})
    caller.rest("DELETE", "git/refs/heads/work")
    caller.rest("POST", f"pulls/1/comments/{review.comments[0].id}/replies", {"body": "Done"})
    caller.rest("POST", "pulls/1/reviews", {"event": "APPROVE"})
    caller.rest("POST", "issues/1/comments", {"body": "Done"})
    mine = caller.rest("POST", "issues/1/comments", {"body": "Doing"}).json()["id"]
    caller.rest("PATCH", f"issues/comments/{mine}", {"body": "Did"})
    for path in (
        "",
        "branches/feature/area",
        "rules/branches/main",
        "collaborators/rita/permission",
        "pulls/1",
        "pulls/1/files",
        "pulls/1/commits",
        "/installation/repositories",
        "pulls/1/reviews",
        f"pulls/1/reviews/{review.id}",
        "pulls/1/comments",
        f"pulls/comments/{review.comments[0].id}",
        "issues/1/comments",
        f"issues/comments/{comment.id}",
        f"git/blobs/{blob}",
        f"git/trees/{tree}?recursive=1",
        f"git/commits/{commit}",
        "git/ref/heads/main",
        "git/matching-refs/heads/",
        "compare/main...feature/area",
        f"commits/{github.head}/check-runs",
        f"check-runs/{job.id}/annotations",
        f"commits/{github.head}/check-suites",
        f"commits/{github.head}/status",
        f"actions/runs?head_sha={github.head}",
        f"actions/runs/{run.id}/jobs",
        f"actions/jobs/{job.id}/logs",
        "tarball/main",
    ):
        caller.rest("GET", path)
    app.rest("GET", "/app")
    sent = app.rest("GET", "/app/hook/deliveries").json()
    app.rest("GET", f"/app/hook/deliveries/{sent[0]['id']}")
    app.rest("POST", f"/app/hook/deliveries/{sent[0]['id']}/attempts")
    return {(call.operation, call.status or 0) for call in github.host.calls}


def test_every_operation_is_served_and_every_answer_fits_githubs_description(github: Scene) -> None:
    github.app.events = ("issue_comment",)
    github.app.webhook_url = "http://127.0.0.1:1/"
    called = ask_everything(github)
    assert {operation for operation, status in called if status < 400} == {route.operation for route in ROUTES}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation)
def test_every_route_is_one_that_github_describes_and_points_to_its_page(route: Any) -> None:
    _, _, path = route.operation.partition(" ")
    assert route.method.lower() in openapi()["paths"][path]
    assert "#" in route.documentation


def test_a_branch_name_may_contain_slashes_escaped_or_not(github: Scene) -> None:
    caller = github.caller()
    assert caller.get("branches/feature/area")["name"] == "feature/area"
    assert caller.get("branches/feature%2Farea")["commit"]["sha"] == github.head


def test_a_missing_branch_says_so(github: Scene) -> None:
    answer = github.caller().rest("GET", "branches/nowhere")
    assert refusal(answer) == (404, "Branch not found")


def test_a_branch_tells_its_classic_protection_and_its_rules(github: Scene) -> None:
    github.repository.protect("release/*")
    github.repository.commit("release/1", {"x": "1"}, "Cut")
    parameters = {"strict_required_status_checks_policy": False, "required_status_checks": [{"context": "tests"}]}
    github.repository.add_rule("main", "required_status_checks", parameters)
    caller = github.caller()
    shown = [caller.get(f"branches/{name}") for name in ("release/1", "main", "feature/area")]
    assert [(one["protected"], one["protection"]["enabled"]) for one in shown] == [
        (True, True),
        (True, False),
        (False, False),
    ]
    rules = caller.get("rules/branches/main")
    assert [(rule["type"], rule["parameters"]) for rule in rules] == [("required_status_checks", parameters)]
    assert caller.get("rules/branches/release/1") == []


@pytest.mark.parametrize(
    ("level", "permission", "role"),
    [
        ("admin", "admin", "admin"),
        ("maintain", "write", "maintain"),
        ("write", "write", "write"),
        ("triage", "read", "triage"),
        ("read", "read", "read"),
        ("none", "none", "none"),
    ],
)
def test_a_permission_is_one_of_four_words_whatever_the_role(
    github: Scene, level: str, permission: str, role: str
) -> None:
    github.repository.collaborators.set_permission(github.author, level)
    found = github.caller().get("collaborators/abel/permission")
    assert (found["permission"], found["role_name"], found["user"]["id"]) == (permission, role, github.author.id)


def test_an_organizations_own_role_keeps_its_name_beside_the_permission(github: Scene) -> None:
    github.repository.collaborators.set_permission(github.author, "write", role_name="security-champion")
    found = github.caller().get("collaborators/abel/permission")
    assert (found["permission"], found["role_name"]) == ("write", "security-champion")


def test_everyone_reads_a_public_repository(github: Scene) -> None:
    public = github.host.add_repository("octo/open", private=False)
    github.installation.repositories.append(public)
    assert github.caller().get("/repos/octo/open/collaborators/abel/permission")["permission"] == "read"


def test_a_login_that_is_nobodys_is_not_a_user(github: Scene) -> None:
    answer = github.caller().rest("GET", "collaborators/nobody/permission")
    assert refusal(answer) == (404, "nobody is not a user")


def test_lists_come_thirty_at_a_time_and_a_hundred_at_most_with_links_to_the_rest(github: Scene) -> None:
    written = [github.pull.comment(github.reviewer, str(number)).id for number in range(105)]
    caller = github.caller()
    first = caller.rest("GET", "issues/1/comments")
    assert [one["id"] for one in first.json()] == written[:30]
    assert set(first.links) == {"next", "last"}
    widest = caller.rest("GET", "issues/1/comments?per_page=500")
    assert len(widest.json()) == 100
    rest = github.client.get(widest.links["next"]["url"], headers={"Authorization": f"Bearer {caller.token}"})
    assert [one["id"] for one in rest.json()] == written[100:]
    assert set(rest.links) == {"prev", "first"}


def test_the_last_page_links_to_none_after_it_and_behind_the_end_there_is_nothing(github: Scene) -> None:
    written = [github.pull.comment(github.reviewer, str(number)).id for number in range(4)]
    caller = github.caller()
    pages = [caller.rest("GET", f"issues/1/comments?per_page=2&page={number}") for number in (1, 2, 3)]
    assert [[one["id"] for one in answer.json()] for answer in pages] == [written[:2], written[2:], []]
    assert [set(answer.links) for answer in pages] == [{"next", "last"}, {"prev", "first"}, {"prev", "first"}]
    assert set(caller.rest("GET", "issues/1/comments?per_page=4").links) == set()


def test_an_archive_is_fetched_elsewhere_without_a_credential_and_honours_export_attributes(github: Scene) -> None:
    files = {"hidden.txt": "x", ".gitattributes": "hidden.txt export-ignore\n"}
    sha = github.repository.commit("feature/area", files, "Hide")
    where = github.caller().rest("GET", f"tarball/{sha}")
    assert where.status_code == 302
    answer = github.client.get(where.headers["Location"])
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as archive:
        names = archive.getnames()
        tops = {name.partition("/")[0] for name in names}
        area = archive.extractfile(f"octo-widgets-{sha[:7]}/src/area.txt")
        assert area is not None
        assert area.read().decode() == "one\nTWO\nthree\nfour\nfive\n"
    assert tops == {f"octo-widgets-{sha[:7]}"}
    assert not any(name.endswith("hidden.txt") for name in names)


def test_an_archives_address_is_good_for_minutes_and_for_one_commit_alone(github: Scene) -> None:
    where = github.caller().rest("GET", f"tarball/{github.head}").headers["Location"]
    assert github.client.get(where.replace(github.head, github.base)).status_code == 404
    assert github.client.get(where.partition("?")[0]).status_code == 404
    github.clock.advance(301)
    assert github.client.get(where).status_code == 404


def test_a_comparison_starts_at_the_common_ancestor_and_leaves_out_patches_of_binary_files(github: Scene) -> None:
    github.repository.commit("main", {"late.txt": "late\n"}, "Later on main")
    changes = {"image.bin": b"\0\1\2", "README.md": None, "docs/README.md": "Widgets\n"}
    head = github.repository.commit("feature/area", changes, "More")
    found = github.caller().get("compare/main...feature/area")
    assert (found["status"], found["ahead_by"], found["behind_by"]) == ("diverged", 2, 1)
    assert found["merge_base_commit"]["sha"] == github.base
    assert [commit["sha"] for commit in found["commits"]] == [github.head, head]
    files = {file["filename"]: file for file in found["files"]}
    assert set(files) == {"image.bin", "docs/README.md", "src/area.txt"}
    assert (files["docs/README.md"]["status"], files["docs/README.md"]["previous_filename"]) == ("renamed", "README.md")
    assert "patch" not in files["image.bin"]
    assert files["src/area.txt"]["patch"] == "@@ -1,5 +1,5 @@\n one\n-two\n+TWO\n three\n four\n five"
    assert (files["src/area.txt"]["additions"], files["src/area.txt"]["deletions"]) == (1, 1)


def test_a_comparison_lists_files_on_its_first_page_and_no_more_than_the_limit(github: Scene) -> None:
    github.host.limits.compared_files = 2
    github.repository.commit("feature/area", {f"file{number}": "x" for number in range(3)}, "Many")
    caller = github.caller()
    assert len(caller.get("compare/main...feature/area?per_page=1")["files"]) == 2
    assert "files" not in caller.get("compare/main...feature/area?per_page=1&page=2")


def test_a_pull_request_lists_its_files_up_to_three_thousand(github: Scene) -> None:
    github.host.limits.pull_files = 3
    github.repository.commit("feature/area", {f"file{number}": "x" for number in range(4)}, "Many")
    caller = github.caller()
    first = caller.rest("GET", "pulls/1/files?per_page=2")
    rest = caller.rest("GET", "pulls/1/files?per_page=2&page=2")
    assert [one["filename"] for one in [*first.json(), *rest.json()]] == ["file0", "file1", "file2"]
    assert (set(first.links), set(rest.links)) == ({"next", "last"}, {"prev", "first"})
    assert caller.get("pulls/1")["changed_files"] == 5


def test_a_binary_file_and_one_that_changed_too_much_come_without_a_patch(github: Scene) -> None:
    github.host.limits.patch_bytes = 1_000
    files: dict[str, bytes | str] = {"binary": b"\0\1", "large": "x\n" * 1_000, "small": "x\n"}
    github.repository.commit("feature/area", files, "More")
    caller = github.caller()
    for listed in (caller.get("pulls/1/files"), caller.get("compare/main...feature/area")["files"]):
        patched = {file["filename"]: "patch" in file for file in listed}
        assert patched == {"binary": False, "large": False, "small": True, "src/area.txt": True}


@pytest.mark.parametrize(("mergeable", "state"), [(None, "unknown"), (True, "clean"), (False, "dirty")])
def test_whether_a_pull_request_can_be_merged_is_null_while_it_is_worked_out(
    github: Scene, mergeable: bool | None, state: str
) -> None:
    github.pull.mergeable = mergeable
    shown = github.caller().get("pulls/1")
    assert (shown["mergeable"], shown["mergeable_state"]) == (mergeable, state)


def test_a_ghost_is_nobody_wherever_an_author_stands(github: Scene) -> None:
    review = github.pull.review(github.reviewer, "comment", "Hm", [InlineComment("src/area.txt", 2, "?")])
    comment = github.pull.comment(github.reviewer, "Hm")
    for account in (github.author, github.reviewer):
        github.host.delete_account(account)
    caller = github.caller()
    for path in (
        "pulls/1",
        f"pulls/1/reviews/{review.id}",
        f"pulls/comments/{review.comments[0].id}",
        f"issues/comments/{comment.id}",
    ):
        shown = caller.get(path)
        assert (shown["user"], shown["author_association"]) == (None, "NONE")


def test_every_answer_has_the_hosts_time_the_rate_limit_and_a_request_id(github: Scene) -> None:
    answer = github.caller().rest("GET", "")
    assert answer.headers.get_list("Date") == ["Mon, 02 Mar 2026 10:00:00 GMT"]
    assert answer.headers["X-RateLimit-Remaining"] == "4999"
    assert answer.headers["X-RateLimit-Reset"] == str(int(github.clock.now.timestamp()) + 3600)
    assert answer.headers["X-GitHub-Request-Id"]


def test_an_api_version_that_github_does_not_have_is_a_bad_request(github: Scene) -> None:
    caller = github.caller()
    statuses = [
        caller.rest("GET", "", headers={"X-GitHub-Api-Version": version}).status_code
        for version in ("2022-11-28", "2026-03-10", "2020-01-01")
    ]
    assert statuses == [200, 200, 400]


def test_calls_are_recorded_in_order_with_operation_caller_and_status(github: Scene) -> None:
    caller = github.caller()
    github.host.calls.clear()
    caller.rest("GET", "pulls/7")
    caller.rest("GET", "nonsense")
    github.client.get(f"{github.host.api_url}/app")
    found = [(call.operation, call.app, call.installation_id, call.status) for call in github.host.calls]
    assert found == [
        ("GET /repos/{owner}/{repo}/pulls/{pull_number}", "fixer", github.installation.id, 404),
        ("GET unknown", None, None, 404),
        ("GET /app", None, None, 401),
    ]


def test_a_body_that_is_no_json_object_is_a_bad_request(github: Scene) -> None:
    caller = github.caller()
    headers = {"Authorization": f"Bearer {caller.token}"}
    where = f"{github.host.api_url}/repos/octo/widgets/git/blobs"
    assert [github.client.post(where, content=text, headers=headers).status_code for text in (b"{", b"[]")] == [
        400,
        400,
    ]


def test_a_blob_that_is_too_large_is_neither_taken_nor_given(github: Scene) -> None:
    caller, sha = github.caller(), github.repository.store.write_blob(b"12345678")
    github.host.limits.blob_bytes = 8
    assert caller.rest("GET", f"git/blobs/{sha}").status_code == 200
    assert caller.rest("POST", "git/blobs", {"content": "12345678"}).status_code == 201
    github.host.limits.blob_bytes = 7
    for answer, status in (
        (caller.rest("GET", f"git/blobs/{sha}"), 403),
        (caller.rest("POST", "git/blobs", {"content": "12345678"}), 422),
    ):
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (status, "too_large")


def test_a_blob_is_what_was_put_in_whatever_the_bytes(github: Scene) -> None:
    caller, content = github.caller(), bytes(range(256))
    encoded = {"content": base64.b64encode(content).decode(), "encoding": "base64"}
    sha = caller.rest("POST", "git/blobs", encoded).json()["sha"]
    assert base64.b64decode(caller.get(f"git/blobs/{sha}")["content"]) == content
