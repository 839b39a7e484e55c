"""A round makes the external calls that are listed, in that order, and no others."""

from collections import Counter
from pathlib import Path

import pytest

from tests.faults.courses import COURSES, FIX, Course
from tests.faults.matrix import recorded_places
from tests.faults.places import Place, listed


@pytest.mark.parametrize("name", COURSES)
def test_a_round_makes_exactly_the_listed_calls_in_the_listed_order(tmp_path: Path, name: str) -> None:
    """``python -m tests.faults --list`` writes the lists anew after a change that is meant."""
    course = COURSES[name]
    assert recorded_places(tmp_path, course) == listed(course.calls)


def _of_the_host(course: Course) -> list[Place]:
    return [place for place in listed(course.calls) if place.operation.startswith("github ")]


def test_a_round_makes_few_calls_of_the_host() -> None:
    """From the decision to the end of a green watch, tokens included."""
    assert len(_of_the_host(FIX)) <= 28


def test_a_further_look_at_ci_makes_few_calls_of_the_host() -> None:
    looks = Counter((place.caller, place.invocation) for place in _of_the_host(FIX) if place.caller == "Poll CI")
    assert len(looks) == 2
    assert max(looks.values()) <= 3
