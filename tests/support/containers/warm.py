"""Real containers, each a fork of one interpreter that is warm already."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.local.assembly import ROOT, fixer_task
from infra.local.embedded_aws.ecs.containers import TaskDefinition

_INTERPRETER = Path(__file__).with_name("interpreter.py")


_PATH = {"PYTHONPATH": f"{ROOT}:{ROOT / 'layers/core/python'}"}


@contextmanager
def warm_interpreter() -> Iterator[Sequence[str]]:
    """Keep a warm interpreter until the block ends, and give what runs the module that is named after it in a fork."""
    with TemporaryDirectory(prefix="warm-") as folder:
        address = str(Path(folder) / "socket")
        argv = [sys.executable, str(_INTERPRETER), address]
        with subprocess.Popen(
            argv, env=_PATH, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as interpreter:
            assert interpreter.stdin is not None
            assert interpreter.stdout is not None
            interpreter.stdout.readline()
            try:
                yield sys.executable, "-I", "-S", str(_INTERPRETER), address
            finally:
                interpreter.stdin.close()


@contextmanager
def warm_task(cold: TaskDefinition | None = None) -> Iterator[TaskDefinition]:
    """Keep a warm interpreter until the block ends, and describe the task whose containers are forks of it.

    ``cold`` is the task as it is otherwise: the fixer's when none is named.
    """
    cold = cold or fixer_task()
    with warm_interpreter() as warm:
        yield replace(
            cold,
            containers=tuple(
                replace(one, argv=(*warm, one.argv[-1]), environment=_without(_PATH, one.environment))
                for one in cold.containers
            ),
        )


def _without(names: Mapping[str, str], environment: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in environment.items() if name not in names}
