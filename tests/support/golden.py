"""The recorded input and output of each function."""

import json
from typing import Any

from tests.support.places import EVENTS

_FOLDER = EVENTS / "steps"


def golden(function: str) -> tuple[Any, Any]:
    """Read what a function is recorded to be called with and to answer."""
    recorded = json.loads((_FOLDER / f"{function}.json").read_text())
    return recorded["input"], recorded["output"]
