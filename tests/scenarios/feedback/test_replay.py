"""An operator starts an execution anew with an old input (architecture: console replay)."""

import json

from infra.local.assembly import LocalAssembly
from tests.scenarios.story import Story


def _replay(assembly: LocalAssembly, story: Story) -> None:
    [first] = story.executions()
    assembly.aws.start(assembly.machine_arn, "replay-by-hand", json.dumps(first.input))
    story.finish()


def test_replaying_a_finished_round_changes_nothing_on_the_pull_request(assembly: LocalAssembly, story: Story) -> None:
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    before = [comment.body for comment in story.pull.comments], story.commits(), story.replies()
    _replay(assembly, story)
    assert [execution.status for execution in story.executions()] == ["SUCCEEDED", "SUCCEEDED"]
    assert ([comment.body for comment in story.pull.comments], story.commits(), story.replies()) == before
    assert story.slot_is_free()
