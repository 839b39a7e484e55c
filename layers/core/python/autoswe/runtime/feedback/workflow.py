"""The entries of the functions that a workflow's states call: parse, call, dump, one line of log and one of metrics."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from autoswe.contracts.feedback.round import RoundRequest, RoundState
from autoswe.contracts.model import Contract
from autoswe.contracts.workflow import Failure
from autoswe.rules.feedback.activity import counted_as
from autoswe.runtime.log_line import log_line, metric_line
from autoswe.runtime.process import Process, current
from autoswe.runtime.workflow import EXECUTION_STATUS_CHANGE, AwsCallFailed

Ports = TypeVar("Ports")


def entry(
    step: Callable[[RoundRequest, Ports], Contract], wire: Callable[[Process], Ports]
) -> Callable[[Mapping[str, Any], object], dict[str, Any]]:
    """Make a Lambda handler of a step and the function that wires its ports.

    Everything a step raises reaches the workflow under its class name, where ``Retry`` and ``Catch`` name it; what
    botocore raises, as ``AwsCallFailed``.
    """

    def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
        process = current()
        request = read_request(event)
        fields = {
            "step": step.__name__,
            "execution": request.execution,
            "connection": request.state.connection,
            "repository": request.state.repository,
            "pull": request.state.pull_number,
        }
        try:
            answer = step(request, wire(process))
        except Exception as failure:
            metric_line(counted_as(step.__name__, "raised", None), {"Answers": 1}, process.now())
            log_line({**fields, "outcome": "raised", "reason": type(failure).__name__, "detail": str(failure)})
            if isinstance(failure, BotoCoreError | ClientError):
                raise AwsCallFailed(f"{type(failure).__name__}: {failure}") from failure
            raise
        dumped = answer.model_dump(mode="json")
        outcome, reason = dumped.get("outcome"), dumped.get("reason")
        counted = counted_as(step.__name__, outcome or "done", reason)
        metric_line(counted, {"Answers": 1, **_left_out(dumped)}, process.now())
        log_line({**fields, "outcome": outcome, "reason": reason})
        return dumped

    return handler


def _left_out(answer: Mapping[str, Any]) -> Mapping[str, int]:
    """Take from an answer how many comments the round leaves out, by why."""
    counts = {"DroppedComments": answer.get("dropped_comments"), "ScreenedComments": answer.get("screened_comments")}
    return {name: count for name, count in counts.items() if count}


def read_request(event: Mapping[str, Any]) -> RoundRequest:
    """Read what a state or the failed-execution rule calls with.

    The rule's event carries the execution's input, not its state: it stands for a round that was interrupted.
    """
    if event.get("detail-type") != EXECUTION_STATUS_CHANGE:
        return RoundRequest.model_validate_json(json.dumps(event))
    detail = event["detail"]
    state = RoundState.model_validate_json(detail["input"])
    failure = Failure(error=f"Execution.{detail['status']}")
    return RoundRequest(
        execution=detail["executionArn"],
        machine=detail["stateMachineArn"],
        state=state.model_copy(update={"error": failure}),
    )
