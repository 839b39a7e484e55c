"""Text that only looks like a command: nothing at all happens, not even a row or a call (feedback §1, §8)."""

from collections.abc import Callable
from functools import partial
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


def _nothing_happens(story: Story, *acts: Callable[[], object]) -> None:
    """Act, and see that each delivery was taken, that no row was written and that the host was asked nothing."""
    story.site.host.calls.clear()
    sent, before = len(story.site.host.deliveries), _everything(story)
    for act in acts:
        act()
    story.finish()
    arrived = story.site.host.deliveries[sent:]
    assert len(arrived) >= len(acts)
    assert {delivery.status for delivery in arrived} == {202}
    assert _everything(story) == before
    assert list(story.site.host.calls) == []
    assert story.executions() == []


def test_text_that_only_looks_like_a_command_does_nothing(story: Story) -> None:
    """Which text made something happen, the row that it wrote tells by the delivery."""
    _nothing_happens(
        story,
        *(partial(write, story, story.reviewer, body) for write in PLACES for body in LOOKS_LIKE_A_COMMAND.values()),
    )


def test_a_command_that_an_edit_adds_does_nothing(story: Story) -> None:
    for write in PLACES:
        write(story, story.reviewer, "Please.")
    story.finish()
    written = story.pull.comments[0], story.pull.threads[0].comments[0], story.pull.reviews[-1]
    _nothing_happens(story, *(partial(one.edit, f"Please.\n\n{COMMAND}") for one in written))


def test_a_bots_command_does_nothing_whoever_the_bot_is(story: Story) -> None:
    another = story.site.host.add_app(f"{story.site.connection}-other", permissions={}).bot
    story.assembly.link_member(story.site, another)
    bots = story.site.app.bot, another
    _nothing_happens(story, *(partial(write, story, bot, COMMAND) for write in PLACES for bot in bots))


@pytest.mark.parametrize("write", PLACES)
def test_the_same_words_on_a_line_of_their_own_start_a_round(story: Story, write: Write) -> None:
    """The other tests of this module prove nothing unless this one passes."""
    write(story, story.reviewer, f"Thanks.\n\n  {COMMAND}\n")
    story.finish()
    assert len(story.executions()) == 1
