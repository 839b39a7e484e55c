"""Conversations on the local GitHub host that are closed to Apps, or that people put words into."""

from infra.local.github_host import InlineComment
from tests.contracts.github.receiver import Receiver
from tests.contracts.github.scene import Scene, refusal

LOCKED = (403, "Unable to create comment because issue is locked.")


def test_an_app_writes_neither_comments_nor_replies_in_a_locked_conversation(github: Scene) -> None:
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "?")]).threads[0]
    own = github.pull.comment(github.app.bot, "Report")
    github.pull.lock("too heated")
    caller = github.caller()
    comment = ("POST", "issues/1/comments", {"body": "More"})
    reply = ("POST", f"pulls/1/comments/{thread.comments[0].id}/replies", {"body": "Done"})
    assert {refusal(caller.rest(*asked)) for asked in (comment, reply)} == {LOCKED}
    assert (len(github.pull.comments), len(thread.comments)) == (1, 1)
    shown = caller.get("pulls/1")
    assert (shown["locked"], shown["active_lock_reason"]) == (True, "too heated")
    # Who can write to the repository goes on, and what was written may still change.
    github.pull.comment(github.reviewer, "Enough")
    assert caller.rest("PATCH", f"issues/comments/{own.id}", {"body": "Other"}).status_code == 200
    github.pull.unlock()
    assert [caller.rest(*asked).status_code for asked in (comment, reply)] == [201, 201]
    assert caller.get("pulls/1")["locked"] is False


def test_locking_is_told_with_the_pull_request_as_it_is_then(github: Scene, receiver: Receiver) -> None:
    github.pull.lock(by=github.reviewer)
    github.pull.unlock(by=github.reviewer)
    told = [(one.event, one.action, one.payload["pull_request"]["locked"]) for one in github.host.deliveries]
    assert told == [("pull_request", "locked", True), ("pull_request", "unlocked", False)]


def test_somebody_else_may_edit_a_text_and_is_then_the_sender(github: Scene, receiver: Receiver) -> None:
    review = github.pull.review(github.reviewer, "request_changes", "Please", [InlineComment("src/area.txt", 2, "?")])
    comment = github.pull.comment(github.reviewer, "Hello")
    before = len(github.host.deliveries)
    for text in (review, review.comments[0], comment):
        text.edit("Other words", by=github.author)
    told = [one.payload for one in github.host.deliveries[before:]]
    assert [(one["action"], one["sender"]["login"]) for one in told] == [("edited", "abel")] * 3
    shown = [told[0]["review"], told[1]["comment"], told[2]["comment"]]
    assert [(one["user"]["login"], one["body"]) for one in shown] == [("rita", "Other words")] * 3
