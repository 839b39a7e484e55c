"""Whatever call of a round fails, and however: one commit, one summary, one reply per thread, or a visible refusal.

Each test plays a part of a sample on an assembly of its own; ``make faults`` plays the whole matrix.
"""

import random

import pytest

from tests.faults.courses import FIX, FOLLOW_UP, Course
from tests.faults.matrix import Cell, play, sampled_pairs
from tests.faults.places import listed
from tests.faults.sample import rotated

pytestmark = pytest.mark.filterwarnings("ignore:Exception.*does not match an error shape:UserWarning")
"""moto warns of an injected error whose code is in no service's description, as those of a broken service are not."""

PARTS = 2
PAIRS = 3
STRIDE = 2
FOLLOW_UP_STRIDE = 6
"""Every so many of the operations is hurt in a test run; those of a follow-up are met on the way to the fix as well."""

SEED = 1


def _complaints(cells: list[Cell], course: Course = FIX) -> dict[str, list[str]]:
    return {result.cell: list(result.complaints) for result in play(cells, course) if result.complaints}


@pytest.mark.parametrize("part", range(PARTS))
def test_a_round_survives_the_failure_of_any_call(part: int) -> None:
    assert _complaints([(fault,) for fault in rotated(listed(FIX.calls))[::STRIDE][part::PARTS]]) == {}


def test_a_round_survives_the_failure_of_any_two_calls() -> None:
    assert _complaints(sampled_pairs(listed(FIX.calls), PAIRS, random.Random(SEED))) == {}


def test_a_follow_up_survives_the_failure_of_any_call() -> None:
    assert _complaints([(fault,) for fault in rotated(listed(FOLLOW_UP.calls))[::FOLLOW_UP_STRIDE]], FOLLOW_UP) == {}
