"""CI on the pushed commit is watched and told once (feedback §1)."""

import pytest

from tests.scenarios.story import Story


@pytest.mark.parametrize(("conclusion", "sentence"), [("success", "CI passed"), ("failure", "CI failed")])
def test_ci_that_settles_is_told_in_the_one_summary(story: Story, conclusion: str, sentence: str) -> None:
    story.settle_ci(conclusion)
    story.request_changes()
    story.finish()
    [summary] = story.summaries()
    assert sentence in summary.body
    assert story.fire_outcomes() == ["succeeded"]


def test_ci_that_never_starts_is_told_as_none_after_the_grace(story: Story) -> None:
    story.request_changes()
    story.finish()
    [summary] = story.summaries()
    assert "No CI reported" in summary.body
    assert 15 * 60 <= sum(story.waits) < 20 * 60


def test_waits_between_looks_grow_from_fifteen_seconds_to_two_minutes(story: Story) -> None:
    story.request_changes()
    story.finish()
    assert story.waits[:5] == [15, 30, 60, 120, 120]
