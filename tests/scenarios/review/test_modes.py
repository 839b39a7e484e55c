"""Dry and live runs beside and after each other (review §6, §9.2, §11, §15)."""

import json
from threading import Event
from typing import Any

import pytest

from infra.local.assembly import ROOT
from infra.local.embedded_aws.functions.functions import Invocation
from tests.scenarios.review.pulls import ORG
from tests.scenarios.review.story import ReviewStory

SAMPLES = ROOT / "events"


def test_a_live_run_does_what_dry_runs_reported_and_the_next_one_has_new_heads_alone_to_do(
    review: ReviewStory,
) -> None:
    pull, code = review.open(), review.open_code()
    dry = review.run(dry_run=True)
    assert review.verdicts(dry) == {pull.number: "would-approve", code.number: "needs-human"}
    assert not review.site.approvals(pull)
    assert review.site.page(dry).splitlines()[0].endswith(": dry run")
    assert review.skipped(review.run(dry_run=True)) == ["already_assessed", "already_assessed"]

    live = review.run()
    assert review.verdicts(live) == {pull.number: "approved", code.number: "needs-human"}
    assert review.site.page(live).splitlines()[0].endswith(": live run")
    [approval] = review.site.approvals(pull)
    assert approval.commit == pull.head_sha

    assert review.skipped(review.run()) == ["already_approved", "already_assessed"]
    assert review.site.approvals(pull) == [approval]

    sha = review.repository.commit(pull.head_ref, {"README.md": "# Another project\n"}, "Rename it")
    review.repository.check_run(sha, "tests", conclusion="success")
    assert review.verdicts(review.run()) == {pull.number: "approved"}
    assert [one.commit for one in review.site.approvals(pull)] == [approval.commit, sha]
    assert not review.site.approvals(code)


def test_of_live_runs_one_works_a_later_one_waits_and_a_still_later_one_takes_its_place(review: ReviewStory) -> None:
    """Dry runs neither wait for them nor hold them up."""
    pull = review.open()
    started: list[str] = []
    waits = Event()
    over = Event()
    dry: list[Any] = []

    def begin() -> None:
        """Start another live run, and let it come to where it waits."""
        waits.clear()
        review.site.assembly.clock.advance(60)
        started.append(review.site.begin(inputs=review.inputs()))
        assert waits.wait(60)

    def meanwhile(_: Invocation) -> None:
        if not started:
            begin()
            begin()
            dry.append(review.run(dry_run=True, skip_agent=True))

    def wait(_seconds: float) -> None:
        waits.set()
        assert over.wait(60)

    review.before("Apply review", meanwhile)
    review.site.assembly.clock.on_wait = wait
    first = review.run()
    assert review.result(first)["verdict"] == "approved"
    assert dry[0].output["outcome"] == "reported"
    assert "Wait for the live run" not in dry[0].state_names
    over.set()
    replaced, last = map(review.finish, started)
    assert (replaced.status, replaced.output["outcome"]) == ("SUCCEEDED", "replaced")
    assert review.skipped(last) == ["already_approved"]
    assert len(review.site.approvals(pull)) == 1
    assert review.is_free()


@pytest.mark.parametrize("goes_live", [False, True])
def test_a_schedule_is_dry_until_one_setting_lets_it_go_live(review: ReviewStory, goes_live: bool) -> None:
    """The sample is what a schedule starts an execution with, in an organisation of that name."""
    given = _sample("schedule/scheduled_review.json")
    pull = review.open()
    review.site.go_live(goes_live)
    given["inputs"]["repositories"] = review.repository.name
    execution = review.finish(review.site.begin(**given))
    review.site.go_live(False)
    assert review.result(execution)["verdict"] == ("approved" if goes_live else "would-approve")
    assert len(review.site.approvals(pull)) == goes_live


def test_the_sample_of_a_replay_goes_on_with_the_run_that_it_names(review: ReviewStory) -> None:
    review.open()
    first = review.run()
    given = _sample("replay/scheduled_review.json")
    assert given["inputs"]["org"] == ORG
    again = review.finish(review.site.begin(**given | {"replay_of": first.arn}))
    assert review.results(again)[1]["run_attempt"] == 1
    assert again.output["report"].split("/")[:3] == first.output["report"].split("/")[:3]


def _sample(name: str) -> dict[str, Any]:
    sample: dict[str, Any] = json.loads((SAMPLES / name).read_text())
    return sample
