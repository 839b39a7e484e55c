"""What was written down and never acted on is found again, the oldest first, and read as it really stands."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from autoswe.contracts.records.platform import FireOutcome
from autoswe.dynamodb.intake.claims import DELIVERY_LIFE
from autoswe.dynamodb.intake.deliveries import DeliveryTable
from autoswe.dynamodb.intake.pending_intakes import PendingIntakeTable
from autoswe.dynamodb.intake.unstarted import UnstartedTable
from autoswe.dynamodb.records.decisions import DecisionTable
from autoswe.dynamodb.table.attributes import MalformedRow, to_item
from autoswe.ports.intake.claims import Claim, Suppression
from autoswe.ports.intake.starts import Deliveries, IntakeKey, Unstarted
from autoswe.ports.records import Connections
from autoswe.rules.records.decisions import decision_digest
from tests.support.feedback.state import MockState, connection, decision, offer
from tests.support.intake import offers
from tests.support.intake.deliveries import CONNECTION
from tests.support.intake.ledger import FIRST, claimed
from tests.support.mock_table import NAME

SECOND = timedelta(seconds=1)


def table(state: MockState) -> UnstartedTable:
    return UnstartedTable(state.mocked.table, state.backoff)


def later(state: MockState) -> datetime:
    return state.clock() + SECOND


def decide(state: MockState, pull: int) -> str:
    """Record a decision on a pull request of its own."""
    made = offers.offer(500 + pull, delivery=pull, pull=pull)
    assert state.intake.claim(made) is Claim.DECIDED
    return f"DECISION#{CONNECTION}#octo/widgets#{made.subject}#fix-feedback"


def offered_again(state: MockState) -> IntakeKey:
    """Let a round end as a skip and offer the delivery that was suppressed meanwhile."""
    decided = state.decide(1)
    claimed(state, decided)
    guid = state.suppress(2)
    state.rounds.close(decided, FIRST, FireOutcome.SKIPPED, "nothing_trusted")
    state.rounds.offer_again(decided, guid)
    return IntakeKey(f"INTAKE#{CONNECTION}#{guid}", f"BY#{decision_digest(decided.decision_id)}")


def test_sweeping_uses_the_tables_through_their_ports(state: MockState) -> None:
    unstarted: Unstarted = table(state)
    deliveries: Deliveries = DeliveryTable(state.mocked.table, state.clock, state.backoff)
    connections: Connections = state.records
    assert (list(unstarted.decisions(state.clock())), deliveries.recorded(CONNECTION, ())) == ([], frozenset())
    assert connections.connections() == ()


class TestDecisions:
    def test_those_made_before_a_moment_are_listed_oldest_first_and_none_made_at_it(self, state: MockState) -> None:
        ids = []
        for pull in (3, 1, 2):
            ids.append(decide(state, pull))
            state.clock.advance(1)
        assert list(table(state).decisions(state.clock())) == ids
        assert list(table(state).decisions(state.clock() - SECOND)) == ids[:2]

    def test_one_that_has_started_is_neither_listed_nor_read(self, state: MockState) -> None:
        made = decide(state, 1)
        assert table(state).decision(made) is not None
        DecisionTable(state.mocked.table, state.backoff).mark_started(made)
        assert list(table(state).decisions(later(state))) == []
        assert table(state).decision(made) is None

    def test_one_is_read_as_it_was_decided(self, state: MockState) -> None:
        decided = state.decide(1)
        assert table(state).decision(decided.decision_id) == decided == decision(1)

    def test_one_that_is_not_there_is_none(self, state: MockState) -> None:
        assert table(state).decision("DECISION#nowhere") is None

    def test_a_damaged_one_is_refused_by_name(self, state: MockState) -> None:
        made = decide(state, 1)
        state.mocked.put(**{**state.mocked.get(made), "pull_number": "one"})
        with pytest.raises(MalformedRow, match="pull_number"):
            table(state).decision(made)


class TestIntakes:
    def test_one_that_was_offered_and_not_resolved_is_listed_and_read(self, state: MockState) -> None:
        place = offered_again(state)
        assert list(table(state).intakes(later(state))) == [place]
        assert list(table(state).intakes(state.clock())) == []
        found = table(state).intake(place)
        assert found is not None
        assert (found.offer, found.partition_key, found.sort_key) == (offer(2), place.partition_key, place.sort_key)

    def test_a_decision_is_no_intake_and_an_intake_no_decision(self, state: MockState) -> None:
        place = offered_again(state)
        assert place.partition_key not in list(table(state).decisions(later(state)))
        assert [one.partition_key for one in table(state).intakes(later(state))] == [place.partition_key]

    @pytest.mark.parametrize("outcome", ["decided", "duplicate"])
    def test_one_that_was_settled_is_neither_listed_nor_read(self, state: MockState, outcome: str) -> None:
        place = offered_again(state)
        found = table(state).intake(place)
        assert found is not None
        PendingIntakeTable(state.mocked.table, state.clock, state.backoff).settle(found, outcome)
        assert list(table(state).intakes(later(state))) == []
        assert table(state).intake(place) is None

    def test_one_that_was_suppressed_again_waits_for_its_round_and_for_nobody_else(self, state: MockState) -> None:
        place = offered_again(state)
        found = table(state).intake(place)
        assert found is not None
        state.decide(3)
        intakes = PendingIntakeTable(state.mocked.table, state.clock, state.backoff)
        assert intakes.suppress_again(found) is Suppression.SUPPRESSED
        assert list(table(state).intakes(later(state))) == []


class TestDeliveries:
    def recorded(self, state: MockState, *numbers: int) -> frozenset[str]:
        return DeliveryTable(state.mocked.table, state.clock, state.backoff).recorded(
            CONNECTION, [offers.guid(number) for number in numbers]
        )

    def test_decided_and_suppressed_deliveries_are_recorded_and_no_others(self, state: MockState) -> None:
        state.decide(1)
        state.suppress(2)
        assert self.recorded(state, 1, 2, 3) == {offers.guid(1), offers.guid(2)}

    def test_another_connections_delivery_of_the_same_guid_is_another(self, state: MockState) -> None:
        """Two Apps hear of one event under one GUID."""
        state.mocked.put(f"DELIVERY#other#{offers.guid(1)}", "row", expires_at=2**40)
        assert self.recorded(state, 1) == frozenset()

    def test_a_record_that_has_expired_is_none_whether_it_is_deleted_yet_or_not(self, state: MockState) -> None:
        state.decide(1)
        state.clock.advance(DELIVERY_LIFE.total_seconds())
        assert self.recorded(state, 1) == {offers.guid(1)}
        state.clock.advance(1)
        assert self.recorded(state, 1) == frozenset()

    def test_more_are_asked_for_than_one_request_may_hold(self, state: MockState) -> None:
        """DynamoDB takes 100 keys in a request ("BatchGetItem")."""
        for number in (1, 100, 101, 250):
            item = {"pk": f"DELIVERY#{CONNECTION}#{offers.guid(number)}", "sk": "row", "expires_at": 2**40}
            state.mocked.client.put_item(TableName=NAME, Item=to_item(item))
        found = self.recorded(state, *range(1, 251))
        assert found == {offers.guid(number) for number in (1, 100, 101, 250)}

    def test_a_guid_may_be_asked_for_twice(self, state: MockState) -> None:
        state.decide(1)
        assert self.recorded(state, 1, 1) == {offers.guid(1)}


@pytest.mark.parametrize("names", [(), ("feedback",), ("b", "a", "c-1")])
def test_every_connection_is_read_by_name(state: MockState, names: Sequence[str]) -> None:
    for name in names:
        state.records.save_connection(connection(name=name))
    assert [one.name for one in state.records.connections()] == sorted(names)
    assert [state.records.connection(name) for name in names] == [connection(name=name) for name in names]
