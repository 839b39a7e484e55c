"""CI on the pushed commit is watched and told once (feedback §1)."""

import pytest

from autoswe.rules.feedback.ci_verdict import LONGEST_WAIT_SECONDS
from infra.local.github_host.repository import Repository
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


def test_ci_that_never_ends_is_unknown_after_four_hours_and_the_round_succeeds(story: Story) -> None:
    def landed(repository: Repository, branch: str, sha: str) -> None:
        if branch == "feature":
            repository.check_run(sha, "slow", status="in_progress")

    story.repository.on_push(landed)
    story.request_changes()
    story.finish()
    [summary] = story.summaries()
    assert "is unknown" in summary.body
    assert story.fire_outcomes() == ["succeeded"]
    assert 4 * 3600 - LONGEST_WAIT_SECONDS < sum(story.waits) <= 4 * 3600 + LONGEST_WAIT_SECONDS


def test_waits_between_looks_grow_from_fifteen_seconds_to_two_minutes(story: Story) -> None:
    story.request_changes()
    story.finish()
    assert story.waits[:5] == [15, 30, 60, 120, 120]
