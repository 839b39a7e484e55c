"""No failure of any call lets a change through that its gates refuse."""

from collections.abc import Iterable, Iterator

import pytest

from tests.faults.kinds import Fault, Kind
from tests.faults.places import CONTAINERS, Place
from tests.faults.sample import rotated, spread
from tests.faults.trial import REFUSING_GATES, Stand, stand

pytestmark = pytest.mark.filterwarnings("ignore:Exception.*does not match an error shape:UserWarning")

AFTER_THE_AGENT = {CONTAINERS, "Push fix"}


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    with stand(tmp_path_factory.mktemp("stand")) as one:
        yield one


@pytest.fixture(scope="module")
def places(standing: Stand) -> list[Place]:
    trial = standing.hold(gates=REFUSING_GATES)
    assert not trial.pushed
    assert not trial.complaints
    return [place for place in trial.places if place.caller in AFTER_THE_AGENT]


def test_a_change_that_a_gate_refuses_is_never_pushed_whatever_fails(standing: Stand, places: list[Place]) -> None:
    """A container's own call fails, or what containers left is read in part."""
    own = [place for place in places if place.caller == CONTAINERS]
    after = [place for place in places if place.caller != CONTAINERS]
    refused(standing, [*spread(own, (Kind.ERROR,)), *spread(after, (Kind.PARTIAL,))])


@pytest.mark.soak(reason="a call of each operation after the agent fails; in the test run a container's and a read")
def test_a_change_that_a_gate_refuses_is_never_pushed_whichever_call_fails(
    standing: Stand, places: list[Place]
) -> None:
    refused(standing, rotated(places))


def refused(standing: Stand, faults: Iterable[Fault]) -> None:
    """Require that nothing is pushed and nothing is wrong after a round with each of the faults."""
    for fault in faults:
        trial = standing.hold(fault, gates=REFUSING_GATES)
        assert (trial.met[0], trial.pushed, trial.complaints) == (fault, False, [])
