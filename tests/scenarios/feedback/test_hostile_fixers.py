"""A fixer that crashes, hangs, lies or attacks: the pushed tree holds exactly the collected change, or nothing."""

import os
from collections.abc import Iterator

import pytest

from autoswe.contracts.records.platform import GateSettings
from infra.local.assembly import LocalAssembly
from tests.scenarios.feedback.hostile_story import hostile_task, play
from tests.scenarios.story import FIXED, Story

IMPORTS_CONFTEST = GateSettings(tests=("python3", "-c", "import conftest"))


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    with LocalAssembly(tmp_path_factory.mktemp("assembly"), task=hostile_task()) as running:
        yield running


def _changed_paths(story: Story) -> list[str]:
    [commit] = story.commits()
    patch = story.repository.diff(story.head, commit)
    return sorted(line.split(" b/", 1)[1] for line in patch.splitlines() if line.startswith("diff --git"))


@pytest.mark.parametrize("behaviour", ["crash", "garbage", "become_a_link"])
def test_a_fixer_that_crashes_or_leaves_nothing_usable_pushes_nothing_and_says_so(
    assembly: LocalAssembly, behaviour: str
) -> None:
    story = play(assembly, behaviour)
    assert story.commits() == []
    [summary] = story.summaries()
    assert "could not be completed" in summary.body
    assert story.fire_outcomes() == ["failed"]
    assert not any(story.replies())


@pytest.mark.parametrize("behaviour", ["workflow", "secret"])
def test_a_change_of_a_workflow_or_with_a_secret_is_refused_whole(assembly: LocalAssembly, behaviour: str) -> None:
    story = play(assembly, behaviour)
    assert story.commits() == []
    [summary] = story.summaries()
    assert "did not allow it" in summary.body
    assert story.fire_outcomes() == ["failed"]


def test_what_is_planted_outside_the_workspace_or_is_no_plain_file_is_never_pushed(assembly: LocalAssembly) -> None:
    """Links, a pipe, a file beside the workspace, and a folder of git's with hooks of its own."""
    story = play(assembly, "plant")
    assert _changed_paths(story) == ["total.py"]
    assert story.repository.read(story.commits()[0], "total.py").decode() == FIXED


def test_a_hostile_conftest_reads_no_secret_and_changes_nothing_but_what_was_collected(assembly: LocalAssembly) -> None:
    """It is part of the change, so it is pushed as collected; that its gate passed says it found nothing to leak."""
    story = play(assembly, "conftest", IMPORTS_CONFTEST)
    if os.geteuid() == 0 or story.commits():
        assert _changed_paths(story) == ["conftest.py", "total.py"]
        assert "tests passed" in story.summaries()[0].body
    else:
        # Without another user to run gates as, a hostile gate can end its own container, and then nothing is pushed.
        assert story.fire_outcomes() == ["failed"]
