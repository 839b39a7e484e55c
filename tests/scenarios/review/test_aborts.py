"""An operator aborts a review run in the console, wherever it stands (review §4.4, §11).

No ``Catch`` sees that: the rule on failed executions ends the run and gives the organisation back, and a replay or the
next run approves what is left.
"""

import pytest

from infra.local.assembly import WORKFLOWS
from infra.local.embedded_aws.calls import Call as ServiceCall
from infra.local.embedded_aws.calls import Effect
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.http.calls import Call
from infra.local.github_host.http.faults import Proceed
from infra.local.github_host.http.outages import ConnectionCut
from tests.scenarios.review.story import ReviewStory
from tests.support.workflow_files import every_state

REVIEW = WORKFLOWS / "scheduled_review.asl.json"

LEFT = {
    "Preflight": (0, "failed"),
    "Select pulls": (0, "failed"),
    "Prepare review": (0, "failed"),
    "Run reviewer": (0, "failed"),
    "Apply review": (1, "failed"),
    "Report run": (1, "reported"),
}
"""How many approvals there are, and how the run is on record, when it is aborted in a state.

A function that has been called by then runs to its end.
"""


def test_every_state_in_which_a_run_spends_time_is_aborted() -> None:
    lasting = {name for name, state in every_state(REVIEW) if state["Type"] in {"Task", "Wait"}}
    assert lasting == {*LEFT, "Wait for the live run"}


def _abort_in(review: ReviewStory, state: str) -> None:
    """Abort the latest execution as soon as it is in a state."""
    aws = review.site.assembly.aws

    def started(call: ServiceCall, effect: Effect) -> None:
        effect()
        if call.operation == "RunTask":
            aws.stop(aws.executions()[-1].arn)

    if state == "Run reviewer":
        aws.around_calls(started)
    else:
        review.before(state, lambda _: aws.stop(aws.executions()[-1].arn))


@pytest.mark.parametrize("state", LEFT)
def test_an_aborted_run_is_ended_frees_its_organisation_and_a_replay_approves_once(
    review: ReviewStory, state: str
) -> None:
    pull = review.open()
    _abort_in(review, state)
    aborted = review.run()
    review.undisturbed()
    assert aborted.status == "ABORTED"
    assert aborted.state_names[-1] == state
    assert review.is_free()
    assert (len(review.site.approvals(pull)), review.outcome(aborted)) == LEFT[state]

    replay = review.replay(aborted)
    assert replay.status == "SUCCEEDED"
    assert review.result(replay)["verdict"] == "approved"
    assert [approval.commit for approval in review.site.approvals(pull)] == [pull.head_sha]
    assert review.outcome(aborted) == "reported"
    assert review.is_free()


def test_a_run_that_is_aborted_between_an_approval_and_its_reply_is_gone_on_with_and_approves_once(
    review: ReviewStory,
) -> None:
    pull = review.open()
    assembly = review.site.assembly

    def abort(_call: Call, proceed: Proceed) -> Reply:
        proceed()
        assembly.aws.stop(assembly.aws.executions()[-1].arn)
        raise ConnectionCut

    assembly.host.faults.add("POST */pulls/{pull_number}/reviews", abort)
    aborted = review.run()
    assert (aborted.status, review.outcome(aborted)) == ("ABORTED", "failed")
    assert review.is_free()
    result = review.result(review.replay(aborted))
    assert (result["verdict"], result["run_attempt"]) == ("approved", 2)
    [approval] = review.site.approvals(pull)
    assert result["review_url"].endswith(f"#pullrequestreview-{approval.id}")
    assert review.skipped(review.run()) == ["already_approved"]
    assert len(review.site.approvals(pull)) == 1


def test_a_run_that_is_aborted_while_it_waits_leaves_the_running_one_alone(review: ReviewStory) -> None:
    pull = review.open()
    review.hold("another-run")
    aws = review.site.assembly.aws
    review.site.assembly.clock.on_wait = lambda _: aws.stop(aws.executions()[-1].arn)
    aborted = review.run()
    review.undisturbed()
    assert (aborted.status, aborted.state_names[-1]) == ("ABORTED", "Wait for the live run")
    assert review.lease()["holder"] == "another-run"
    review.give_back("another-run")
    assert review.result(review.run())["verdict"] == "approved"
    assert len(review.site.approvals(pull)) == 1
