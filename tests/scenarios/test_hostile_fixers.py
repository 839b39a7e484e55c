"""A fixer that crashes, hangs, lies or attacks: the pushed tree holds exactly the collected change, or nothing."""

import sys
from collections.abc import Iterator

import pytest

from autoswe.contracts.rows import GateSettings
from infra.local.assembly import LocalAssembly, fixer_task
from infra.local.embedded_aws.containers import Container, TaskDefinition
from infra.local.github_host.reviews import InlineComment
from tests.scenarios.story import FIXED, SUGGESTION, Story

pytestmark = pytest.mark.xdist_group("scenarios_hostile_fixers")

TESTS = GateSettings(tests=("python3", "-m", "unittest", "discover"))


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    agent, *others = fixer_task().containers
    hostile = Container(
        agent.name,
        (sys.executable, "-m", "tests.scenarios.hostile_agent"),
        essential=False,
        environment=agent.environment,
    )
    task = TaskDefinition("fixer", (hostile, *others))
    with LocalAssembly(tmp_path_factory.mktemp("assembly"), task=task, task_timeout_seconds=15) as running:
        yield running


def _play(assembly: LocalAssembly, behaviour: str, gates: GateSettings | None = None) -> Story:
    story = Story.begin(assembly, gates=gates or GateSettings())
    story.settle_ci("success")
    comments = [InlineComment("total.py", 4, SUGGESTION), InlineComment("total.py", 1, f"behave: {behaviour}")]
    story.pull.review(story.reviewer, "request_changes", "Please.", comments)
    story.finish()
    assert story.slot_is_free()
    assert not story.has_work_branch()
    assert len(story.executions()) == 1
    return story


def _changed_paths(story: Story) -> list[str]:
    [commit] = story.commits()
    patch = story.repository.diff(story.head, commit)
    return sorted(line.split(" b/", 1)[1] for line in patch.splitlines() if line.startswith("diff --git"))


@pytest.mark.parametrize("behaviour", ["crash", "garbage", "become_a_link"])
def test_a_fixer_that_crashes_or_leaves_nothing_usable_pushes_nothing_and_says_so(
    assembly: LocalAssembly, behaviour: str
) -> None:
    story = _play(assembly, behaviour)
    assert story.commits() == []
    [summary] = story.summaries()
    assert "not" in summary.body
    assert story.fire_outcomes() == ["failed"]
    assert not any(story.replies())


@pytest.mark.parametrize("behaviour", ["workflow", "secret"])
def test_a_change_of_a_workflow_or_with_a_secret_is_refused_whole(assembly: LocalAssembly, behaviour: str) -> None:
    story = _play(assembly, behaviour)
    assert story.commits() == []
    [summary] = story.summaries()
    assert "did not allow it" in summary.body
    assert story.fire_outcomes() == ["failed"]


@pytest.mark.parametrize("behaviour", ["escape", "git_config"])
def test_what_is_planted_outside_the_workspace_or_is_no_plain_file_is_never_pushed(
    assembly: LocalAssembly, behaviour: str
) -> None:
    story = _play(assembly, behaviour)
    assert _changed_paths(story) == ["total.py"]
    assert story.repository.read(story.commits()[0], "total.py").decode() == FIXED


def test_a_hostile_test_file_can_spoil_the_gates_but_not_change_what_is_pushed(assembly: LocalAssembly) -> None:
    story = _play(assembly, "conftest", TESTS)
    if story.commits():
        assert _changed_paths(story) == ["conftest.py", "test_evil.py", "total.py"]
    else:
        assert story.fire_outcomes() == ["failed"]


def test_a_fixer_that_hangs_is_ended_and_frees_the_pull_request(assembly: LocalAssembly) -> None:
    story = _play(assembly, "hang")
    assert story.commits() == []
    assert story.fire_outcomes() == ["failed"]
    [summary] = story.summaries()
    assert "could not be completed" in summary.body
