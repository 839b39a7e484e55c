"""The same delivery, however often it comes, is decided once (architecture: intake)."""

import json
from concurrent.futures import ThreadPoolExecutor

from infra.local.assembly import LocalAssembly
from tests.scenarios.story import Story

DAY_SECONDS = 24 * 60 * 60


def test_fifty_copies_at_once_and_one_a_day_later_make_one_round(assembly: LocalAssembly, story: Story) -> None:
    story.settle_ci("success")
    story.request_changes(deliver=False)
    [review] = [delivery for delivery in assembly.host.deliveries if delivery.event == "pull_request_review"]
    with ThreadPoolExecutor(50) as pool:
        attempts = list(pool.map(lambda _: assembly.host.deliver(review), range(50)))
    story.finish()
    assembly.clock.advance(DAY_SECONDS)
    attempts.append(assembly.host.deliver(review))
    story.finish()

    assert [attempt.status for attempt in attempts] == [202] * 51
    outcomes = [json.loads(attempt.body)["outcome"] for attempt in attempts]
    assert sorted(outcomes) == ["decided"] + ["duplicate"] * 50
    assert len(story.executions()) == 1
    assert len(story.commits()) == 1
    assert len(story.summaries()) == 1
    assert [len(thread) for thread in story.replies()] == [1, 1]


def test_a_second_request_while_a_round_runs_is_suppressed_and_told_as_late(
    assembly: LocalAssembly, story: Story
) -> None:
    story.settle_ci("success")
    arrived: list[float] = []

    def late(seconds: float) -> None:
        if not arrived:
            arrived.append(seconds)
            story.pull.comment(story.reviewer, "/auto-swe fix")

    story.on_wait(late)
    story.request_changes()
    story.finish()
    assert arrived
    assert len(story.executions()) == 1
    [summary] = story.summaries()
    assert "arrived after this round started" in summary.body
