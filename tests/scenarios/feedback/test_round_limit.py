"""An automation's rounds on one pull request are bounded, and only pushes count (feedback §2, limitations)."""

import json
import re

from autoswe.contracts.records.platform import Automation
from infra.local.assembly import LocalAssembly
from infra.local.github_host.http.faults import lose_reply
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.story import FLAWED, Story

LIMIT_TOLD = "this pull request has had all the rounds it may have"


def _ask(story: Story, line: int) -> None:
    """Have the reviewer ask for a round, with one suggestion that no round has applied yet."""
    better = f"{FLAWED.splitlines()[line - 1]}  # line {line}"
    comment = InlineComment("total.py", line, f"```suggestion\n{better}\n```")
    story.pull.review(story.reviewer, "comment", "/auto-swe fix", [comment])
    story.finish()


def _limited_to(story: Story, rounds: int) -> None:
    automation = Automation(automation_id="address-pr-feedback", enabled=True, max_rounds=rounds)
    story.assembly.records.save_automation(story.site.connection, automation)


def _replay(assembly: LocalAssembly, story: Story, name: str) -> None:
    assembly.aws.start(assembly.machine_arn, name, json.dumps(story.executions()[-1].input))
    story.finish()


def _told_of_the_limit(story: Story) -> None:
    """Require that the one summary speaks of the limit, and names neither its number nor its setting."""
    [summary] = story.summaries()
    assert LIMIT_TOLD in summary.body
    shown = re.sub(r"<!--.*?-->|[0-9a-f]{40}", "", summary.body)
    assert not re.search(r"\d", shown)
    assert not any(word in shown.lower() for word in ("maxrounds", "max_rounds", "setting"))
    assert story.slot_is_free()


def test_a_round_that_pushes_nothing_leaves_the_rounds_as_many_as_they_were(story: Story) -> None:
    _limited_to(story, 1)
    story.settle_ci("success")
    remark = InlineComment("total.py", 1, "Why is that?")
    for _ in range(2):
        story.pull.review(story.reviewer, "request_changes", "", [remark])
        story.finish()
    assert (story.commits(), story.fire_outcomes()) == ([], ["succeeded", "succeeded"])
    _ask(story, 2)
    assert len(story.commits()) == 1
    _ask(story, 3)
    assert len(story.commits()) == 1
    _told_of_the_limit(story)


def test_a_round_counts_once_however_often_it_is_retried_and_replayed_and_the_one_too_many_is_a_visible_skip(
    assembly: LocalAssembly, story: Story
) -> None:
    _limited_to(story, 2)
    story.settle_ci("success")
    assembly.host.faults.add("*UpdateRefs*", lose_reply())
    _ask(story, 1)
    for number in range(3):
        _replay(assembly, story, f"replay-{story.site.connection}-{number}")
    assert len(story.commits()) == 1
    _ask(story, 2)
    assert len(story.commits()) == 2
    assert LIMIT_TOLD not in story.summaries()[0].body
    _ask(story, 3)
    assert len(story.commits()) == 2
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded", "succeeded"]
    _told_of_the_limit(story)
