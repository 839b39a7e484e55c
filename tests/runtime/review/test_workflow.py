"""What the review workflow's functions judge before a step is called, and what reaches the workflow (review §4.4)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from autoswe.contracts.review.run import (
    EntryRequest,
    Preflighted,
    PreflightOutcome,
    ReviewPrepared,
    ReviewReported,
    ReviewRequest,
)
from autoswe.runtime.process import Process, running_as
from autoswe.runtime.release import release_digest
from autoswe.runtime.review.workflow import map_entry, read_request, run_entry
from autoswe.runtime.workflow import AwsCallFailed
from autoswe.steps.review.review_run import PreflightRefused

INSTALLED = release_digest()
REFERENCE = {"key": "k", "version_id": "v", "sha256": "a" * 64, "bytes": 1}
FACTS = {
    "namespace": f"{'a' * 16}-{'b' * 32}",
    "attempt": 1,
    "run_id": 1,
    "org": "acme",
    "dry_run": True,
    "max_concurrent_agents": 1,
    "task_seconds": 900,
}


def event(**state: Any) -> dict[str, Any]:
    return {"execution": "e", "machine": "m", "state": {"inputs": {"org": "acme"}, **state}}


def of_entry(release: str) -> dict[str, Any]:
    state = {"release": release, "run": FACTS, "entry": {"key": "tool-7", "evidence": REFERENCE}}
    return {"execution": "e", "machine": "m", "state": state}


def proceed(_request: ReviewRequest, _ports: None) -> Preflighted:
    return Preflighted(outcome=PreflightOutcome.PROCEED)


def prepared(_request: EntryRequest, _ports: None) -> ReviewPrepared:
    return ReviewPrepared(manifest_url="https://bucket")


def test_a_step_is_called_with_the_release_that_the_workflow_was_deployed_with() -> None:
    assert run_entry(proceed, lambda _: None)(event(release=INSTALLED), None)["outcome"] == "proceed"
    assert map_entry(prepared, lambda _: None)(of_entry(INSTALLED), None) == {"manifest_url": "https://bucket"}


def test_another_program_calls_no_step_and_wires_nothing() -> None:
    def wire(_process: Process) -> None:
        pytest.fail("nothing must be reached")

    calls: list[Callable[[], object]] = [
        lambda: run_entry(proceed, wire)(event(release="e" * 64), None),
        lambda: run_entry(proceed, wire)(event(), None),
        lambda: map_entry(prepared, wire)(of_entry("e" * 64), None),
    ]
    for call in calls:
        with pytest.raises(PreflightRefused, match="release_digest"):
            call()


def test_a_step_that_judges_the_release_itself_is_called_whatever_it_is() -> None:
    handler = run_entry(proceed, lambda _: None, judges_release=True)
    assert handler(event(release="e" * 64), None)["outcome"] == "proceed"


def test_what_an_aws_service_does_wrong_reaches_the_workflow_under_one_name() -> None:
    def fail(_request: ReviewRequest, _ports: None) -> Preflighted:
        raise ReadTimeoutError(endpoint_url="table")

    with pytest.raises(AwsCallFailed):
        run_entry(fail, lambda _: None)(event(release=INSTALLED), None)


def test_an_execution_that_ended_badly_is_read_as_an_interrupted_run() -> None:
    told = {
        "detail-type": "Step Functions Execution Status Change",
        "detail": {
            "executionArn": "e",
            "stateMachineArn": "m",
            "status": "ABORTED",
            "input": json.dumps({"inputs": {"org": "acme"}, "started_by": "schedule"}),
        },
    }
    request = read_request(told)
    assert request.state.error is not None
    assert (request.execution, request.state.error.error, request.state.select) == ("e", "Execution.ABORTED", None)
    answer = ReviewReported.model_validate({"outcome": "failed"}, strict=False)
    handler = run_entry(lambda _request, _ports: answer, lambda _: None, judges_release=True)
    assert handler(told, None)["outcome"] == "failed"


def test_the_digest_tells_any_two_programs_apart_and_leaves_out_what_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.py").write_text("1")
    first = release_digest(tmp_path)
    for left_out in ("cli", "__pycache__"):
        (tmp_path / left_out).mkdir()
        (tmp_path / left_out / "more.py").write_text("2")
    assert release_digest(tmp_path) == first
    (tmp_path / "rules" / "one.py").write_text("2")
    changed = release_digest(tmp_path)
    (tmp_path / "rules" / "one.py").rename(tmp_path / "rules" / "two.py")
    assert len({first, changed, release_digest(tmp_path)}) == 3


def test_the_digest_is_computed_once_in_a_process() -> None:
    with running_as(Process({})) as process:
        run_entry(proceed, lambda _: None)(event(release=INSTALLED), None)
        assert process.once("release", lambda: "computed again") == INSTALLED
