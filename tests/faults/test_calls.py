"""A round makes the external calls that are listed, in that order, and no others."""

from pathlib import Path

import pytest

from tests.faults.courses import COURSES
from tests.faults.matrix import recorded_places
from tests.faults.places import listed


@pytest.mark.parametrize("name", COURSES)
def test_a_round_makes_exactly_the_listed_calls_in_the_listed_order(tmp_path: Path, name: str) -> None:
    """``python -m tests.faults --list`` writes the lists anew after a change that is meant."""
    course = COURSES[name]
    assert recorded_places(tmp_path, course) == listed(course.calls)
