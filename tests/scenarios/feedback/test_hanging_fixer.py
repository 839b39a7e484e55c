"""A fixer that never ends is ended."""

from pathlib import Path

from infra.local.assembly import LocalAssembly
from tests.scenarios.feedback.hostile_story import hostile_task, play


def test_a_fixer_that_hangs_is_ended_and_frees_the_pull_request(tmp_path: Path) -> None:
    with LocalAssembly(tmp_path, task=hostile_task(), task_timeout_seconds=2) as assembly:
        story = play(assembly, "hang")
        assert story.commits() == []
        assert story.fire_outcomes() == ["failed"]
        [summary] = story.summaries()
        assert "could not be completed" in summary.body
