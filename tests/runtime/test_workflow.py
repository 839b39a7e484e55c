"""What reaches a workflow of a function that failed (architecture: workflows)."""

import json
from pathlib import Path

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from autoswe.contracts.round import Closed, RoundRequest
from autoswe.runtime.workflow import AwsCallFailed, entry

EVENT = json.loads((Path(__file__).parents[2] / "events/steps/close_round.json").read_text())["input"]


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


def test_what_a_step_raises_itself_reaches_the_workflow_as_it_is() -> None:
    class Contended(Exception):
        pass

    def fail(_request: RoundRequest, _ports: None) -> Closed:
        raise Contended

    with pytest.raises(Contended):
        entry(fail, lambda _process: None)(EVENT, None)
