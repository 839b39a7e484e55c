"""What every workflow file promises (architecture: workflows)."""

import ast
import builtins
import json
import math
from pathlib import Path
from typing import Any

import pytest

from autoswe.rules.feedback.brief import MAX_THREADS
from autoswe.rules.feedback.lag import LAG_SECONDS
from autoswe.steps.feedback.comment_writes import WRITES_A_TRY
from autoswe.steps.feedback.round_records import LEASE_SECONDS
from tests.support.places import ROOT
from tests.support.workflow_files import every_state

WORKFLOWS = sorted(ROOT.glob("infra/workflows/*.asl.json"))
CLOSING = {"feedback_round": "Close round", "scheduled_review": "Report run"}
"""The state of each workflow that every other one leads to, whatever fails."""

MARGIN = 5 * 60
"""What a try itself may take, in seconds."""

AWS_ERRORS = ("States.", "Lambda.", "ECS.", "AmazonECS.", "Sandbox.", "Runtime.")


def _workflow(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


def _tasks(path: Path) -> list[tuple[str, dict[str, Any]]]:
    return [(name, state) for name, state in every_state(path) if state["Type"] == "Task"]


TASKS = [(path, name, state) for path in WORKFLOWS for name, state in _tasks(path)]


def _pauses(state: dict[str, Any], error: str) -> list[float]:
    """List the seconds that a state waits before each try of an error's own schedule."""
    rules = [rule for rule in state.get("Retry", []) if error in rule["ErrorEquals"]]
    return [
        min(rule["IntervalSeconds"] * rule["BackoffRate"] ** number, rule.get("MaxDelaySeconds", math.inf))
        for rule in rules
        for number in range(rule["MaxAttempts"])
    ]


def _exceptions() -> set[str]:
    """List every exception class that the product defines."""
    found = set()
    for file in (ROOT / "layers/core/python/autoswe").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef) and node.bases:
                found.add(node.name)
    return found


@pytest.mark.parametrize(("path", "name", "state"), TASKS)
def test_every_error_that_a_workflow_names_exists(path: Path, name: str, state: dict[str, Any]) -> None:
    named = [error for rule in state.get("Retry", []) + state.get("Catch", []) for error in rule["ErrorEquals"]]
    ours = {error for error in named if not error.startswith(AWS_ERRORS)}
    assert ours <= _exceptions() | set(dir(builtins))


@pytest.mark.parametrize(("path", "name", "state"), TASKS)
def test_every_task_has_a_catch_for_everything(path: Path, name: str, state: dict[str, Any]) -> None:
    assert [rule["ErrorEquals"] for rule in state["Catch"]] == [["States.ALL"]]


@pytest.mark.parametrize("path", WORKFLOWS)
def test_whatever_a_catch_leads_to_ends_at_closing(path: Path) -> None:
    for name, state in _workflow(path)["States"].items():
        if "Catch" in state:
            _assert_ends_at(CLOSING[path.name.partition(".")[0]], path, name, state)


def _assert_ends_at(closing: str, path: Path, name: str, state: dict[str, Any]) -> None:
    states = _workflow(path)["States"]
    ahead, seen = [rule["Next"] for rule in state["Catch"]], set()
    while ahead:
        reached = ahead.pop()
        if reached in seen:
            continue
        seen.add(reached)
        if reached == closing:
            continue
        after = states[reached]
        assert after["Type"] not in {"Succeed", "Fail"} or name == closing, reached
        ahead += [rule["Next"] for rule in after.get("Catch", []) + after.get("Choices", [])]
        ahead += [after[way] for way in ("Next", "Default") if way in after]
    assert closing in seen or name == closing


FEEDBACK = [(name, state) for path, name, state in TASKS if path.name == "feedback_round.asl.json"]
OUTAGES = ["Unavailable", "PartialAnswer", "Contended", "AwsCallFailed", "Lambda.ServiceException"]
OF_THE_HOST = [(name, state) for name, state in FEEDBACK if _pauses(state, "NotYet")]


@pytest.mark.parametrize(("name", "state"), FEEDBACK)
@pytest.mark.parametrize(
    "error", ["Unavailable", "PartialAnswer", "Contended", "AwsCallFailed", "Lambda.ServiceException"]
)
def test_an_outage_of_three_hours_is_waited_for_and_no_pause_outlasts_the_lease(
    name: str, state: dict[str, Any], error: str
) -> None:
    if name == "Run fixer" or (name == "Close round" and error in {"Unavailable", "PartialAnswer"}):
        return
    pauses = _pauses(state, error)
    assert sum(pauses) > 3 * 60 * 60
    assert max(pauses) + MARGIN < LEASE_SECONDS


def test_the_fixer_is_waited_for_within_one_lease() -> None:
    """Nothing renews the lease while its task is asked for and runs."""
    [state] = [state for name, state in FEEDBACK if name == "Run fixer"]
    assert sum(_pauses(state, "ECS.ServerException")) + state["TimeoutSeconds"] + MARGIN < LEASE_SECONDS


def test_every_function_that_asks_the_host_has_its_errors_tried_again() -> None:
    assert {name for name, _ in OF_THE_HOST} == {
        "Gather feedback",
        "Push fix",
        "Respond",
        "Poll CI",
        "Respond about CI",
    }


@pytest.mark.parametrize(("name", "state"), OF_THE_HOST)
def test_what_may_pass_in_a_moment_is_tried_again_for_long_enough(name: str, state: dict[str, Any]) -> None:
    assert _pauses(state, "NotYet")[0] == 5
    assert sum(_pauses(state, "NotYet")) > 2 * LAG_SECONDS
    assert sum(_pauses(state, "Forbidden")) > 60
    assert sum(_pauses(state, "RateLimited")) > 60 * 60


def test_a_report_on_all_threads_that_are_read_comes_to_its_end() -> None:
    for name, state in FEEDBACK:
        if name.startswith("Respond"):
            assert (1 + len(_pauses(state, "WritesLeft"))) * WRITES_A_TRY > MAX_THREADS


@pytest.mark.parametrize("path", WORKFLOWS)
def test_what_fails_within_a_map_costs_its_own_entry_alone(path: Path) -> None:
    for _, mapped in every_state(path):
        states = mapped.get("ItemProcessor", {}).get("States", {})
        for name, state in states.items():
            assert state["Type"] not in {"Fail", "Succeed"}, name
            assert state["Type"] != "Task" or all(rule["Next"] in states for rule in state["Catch"]), name


@pytest.mark.parametrize("path", WORKFLOWS)
def test_a_workflow_has_a_time_out_of_its_own_and_uses_jsonpath(path: Path) -> None:
    workflow = _workflow(path)
    assert workflow["TimeoutSeconds"] > 4 * 60 * 60
    assert "QueryLanguage" not in workflow
    assert '"Assign":' not in path.read_text()


@pytest.mark.parametrize(
    ("path", "name", "state"), [task for task in TASKS if task[2]["Resource"].endswith("lambda:invoke")]
)
def test_every_function_is_told_which_execution_calls_it(path: Path, name: str, state: dict[str, Any]) -> None:
    payload = state["Parameters"]["Payload"]
    assert payload == {"execution.$": "$$.Execution.Id", "machine.$": "$$.StateMachine.Id", "state.$": "$"}
