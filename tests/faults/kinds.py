"""The ways in which one call can fail, and which of them a call of a given service can meet."""

from enum import StrEnum
from typing import NamedTuple

from tests.faults.places import CONTAINERS, WORKFLOW, Place


class Kind(StrEnum):
    """A way to fail. All but ``lost_once`` and ``died`` go on for as long as the caller tries again.

    ``error``: an error answer and no effect. ``lost_once``: the effect and no answer, the first time. ``lost``: the
    effect and no answer, however often it is tried. ``time_out``: no answer and no effect. ``throttled``: the service
    asks for fewer requests; ``throttled_with_wait``: and says for how long. ``partial``: an answer that lacks a part.
    ``died``: the effect, and the caller's process ends before it sees the answer.
    """

    ERROR = "error"
    LOST_ONCE = "lost_once"
    LOST = "lost"
    TIME_OUT = "time_out"
    THROTTLED = "throttled"
    THROTTLED_WITH_WAIT = "throttled_with_wait"
    PARTIAL = "partial"
    DIED = "died"

    @property
    def persists(self) -> bool:
        """Whether it meets the same caller again when the call is tried again."""
        return self not in {Kind.LOST_ONCE, Kind.DIED}


class Fault(NamedTuple):
    """One call failing in one way."""

    place: Place
    kind: Kind

    def __str__(self) -> str:
        return f"{self.place} [{self.kind}]"


_ANY_CALL = (Kind.ERROR, Kind.LOST_ONCE, Kind.LOST, Kind.TIME_OUT, Kind.THROTTLED, Kind.DIED)
_IN_PARTS = ("dynamodb BatchGetItem", "dynamodb Query", "s3 GetObject")


def kinds(place: Place) -> tuple[Kind, ...]:
    """List the ways in which a call can fail."""
    if place.caller == WORKFLOW:
        # Step Functions makes this call: it is no process of ours that could die or wait in vain.
        return (Kind.ERROR, Kind.THROTTLED)
    if place.service == "github":
        partial = () if "DELETE" in place.operation else (Kind.PARTIAL,)
        return (*_ANY_CALL, Kind.THROTTLED_WITH_WAIT, *partial)
    if place.operation in _IN_PARTS and place.caller != CONTAINERS:
        return (*_ANY_CALL, Kind.PARTIAL)
    return _ANY_CALL


def faults(places: list[Place]) -> list[Fault]:
    """List every fault of every place."""
    return [Fault(place, kind) for place in places for kind in kinds(place)]
