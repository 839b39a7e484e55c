"""The pull request's branch moves while a round works, or takes no push at all (feedback §2, §5)."""

from collections.abc import Callable

import pytest

from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.calls import Call as ServiceCall
from infra.local.embedded_aws.calls import Effect, undisturbed
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.http.calls import Call
from infra.local.github_host.http.faults import Proceed, lose_reply, refuse
from tests.scenarios.story import Story


def _refused_visibly(story: Story) -> None:
    [summary] = story.summaries()
    assert "did not allow it" in summary.body
    assert not any(story.replies())
    assert story.fire_outcomes() == ["failed"]
    assert story.slot_is_free()
    assert not story.has_work_branch()


def test_a_head_that_moves_while_the_fixer_runs_is_never_overwritten(assembly: LocalAssembly, story: Story) -> None:
    moved: list[str] = []

    def push_meanwhile(call: ServiceCall, effect: Effect) -> None:
        effect()
        if call.operation == "RunTask":
            moved.append(story.repository.commit("feature", {"other.py": "x = 1\n"}, "Meanwhile"))

    assembly.aws.around_calls(push_meanwhile)
    story.request_changes()
    story.finish()
    assembly.aws.around_calls(undisturbed)
    assert story.commits() == moved
    assert len(moved) == 1
    _refused_visibly(story)


def test_a_head_reset_to_its_parent_between_gates_and_push_is_not_resurrected(
    assembly: LocalAssembly, story: Story
) -> None:
    [parent] = [commit.sha for commit in story.repository.log("main")]

    def reset_first(_call: Call, proceed: Proceed) -> Reply:
        story.repository.reset("feature", parent)
        return proceed()

    assembly.host.faults.add("*UpdateRefs*", reset_first)
    story.request_changes()
    story.finish()
    assert story.repository.tip("feature") == parent
    _refused_visibly(story)


@pytest.mark.parametrize("close", [
    lambda story: story.repository.protect("feature"),
    lambda story: story.repository.add_rule("feature", "pull_request"),
])  # fmt: skip
def test_a_branch_that_takes_no_direct_push_is_told_so_before_anything_is_spent(
    story: Story, close: Callable[[Story], None]
) -> None:
    close(story)
    story.request_changes()
    story.finish()
    [fire] = story.rows("FIRE#")
    assert (fire["outcome"], fire["reason"]) == ("skipped", "protected_branch")
    assert "prepare" not in story.executions()[0].output
    assert "takes no direct push" in story.summaries()[0].body
    assert story.commits() == []


def test_a_branch_under_rules_that_our_commit_keeps_gets_its_fix(story: Story) -> None:
    for rule in ("required_signatures", "required_linear_history", "non_fast_forward", "deletion"):
        story.repository.add_rule("feature", rule)
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert (len(story.commits()), story.fire_outcomes()) == (1, ["succeeded"])


def test_lost_replies_to_the_push_and_to_comments_are_reconciled_by_looking_and_nothing_is_done_twice(
    assembly: LocalAssembly, story: Story
) -> None:
    story.settle_ci("success")
    assembly.host.faults.add("*UpdateRefs*", lose_reply())
    assembly.host.faults.add("POST */issues/{issue_number}/comments", lose_reply())
    assembly.host.faults.add("POST */pulls/{pull_number}/comments/{comment_id}/replies", lose_reply(502))
    story.request_changes()
    story.finish()
    assert len(story.commits()) == 1
    assert len(story.summaries()) == 1
    assert [len(thread) for thread in story.replies()] == [1, 1]
    assert story.fire_outcomes() == ["succeeded"]
    assert not story.has_work_branch()


def test_comments_that_fail_without_an_effect_are_made_a_minute_later(assembly: LocalAssembly, story: Story) -> None:
    story.settle_ci("success")
    assembly.host.faults.add("POST */issues/{issue_number}/comments", refuse(502, "Bad Gateway"))
    story.request_changes()
    story.finish()
    assert len(story.summaries()) == 1
    assert story.fire_outcomes() == ["succeeded"]
