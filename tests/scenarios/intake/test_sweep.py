"""What is lost on the way to a round is found again, and leads to exactly one round (architecture §4)."""

from collections.abc import Iterator
from typing import Any

import pytest

from autoswe.rules.intake.redelivery import LOOK_BACK, PAUSES
from autoswe.rules.settings.registry import KILL_SWITCH
from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.functions.functions import Invocation, Outcome
from infra.local.github_host.webhooks.deliveries import Delivery
from tests.scenarios.story import Story

NOBODY = "http://127.0.0.1:9"
TWO_MINUTES = 121
TEN_MINUTES = 600


@pytest.fixture(autouse=True)
def _undisturbed(assembly: LocalAssembly) -> Iterator[None]:
    """Leave nothing of one story's trouble to the next."""
    yield
    fail(assembly)


def fail(assembly: LocalAssembly, *functions: str) -> None:
    """Let these functions fail from now on, before they do anything, and no others."""

    def before(invocation: Invocation) -> None:
        if invocation.function in functions:
            raise ConnectionError("it is down")

    assembly.aws.hooks.before_invoke = before


def sweep(story: Story, after: float = TWO_MINUTES) -> dict[str, Any]:
    """Let time pass, sweep, and return what was found of the story's connection."""
    story.assembly.clock.advance(after)
    told = story.assembly.sweep()["connections"]
    [found] = [one for one in told if one["connection"] == story.site.connection]
    assert isinstance(found, dict)
    return found


def review_delivery(story: Story) -> Delivery:
    """Find the delivery of the reviewer's review, which came before those of our own."""
    of_app = [one for one in story.assembly.host.deliveries if one.app is story.site.app]
    return next(one for one in of_app if one.event == "pull_request_review")


def one_round(story: Story) -> None:
    """Require that the story came to the end that it has when nothing is lost."""
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    assert len(story.executions()) == 1
    assert len(story.commits()) == 1
    assert len(story.summaries()) == 1
    assert story.slot_is_free()


def test_a_delivery_that_never_arrives_is_attempted_eight_times_with_growing_pauses_and_then_given_up(
    story: Story,
) -> None:
    story.site.app.webhook_url = NOBODY
    story.request_changes()
    delivery = review_delivery(story)
    for made, pause in enumerate(PAUSES, start=1):
        sweep(story, pause.total_seconds() - 60)
        assert len(delivery.attempts) == made
        sweep(story, 60)
        assert len(delivery.attempts) == made + 1
    for _ in range(3):
        assert sweep(story, LOOK_BACK.total_seconds() / 3)["asked"] == []
    assert len(delivery.attempts) == 8


def test_a_delivery_that_our_webhook_failed_at_is_delivered_again_and_makes_one_round(
    assembly: LocalAssembly, story: Story
) -> None:
    story.settle_ci("success")
    fail(assembly, "receive_delivery")
    story.request_changes()
    assert review_delivery(story).status == 500
    fail(assembly)
    assert review_delivery(story).guid in sweep(story)["asked"]
    one_round(story)
    assert [attempt.redelivery for attempt in review_delivery(story).attempts] == [False, True]
    assert sweep(story, TEN_MINUTES)["asked"] == []
    one_round(story)


def test_a_delivery_that_came_while_our_webhook_was_down_is_delivered_again_and_makes_one_round(story: Story) -> None:
    story.settle_ci("success")
    address, story.site.app.webhook_url = story.site.app.webhook_url, NOBODY
    story.request_changes()
    assert sweep(story)["asked"] != []
    story.site.app.webhook_url = address
    assert sweep(story, TWO_MINUTES)["asked"] == []
    assert review_delivery(story).guid in sweep(story, TEN_MINUTES)["asked"]
    one_round(story)
    assert len(review_delivery(story).attempts) == 3


def test_a_delivery_whose_answer_alone_was_lost_is_not_delivered_again(assembly: LocalAssembly, story: Story) -> None:
    def lose(invocation: Invocation, _outcome: Outcome) -> None:
        if invocation.function == "receive_delivery":
            raise ConnectionError("the answer was lost")

    story.settle_ci("success")
    before, assembly.aws.hooks.after_invoke = assembly.aws.hooks.after_invoke, lose
    story.request_changes()
    assembly.aws.hooks.after_invoke = before
    assert review_delivery(story).status == 500
    found = sweep(story)
    assert review_delivery(story).guid not in found["asked"]
    assert found["deliveries"]["recorded"] == 1
    one_round(story)


def test_a_good_delivery_is_never_delivered_again(story: Story) -> None:
    story.settle_ci("success")
    story.request_changes()
    one_round(story)
    for _ in range(3):
        found = sweep(story, TEN_MINUTES)
        assert (found["asked"], found["started"]) == ([], [])
    assert len(review_delivery(story).attempts) == 1
    one_round(story)


def test_a_delivery_that_we_refused_is_not_delivered_again(story: Story) -> None:
    secret, story.site.app.webhook_secret = story.site.app.webhook_secret, "another"
    story.request_changes()
    story.site.app.webhook_secret = secret
    found = sweep(story, TEN_MINUTES)
    assert (found["asked"], set(found["deliveries"]) - {"other_event", "delivered"}) == ([], {"refused"})


def test_a_decision_whose_start_failed_every_time_is_started_and_makes_one_round(
    assembly: LocalAssembly, story: Story
) -> None:
    story.settle_ci("success")
    fail(assembly, "start_workflow")
    story.request_changes()
    story.finish()
    assert story.executions() == []
    fail(assembly)
    [started] = sweep(story)["started"]
    assert started.startswith(f"DECISION#{story.site.connection}#")
    one_round(story)
    assert sweep(story, TEN_MINUTES)["started"] == []
    one_round(story)


def test_a_decision_that_never_started_does_not_start_beside_the_round_that_took_its_pull_request(
    assembly: LocalAssembly, story: Story
) -> None:
    """The lease of the first request runs out before anything starts, so the second gets the pull request."""
    story.settle_ci("success")
    fail(assembly, "start_workflow")
    story.request_changes()
    story.finish()
    fail(assembly)
    assembly.clock.advance(31 * 60)
    found: list[dict[str, Any]] = []

    def sweep_meanwhile(_seconds: float) -> None:
        if not found:
            found.append(sweep(story, 0))

    story.on_wait(sweep_meanwhile)
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    assert [(one["started"], one["decisions"]) for one in found] == [([], {"slot_held": 1})]
    assert len(story.executions()) == 1
    assert len(sweep(story)["started"]) == 1
    story.finish()
    assert len(story.executions()) == 2
    assert len(story.fire_outcomes()) == 2
    assert story.slot_is_free()


def test_with_the_kill_switch_off_nothing_is_started_and_nothing_asked_for_until_it_is_on_again(
    assembly: LocalAssembly, story: Story
) -> None:
    story.settle_ci("success")
    fail(assembly, "start_workflow")
    story.request_changes()
    story.finish()
    fail(assembly)
    assembly.clock.advance(TEN_MINUTES)
    assembly.records.save_setting(KILL_SWITCH, False, by="operator", at=assembly.clock.now())
    assembly.host.calls.clear()
    told = assembly.sweep()
    assembly.records.save_setting(KILL_SWITCH, True, by="operator", at=assembly.clock.now())
    assert (told["outcome"], told["connections"]) == ("kill_switch_off", [])
    assert list(assembly.host.calls) == []
    assert story.executions() == []
    assert len(sweep(story)["started"]) == 1
    one_round(story)
