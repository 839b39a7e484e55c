"""Real containers, each a fork of one interpreter that is warm already."""

import atexit
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from infra.local.assembly import ROOT, fixer_task
from infra.local.embedded_aws.ecs.containers import TaskDefinition

_INTERPRETER = Path(__file__).with_name("interpreter.py")


_PATH = {"PYTHONPATH": f"{ROOT}:{ROOT / 'layers/core/python'}"}


@cache
def warm_interpreter() -> Sequence[str]:
    """Start an interpreter that is warm until this process ends, and give what runs a module in a fork of it."""
    folder = mkdtemp(prefix="warm-")
    address = str(Path(folder) / "socket")
    argv = [sys.executable, str(_INTERPRETER), address]
    interpreter = subprocess.Popen(argv, env=_PATH, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(interpreter.communicate)
    assert interpreter.stdout is not None
    interpreter.stdout.readline()
    return sys.executable, "-I", "-S", str(_INTERPRETER), address


def warm_task(cold: TaskDefinition | None = None) -> TaskDefinition:
    """Describe the task whose containers are forks of the warm interpreter.

    ``cold`` is the task as it is otherwise: the fixer's when none is named.
    """
    cold = cold or fixer_task()
    return replace(
        cold,
        containers=tuple(
            replace(one, argv=(*warm_interpreter(), one.argv[-1]), environment=_without(_PATH, one.environment))
            for one in cold.containers
        ),
    )


def _without(names: Mapping[str, str], environment: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in environment.items() if name not in names}
