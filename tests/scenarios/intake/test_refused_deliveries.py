"""Deliveries that start nothing (feedback §1)."""

from dataclasses import replace

from infra.local.assembly import LocalAssembly
from tests.scenarios.story import Story


def test_a_bad_signature_is_answered_401_and_leaves_no_trace(assembly: LocalAssembly, story: Story) -> None:
    story.request_changes(deliver=False)
    [review] = [one for one in assembly.host.deliveries if one.event == "pull_request_review"][-1:]
    forged = replace(review, headers={**review.headers, "X-Hub-Signature-256": "sha256=" + "0" * 64})
    assert assembly.host.deliver(forged).status == 401
    story.finish()
    assert story.executions() == []
    assert story.rows("") == [row for row in story.rows("") if row["sk"] == "ORIGIN"]


def test_a_strangers_command_does_nothing_and_does_not_hold_up_a_reviewers(story: Story) -> None:
    story.settle_ci("success")
    story.request_changes(deliver=False)
    story.pull.comment(story.stranger, "/auto-swe fix")
    asked = story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    [execution] = story.executions()
    assert f"@discussion_comment-{asked.id}#" in execution.input["decision_id"]
    assert len(story.commits()) == 1
