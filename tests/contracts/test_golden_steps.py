"""The golden events of the workflows' steps are what the steps read and answer."""

import json
from typing import Any

import pytest

from autoswe.contracts.feedback.round import CiStatus, Closed, Gathered, Prepared, Pushed, Reported
from autoswe.contracts.intake.sweep import Swept
from autoswe.contracts.model import Contract
from autoswe.contracts.records.runs import RecordedRun, read_report
from autoswe.contracts.review.run import Applied, EntryRequest, Preflighted, ReviewPrepared, ReviewReported, Selected
from autoswe.runtime.feedback.workflow import read_request
from autoswe.runtime.review import workflow as review_workflow
from tests.support.places import EVENTS

FOLDER = EVENTS / "steps"
ANSWERS: dict[str, type[Contract]] = {
    "gather_feedback": Gathered,
    "prepare_task": Prepared,
    "push_fix": Pushed,
    "poll_ci": CiStatus,
    "respond": Reported,
    "close_round": Closed,
    "preflight": Preflighted,
    "select_pulls": Selected,
    "prepare_review": ReviewPrepared,
    "apply_review": Applied,
    "report_run": ReviewReported,
}
ENTRY_STEPS = {"prepare_review", "apply_review"}
REVIEW_STEPS = {"preflight", "select_pulls", "report_run"}


def _request(step: str, given: dict[str, Any]) -> Contract:
    if step in ENTRY_STEPS:
        return EntryRequest.model_validate_json(json.dumps(given))
    return review_workflow.read_request(given) if step in REVIEW_STEPS else read_request(given)


def _sample(step: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / f"{step}.json").read_text())
    return loaded


@pytest.mark.parametrize("step", sorted(ANSWERS))
def test_a_golden_input_is_a_request_that_dumps_to_itself(step: str) -> None:
    given = _sample(step)["input"]
    request = _request(step, given)
    dumped = json.loads(request.model_dump_json(by_alias=True, exclude_unset=True))
    assert dumped == given


@pytest.mark.parametrize("step", sorted(ANSWERS))
def test_a_golden_output_is_an_answer_that_dumps_to_itself(step: str) -> None:
    given = _sample(step)["output"]
    answer = ANSWERS[step].model_validate_json(json.dumps(given))
    assert json.loads(answer.dump()) == given


def test_the_workflow_gives_later_steps_what_earlier_ones_answered() -> None:
    state = read_request(_sample("close_round")["input"]).state
    assert state.gather is not None
    assert json.loads(state.gather.value.dump()) == _sample("gather_feedback")["output"]


def test_the_review_workflow_gives_later_steps_what_earlier_ones_answered() -> None:
    state = review_workflow.read_request(_sample("report_run")["input"]).state
    assert state.preflight is not None
    assert json.loads(state.preflight.value.dump()) == _sample("preflight")["output"]
    assert state.select is not None
    assert json.loads(state.select.value.dump()) == _sample("select_pulls")["output"]


def test_the_golden_report_on_a_run_and_its_answer_dump_to_themselves() -> None:
    given = _sample("record_run")
    event, answer = given["input"], given["output"]
    report = read_report(json.dumps(event["detail"]))
    assert json.loads(report.model_dump_json(exclude_none=True)) == event["detail"]
    assert json.loads(RecordedRun.model_validate_json(json.dumps(answer)).dump()) == answer


def test_the_golden_account_of_a_sweep_dumps_to_itself() -> None:
    given = _sample("sweep_deliveries")["output"]
    assert json.loads(Swept.model_validate_json(json.dumps(given)).dump()) == given
