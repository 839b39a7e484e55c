"""The part of the matrix that every test run plays; ``make faults`` plays all of it."""

from collections import defaultdict
from collections.abc import Sequence

from tests.faults.kinds import Fault, kinds
from tests.faults.places import Place


def rotated(places: Sequence[Place]) -> list[Fault]:
    """Pick one call of each operation, and let callers and ways to fail take turns."""
    asked: defaultdict[str, list[Place]] = defaultdict(list)
    for place in places:
        asked[place.operation].append(place)
    chosen = [alike[turn % len(alike)] for turn, alike in enumerate(asked.values())]
    return [Fault(place, kinds(place)[turn % len(kinds(place))]) for turn, place in enumerate(chosen)]
