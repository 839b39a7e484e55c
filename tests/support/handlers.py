"""Loads functions as Lambda does: the file ``handler.py`` of a folder, and ``handler`` in it."""

import importlib.util
from collections.abc import Callable
from typing import Any

from tests.support.places import FUNCTIONS


def load_handler(function: str) -> Callable[[Any, Any], Any]:
    """Load a function's handler."""
    spec = importlib.util.spec_from_file_location(f"{function}_handler", FUNCTIONS / function / "handler.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler: Callable[[Any, Any], Any] = module.handler
    return handler
