"""What people do on a pull request of the local GitHub host, and what a push does to it."""

import difflib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.github_host import InlineComment
from infra.local.github_host.pulls.anchors import moved_line
from tests.contracts.github.scene import CHANGED_AREA, Scene


def shown_comment(github: Scene, comment_id: int) -> dict[str, Any]:
    comment: dict[str, Any] = github.caller().get(f"pulls/comments/{comment_id}")
    return comment


def test_a_push_moves_the_head_of_open_pull_requests_alone(github: Scene) -> None:
    closed = github.repository.open_pull("feature/area", "main", github.author, "Another")
    closed.close()
    moved = github.repository.commit("feature/area", {"x": "x"}, "More")
    caller = github.caller()
    heads = [caller.get(f"pulls/{number}")["head"]["sha"] for number in (1, 2)]
    assert heads == [moved, github.head]
    assert [caller.get(f"pulls/{number}")["state"] for number in (1, 2)] == ["open", "closed"]


def test_a_reset_moves_the_head_back(github: Scene) -> None:
    github.repository.commit("feature/area", {"x": "x"}, "More")
    github.repository.reset("feature/area", github.head)
    assert github.caller().get("pulls/1")["head"]["sha"] == github.head


def test_deleting_the_branch_closes_its_pull_requests(github: Scene) -> None:
    github.repository.delete_branch("feature/area")
    assert github.caller().get("pulls/1")["state"] == "closed"


def test_a_reopened_pull_request_stands_at_its_branchs_tip(github: Scene) -> None:
    github.pull.close()
    moved = github.repository.commit("feature/area", {"x": "x"}, "More")
    github.pull.reopen()
    assert github.caller().get("pulls/1")["head"]["sha"] == moved


def test_a_pull_request_counts_its_commits_and_changes_from_the_common_ancestor(github: Scene) -> None:
    github.repository.commit("main", {"other": "1\n2\n3\n"}, "On main")
    github.repository.commit("feature/area", {"x": "1\n2\n"}, "More")
    shown = github.caller().get("pulls/1")
    counts = [shown[name] for name in ("commits", "additions", "deletions", "changed_files")]
    assert counts == [2, 3, 1, 2]


def test_a_line_that_a_push_moves_is_followed(github: Scene) -> None:
    inline = InlineComment("src/area.txt", 2, "Why?")
    thread = github.pull.review(github.reviewer, "comment", "", [inline]).threads[0]
    head = github.repository.commit("feature/area", {"src/area.txt": "zero\n" + CHANGED_AREA}, "Above")
    shown = shown_comment(github, thread.comments[0].id)
    assert (shown["line"], shown["original_line"], shown["commit_id"]) == (3, 2, head)
    assert shown["original_commit_id"] == github.head


@pytest.mark.parametrize("content", [CHANGED_AREA.replace("TWO", "2"), CHANGED_AREA.replace("TWO\n", ""), None])
def test_a_line_that_a_push_changes_or_removes_leaves_an_outdated_thread_without_a_line(
    github: Scene, content: str | None
) -> None:
    inline = InlineComment("src/area.txt", 3, "Why?", start_line=2)
    thread = github.pull.review(github.reviewer, "comment", "", [inline]).threads[0]
    github.repository.commit("feature/area", {"src/area.txt": content}, "There")
    shown = shown_comment(github, thread.comments[0].id)
    assert [shown[name] for name in ("line", "start_line", "position")] == [None, None, None]
    assert (shown["original_line"], shown["original_start_line"], shown["commit_id"]) == (3, 2, github.head)
    assert thread.outdated


def test_an_outdated_thread_stays_outdated_when_the_old_text_returns(github: Scene) -> None:
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "?")]).threads[0]
    for content in ("gone\n", CHANGED_AREA):
        github.repository.commit("feature/area", {"src/area.txt": content}, "There and back")
    assert shown_comment(github, thread.comments[0].id)["line"] is None


texts = st.lists(st.sampled_from("abc"), max_size=8)


@given(texts, texts, st.integers(1, 8))
def test_a_line_is_where_the_difference_leaves_it(old: list[str], new: list[str], line: int) -> None:
    patch = "\n".join(difflib.unified_diff(old, new, n=0, lineterm=""))
    kept = {
        block.a + offset + 1: block.b + offset + 1
        for block in difflib.SequenceMatcher(None, old, new).get_matching_blocks()
        for offset in range(block.size)
    }
    if line <= len(old):
        assert moved_line(patch, line) == kept.get(line)


def test_a_comment_is_shown_under_the_lines_before_it(github: Scene) -> None:
    inline = InlineComment("src/area.txt", 3, "Why?")
    thread = github.pull.review(github.reviewer, "comment", "", [inline]).threads[0]
    assert shown_comment(github, thread.comments[0].id)["diff_hunk"] == "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three"


def test_a_comment_on_the_old_side_counts_lines_there(github: Scene) -> None:
    inline = InlineComment("src/area.txt", 2, "Keep it", side="LEFT")
    thread = github.pull.review(github.reviewer, "comment", "", [inline]).threads[0]
    shown = shown_comment(github, thread.comments[0].id)
    assert (shown["side"], shown["line"], shown["diff_hunk"]) == ("LEFT", 2, "@@ -1,2 +1,1 @@\n one\n-two")


def test_a_comment_about_a_whole_file_has_no_line(github: Scene) -> None:
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", None, "?")]).threads[0]
    shown = shown_comment(github, thread.comments[0].id)
    assert (shown["subject_type"], shown["line"], shown["original_line"]) == ("file", None, None)


def test_a_reply_hangs_below_the_threads_first_comment_and_takes_no_replies_itself(github: Scene) -> None:
    review = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "Why?")])
    first, caller = review.comments[0].id, github.caller()
    answer = caller.rest("POST", f"pulls/1/comments/{first}/replies", {"body": "Done"}).json()
    assert (answer["in_reply_to_id"], answer["user"]["login"], answer["body"]) == (first, "fixer[bot]", "Done")
    again = caller.rest("POST", f"pulls/1/comments/{answer['id']}/replies", {"body": "Done"})
    assert again.status_code == 422
    assert "Replies to replies" in again.json()["errors"][0]
    assert caller.rest("POST", "pulls/1/comments/7/replies", {"body": "Done"}).status_code == 404
    assert [one["id"] for one in caller.get("pulls/1/comments")] == [first, answer["id"]]


def test_what_was_edited_dismissed_or_deleted_shows_it(github: Scene) -> None:
    review = github.pull.review(github.reviewer, "request_changes", "Please", [InlineComment("src/area.txt", 2, "?")])
    comment, caller = github.pull.comment(github.reviewer, "Hm"), github.caller()
    inline = review.comments[0]
    github.clock.advance(60)
    review.dismiss()
    comment.edit("Never mind")
    inline.edit("Really?")
    review.edit("Pretty please")
    assert caller.get(f"pulls/1/reviews/{review.id}")["state"] == "DISMISSED"
    assert caller.get(f"pulls/1/reviews/{review.id}")["body"] == "Pretty please"
    shown = caller.get(f"issues/comments/{comment.id}")
    assert (shown["body"], shown["created_at"] < shown["updated_at"]) == ("Never mind", True)
    assert shown_comment(github, inline.id)["body"] == "Really?"
    comment.delete()
    inline.delete()
    assert caller.rest("GET", f"issues/comments/{comment.id}").status_code == 404
    assert caller.rest("GET", f"pulls/comments/{inline.id}").status_code == 404
    assert (caller.get("issues/1/comments"), github.pull.threads) == ([], [])


def test_a_deleted_account_leaves_texts_without_an_author(github: Scene) -> None:
    comment = github.pull.comment(github.reviewer, "Hm")
    github.host.delete_account(github.reviewer)
    assert github.caller().get(f"issues/comments/{comment.id}")["user"] is None


def test_an_app_edits_its_own_comments_alone_and_an_empty_one_is_refused(github: Scene) -> None:
    theirs, caller = github.pull.comment(github.reviewer, "Hm"), github.caller()
    mine = caller.rest("POST", "issues/1/comments", {"body": "Report"}).json()
    assert mine["performed_via_github_app"]["id"] == github.app.app_id
    assert caller.rest("PATCH", f"issues/comments/{mine['id']}", {"body": "Better"}).json()["body"] == "Better"
    assert caller.rest("PATCH", f"issues/comments/{theirs.id}", {"body": "Mine"}).status_code == 403
    assert theirs.body == "Hm"
    for body in ("  ", "x" * 65_537):
        assert caller.rest("POST", "issues/1/comments", {"body": body}).status_code == 422


def test_a_pull_request_from_a_fork_shows_it_until_the_fork_is_deleted(github: Scene) -> None:
    fork = github.host.add_repository("abel/widgets", fork_of=github.repository)
    sha = fork.commit("patch", {"x": "x\n"}, "From afar", author=github.author)
    pull = github.repository.open_pull("patch", "main", github.author, "From afar", head_repository=fork)
    caller = github.caller()
    assert caller.get(f"pulls/{pull.number}")["head"]["repo"]["full_name"] == "abel/widgets"
    assert caller.get(f"git/commits/{sha}")["sha"] == sha
    again = fork.commit("patch", {"x": "y\n"}, "Again")
    assert caller.get(f"pulls/{pull.number}")["head"]["sha"] == again
    assert caller.rest("GET", "/repos/abel/widgets").status_code == 404
    github.host.delete_repository(fork)
    shown = caller.get(f"pulls/{pull.number}")["head"]
    assert (shown["repo"], shown["sha"], shown["label"]) == (None, again, "abel:patch")
    pull.close()
    with pytest.raises(ValueError, match="head repository was deleted"):
        pull.reopen()


def test_a_push_hook_hears_of_every_commit_that_lands_and_may_report_on_it(github: Scene) -> None:
    landed: list[tuple[str, str]] = []

    def check(repository: Any, branch: str, sha: str) -> None:
        landed.append((branch, sha))
        repository.check_run(sha, "tests", conclusion="success")

    github.repository.on_push(check)
    by_person = github.repository.commit("feature/area", {"x": "x"}, "More")
    caller = github.caller()
    caller.rest("POST", "git/refs", {"ref": "refs/heads/work", "sha": github.head})
    assert landed == [("feature/area", by_person), ("work", github.head)]
    assert caller.get(f"commits/{by_person}/check-runs")["check_runs"][0]["conclusion"] == "success"


@pytest.mark.parametrize(
    ("path", "line", "start"), [("src/area.txt", 6, None), ("src/area.txt", 2, 2), ("README.md", 1, None)]
)
def test_a_comment_outside_the_changed_files_lines_is_a_mistake_of_the_scenario(
    github: Scene, path: str, line: int, start: int | None
) -> None:
    with pytest.raises(ValueError, match=path):
        github.pull.review(github.reviewer, "comment", "", [InlineComment(path, line, "?", start_line=start)])
    assert github.pull.reviews == []


def test_nobody_approves_or_refuses_their_own_pull_request(github: Scene) -> None:
    for verdict in ("approve", "request_changes"):
        with pytest.raises(ValueError, match="own pull request"):
            github.pull.review(github.author, verdict)
    assert github.pull.review(github.author, "comment", "A note").state == "COMMENTED"


def test_a_copied_repository_has_the_files_and_the_branch_of_its_source(github: Scene) -> None:
    copy = github.host.add_repository("octo/copy", clone_from=github.repository.store.path)
    assert (copy.default_branch, copy.tip("feature/area")) == ("main", github.head)
    assert copy.read("feature/area", "src/area.txt").decode() == CHANGED_AREA
    assert [commit.message for commit in copy.log("feature/area")] == ["Change", "Begin"]
    assert "+TWO" in copy.diff("main", "feature/area")


def test_a_copy_of_a_repository_without_a_branch_checked_out_needs_to_be_told_one(
    github: Scene, tmp_path: Path
) -> None:
    source, loose = github.repository.store.path, github.repository.commit("main", {"x": "x"}, "Loose")
    github.repository.reset("main", github.base)
    (source / "HEAD").write_text(f"{loose}\n")
    with pytest.raises(ValueError, match="no branch checked out"):
        github.host.add_repository("octo/copy", clone_from=source)
    with pytest.raises(ValueError, match="no branch nowhere"):
        github.host.add_repository("octo/other", clone_from=source, branch="nowhere")
    assert github.host.add_repository("octo/third", clone_from=source, branch="feature/area").tip("main") == github.base


def test_names_outside_ascii_work_everywhere(github: Scene) -> None:
    github.repository.commit("größe/幅", {"größe.txt": "x\n"}, "Größe")
    caller = github.caller()
    assert caller.get("branches/größe/幅")["name"] == "größe/幅"
    created = caller.rest("POST", "git/refs", {"ref": "refs/heads/ü", "sha": github.head})
    assert created.headers["Location"].endswith("/git/refs/heads/%C3%BC")
    assert caller.get("git/ref/heads/ü")["object"]["sha"] == github.head
    assert [file["filename"] for file in caller.get("compare/main...größe/幅")["files"]] == ["größe.txt"]
    assert "größe.txt" in {one["path"] for one in caller.get("git/trees/größe/幅")["tree"]}


def test_a_scenario_that_names_what_is_not_there_is_told_so(github: Scene) -> None:
    repository = github.repository
    for mistake, told in (
        (lambda: repository.commit("main", {"none": None}, "m"), "cannot delete 'none'"),
        (lambda: repository.tip("none"), "no branch 'none'"),
        (lambda: repository.read("main", "none"), "no file 'none'"),
        (lambda: repository.reset("main", "f" * 40), "no commit"),
        (lambda: repository.pull(9), "no pull request #9"),
        (lambda: repository.add_rule("main", "none"), "unknown rule type"),
        (lambda: repository.collaborators.set_permission(github.author, "owner"), "'owner'"),
        (lambda: github.pull.review(github.reviewer, "shrug"), "'shrug'"),
        (lambda: github.host.add_app("x", permissions={"magic": "read"}), "unknown permission"),
        (lambda: github.host.add_app("x", permissions={}, events=["push"]), "cannot subscribe to push"),
        (lambda: github.host.add_user("ABEL"), "taken"),
        (lambda: github.host.add_repository("octo/widgets"), "not a free"),
        (lambda: github.host.install(github.app, []), "one account"),
    ):
        with pytest.raises(ValueError, match=told):
            mistake()
