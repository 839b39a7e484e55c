"""Two reviewers ask at once: one round at a time, and what it leaves out is said (feedback, limitations)."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import FIXED, SUGGESTION, Story

LATE = "Feedback that arrived after this round started is not part of it."


def _suggestion(line: int, better: str) -> InlineComment:
    return InlineComment("total.py", line, f"```suggestion\n{better}\n```")


def _suppressed(story: Story) -> list[str]:
    rows = [row for row in story.rows("EVENT#") if row["event"] == "delivery_suppressed"]
    return [row["delivery"] for row in rows]


def test_of_two_requests_at_the_same_moment_one_makes_a_round_and_the_other_is_told_as_late(story: Story) -> None:
    story.settle_ci("success")
    other = story.second_reviewer()
    story.pull.review(story.reviewer, "request_changes", "", [InlineComment("total.py", 4, SUGGESTION)], deliver=False)
    first = story.site.host.deliveries[-2]
    story.pull.review(other, "request_changes", "", [InlineComment("total.py", 1, "Why?")], deliver=False)
    second = story.site.host.deliveries[-2]
    assert (first.event, second.event) == ("pull_request_review", "pull_request_review")
    with ThreadPoolExecutor(2) as both:
        list(both.map(story.site.host.deliver, (first, second)))
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    assert len(_suppressed(story)) == 1
    [summary] = story.summaries()
    assert LATE in summary.body
    # Both had written before the round gathered, so it worked on both all the same.
    assert [len(thread) for thread in story.replies()] == [1, 1]
    assert len(story.commits()) == 1


def test_what_a_second_reviewer_says_without_asking_for_a_round_is_no_late_request(story: Story) -> None:
    story.settle_ci("success")
    other = story.second_reviewer()
    spoken: list[float] = []

    def meanwhile(seconds: float) -> None:
        if not spoken:
            spoken.append(seconds)
            story.pull.review(other, "comment", "", [InlineComment("total.py", 1, "Why?")])

    story.on_wait(meanwhile)
    story.request_changes()
    story.finish()
    assert spoken
    assert _suppressed(story) == []
    assert LATE not in story.summaries()[0].body


def test_a_second_request_after_the_round_is_a_round_of_its_own_without_a_late_line(story: Story) -> None:
    story.settle_ci("success")
    other = story.second_reviewer()
    story.request_changes()
    story.finish()
    story.pull.review(other, "request_changes", "", [_suggestion(1, "def total(values, start=0):")])
    story.finish()
    assert story.fire_outcomes() == ["succeeded", "succeeded"]
    assert LATE not in story.summaries()[0].body
    fixed = FIXED.replace("def total(values):", "def total(values, start=0):")
    assert story.repository.read("feature", "total.py").decode() == fixed


def test_a_request_that_a_pushed_round_suppressed_is_not_offered_again(story: Story) -> None:
    story.settle_ci("success")
    other = story.second_reviewer()
    story.before_gathering(lambda: story.pull.comment(other, "/auto-swe fix"))
    story.request_changes()
    story.finish()
    assert len(_suppressed(story)) == 1
    assert story.fire_outcomes() == ["succeeded"]
    assert LATE in story.summaries()[0].body


def test_after_a_visible_skip_the_suppressed_request_gets_its_turn_and_the_summary_says_the_newest(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work branch that stopped the first round is gone by the time of the second."""
    story.settle_ci("success")
    other = story.second_reviewer()
    branch = f"auto-swe/feedback/pr-{story.pull.number}"
    story.repository.commit(branch, {"left.txt": "over\n"}, "Left over", parent_branch="feature")
    story.request_changes(deliver=False)
    review = story.site.host.deliveries[-3]

    def clear_away(invocation: Invocation, _outcome: Outcome) -> None:
        if invocation.function == "respond" and story.has_work_branch():
            story.repository.delete_branch(branch)

    monkeypatch.setattr(story.assembly.aws.hooks, "after_invoke", clear_away)
    story.before_gathering(lambda: story.pull.comment(other, "/auto-swe fix"))
    story.site.host.deliver(review)
    story.finish()
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded"]
    [skipped] = [row for row in story.rows("FIRE#") if row["outcome"] == "skipped"]
    assert skipped["reason"] == "work_branch_left"
    assert len(story.commits()) == len(story.summaries()) == 1
    [summary] = story.summaries()
    assert story.commits()[0] in summary.body
    assert LATE not in summary.body


def test_when_both_are_skipped_each_is_decided_once_and_it_ends_there(story: Story) -> None:
    other = story.second_reviewer()

    def meanwhile() -> None:
        story.pull.close()
        story.pull.comment(other, "/auto-swe fix")

    story.before_gathering(meanwhile)
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["skipped", "skipped"]
    assert story.said_nothing()
    assert story.slot_is_free()
