"""Who may be heard is judged comment by comment when the round gathers, not when it was asked for (feedback §2, §3)."""

import pytest

from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import SUGGESTION, Story

ADDED = "```suggestion\ndef total(values, start=0):\n```"


def _skipped_in_silence(story: Story, reason: str) -> None:
    assert story.said_nothing()
    assert story.slot_is_free()
    [fire] = story.rows("FIRE#")
    assert (fire["outcome"], fire["reason"]) == ("skipped", reason)


def test_a_command_that_is_edited_away_before_the_round_gathers_starts_nothing(story: Story) -> None:
    story.pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    story.before_gathering(lambda: story.pull.comments[-1].edit("Never mind."))
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    _skipped_in_silence(story, "trigger_changed")


def test_a_command_that_is_edited_and_stays_one_starts_its_round_with_the_new_text(story: Story) -> None:
    story.settle_ci("success")
    story.pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    story.before_gathering(lambda: story.pull.comments[-1].edit("Start with the sum.\n\n/auto-swe fix"))
    story.pull.comment(story.reviewer, "Start with the names.\n\n/auto-swe fix")
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    notes = story.brief().trigger_notes or ""
    assert "Start with the sum." in notes
    assert "names" not in notes


@pytest.mark.parametrize("place", ["discussion", "thread"])
def test_a_command_that_is_deleted_before_the_round_gathers_starts_nothing(story: Story, place: str) -> None:
    story.pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])

    def delete() -> None:
        (story.pull.comments if place == "discussion" else story.pull.threads[0].comments)[-1].delete()

    story.before_gathering(delete)
    if place == "discussion":
        story.pull.comment(story.reviewer, "/auto-swe fix")
    else:
        story.pull.threads[0].reply(story.reviewer, "/auto-swe fix")
    story.finish()
    _skipped_in_silence(story, "trigger_gone")


def test_who_lost_write_access_or_membership_since_commenting_is_not_heard_in_anothers_round(story: Story) -> None:
    """The record of a member who was ended counts, whatever the host lets that person do."""
    story.settle_ci("success")
    other = story.second_reviewer()
    former = story.site.host.add_user(f"{story.reviewer.login}-3")
    story.repository.collaborators.set_permission(former, "admin")
    for author in (other, former):
        story.pull.review(author, "comment", "", [InlineComment("total.py", 1, ADDED)])
    story.pull.threads[0].reply(story.reviewer, "Agreed, and in words that count.")
    story.before_gathering(lambda: story.repository.collaborators.set_permission(other, "read"))
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    assert "start=0" not in story.repository.read("feature", "total.py").decode()
    assert [thread.label for thread in story.brief().threads] == ["T1", "T2"]
    assert not any("words that count" in thread.text for thread in story.brief().threads)
    assert story.executions()[0].output["gather"]["value"]["dropped_comments"] == 3
    assert [len(thread) for thread in story.replies()] == [0, 0, 1, 1]


def _former(story: Story) -> Account:
    """Return somebody who is no member any more and whom the host still lets write."""
    account = story.site.host.add_user(f"{story.reviewer.login}-former")
    story.repository.collaborators.set_permission(account, "write")
    return account


@pytest.mark.parametrize("by", ["former", "bot"])
def test_a_suggestion_that_somebody_who_is_not_trusted_changed_is_not_applied_and_its_thread_not_answered(
    story: Story, by: str
) -> None:
    story.settle_ci("success")
    story.pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 1, ADDED)])
    editor = _former(story) if by == "former" else story.site.app.bot
    story.pull.threads[0].comments[0].edit(ADDED.replace("start=0", "start=evil()"), by=editor)
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    assert "start" not in story.repository.read("feature", "total.py").decode()
    assert story.executions()[0].output["gather"]["value"]["dropped_comments"] == 1
    assert [len(thread) for thread in story.replies()] == [0, 1, 1]


def test_a_command_that_a_former_member_changed_before_the_round_gathers_starts_nothing(story: Story) -> None:
    story.pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    former = _former(story)
    story.before_gathering(lambda: story.pull.comments[-1].edit("Do it my way.\n\n/auto-swe fix", by=former))
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    _skipped_in_silence(story, "editor_not_trusted")


def test_the_triggers_thread_is_kept_though_a_stranger_opened_it_and_the_stranger_is_not_heard(story: Story) -> None:
    story.settle_ci("success")
    story.pull.review(story.stranger, "comment", "", [InlineComment("total.py", 4, f"Strange. {SUGGESTION}")])
    story.pull.review(story.stranger, "comment", "", [InlineComment("total.py", 1, "Strange, too.")])
    theirs, another = story.pull.threads
    theirs.reply(story.reviewer, "The sum is wrong, look at each value.")
    another.reply(story.reviewer, "I do not see it.")
    theirs.reply(story.reviewer, "/auto-swe fix")
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    [thread] = story.brief().threads
    assert "look at each value" in thread.text
    assert "Strange" not in thread.text
    assert story.brief().suggestions == ()
    assert story.commits() == []
    assert [len(thread) for thread in story.replies()] == [1, 0]
    # The stranger's two, and what the reviewer said in a thread that is not the trigger's.
    assert story.executions()[0].output["gather"]["value"]["dropped_comments"] == 3


def test_a_command_in_a_strangers_thread_with_nothing_trusted_beside_it_is_still_a_round(story: Story) -> None:
    """The command is the reviewer's own word in that thread."""
    story.pull.review(story.stranger, "comment", "", [InlineComment("total.py", 1, "Strange.")])
    story.pull.threads[0].reply(story.reviewer, "/auto-swe fix")
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    [thread] = story.brief().threads
    assert "Strange" not in thread.text
