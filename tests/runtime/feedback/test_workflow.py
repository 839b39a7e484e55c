"""What reaches a workflow of a function that failed (architecture: workflows)."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from autoswe.contracts.feedback.round import Closed, Gathered, GatherOutcome, RoundRequest
from autoswe.runtime.feedback.workflow import entry
from autoswe.runtime.workflow import AwsCallFailed
from tests.support.places import EVENTS

EVENT = json.loads((EVENTS / "steps/close_round.json").read_text())["input"]


# The class that botocore makes of a service's own error, named as the service calls it.
_InternalServerError = type("InternalServerError", (ClientError,), {})


@pytest.mark.parametrize(
    "failure",
    [
        _InternalServerError({"Error": {"Code": "InternalServerError", "Message": "try again"}}, "GetItem"),
        ReadTimeoutError(endpoint_url="table"),
    ],
)
def test_whatever_an_aws_service_does_wrong_reaches_the_workflow_under_one_name(failure: Exception) -> None:
    def fail(_request: RoundRequest, _ports: None) -> Closed:
        raise failure

    with pytest.raises(AwsCallFailed, match=type(failure).__name__):
        entry(fail, lambda _process: None)(EVENT, None)


def _counted(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, capsys.readouterr().out.splitlines()) if "_aws" in line]


def test_an_answer_is_counted_by_its_step_its_outcome_and_a_reason_of_the_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The line says what CloudWatch makes metrics of: a namespace, a set of dimensions, numbers and a time."""

    def gather(_request: RoundRequest, _ports: None) -> Gathered:
        return Gathered(
            outcome=GatherOutcome.SKIP_SILENT, reason="pull_closed", dropped_comments=3, screened_comments=0
        )

    entry(gather, lambda _process: None)(EVENT, None)
    [line] = _counted(capsys)
    told = line.pop("_aws")
    assert abs(datetime.now(UTC).timestamp() * 1000 - told["Timestamp"]) < 3_600_000
    [directive] = told["CloudWatchMetrics"]
    assert directive == {
        "Namespace": "auto-swe",
        "Dimensions": [["step", "outcome", "reason"]],
        "Metrics": [{"Name": "Answers", "Unit": "Count"}, {"Name": "DroppedComments", "Unit": "Count"}],
    }
    said = {"step": "gather", "outcome": "skip_silent", "reason": "pull_closed"}
    assert line == {**said, "Answers": 1, "DroppedComments": 3}


def test_a_failure_is_counted_without_a_word_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_request: RoundRequest, _ports: None) -> Closed:
        raise ValueError("a name that somebody chose")

    with pytest.raises(ValueError, match="somebody"):
        entry(fail, lambda _process: None)(EVENT, None)
    [line] = _counted(capsys)
    del line["_aws"]
    assert line == {"step": "fail", "outcome": "raised", "Answers": 1}


def test_what_a_step_raises_itself_reaches_the_workflow_as_it_is() -> None:
    class Contended(Exception):
        pass

    def fail(_request: RoundRequest, _ports: None) -> Closed:
        raise Contended

    with pytest.raises(Contended):
        entry(fail, lambda _process: None)(EVENT, None)
