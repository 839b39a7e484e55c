"""The fault matrix: cells of one or two faults, each a round of its own, played on assemblies under watch."""

import random
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.courses import FIX, Course
from tests.faults.kinds import Fault, faults
from tests.faults.places import CONTAINERS, Place
from tests.faults.trial import Stand, Trial, stand

Cell = tuple[Fault, ...]

_CELLS_PER_ASSEMBLY = 24
"""The embedded table copies itself in every transaction: it must stay small."""


@dataclass(frozen=True)
class Result:
    """How one cell ended: ``complaints`` is empty when all was as it must be."""

    cell: str
    pushed: bool
    complaints: Sequence[str]


def recorded_places(root: Path, course: Course) -> list[Place]:
    """Play a round without a fault and list its calls; raises ``ValueError`` when that round itself went wrong."""
    with stand(root, course) as one:
        trial = one.hold()
    if trial.complaints or not trial.pushed:
        raise ValueError(f"the round without a fault went wrong: {trial.complaints}")
    return list(trial.places)


def sampled_pairs(places: list[Place], size: int, chance: random.Random) -> list[Cell]:
    """Draw pairs of faults of two different calls, in the order of the calls."""
    single = faults(places)
    order = {place: index for index, place in enumerate(places)}
    pairs: list[Cell] = []
    while len(pairs) < size:
        first, second = sorted(chance.sample(single, 2), key=lambda fault: order[fault.place])
        if first.place != second.place:
            pairs.append((first, second))
    return pairs


def play(cells: Sequence[Cell], course: Course = FIX) -> Iterator[Result]:
    """Play cells one after another, on a fresh assembly every so often; what the functions log is not shown."""
    for start in range(0, len(cells), _CELLS_PER_ASSEMBLY):
        with (
            TemporaryDirectory(prefix="faults-") as folder,
            redirect_stdout(StringIO()),
            stand(Path(folder), course) as one,
        ):
            results = [_played(one, cell) for cell in cells[start : start + _CELLS_PER_ASSEMBLY]]
        yield from results


def _played(one: Stand, cell: Cell) -> Result:
    trial = one.hold(*cell)
    return Result(" + ".join(map(str, cell)), trial.pushed, [*trial.complaints, *_about_faults(cell, trial)])


def _about_faults(cell: Cell, trial: Trial) -> Iterator[str]:
    """Say what makes a cell worthless, or shows that the system gave up where it need not."""
    if cell[0] not in trial.met:
        yield "the call that was to fail was not made"
    if not trial.pushed and all(fault.place.caller != CONTAINERS for fault in cell):
        yield f"not all was pushed ({trial.reason}), although every function may be tried again"
