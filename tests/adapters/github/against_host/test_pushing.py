"""What push_fix makes and moves in a real repository."""

import pytest

from autoswe.ports.github import Forbidden, Refused, Unavailable
from infra.local.github_host.http.faults import lose_reply
from tests.adapters.github.against_host.story import BRANCH, REF, Entry, Story
from tests.adapters.github.scripted import read_repository


def test_a_fix_is_made_signed_as_the_bot_s_and_moves_the_branch(story: Story) -> None:
    head = story.pull.head_sha
    commit = story.made_commit()
    story.move(head, commit)
    assert story.pull.head_sha == commit
    assert story.repo.read(BRANCH, "a.txt") == b"fixed\n"
    made = story.repo.store.commit(commit)
    assert made is not None
    assert made.signed_by_host
    assert list(made.parents) == [head]


def test_a_branch_is_known_to_hold_what_it_stands_at_and_what_it_has_gone_on_from(story: Story) -> None:
    head = story.pull.head_sha
    commit = story.made_commit()
    host = story.github.push_host("octo/widgets")
    assert not host.branch_holds(BRANCH, commit)
    story.move(head, commit)
    assert host.branch_holds(BRANCH, commit)
    story.repo.commit(BRANCH, {"b.txt": "theirs"}, "Theirs", author=story.author)
    assert host.branch_holds(BRANCH, commit)
    story.repo.reset(BRANCH, head)
    assert not host.branch_holds(BRANCH, commit)


def test_a_branch_that_was_reset_meanwhile_is_not_brought_back(story: Story) -> None:
    head = story.pull.head_sha
    commit = story.made_commit()
    story.repo.reset(BRANCH, story.repo.tip("main"))
    with pytest.raises(Refused):
        story.move(head, commit)
    assert story.repo.tip(BRANCH) == story.repo.tip("main")


def test_a_branch_that_went_on_meanwhile_stays_where_it_is(story: Story) -> None:
    head = story.pull.head_sha
    commit = story.made_commit()
    theirs = story.repo.commit(BRANCH, {"a.txt": "theirs"}, "Theirs", author=story.author)
    for before in (head, theirs):
        with pytest.raises(Refused):
            story.move(before, commit)
    assert story.repo.tip(BRANCH) == theirs


@pytest.mark.parametrize("rule", ["pull_request", "update"])
def test_a_rule_on_the_branch_is_seen_and_refuses(story: Story, rule: str) -> None:
    story.repo.add_rule("fix/*", rule)
    branch = story.github.push_host("octo/widgets").pull_state(story.pull.number, "fix").branch
    assert branch is not None
    assert (branch.tip, branch.protected, branch.rule_types) == (story.pull.head_sha, False, (rule,))
    with pytest.raises(Refused, match="rule violations"):
        story.move(story.pull.head_sha, story.made_commit())


def test_a_protected_branch_is_seen_and_refuses(story: Story) -> None:
    story.repo.protect("fix/*")
    branch = story.github.push_host("octo/widgets").pull_state(story.pull.number, "fix").branch
    assert branch is not None
    assert branch.protected
    with pytest.raises(Refused):
        story.move(story.pull.head_sha, story.made_commit())


def test_the_branch_beside_is_told_where_there_is_one(story: Story) -> None:
    push, number = story.github.push_host("octo/widgets"), story.pull.number
    assert push.pull_state(number, "auto-swe/fix").beside is None
    push.make_ref("heads/auto-swe/fix", story.pull.head_sha)
    assert push.pull_state(number, "auto-swe/fix").beside == story.pull.head_sha


def test_files_are_deleted_added_and_made_executable(story: Story) -> None:
    push = story.github.push_host("octo/widgets")
    script, binary = "#!/bin/sh\r\necho Größe\n".encode(), b"\xff\0"
    changes = [Entry("a.txt", "100644", None), Entry("bin/run", "100755", script), Entry("b", "100644", binary)]
    tree = push.make_tree(push.tree(story.pull.head_sha).sha, changes)
    entries = {entry.path: entry for entry in push.tree(tree).entries}
    assert entries["bin/run"].mode == "100755"
    assert "a.txt" not in entries
    assert [push.blob(entries[path].sha, 100) for path in ("bin/run", "b")] == [script, binary]


def test_deleting_what_is_not_there_is_refused(story: Story) -> None:
    push = story.github.push_host("octo/widgets")
    with pytest.raises(Refused):
        push.make_tree(push.tree(story.pull.head_sha).sha, [Entry("nowhere.txt", "100644", None)])


def test_a_workflow_file_is_forbidden(story: Story) -> None:
    push = story.github.push_host("octo/widgets")
    with pytest.raises(Forbidden, match="Resource not accessible by integration"):
        push.make_tree(push.tree(story.pull.head_sha).sha, [Entry(".github/workflows/x.yml", "100644", b"on: push\n")])


def test_a_work_branch_is_made_once_and_dropped_for_good(story: Story) -> None:
    push = story.github.push_host("octo/widgets")
    name = "heads/auto-swe/feedback/pr-1"
    push.make_ref(name, story.pull.head_sha)
    assert push.ref(name) == story.pull.head_sha
    with pytest.raises(Refused, match="already exists"):
        push.make_ref(name, story.pull.head_sha)
    push.drop_ref(name)
    push.drop_ref(name)
    assert push.ref(name) is None


def test_an_archived_repository_is_forbidden(story: Story) -> None:
    commit = story.made_commit()
    story.repo.archived = True
    push = story.github.push_host("octo/widgets")
    assert read_repository(push).archived
    with pytest.raises(Forbidden, match="archived"):
        push.make_tree(push.tree(story.pull.head_sha).sha, [Entry("x", "100644", b"x")])
    with pytest.raises(Forbidden, match="archived"):
        story.move(story.pull.head_sha, commit)


def test_a_lost_reply_leaves_a_move_open_and_is_not_sent_again(story: Story) -> None:
    head, commit = story.pull.head_sha, story.made_commit()
    story.host.faults.add("graphql UpdateRefs", lose_reply())
    with pytest.raises(Unavailable):
        story.move(head, commit)
    assert len(story.host.calls.of("graphql UpdateRefs")) == 1
    # It did happen; only looking again can tell.
    assert story.github.push_host("octo/widgets").ref(REF) == commit


def test_a_lost_reply_leaves_a_new_ref_open_and_is_not_sent_again(story: Story) -> None:
    create = "POST /repos/{owner}/{repo}/git/refs"
    story.host.faults.add(create, lose_reply(502))
    push = story.github.push_host("octo/widgets")
    with pytest.raises(Unavailable):
        push.make_ref("heads/work", story.pull.head_sha)
    assert len(story.host.calls.of(create)) == 1
    assert push.ref("heads/work") == story.pull.head_sha
