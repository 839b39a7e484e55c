"""Says whether a test exists, by reading its file and running nothing."""

import ast
from functools import cache
from typing import TypeGuard

from tests.sentences.sentence import REPOSITORY


def exists(name: str) -> bool:
    """Say whether a file holds the test of this name, ``path::function`` or ``path::Class::method``."""
    path, *names = name.split("::")
    return tuple(names) in _tests_of(path)


@cache
def _tests_of(path: str) -> frozenset[tuple[str, ...]]:
    file = REPOSITORY / path
    if not file.is_file():
        return frozenset()
    found: set[tuple[str, ...]] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.ClassDef):
            found |= {(node.name, below.name) for below in node.body if _is_test(below)}
        elif _is_test(node):
            found.add((node.name,))
    return frozenset(found)


def _is_test(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
