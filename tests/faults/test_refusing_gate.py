"""No failure of any call lets a change through that its gates refuse."""

from collections.abc import Iterator

import pytest

from tests.faults.places import CONTAINERS, Place
from tests.faults.sample import rotated
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
    for fault in rotated(places)[::2]:
        trial = standing.hold(fault, gates=REFUSING_GATES)
        assert (trial.pushed, trial.complaints) == (False, []), str(trial.met)
