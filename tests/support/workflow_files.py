"""The states of a workflow file, those within a Map among them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def every_state(workflow: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each state with its name, however deep it stands."""
    yield from _states(json.loads(workflow.read_text())["States"])


def _states(states: Mapping[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, state in states.items():
        yield name, state
        if "ItemProcessor" in state:
            yield from _states(state["ItemProcessor"]["States"])
