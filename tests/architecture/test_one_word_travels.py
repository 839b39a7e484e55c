"""One word names a function in every layer (README: the map of the house)."""

import pytest

from tests.support.places import ROOT
from tests.support.workflow_files import every_state

LAMBDAS = sorted(folder.parent.name for folder in ROOT.glob("functions/*/handler.py"))
TASKS = sorted(folder.parent.name for folder in ROOT.glob("functions/*/Dockerfile"))
WORKFLOWS = sorted(ROOT.glob("infra/workflows/*.asl.json"))
TRIGGERED = {"receive_delivery", "start_workflow", "resolve_intake", "sweep_deliveries", "record_run"}
"""The functions that no workflow state calls, but the API, the table's stream, a schedule or a bus."""


def _states() -> dict[str, str]:
    """Map each state that calls a function to the function's name."""
    states = {}
    for workflow in WORKFLOWS:
        for name, state in every_state(workflow):
            if state.get("Resource") == "arn:aws:states:::lambda:invoke":
                words = state["Parameters"]["FunctionName"].strip("${}")
                states[name] = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in words)[1:]
    return states


def test_there_are_functions_to_check() -> None:
    assert len(LAMBDAS) >= 9
    assert len(TASKS) >= 1


@pytest.mark.parametrize("name", LAMBDAS)
def test_a_lambda_folder_holds_its_handler_and_nothing_else(name: str) -> None:
    held = {path.name for path in (ROOT / "functions" / name).iterdir() if path.name != "__pycache__"}
    assert held == {"handler.py"}


def _in_a_capability(layer: str, file: str) -> list[str]:
    """Name the capabilities whose folder in a layer holds a file."""
    return [path.parent.name for path in (ROOT / layer).glob(f"*/{file}")]


@pytest.mark.parametrize("name", LAMBDAS)
def test_a_lambda_has_a_step_a_golden_event_and_a_test_of_its_name(name: str) -> None:
    assert len(_in_a_capability("layers/core/python/autoswe/steps", f"{name}.py")) == 1
    assert (ROOT / f"events/steps/{name}.json").exists()
    assert len(_in_a_capability("tests/steps", f"test_{name}.py")) == 1


@pytest.mark.parametrize("name", LAMBDAS)
def test_a_lambda_is_called_by_a_state_of_its_name_or_by_the_api_the_stream_a_schedule_or_a_bus(name: str) -> None:
    sentence = name.replace("_", " ").replace(" ci", " CI").capitalize().replace(" ci", " CI")
    assert name in TRIGGERED or _states().get(sentence) == name


@pytest.mark.parametrize(("state", "function"), sorted(_states().items()))
def test_a_state_that_calls_a_function_begins_with_its_name(state: str, function: str) -> None:
    assert state.lower().startswith(function.replace("_", " "))
    assert function in LAMBDAS


@pytest.mark.parametrize("file", sorted(path.stem for path in (ROOT / "events/steps").glob("*.json")))
def test_a_golden_event_belongs_to_a_lambda(file: str) -> None:
    assert file in LAMBDAS


def test_no_file_or_folder_is_named_for_what_it_is_not() -> None:
    nothing = {"utils", "helpers", "common", "manager", "base", "misc"}
    code = [path for folder in ("functions", "infra", "layers", "tests") for path in (ROOT / folder).rglob("*.py")]
    named = {part.removesuffix(".py") for path in code for part in path.relative_to(ROOT).parts}
    assert not named & nothing
