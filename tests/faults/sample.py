"""The parts of the matrix that tests play; ``make faults`` plays all of it."""

from collections import defaultdict
from collections.abc import Sequence

from tests.faults.kinds import Fault, Kind, kinds
from tests.faults.places import Place

WAYS = (
    Kind.LOST_ONCE,
    Kind.PARTIAL,
    Kind.ERROR,
    Kind.TIME_OUT,
    Kind.THROTTLED,
    Kind.DIED,
    Kind.LOST,
    Kind.THROTTLED_WITH_WAIT,
    Kind.ERROR,
    Kind.DIED,
)
"""How the calls of a round fail in a test run, in the order of the calls."""

FOLLOW_UP_WAYS = (Kind.PARTIAL, Kind.ERROR, Kind.LOST, Kind.DIED)

_AFTER_AN_EFFECT = {Kind.LOST_ONCE, Kind.LOST, Kind.DIED}
_EFFECTS = ("TransactWriteItems", "UpdateRefs", "POST /repos", "PATCH /repos")
"""What the operations hold in their names whose effect others see."""


def spread(places: Sequence[Place], ways: Sequence[Kind]) -> list[Fault]:
    """Cut a round in as many stretches, and let a call of each fail in one of the ways.

    It is the first that can fail so and whose operation fails nowhere else; the effect without an answer is that of a
    call that has one.
    """
    chosen: list[Fault] = []
    for turn, kind in enumerate(ways):
        stretch = places[turn * len(places) // len(ways) :]
        hurt = {fault.place.operation for fault in chosen}
        chosen.append(next(Fault(at, kind) for at in stretch if _can_fail(at, kind) and at.operation not in hurt))
    return chosen


def _can_fail(place: Place, kind: Kind) -> bool:
    has_effect = any(word in place.operation for word in _EFFECTS)
    return kind in kinds(place) and (has_effect or kind not in _AFTER_AN_EFFECT)


def rotated(places: Sequence[Place]) -> list[Fault]:
    """Pick one call of each operation, and let callers and ways to fail take turns."""
    asked: defaultdict[str, list[Place]] = defaultdict(list)
    for place in places:
        asked[place.operation].append(place)
    chosen = [alike[turn % len(alike)] for turn, alike in enumerate(asked.values())]
    return [Fault(place, kinds(place)[turn % len(kinds(place))]) for turn, place in enumerate(chosen)]
