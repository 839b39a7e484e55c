"""A round makes the external calls that are listed, in that order, and no others."""

from pathlib import Path

from tests.faults.matrix import recorded_places
from tests.faults.places import listed


def test_a_round_makes_exactly_the_listed_calls_in_the_listed_order(tmp_path: Path) -> None:
    """``python -m tests.faults --list`` writes the list anew after a change that is meant."""
    assert recorded_places(tmp_path) == listed()
