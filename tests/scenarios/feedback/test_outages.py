"""GitHub is away for hours, at any point of a round: the request is served afterwards, or answered (feedback §10)."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.functions.functions import FunctionError, Hooks, Invocation
from tests.scenarios.story import FIXED, Story
from tests.support.containers.warm import warm_task

HOUR = 3600.0
IN_EVERY_STATE = pytest.mark.soak(reason="an outage of hours is survived in every state that asks the host")
BETWEEN_SWEEPS = HOUR
"""The deployment sweeps more often."""


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    with LocalAssembly(tmp_path_factory.mktemp("outages"), task=warm_task()) as up:
        yield up


@pytest.fixture
def story(assembly: LocalAssembly) -> Iterator[Story]:
    one = Story.begin(assembly)
    one.settle_ci("success")
    yield one
    assembly.aws.hooks.before_invoke = Hooks().before_invoke
    assembly.host.faults.outages.clear()


def before(story: Story, state: str, act: Callable[[], object], visit: int = 1) -> None:
    """Act once, just before a state's function is invoked for the ``visit``-th time."""
    visits = []

    def look(invocation: Invocation) -> None:
        if invocation.state == state:
            visits.append(state)
            if len(visits) == visit:
                act()

    story.assembly.aws.hooks.before_invoke = look


def pass_hours(story: Story, hours: float) -> None:
    """Let hours pass with their sweeps; one that cannot ask the host for lost deliveries fails, and the next comes."""
    for _ in range(int(hours * HOUR // BETWEEN_SWEEPS)):
        story.assembly.clock.advance(BETWEEN_SWEEPS)
        with suppress(FunctionError):
            story.assembly.aws.functions.invoke("sweep_deliveries", {})
        story.finish()


def served(story: Story) -> None:
    """Judge what stands there: one commit with the fix, one summary that is true, one reply a thread, nothing held."""
    assert len(story.commits()) == 1
    assert story.repository.read("feature", "total.py").decode() == FIXED
    [summary] = story.summaries()
    assert f"Pushed commit: {story.commits()[0]}" in summary.body
    assert "being watched" not in summary.body
    assert [len(thread) for thread in story.replies()] == [1, 1]
    assert story.slot_is_free()
    assert not story.has_work_branch()
    assert story.fire_outcomes() == ["succeeded"]


@pytest.mark.parametrize(
    ("state", "visit"),
    [
        ("Gather feedback", 1),
        ("Push fix", 1),
        pytest.param("Respond", 1, marks=IN_EVERY_STATE),
        pytest.param("Poll CI", 2, marks=IN_EVERY_STATE),
        pytest.param("Respond about CI", 1, marks=IN_EVERY_STATE),
    ],
)
def test_a_host_that_is_away_for_nearly_three_hours_delays_a_round_and_changes_nothing(
    story: Story, state: str, visit: int
) -> None:
    before(story, state, lambda: story.site.host.outage(2.75 * HOUR), visit)
    story.request_changes()
    story.finish()
    served(story)


@pytest.mark.parametrize("state", ["Gather feedback", "Push fix"])
def test_a_round_that_an_outage_outlasted_is_taken_up_again_by_the_sweep(story: Story, state: str) -> None:
    before(story, state, lambda: story.site.host.outage(8 * HOUR))
    story.request_changes()
    story.finish()
    assert story.executions()[0].status == "FAILED"
    pass_hours(story, 12)
    served(story)
    assert "taken_up:1" in [row["event"] for row in story.rows("EVENT#")]
    assert len(story.executions()) <= 3


@pytest.mark.soak(reason="a round that has pushed tells so after an outage longer than any one state waits")
def test_a_pushed_round_that_could_tell_nobody_for_eight_hours_tells_it_then(story: Story) -> None:
    before(story, "Respond", lambda: story.site.host.outage(8 * HOUR))
    story.request_changes()
    story.finish()
    pass_hours(story, 12)
    served(story)


def test_a_round_that_another_one_has_made_up_for_is_not_taken_up(story: Story) -> None:
    before(story, "Gather feedback", lambda: story.site.host.outage(4 * HOUR))
    story.request_changes()
    story.finish()
    assert not story.commits()
    story.assembly.clock.advance(2 * HOUR)
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    assert len(story.commits()) == 1
    pass_hours(story, 4)
    assert len(story.commits()) == 1
    assert len(story.executions()) == 2


def test_a_round_that_is_ended_while_it_watches_ci_corrects_what_its_summary_says(story: Story) -> None:
    def end() -> None:
        story.assembly.aws.stop(story.executions()[-1].arn)

    before(story, "Poll CI", end)
    story.request_changes()
    story.finish()
    assert "being watched" in story.summaries()[0].body
    assert story.fire_outcomes() == ["succeeded"]
    pass_hours(story, 1)
    served(story)


def test_a_round_that_gives_up_for_good_says_so_to_whom_it_trusted(story: Story) -> None:
    story.site.host.outage(100 * HOUR, operation="GET */git/trees/*")
    story.request_changes()
    story.finish()
    assert "could not be completed" in story.summaries()[0].body
    pass_hours(story, 24)
    assert len(story.executions()) == 3
    assert "could not be completed" in story.summaries()[0].body
    assert story.slot_is_free()


def test_a_failure_before_anybody_was_found_trusted_says_nothing(story: Story) -> None:
    story.site.host.outage(100 * HOUR, operation="GET */collaborators/*")
    story.request_changes()
    story.finish()
    assert story.executions()[0].status == "FAILED"
    assert story.said_nothing()
    assert story.slot_is_free()
