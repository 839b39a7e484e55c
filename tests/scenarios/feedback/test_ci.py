"""CI on the pushed commit is watched and told once (feedback §1); the happy path tells of one that passes."""

from tests.scenarios.story import Story


def test_ci_that_fails_is_told_in_the_one_summary(story: Story) -> None:
    story.settle_ci("failure")
    story.request_changes()
    story.finish()
    [summary] = story.summaries()
    assert "CI failed" in summary.body
    assert story.fire_outcomes() == ["succeeded"]


def test_ci_that_never_starts_is_told_as_none_after_a_grace_of_looks_that_grow_rarer(story: Story) -> None:
    story.request_changes()
    story.finish()
    [summary] = story.summaries()
    assert "No CI reported" in summary.body
    assert 15 * 60 <= sum(story.waits) < 20 * 60
    assert story.waits[:5] == [15, 30, 60, 120, 120]
