"""What becomes of calls that fail."""

import pytest

from autoswe.ports.github import PartialAnswer, RateLimited, Unavailable
from infra.local.github_host.http.faults import alter, lose_reply, refuse, throttle
from tests.adapters.github.against_host.story import Story
from tests.adapters.github.scripted import TRIGGER, read_repository


def test_a_read_outlasts_short_trouble(story: Story) -> None:
    pull = "GET /repos/{owner}/{repo}/pulls/{pull_number}"
    story.host.faults.add(pull, refuse(502, "Bad Gateway"))
    story.host.faults.add(pull, throttle(2))
    story.host.faults.add(pull, lose_reply())
    assert story.github.gather_host("octo/widgets").pull(story.pull.number).is_open
    assert len(story.host.calls.of(pull)) == 4
    assert 2 <= sum(story.slept) <= 5


def test_a_token_that_is_not_known_everywhere_yet_is_tried_again(story: Story) -> None:
    story.host.faults.add("GET /repos/{owner}/{repo}", refuse(401, "Bad credentials"), times=2)
    assert read_repository(story.github.gather_host("octo/widgets")).default_branch == "main"


def test_a_long_limit_is_left_to_the_workflow(story: Story) -> None:
    story.host.faults.add("graphql ReviewThreads", throttle(60))
    with pytest.raises(RateLimited):
        story.github.gather_host("octo/widgets").feedback(story.pull.number, TRIGGER)
    assert story.slept == []


def test_a_part_of_the_threads_is_not_the_threads(story: Story) -> None:
    def hide(body: dict[str, object]) -> dict[str, object]:
        return {**body, "errors": [{"message": "Something went wrong while executing your query."}]}

    story.host.faults.add("graphql ReviewThreads", alter(hide))
    with pytest.raises(PartialAnswer):
        story.github.gather_host("octo/widgets").feedback(story.pull.number, TRIGGER)


def test_trouble_that_lasts_is_unavailable(story: Story) -> None:
    for operation in ("GET /repos/{owner}/{repo}", "graphql ReviewThreads"):
        story.host.faults.add(operation, refuse(503, "Busy"), times=-1)
    host = story.github.gather_host("octo/widgets")
    with pytest.raises(Unavailable):
        read_repository(host)
    with pytest.raises(Unavailable):
        host.feedback(story.pull.number, TRIGGER)
    assert 0 < sum(story.slept) <= 5
