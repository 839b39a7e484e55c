"""Rounds that gather finds to be over before they begin (feedback §2)."""

from collections.abc import Callable

import pytest

from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import Story


def _close(story: Story) -> None:
    story.pull.close()


def _become_a_fork(story: Story) -> None:
    fork = story.assembly.host.add_repository(f"{story.stranger.login}/fork", fork_of=story.repository)
    story.pull.head_repository = fork


def _lose_the_head_repository(story: Story) -> None:
    _become_a_fork(story)
    story.assembly.host.delete_repository(story.pull.head_repository)


def _move_off_the_branch(story: Story) -> None:
    story.pull.head_ref = "elsewhere"
    story.repository.commit("elsewhere", {"x": "y"}, "Elsewhere", parent_branch="feature")


def _take_the_request_back(story: Story) -> None:
    story.pull.reviews[-1].dismiss()


def _lose_write_access(story: Story) -> None:
    story.repository.collaborators.set_permission(story.reviewer, "read")


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (_close, "pull_closed"),
        (_become_a_fork, "pull_from_fork"),
        (_lose_the_head_repository, "pull_from_fork"),
        (_move_off_the_branch, "head_moved"),
        (_take_the_request_back, "trigger_changed"),
        (_lose_write_access, "requester_not_trusted"),
    ],
)
def test_what_changed_since_the_delivery_ends_the_round_in_silence(
    story: Story, happens: Callable[[Story], None], reason: str
) -> None:
    story.before_gathering(lambda: happens(story))
    story.request_changes()
    story.finish()
    assert story.said_nothing()
    assert story.slot_is_free()
    [fire] = story.rows("FIRE#")
    assert (fire["outcome"], fire["reason"]) == ("skipped", reason)


def test_a_pull_request_that_others_opened_is_skipped_in_words_that_name_no_setting(story: Story) -> None:
    pull = story.repository.open_pull("feature", "main", story.stranger, "Theirs")
    pull.review(story.reviewer, "request_changes", "No.", [InlineComment("total.py", 1, "Why?")])
    story.finish()
    assert pull.comments == []
    pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    [_, comment] = pull.comments
    assert comment.author is story.site.app.bot
    assert "not one that this automation acts on" in comment.body
    assert not any(character.isdigit() for character in comment.body.split("\n", 1)[1].replace("###", ""))


def test_a_skip_offers_the_newest_suppressed_delivery_again(story: Story) -> None:
    """The first requester lost access; a second reviewer's command that came meanwhile is not lost."""
    story.settle_ci("success")
    other = story.second_reviewer()

    def meanwhile() -> None:
        _lose_write_access(story)
        story.pull.review(
            other, "comment", "", [InlineComment("total.py", 4, "```suggestion\n        result += value\n```")]
        )
        story.pull.comment(other, "/auto-swe fix")

    story.before_gathering(meanwhile)
    story.request_changes()
    story.finish()
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded"]
    assert len(story.commits()) == 1
    assert len(story.summaries()) == 1
