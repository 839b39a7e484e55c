"""The part of the matrix that every test run plays; ``make faults`` plays all of it."""

from collections.abc import Sequence

from tests.faults.kinds import Fault, kinds
from tests.faults.places import Place


def rotated(places: Sequence[Place]) -> list[Fault]:
    """Pick, of the calls in which a caller asks the same operation, the first, and let the ways to fail take turns."""
    first: dict[tuple[str, str], Place] = {}
    for place in places:
        first.setdefault((place.caller, place.operation), place)
    return [Fault(place, kinds(place)[turn % len(kinds(place))]) for turn, place in enumerate(first.values())]
