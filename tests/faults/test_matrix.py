"""Whatever call of a round fails, and however: one commit, one summary, one reply per thread, or a visible refusal.

Each test plays a part of the matrix on an assembly of its own; ``make faults`` plays the whole of it.
"""

import random
from collections import defaultdict

import pytest

from tests.faults.__main__ import main
from tests.faults.courses import FIX, FOLLOW_UP, Course
from tests.faults.kinds import Kind
from tests.faults.matrix import Cell, play, sampled_pairs
from tests.faults.places import listed
from tests.faults.sample import FOLLOW_UP_WAYS, WAYS, rotated, spread

pytestmark = pytest.mark.filterwarnings("ignore:Exception.*does not match an error shape:UserWarning")
"""moto warns of an injected error whose code is in no service's description, as those of a broken service are not."""

CALLS = listed(FIX.calls)
FOLLOW_UP_CALLS = listed(FOLLOW_UP.calls)
SAMPLE = spread(CALLS, WAYS)
FOLLOW_UP_SAMPLE = spread(FOLLOW_UP_CALLS, FOLLOW_UP_WAYS)

PARTS = 2
PAIRS = 3
SEED = 1
_, *MORE_PAIRS = sampled_pairs(CALLS, PAIRS, random.Random(SEED))


def _complaints(cells: list[Cell], course: Course = FIX) -> dict[str, list[str]]:
    return {result.cell: list(result.complaints) for result in play(cells, course) if result.complaints}


def test_the_sample_fails_in_every_way_and_in_those_that_leave_the_most_doubt_in_several_states() -> None:
    states = defaultdict(set)
    for fault in (*SAMPLE, *FOLLOW_UP_SAMPLE):
        states[fault.kind].add(fault.place.caller)
    assert set(states) == set(Kind)
    assert min(len(states[kind]) for kind in (Kind.ERROR, Kind.LOST, Kind.DIED)) > 1


def test_a_round_survives_the_failure_of_any_call() -> None:
    assert _complaints([(fault,) for fault in SAMPLE]) == {}


def test_a_round_survives_the_failure_of_any_two_calls(capsys: pytest.CaptureFixture[str]) -> None:
    """As ``make faults`` plays them."""
    assert main(["--pairs", "1", "--seed", str(SEED), "--workers", "1"]) == 0
    counted, drawn, played = capsys.readouterr().out.splitlines()
    assert counted.startswith(f"{len(CALLS)} calls, ")
    assert drawn == f"1 pairs, drawn with seed {SEED}"
    assert played.endswith(" 0 not as they must be")


def test_a_follow_up_survives_the_failure_of_any_call() -> None:
    assert _complaints([(fault,) for fault in FOLLOW_UP_SAMPLE], FOLLOW_UP) == {}


@pytest.mark.soak(reason="a call of each operation fails; in the test run one of ten stretches of the round")
@pytest.mark.parametrize("part", range(PARTS))
def test_a_round_survives_the_failure_of_a_call_of_each_operation(part: int) -> None:
    assert _complaints([(fault,) for fault in rotated(CALLS)[part::PARTS]]) == {}


@pytest.mark.soak(reason="more pairs of calls fail than the one of the test run")
def test_a_round_survives_the_failure_of_more_pairs_of_calls() -> None:
    assert _complaints(MORE_PAIRS) == {}


@pytest.mark.soak(reason="a call of each operation of a follow-up fails; in the test run one of four stretches")
def test_a_follow_up_survives_the_failure_of_a_call_of_each_operation() -> None:
    assert _complaints([(fault,) for fault in rotated(FOLLOW_UP_CALLS)], FOLLOW_UP) == {}
