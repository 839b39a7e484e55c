"""What an App's webhook was sent is listed, and a new attempt asked for, on a host that keeps every attempt."""

from datetime import timedelta

import pytest

from autoswe.ports.github import Forbidden, Gone
from autoswe.rules.intake.redelivery import LOOK_BACK
from tests.adapters.github.against_host.story import Story

NOBODY = "http://127.0.0.1:9"


def lose(story: Story, times: int = 1) -> None:
    """Let deliveries fail, because nobody listens where the webhook points."""
    story.app.webhook_url = NOBODY
    for _ in range(times):
        story.host.ping(story.app)
        story.clock.advance(1)


def test_a_lost_delivery_is_listed_and_a_new_attempt_keeps_its_guid(story: Story) -> None:
    lose(story)
    hook = story.github.hook_deliveries()
    [[first]] = list(hook.pages())
    assert (first.event, first.action, first.redelivery) == ("ping", None, False)
    assert first.status_code >= 500
    assert first.delivered_at == story.clock() - timedelta(seconds=1)
    hook.ask_again(first.attempt_id)
    [[second, same]] = list(hook.pages())
    assert same == first
    assert (second.guid, second.redelivery, second.delivered_at) == (first.guid, True, story.clock())
    assert second.attempt_id != first.attempt_id


def test_attempts_are_listed_newest_first_over_all_pages(story: Story) -> None:
    lose(story, times=205)
    pages = list(story.github.hook_deliveries().pages())
    assert [len(page) for page in pages] == [100, 100, 5]
    times = [attempt.delivered_at for page in pages for attempt in page]
    assert times == sorted(set(times), reverse=True)


def test_an_app_whose_webhook_was_sent_nothing_lists_nothing(story: Story) -> None:
    assert [attempt for page in story.github.hook_deliveries().pages() for attempt in page] == []


def test_a_delivery_that_is_too_old_is_gone(story: Story) -> None:
    lose(story)
    hook = story.github.hook_deliveries()
    [[attempt]] = list(hook.pages())
    story.clock.advance(LOOK_BACK.total_seconds())
    with pytest.raises(Gone):
        hook.ask_again(attempt.attempt_id)


def test_the_app_asks_as_itself_and_no_token_is_minted(story: Story) -> None:
    lose(story)
    hook = story.github.hook_deliveries()
    [[attempt]] = list(hook.pages())
    hook.ask_again(attempt.attempt_id)
    assert story.operations() == ["GET /app/hook/deliveries", "POST /app/hook/deliveries/{delivery_id}/attempts"]


def test_an_app_that_the_host_does_not_know_is_forbidden(story: Story) -> None:
    del story.host.state.apps[story.app.app_id]
    with pytest.raises(Forbidden):
        list(story.github.hook_deliveries().pages())
