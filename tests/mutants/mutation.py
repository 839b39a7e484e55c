"""Runs mutmut in a folder and reads what it found.

Mutmut writes every mutant of a function beside the original into a copy of the module, ``x_name__mutmut_1`` beside
``x_name__mutmut_orig``, and keeps the lines that each takes in a ``.spans`` file beside the copy.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path

KILLED = frozenset({"killed", "timeout"})
"""The statuses that mutmut itself counts as noticed by a test."""

_METHOD_SIGN = "ǁ"


class MutationFailed(RuntimeError):
    """Mutmut could not judge the mutants, for example because a test fails without any; the message is its output."""


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test noticed: the file and the line (from 1) it changes, and the lines it takes and gives."""

    path: Path
    line: int
    status: str
    taken: tuple[str, ...]
    given: tuple[str, ...]


def run_mutmut(folder: Path, workers: int, only: Sequence[str]) -> Mapping[str, str]:
    """Judge the mutants of a folder that holds mutmut's configuration; return the status of each by its name.

    ``only`` are names of mutants, ``*`` standing for anything; none means all. ``workers`` is how many are judged at a
    time.
    """
    _mutmut(folder, "run", "--max-children", str(workers), *only)
    listed = _mutmut(folder, "results", "--all", "True")
    statuses = dict(line.strip().split(": ", 1) for line in listed.splitlines() if ": " in line)
    return {name: status for name, status in statuses.items() if status != "not checked"}


def _mutmut(folder: Path, *arguments: str) -> str:
    program = Path(sys.executable).with_name("mutmut")
    ended = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise MutationFailed(ended.stdout + ended.stderr)
    return ended.stdout


def survivors(folder: Path, statuses: Mapping[str, str]) -> Iterator[Survivor]:
    """Describe the mutants that were not killed; paths are relative to ``folder``."""
    for name, status in statuses.items():
        if status not in KILLED:
            module, _, mutant = name.rpartition(".")
            yield _describe(folder, Path(*module.split(".")).with_suffix(".py"), mutant, status)


def _describe(folder: Path, path: Path, mutant: str, status: str) -> Survivor:
    mangled = mutant.partition("__mutmut_")[0]
    class_name, function_name = _unmangle(mangled)
    copy = folder / "mutants" / path
    spans = json.loads(copy.with_name(f"{path.name}.spans").read_text())["spans"]
    code = copy.read_text().splitlines()
    original, mutated = (
        [line.replace(name, function_name) for line in code[spans[name][0] - 1 : spans[name][1]]]
        for name in (f"{mangled}__mutmut_orig", mutant)
    )
    changes = [row for row in ndiff(original, mutated) if row[0] in "+-"]
    taken, given = (tuple(row[2:].strip() for row in changes if row[0] == sign) for sign in "-+")
    first_change = next(at for at, pair in enumerate(zip(original, mutated, strict=False)) if pair[0] != pair[1])
    definition = next(at for at, line in enumerate(original) if line.lstrip().startswith("def "))
    line = _line_of_definition((folder / path).read_text(), class_name, function_name) + first_change - definition
    return Survivor(path, line, status, taken, given)


def _unmangle(mangled: str) -> tuple[str | None, str]:
    """Tell the class, if any, and the function: ``x_name`` stands for a function, ``xǁClassǁname`` for a method."""
    if _METHOD_SIGN not in mangled:
        return None, mangled.removeprefix("x_")
    _, class_name, name = mangled.split(_METHOD_SIGN)
    return class_name, name


def _line_of_definition(source: str, class_name: str | None, name: str) -> int:
    body = ast.parse(source).body
    if class_name is not None:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == class_name)
    return next(node.lineno for node in body if isinstance(node, ast.FunctionDef) and node.name == name)
