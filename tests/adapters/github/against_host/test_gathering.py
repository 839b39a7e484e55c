"""What gather_feedback reads from a real repository."""

import io
import tarfile

import pytest

from autoswe.ports.github import Refused
from autoswe.rules.github.facts import Author, Edit, Permission, Text, Thread
from autoswe.rules.records.triggers import TriggerSource
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.reviews import InlineComment, Review, ReviewComment
from tests.adapters.github.against_host.story import BRANCH, REF, SOURCE, Story


def test_repository_and_pull_request_are_read(story: Story) -> None:
    host = story.github.gather_host("octo/widgets")
    state = host.pull_state(story.pull.number, "fix")
    repository, pull = state.repository, state.pull
    assert (repository.repository_id, repository.default_branch, repository.archived) == (story.repo.id, "main", False)
    assert pull == host.pull(story.pull.number), "both ways to ask tell the same"
    assert (pull.is_open, pull.head_sha, pull.head_ref) == (True, story.pull.head_sha, BRANCH)
    assert (pull.base_ref, pull.base_sha) == ("main", story.repo.tip("main"))
    assert pull.repository_id == pull.head_repository_id == story.repo.id
    assert pull.author_id == story.author.id


def test_a_fork_that_was_deleted_is_no_head_repository(story: Story) -> None:
    fork = story.host.add_repository("author/widgets", fork_of=story.repo)
    fork.commit("main", {"c.txt": "c"}, "Fork")
    pull = story.repo.open_pull("main", "main", story.author, "From a fork", head_repository=fork)
    assert story.github.gather_host("octo/widgets").pull(pull.number).head_repository_id == fork.id
    story.host.delete_repository(fork)
    assert story.github.gather_host("octo/widgets").pull(pull.number).head_repository_id is None


def test_every_kind_of_text_is_read_from_its_own_pull_request_only(story: Story) -> None:
    inline = InlineComment("a.txt", 2, "No shouting")
    review = story.pull.review(story.alice, "request_changes", "Please", comments=[inline])
    thread = story.pull.threads[0]
    reply = thread.reply(story.author, "Why?")
    comment = story.pull.comment(story.alice, "/auto-swe fix")
    story.repo.commit("other", {"o.txt": "o"}, "Other")
    other = story.repo.open_pull("other", "main", story.author, "Other")
    host, number = story.github.gather_host("octo/widgets"), story.pull.number
    alice = Author(story.alice.id, "alice", is_bot=False)

    read = host.text(TriggerSource.REVIEW, number, review.id)
    assert read is not None
    assert (read.author, read.body, read.review_state) == (alice, "Please", "CHANGES_REQUESTED")
    read = host.text(TriggerSource.INLINE_COMMENT, number, reply.id)
    assert read is not None
    assert (read.body, read.reply_to) == ("Why?", thread.comments[0].id)
    read = host.text(TriggerSource.DISCUSSION_COMMENT, number, comment.id)
    assert read is not None
    assert (read.author, read.body) == (alice, "/auto-swe fix")
    for source, text in (
        (TriggerSource.REVIEW, review.id),
        (TriggerSource.INLINE_COMMENT, reply.id),
        (TriggerSource.DISCUSSION_COMMENT, comment.id),
    ):
        assert host.text(source, other.number, text) is None


def test_a_deleted_comment_is_none_and_a_deleted_author_nobody(story: Story) -> None:
    kept, deleted = story.pull.comment(story.alice, "kept"), story.pull.comment(story.alice, "deleted")
    deleted.delete()
    story.host.delete_account(story.alice)
    host = story.github.gather_host("octo/widgets")
    assert host.text(TriggerSource.DISCUSSION_COMMENT, story.pull.number, deleted.id) is None
    read = host.text(TriggerSource.DISCUSSION_COMMENT, story.pull.number, kept.id)
    assert read is not None
    assert read.author is None


def test_permissions_are_coarse(story: Story) -> None:
    host = story.github.gather_host("octo/widgets")
    for level, expected in {
        "admin": Permission.ADMIN,
        "maintain": Permission.WRITE,
        "write": Permission.WRITE,
        "triage": Permission.READ,
        "read": Permission.READ,
        "none": Permission.NONE,
    }.items():
        story.repo.collaborators.set_permission(story.alice, level)
        assert host.permission(Author(story.alice.id, "alice", is_bot=False)) is expected


def test_an_unknown_account_may_nothing(story: Story) -> None:
    assert (
        story.github.gather_host("octo/widgets").permission(Author(account_id=1, login="nobody", is_bot=False))
        is Permission.NONE
    )


def _threads(story: Story) -> tuple[Thread, ...]:
    trigger = _text(story, TriggerSource.DISCUSSION_COMMENT, story.pull.comment(story.alice, "/auto-swe fix").id)
    return story.github.gather_host("octo/widgets").feedback(story.pull.number, trigger).threads


def _text(story: Story, source: TriggerSource, text_id: int) -> Text:
    """Read a text the way a round does: its words, and then who changed them last."""
    host = story.github.gather_host("octo/widgets")
    found = host.text(source, story.pull.number, text_id)
    assert found is not None
    return host.feedback(story.pull.number, found).trigger


def test_of_every_kind_of_text_is_told_who_changed_it_last(story: Story) -> None:
    bob = story.host.add_user("bob")
    review = story.pull.review(story.alice, "request_changes", "Please", comments=[InlineComment("a.txt", 2, "No")])
    texts: list[tuple[TriggerSource, Review | ReviewComment | IssueComment]] = [
        (TriggerSource.REVIEW, review),
        (TriggerSource.INLINE_COMMENT, review.comments[0]),
        (TriggerSource.DISCUSSION_COMMENT, story.pull.comment(story.alice, "/auto-swe fix")),
    ]
    for source, written in texts:
        assert _text(story, source, written.id).edit is None
        written.edit("Mine", by=story.alice)
        assert _text(story, source, written.id).edit == Edit(Author(story.alice.id, "alice", is_bot=False))
        written.edit("No, mine", by=bob)
        read = _text(story, source, written.id)
        assert (read.body, read.author) == ("No, mine", Author(story.alice.id, "alice", is_bot=False))
        assert read.edit == Edit(Author(bob.id, "bob", is_bot=False))
    [thread] = _threads(story)
    assert thread.comments[0].edit == Edit(Author(bob.id, "bob", is_bot=False))
    story.host.delete_account(bob)
    assert [_text(story, source, written.id).edit for source, written in texts] == [Edit(None)] * 3


def test_a_bot_that_changed_a_text_is_a_bot(story: Story) -> None:
    comment = story.pull.comment(story.alice, "/auto-swe fix")
    comment.edit("/auto-swe fix", by=story.app.bot)
    read = _text(story, TriggerSource.DISCUSSION_COMMENT, comment.id)
    assert read.edit == Edit(Author(story.app.bot.id, "auto-swe[bot]", is_bot=True))


def test_threads_come_with_their_comments_places_and_authors(story: Story) -> None:
    story.pull.review(
        story.alice,
        "comment",
        comments=[InlineComment("a.txt", 3, "These two", start_line=2), InlineComment("a.txt", None, "The file")],
    )
    lines, whole = story.pull.threads
    lines.reply(story.app.bot, "Done")
    lines.resolve()
    first, second = _threads(story)
    assert (first.path, first.start_line, first.line, first.right_side, first.line_level) == (
        "a.txt",
        2,
        3,
        True,
        True,
    )
    assert (first.resolved, second.resolved) == (True, False)
    assert [comment.body for comment in first.comments] == ["These two", "Done"]
    assert [comment.comment_id for comment in first.comments] == [comment.id for comment in lines.comments]
    assert [comment.author for comment in first.comments] == [
        Author(story.alice.id, "alice", is_bot=False),
        Author(story.app.bot.id, "auto-swe[bot]", is_bot=True),
    ]
    assert first.comments[0].original_commit == story.pull.head_sha
    assert first.comments[0].diff_hunk.startswith("@@")
    assert (second.thread_id, second.line_level, second.line) == (whole.node_id, False, None)


def test_a_thread_whose_lines_changed_is_outdated(story: Story) -> None:
    story.pull.review(story.alice, "comment", comments=[InlineComment("a.txt", 2, "No shouting")])
    story.repo.commit(BRANCH, {"a.txt": "alpha\nquiet\ngamma\n"}, "Calm down", author=story.author)
    (thread,) = _threads(story)
    assert (thread.outdated, thread.line) == (True, None)


def test_threads_beyond_a_hundred_and_comments_beyond_fifty_are_left_alone(story: Story) -> None:
    story.pull.review(
        story.alice, "comment", comments=[InlineComment("a.txt", 2, f"{number}") for number in range(101)]
    )
    for number in range(50):
        story.pull.threads[0].reply(story.author, f"reply {number}")
    threads = _threads(story)
    assert len(threads) == 100
    assert len(threads[0].comments) == 50


def test_the_archive_is_redirected_to_and_is_not_the_tree(story: Story) -> None:
    host, file = story.github.gather_host("octo/widgets"), io.BytesIO()
    host.archive(story.pull.head_sha, file, 1 << 20)
    file.seek(0)
    with tarfile.open(fileobj=file, mode="r:gz") as archive:
        packed = {name.partition("/")[2] for name in archive.getnames() if name.partition("/")[2]}
    tree = host.tree(story.pull.head_sha)
    assert {entry.path for entry in tree.entries} - packed == {"secret.txt"}
    assert not tree.truncated


def test_an_archive_above_its_cap_is_refused(story: Story) -> None:
    with pytest.raises(Refused):
        story.github.gather_host("octo/widgets").archive(story.pull.head_sha, io.BytesIO(), 10)


def test_every_blob_of_a_tree_can_be_read(story: Story) -> None:
    host = story.github.gather_host("octo/widgets")
    found = {entry.path: host.blob(entry.sha, 100) for entry in host.tree(story.pull.head_sha).entries}
    assert found["src/b.py"] == b"\xff\x00"
    assert found["a.txt"] == SOURCE.replace("beta", "BETA").encode()
    sha = next(entry.sha for entry in host.tree(story.pull.head_sha).entries if entry.path == "a.txt")
    with pytest.raises(Refused):
        host.blob(sha, len(SOURCE) - 1)


def test_a_tree_the_host_cuts_off_is_read_whole_all_the_same(story: Story) -> None:
    host = story.github.gather_host("octo/widgets")
    whole = host.tree(story.pull.head_sha)
    story.host.limits.tree_entries = 2
    cut = host.tree(story.pull.head_sha)
    assert len(whole.entries) > 2
    assert (sorted(cut.entries, key=str), cut.truncated) == (sorted(whole.entries, key=str), False)


def test_refs_are_read_by_name(story: Story) -> None:
    host = story.github.gather_host("octo/widgets")
    assert host.ref(REF) == story.pull.head_sha
    assert host.ref("heads/fix") is None


def test_a_small_pull_request_takes_few_calls(story: Story) -> None:
    comment = story.pull.comment(story.alice, "/auto-swe fix")
    host, number = story.github.gather_host("octo/widgets"), story.pull.number
    host.pull_state(number, "fix")
    text = host.text(TriggerSource.DISCUSSION_COMMENT, number, comment.id)
    assert text is not None
    host.permission(Author(story.alice.id, "alice", is_bot=False))
    host.feedback(number, text)
    host.tree(story.pull.head_sha)
    host.archive(story.pull.head_sha, io.BytesIO(), 1 << 20)
    assert story.operations() == [
        "POST /app/installations/{installation_id}/access_tokens",
        "graphql PullState",
        "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
        "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
        "graphql ReviewThreads",
        "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
        "GET /repos/{owner}/{repo}/tarball/{ref}",
    ]
