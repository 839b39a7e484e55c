"""Play the fault matrix: ``python -m tests.faults`` plays all of it, ``--help`` names the parts.

Prints its size, every cell that ends otherwise than it must, and how many rounds pushed or were refused. Exits with 1
when one did not end as it must.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.courses import COURSES, FIX, Course
from tests.faults.kinds import faults
from tests.faults.matrix import Cell, Result, play, recorded_places, sampled_pairs
from tests.faults.places import Place, write_list

_CELLS_PER_TASK = 24


def main(argv: Sequence[str]) -> int:
    """Play the cells that the arguments choose, and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Play the fault matrix.")
    parser.add_argument("--list", action="store_true", help="write the lists of a round's calls anew and play nothing")
    parser.add_argument("--pairs", type=int, default=0, help="play so many pairs of faults instead of single ones")
    parser.add_argument("--seed", type=int, default=1, help="the sample of pairs to draw")
    parser.add_argument("--only", default="", help="play only the cells whose description holds this text")
    parser.add_argument("--workers", type=int, default=2, help="how many processes share the work; 1 is this one")
    parser.add_argument("--course", choices=sorted(COURSES), default=FIX.name, help="the course that rounds take")
    chosen = parser.parse_args(argv)
    if chosen.list:
        for course in COURSES.values():
            write_list(course.calls, _record(course))
        return 0
    course = COURSES[chosen.course]
    places = _record(course)
    single = faults(places)
    _say(f"{len(places)} calls, {len(single)} faults of one call each")
    cells: list[Cell] = [(fault,) for fault in single]
    if chosen.pairs:
        cells = sampled_pairs(places, chosen.pairs, random.Random(chosen.seed))
        _say(f"{len(cells)} pairs, drawn with seed {chosen.seed}")
    cells = [cell for cell in cells if any(chosen.only in str(fault) for fault in cell)]
    if chosen.workers == 1:
        return _report(_play(course.name, cells))
    shares = [cells[start : start + _CELLS_PER_TASK] for start in range(0, len(cells), _CELLS_PER_TASK)]
    with ProcessPoolExecutor(chosen.workers) as workers:
        return _report(result for results in workers.map(partial(_play, course.name), shares) for result in results)


def _record(course: Course) -> list[Place]:
    with TemporaryDirectory(prefix="faults-") as folder, redirect_stdout(StringIO()):
        return recorded_places(Path(folder), course)


def _play(course: str, cells: Sequence[Cell]) -> list[Result]:
    return list(play(cells, COURSES[course]))


def _report(results: Iterable[Result]) -> int:
    played = pushed = wrong = 0
    for result in results:
        played += 1
        pushed += result.pushed
        if result.complaints:
            wrong += 1
            _say(f"WRONG {result.cell}: {'; '.join(result.complaints)}")
    _say(f"{played} cells played: {pushed} pushed, {played - pushed} refused, {wrong} not as they must be")
    return 1 if wrong else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
