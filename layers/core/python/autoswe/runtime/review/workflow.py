"""The entries of the functions that the review workflow's states call: parse, judge the release, call, dump, log."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from autoswe.contracts.model import Contract
from autoswe.contracts.review.run import EntryRequest, ReviewInput, ReviewRequest, ReviewState
from autoswe.contracts.workflow import Failure
from autoswe.rules.review.run.preflight import judge_release
from autoswe.runtime.log_line import log_line
from autoswe.runtime.process import Process, current
from autoswe.runtime.release import release_digest
from autoswe.runtime.workflow import EXECUTION_STATUS_CHANGE, AwsCallFailed
from autoswe.steps.review.review_run import PreflightRefused

Request = TypeVar("Request", ReviewRequest, EntryRequest)
Ports = TypeVar("Ports")
Handler = Callable[[Mapping[str, Any], object], dict[str, Any]]


def installed_release(process: Process) -> str:
    """Return the digest of the installed program, computed once in a process."""
    return process.once("release", release_digest)


def run_entry(
    step: Callable[[ReviewRequest, Ports], Contract], wire: Callable[[Process], Ports], *, judges_release: bool = False
) -> Handler:
    """Make a Lambda handler of a step of the whole run; ``judges_release`` says that the step does so itself."""
    return _handler(step, wire, read_request, judges_release=judges_release)


def map_entry(step: Callable[[EntryRequest, Ports], Contract], wire: Callable[[Process], Ports]) -> Handler:
    """Make a Lambda handler of a step of one entry."""
    return _handler(step, wire, lambda event: EntryRequest.model_validate_json(json.dumps(event)))


def read_request(event: Mapping[str, Any]) -> ReviewRequest:
    """Read what a state or the failed-execution rule calls with.

    The rule's event carries the execution's input, not its state: it stands for a run that was interrupted.
    """
    if event.get("detail-type") != EXECUTION_STATUS_CHANGE:
        return ReviewRequest.model_validate_json(json.dumps(event))
    detail = event["detail"]
    given = ReviewInput.model_validate_json(detail["input"])
    return ReviewRequest(
        execution=detail["executionArn"],
        machine=detail["stateMachineArn"],
        state=ReviewState(**dict(given), error=Failure(error=f"Execution.{detail['status']}")),
    )


def _handler(
    step: Callable[[Request, Ports], Contract],
    wire: Callable[[Process], Ports],
    read: Callable[[Mapping[str, Any]], Request],
    *,
    judges_release: bool = False,
) -> Handler:
    """Make a handler; what the step raises reaches the workflow under its class name, botocore's as one name."""

    def handler(event: Mapping[str, Any], _context: object) -> dict[str, Any]:
        process = current()
        request = read(event)
        fields = {"step": step.__name__, "execution": request.execution, **_place(request)}
        try:
            if not judges_release:
                _judge_release(process, request.state.release)
            answer = step(request, wire(process))
        except Exception as failure:
            log_line({**fields, "outcome": "raised", "reason": type(failure).__name__, "detail": str(failure)})
            if isinstance(failure, BotoCoreError | ClientError):
                raise AwsCallFailed(f"{type(failure).__name__}: {failure}") from failure
            raise
        dumped = answer.model_dump(mode="json")
        log_line({**fields, "outcome": dumped.get("outcome"), "reason": dumped.get("reason")})
        return dumped

    return handler


def _judge_release(process: Process, deployed: str | None) -> None:
    refusal = judge_release(installed_release(process), deployed or "")
    if refusal is not None:
        raise PreflightRefused(refusal)


def _place(request: ReviewRequest | EntryRequest) -> Mapping[str, str]:
    state = request.state
    if isinstance(state, ReviewState):
        return {"connection": state.connection}
    return {"run": state.run.namespace, "entry": state.entry.key}
