"""What happened on a pull request beside the round: notes, and deliveries that are offered again."""

import pytest

from autoswe.contracts.records.offers import Offer
from autoswe.contracts.records.platform import FireOutcome
from autoswe.dynamodb.feedback.suppressed import DeliveryNotSuppressed
from autoswe.dynamodb.intake.pending_intakes import pending_intake
from autoswe.dynamodb.table.keys import key
from autoswe.ports.intake.claims import Claim
from tests.support.feedback.state import MockState, decision, offer
from tests.support.intake.deliveries import CONNECTION
from tests.support.intake.ledger import FIRST, PULL, REPLAY, claimed


class TestNotes:
    def test_a_note_names_its_event_its_decision_and_its_time(self, state: MockState) -> None:
        state.clock.advance(5)
        state.rounds.note(decision(), "skipped:pull_closed")
        (row,) = state.mocked.rows(PULL, "EVENT#")
        assert (row["event"], row["decision_id"], row["noted_at"]) == (
            "skipped:pull_closed",
            decision().decision_id,
            "2026-11-30T12:00:05Z",
        )

    def test_a_retried_step_adds_no_second_note_however_late(self, state: MockState) -> None:
        state.rounds.note(decision(), "skipped:pull_closed")
        before = state.contents()
        state.clock.advance(3600)
        state.rounds.note(decision(), "skipped:pull_closed")
        assert state.contents() == before

    def test_different_events_and_decisions_have_different_notes(self, state: MockState) -> None:
        state.rounds.note(decision(1), "skipped:pull_closed")
        state.rounds.note(decision(1), "skipped:round_limit")
        state.rounds.note(decision(2), "skipped:pull_closed")
        assert len(state.mocked.rows(PULL, "EVENT#")) == 3


class TestSuppressed:
    def test_deliveries_are_listed_oldest_first_from_the_moment_the_decision_took_the_slot(
        self, state: MockState
    ) -> None:
        decided = state.decide(1)
        state.clock.advance(1)
        early = state.suppress(3)
        state.clock.advance(1)
        claimed(state, decided)
        state.clock.advance(1)
        late = state.suppress(2)
        assert state.rounds.suppressed_during(decided) == (early, late)

    def test_a_round_that_was_never_claimed_lists_what_came_since_its_decision(self, state: MockState) -> None:
        decided = state.decide(1)
        suppressed = state.suppress(2)
        assert state.rounds.suppressed_during(decided) == (suppressed,)

    def test_what_came_during_an_earlier_round_or_on_another_pull_request_is_not_listed(self, state: MockState) -> None:
        first = state.decide(1)
        state.suppress(2)
        state.rounds.close(first, FIRST, FireOutcome.SUCCEEDED, None)
        state.clock.advance(1)
        second = state.decide(3)
        assert state.rounds.suppressed_during(second) == ()
        assert state.rounds.suppressed_during(decision(4, pull_number=70)) == ()

    def test_a_replay_lists_only_what_came_since_it_took_the_slot_again(self, state: MockState) -> None:
        decided = state.decide(1)
        claimed(state, decided, FIRST)
        state.suppress(2)
        state.rounds.close(decided, FIRST, FireOutcome.FAILED, "push_refused")
        state.clock.advance(60)
        claimed(state, decided, REPLAY)
        late = state.suppress(3)
        assert state.rounds.suppressed_during(decided) == (late,)

    def test_the_delivery_that_a_round_came_from_is_not_news_to_it(self, state: MockState) -> None:
        """A suppressed delivery may be decided on in the very second it was suppressed in."""
        first = state.decide(1)
        state.suppress(2)
        state.rounds.close(first, FIRST, FireOutcome.SKIPPED, "pull_closed")
        second = state.decide(2)
        assert state.rounds.suppressed_during(second) == ()

    def test_notes_are_not_deliveries(self, state: MockState) -> None:
        decided = state.decide(1)
        state.rounds.note(decided, "skipped:pull_closed")
        assert state.rounds.suppressed_during(decided) == ()

    def test_offering_again_writes_the_very_offer_that_was_suppressed(self, state: MockState) -> None:
        decided = state.decide(1)
        state.suppress(2)
        delivery = state.suppress(3)
        state.rounds.offer_again(decided, delivery)
        (row,) = state.mocked.rows("INTAKE#")
        assert (row["pk"], row["kind"]) == (key("INTAKE", CONNECTION, delivery), "intake")
        assert self.offered(state) == [offer(3)]

    def test_a_suppressed_delivery_that_is_offered_after_the_round_is_decided_on(self, state: MockState) -> None:
        decided = state.decide(1)
        state.rounds.offer_again(decided, state.suppress(2))
        state.rounds.close(decided, FIRST, FireOutcome.SKIPPED, "pull_closed")
        (again,) = self.offered(state)
        assert state.intake.claim(again) is Claim.DECIDED

    def test_offering_again_twice_leaves_an_intake_that_was_settled_alone(self, state: MockState) -> None:
        decided = state.decide(1)
        delivery = state.suppress(2)
        state.suppress(3)
        state.rounds.offer_again(decided, delivery)
        (row,) = state.mocked.rows("INTAKE#")
        state.mocked.put(**{**row, "outcome": "decided"})
        before = state.contents()
        state.rounds.offer_again(decided, delivery)
        assert state.contents() == before

    def test_a_round_that_held_up_an_offer_may_make_it_once_more(self, state: MockState) -> None:
        first = state.decide(1)
        delivery = state.suppress(3)
        state.rounds.offer_again(first, delivery)
        state.rounds.close(first, FIRST, FireOutcome.SKIPPED, "pull_closed")
        second = state.decide(2)
        state.rounds.offer_again(second, delivery)
        assert self.offered(state) == [offer(3), offer(3)]

    def test_a_delivery_that_was_not_suppressed_is_not_offered(self, state: MockState) -> None:
        decided = state.decide(1)
        with pytest.raises(DeliveryNotSuppressed):
            state.rounds.offer_again(decided, decided.delivery)
        assert state.mocked.rows("INTAKE#") == []

    @staticmethod
    def offered(state: MockState) -> list[Offer]:
        items = state.mocked.client.scan(TableName=state.mocked.table.name)["Items"]
        return [pending_intake(item).offer for item in items if item.get("kind") == {"S": "intake"}]
