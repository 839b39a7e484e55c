"""Text that only looks like a command: nothing at all happens, not even a row or a call (feedback §1, §8)."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from infra.local.embedded_aws.account import REGION
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import Story

COMMAND = "/auto-swe fix"
LOOKS_LIKE_A_COMMAND = {
    "quote": f"> {COMMAND}",
    "lazy quote": f"> As you said:\n{COMMAND}",
    "fenced code": f"```\n{COMMAND}\n```",
    "fenced code that never ends": f"~~~sh\n{COMMAND}",
    "indented code": f"Say this:\n\n    {COMMAND}",
    "code span": f"`{COMMAND}`",
    "HTML comment": f"<!-- {COMMAND} -->",
    "HTML comment over lines": f"<!--\n{COMMAND}\n-->",
    "list": f"- {COMMAND}",
    "more words": f"{COMMAND} now",
    "within a sentence": f"Please {COMMAND}",
    "unknown sub-command": "/auto-swe merge",
}


def _in_discussion(story: Story, author: Account, body: str) -> None:
    story.pull.comment(author, body)


def _in_a_thread(story: Story, author: Account, body: str) -> None:
    story.pull.review(author, "comment", "", [InlineComment("total.py", 1, body)])


def _in_a_review(story: Story, author: Account, body: str) -> None:
    story.pull.review(author, "comment", body)


PLACES = (_in_discussion, _in_a_thread, _in_a_review)
Write = Callable[[Story, Account, str], None]


def _everything(story: Story) -> list[dict[str, Any]]:
    pages = boto3.client("dynamodb", region_name=REGION).get_paginator("scan")
    return [row for page in pages.paginate(TableName=story.assembly.aws.table_name) for row in page["Items"]]


def _nothing_happens(story: Story, act: Callable[[], object]) -> None:
    """Act, and see that each delivery was taken, that no row was written and that the host was asked nothing."""
    story.site.host.calls.clear()
    sent, before = len(story.site.host.deliveries), _everything(story)
    act()
    story.finish()
    arrived = story.site.host.deliveries[sent:]
    assert {delivery.status for delivery in arrived} == {202}
    assert _everything(story) == before
    assert list(story.site.host.calls) == []
    assert story.executions() == []


@pytest.mark.parametrize("write", PLACES)
@pytest.mark.parametrize("body", LOOKS_LIKE_A_COMMAND.values(), ids=LOOKS_LIKE_A_COMMAND.keys())
def test_text_that_only_looks_like_a_command_does_nothing(story: Story, write: Write, body: str) -> None:
    _nothing_happens(story, lambda: write(story, story.reviewer, body))


@pytest.mark.parametrize("write", PLACES)
def test_a_command_that_an_edit_adds_does_nothing(story: Story, write: Write) -> None:
    write(story, story.reviewer, "Please.")
    story.finish()
    pull = story.pull
    [written] = pull.comments or (pull.threads[0].comments if pull.threads else pull.reviews)
    _nothing_happens(story, lambda: written.edit(f"Please.\n\n{COMMAND}"))


@pytest.mark.parametrize("write", PLACES)
def test_a_bots_command_does_nothing_whoever_the_bot_is(story: Story, write: Write) -> None:
    another = story.site.host.add_app(f"{story.site.connection}-other", permissions={}).bot
    story.assembly.link_member(story.site, another)
    _nothing_happens(story, lambda: write(story, story.site.app.bot, COMMAND))
    _nothing_happens(story, lambda: write(story, another, COMMAND))


@pytest.mark.parametrize("write", PLACES)
def test_the_same_words_on_a_line_of_their_own_start_a_round(story: Story, write: Write) -> None:
    """The other tests of this module prove nothing unless this one passes."""
    write(story, story.reviewer, f"Thanks.\n\n  {COMMAND}\n")
    story.finish()
    assert len(story.executions()) == 1
