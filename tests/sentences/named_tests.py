"""Says whether a test exists and is played in the test run, by reading its file and running nothing."""

import ast
from collections.abc import Mapping
from functools import cache
from typing import TypeGuard

from tests.sentences.sentence import REPOSITORY


def exists(name: str) -> bool:
    """Say whether a file holds the test of this name, ``path::function`` or ``path::Class::method``."""
    path, *names = name.split("::")
    return tuple(names) in _tests_of(path)


def is_left_to_soak(name: str) -> bool:
    """Say whether ``make soak`` alone plays a test that exists, whatever its parameters."""
    path, *names = name.split("::")
    marks = _tests_of(path)[tuple(names)].decorator_list
    return any(ast.unparse(mark).startswith("pytest.mark.soak") for mark in marks)


@cache
def _tests_of(path: str) -> Mapping[tuple[str, ...], ast.FunctionDef]:
    file = REPOSITORY / path
    if not file.is_file():
        return {}
    found: dict[tuple[str, ...], ast.FunctionDef] = {}
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.ClassDef):
            found |= {(node.name, below.name): below for below in node.body if _is_test(below)}
        elif _is_test(node):
            found[node.name,] = node
    return found


def _is_test(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
