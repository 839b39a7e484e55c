"""What respond leaves on a pull request."""

import pytest

from autoswe.ports.github import Gone, Refused
from infra.local.github_host.pulls.reviews import InlineComment
from tests.adapters.github.against_host.story import Story


def test_comments_are_posted_edited_and_found_again(story: Story) -> None:
    theirs = story.pull.comment(story.alice, "Hello")
    report = story.github.report_host("octo/widgets")
    ours = report.comment(story.pull.number, "Summary <!-- marker -->")
    report.edit(ours.comment_id, "Summary, again")
    found = report.comments(story.pull.number)
    assert [(one.comment_id, one.author_id, one.body) for one in found] == [
        (theirs.id, story.alice.id, "Hello"),
        (ours.comment_id, story.app.bot.id, "Summary, again"),
    ]


def test_more_than_a_page_of_comments_is_found(story: Story) -> None:
    for number in range(101):
        story.pull.comment(story.alice, f"{number}")
    found = story.github.report_host("octo/widgets").comments(story.pull.number)
    assert [one.body for one in found] == [f"{number}" for number in range(101)]


def test_a_thread_is_answered_below_the_comment_that_opened_it(story: Story) -> None:
    story.pull.review(story.alice, "comment", comments=[InlineComment("a.txt", 2, "No shouting")])
    root = story.pull.threads[0].comments[0].id
    report = story.github.report_host("octo/widgets")
    made = report.reply(story.pull.number, root, "Done")
    assert (made.author_id, made.reply_to) == (story.app.bot.id, root)
    assert [one.comment_id for one in report.replies(story.pull.number, story.clock())] == [root, made.comment_id]
    story.clock.advance(60)
    assert report.replies(story.pull.number, story.clock()) == ()
    with pytest.raises(Refused):
        report.reply(story.pull.number, made.comment_id, "And again")


def test_an_edited_comment_that_is_gone_is_gone(story: Story) -> None:
    with pytest.raises(Gone):
        story.github.report_host("octo/widgets").edit(1, "x")
