"""One feedback round from a reviewer's request to the last word about CI (feedback §1), and its replay."""

import json

import pytest

from autoswe.contracts.records.platform import FireOutcome
from infra.local.assembly import LocalAssembly
from tests.scenarios.story import FIXED, Story


@pytest.fixture(scope="module")
def story(assembly: LocalAssembly) -> Story:
    """A story after its one round, which nothing disturbed."""
    story = Story.begin(assembly)
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    return story


def test_a_request_for_changes_ends_as_one_commit_one_summary_and_a_reply_per_thread(story: Story) -> None:
    [commit] = story.commits()
    assert story.repository.read(commit, "total.py").decode() == FIXED
    pushed = story.repository.store.commit(commit)
    assert pushed is not None
    assert tuple(pushed.parents) == (story.head,)
    [summary] = story.summaries()
    assert commit in summary.body
    assert "CI passed" in summary.body
    assert "arrived after" not in summary.body
    suggestion, remark = story.replies()
    assert [reply.body.splitlines()[1].split(":")[0] for reply in suggestion] == [f"Addressed in {commit}"]
    assert [reply.body.splitlines()[1].split(":")[0] for reply in remark] == ["Needs a person"]
    assert story.fire_outcomes() == [FireOutcome.SUCCEEDED]
    assert story.slot_is_free()
    assert not story.has_work_branch()
    execution = story.executions()[0]
    assert execution.status == "SUCCEEDED"
    assert execution.state_names[:6] == (
        "Gather feedback",
        "Anything to fix?",
        "Prepare task",
        "Run fixer",
        "Push fix",
        "Respond",
    )


def test_only_the_suggested_line_differs_in_the_pushed_commit(story: Story) -> None:
    changed = [
        line
        for line in story.repository.diff(story.head, story.commits()[0]).splitlines()
        if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}
    ]
    assert changed == ["-        result = value", "+        result += value"]


def test_replaying_a_finished_round_changes_nothing_on_the_pull_request(assembly: LocalAssembly, story: Story) -> None:
    """As an operator does it: an execution is started anew with the old input (architecture: console replay)."""
    before = [comment.body for comment in story.pull.comments], story.commits(), story.replies()
    [first] = story.executions()
    assembly.aws.start(assembly.machine_arn, "replay-by-hand", json.dumps(first.input))
    story.finish()
    assert [execution.status for execution in story.executions()] == ["SUCCEEDED", "SUCCEEDED"]
    assert ([comment.body for comment in story.pull.comments], story.commits(), story.replies()) == before
    assert story.slot_is_free()
