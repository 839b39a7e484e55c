"""GitHub fails while approvals are written: one approval each comes of it, or none (review §8.3, §13)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.http.calls import Call
from infra.local.github_host.http.faults import Fault, Proceed, lose_reply, refuse
from infra.local.review.assembly import ReviewSite
from tests.scenarios.review.story import ReviewStory

WRITING = "POST */pulls/{pull_number}/reviews"
LOOKING = "GET */pulls/{pull_number}/reviews"
SHOWS_AFTER = timedelta(seconds=45)
"""How long the host hides an approval whose reply it lost."""


class Failing:
    """One live run with an entry for each way in which writing fails, and two replays of it."""

    def __init__(self, site: ReviewSite) -> None:
        self.site = site
        self.story = story = ReviewStory.begin(site)
        self.hidden_until: datetime | None = None
        ways: dict[str, Fault] = {
            "down": refuse(503, "Service Unavailable"),
            "cut": _once(lose_reply()),
            "gateway": _once(lose_reply(502)),
            "late": _once(self._lose_and_hide),
        }
        self.pulls = {way: story.open(way) for way in ways}
        by_number = {str(pull.number): ways[way] for way, pull in self.pulls.items()}

        def write(call: Call, proceed: Proceed) -> Reply:
            return by_number[call.path.split("/")[-2]](call, proceed)

        site.assembly.host.faults.add(WRITING, write, times=-1)
        site.assembly.host.faults.add(LOOKING, self._look, times=-1)
        self.execution = story.run(max_concurrent_agents=1)
        self.approved_at_first = {way: len(site.approvals(pull)) for way, pull in self.pulls.items()}
        story.undisturbed()
        self.replays = [story.replay(self.execution) for _ in range(2)]

    def results(self, execution: Execution) -> dict[str, dict[str, Any]]:
        """Return what became of each entry."""
        told = self.story.results(execution)
        return {way: told[pull.number] for way, pull in self.pulls.items()}

    def _lose_and_hide(self, call: Call, proceed: Proceed) -> Reply:
        self.hidden_until = self.site.assembly.clock.now() + SHOWS_AFTER
        return lose_reply()(call, proceed)

    def _look(self, call: Call, proceed: Proceed) -> Reply:
        reply = proceed()
        late = call.path.split("/")[-2] == str(self.pulls["late"].number)
        if late and self.hidden_until and self.site.assembly.clock.now() < self.hidden_until:
            return Reply(reply.status, [], reply.headers)
        return reply


def _once(fault: Fault) -> Fault:
    """Let a fault happen to the first call, and all later ones pass."""
    faults = [fault]

    def fail(call: Call, proceed: Proceed) -> Reply:
        return faults.pop()(call, proceed) if faults else proceed()

    return fail


@pytest.fixture(scope="module")
def failing(site: ReviewSite) -> Failing:
    return Failing(site)


def test_a_host_that_is_down_fails_its_entry_alone_and_nothing_is_approved(failing: Failing) -> None:
    result = failing.results(failing.execution)["down"]
    assert (result["verdict"], result["tier"], result["review_url"]) == ("failed", None, None)
    assert result["reasons"] == ["apply_review failed: Unavailable"]
    assert failing.approved_at_first["down"] == 0
    assert failing.execution.status == "SUCCEEDED"
    counts = failing.execution.output["counts"]
    assert (counts["approved"], counts["failed"]) == (3, 1)


@pytest.mark.parametrize("way", ["cut", "gateway", "late"])
def test_an_approval_whose_reply_was_lost_is_found_and_never_made_twice(failing: Failing, way: str) -> None:
    [approval] = failing.site.approvals(failing.pulls[way])
    result = failing.results(failing.execution)[way]
    assert failing.approved_at_first[way] == 1
    assert (result["verdict"], result["tier"]) == ("approved", "trivial")
    assert result["review_url"].endswith(f"/pull/{failing.pulls[way].number}#pullrequestreview-{approval.id}")


def test_a_replay_from_the_console_approves_what_failed_and_nothing_again(failing: Failing) -> None:
    for attempt, replay in enumerate(failing.replays, start=2):
        assert replay.status == "SUCCEEDED"
        results = failing.results(replay)
        assert {result["verdict"] for result in results.values()} == {"approved"}
        assert results["down"]["run_attempt"] == 2
        assert f"/{attempt}/" in replay.output["report"]
    assert all(len(failing.site.approvals(pull)) == 1 for pull in failing.pulls.values())


def test_a_host_that_refuses_an_approval_is_not_asked_again(review: ReviewStory) -> None:
    pull = review.open()
    review.site.assembly.host.faults.add(WRITING, refuse(422, "Unprocessable"), times=-1)
    review.site.assembly.host.calls.clear()
    result = review.result(review.run())
    assert (result["verdict"], result["tier"]) == ("failed", None)
    assert result["reasons"][0].startswith("the host refuses the approval")
    assert len([call for call in review.site.assembly.host.calls if call.operation.startswith("POST /repos")]) == 1
    assert not review.site.approvals(pull)


def test_an_approval_that_somebody_dismissed_is_not_given_again(review: ReviewStory) -> None:
    pull = review.open()
    review.run()
    [approval] = review.site.approvals(pull)
    approval.dismiss(by=review.reviewer)
    again = review.result(review.run(reassess=True))
    assert (again["verdict"], again["reasons"]) == ("needs-human", ["our approval of this head was dismissed"])
    assert review.site.approvals(pull) == [approval]


def test_switching_reviews_off_stops_a_run_before_its_next_approval(review: ReviewStory) -> None:
    pull = review.open()
    review.before("Apply review", lambda _: review.switch(False))
    execution = review.run()
    review.switch(True)
    assert review.result(execution)["reasons"] == ["reviews were switched off"]
    assert not review.site.approvals(pull)
