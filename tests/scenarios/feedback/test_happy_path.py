"""One feedback round from a reviewer's request to the last word about CI (feedback §1)."""

from autoswe.contracts.records.platform import FireOutcome
from tests.scenarios.story import FIXED, Story


def test_a_request_for_changes_ends_as_one_commit_one_summary_and_a_reply_per_thread(story: Story) -> None:
    story.settle_ci("success")
    story.request_changes()
    story.finish()

    [commit] = story.commits()
    assert story.repository.read(commit, "total.py").decode() == FIXED
    pushed = story.repository.store.commit(commit)
    assert pushed is not None
    assert tuple(pushed.parents) == (story.head,)
    [summary] = story.summaries()
    assert commit in summary.body
    assert "CI passed" in summary.body
    suggestion, remark = story.replies()
    assert [reply.body.splitlines()[1].split(":")[0] for reply in suggestion] == [f"Addressed in {commit}"]
    assert [reply.body.splitlines()[1].split(":")[0] for reply in remark] == ["Needs a person"]
    assert story.fire_outcomes() == [FireOutcome.SUCCEEDED]
    assert story.slot_is_free()
    assert not story.has_work_branch()
    [execution] = story.executions()
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
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    changed = [
        line
        for line in story.repository.diff(story.head, story.commits()[0]).splitlines()
        if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}
    ]
    assert changed == ["-        result = value", "+        result += value"]
