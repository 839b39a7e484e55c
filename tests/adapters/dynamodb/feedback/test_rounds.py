"""Who has a pull request: one execution at a time, and an older one neither renews nor closes."""

import pytest

from autoswe.contracts.records.platform import FireOutcome
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.intake.claims import Claim
from autoswe.rules.records.decisions import decision_digest
from tests.support.feedback.state import MockState, decision, offer
from tests.support.intake.ledger import FIRST, FIX, HEAD, LEASE, PULL, REPLAY, RIVAL, claimed, lose_slot, recorded


def test_steps_use_rounds_through_their_port(state: MockState) -> None:
    rounds: Rounds = state.rounds
    assert rounds.fire(decision()) is None


class TestClaim:
    def test_the_first_execution_of_a_decision_takes_the_slot_that_its_delivery_reserved(
        self, state: MockState
    ) -> None:
        decided = state.decide()
        state.clock.advance(30)
        fire = claimed(state, decided)
        assert (fire.execution, fire.outcome, fire.pushed) == (FIRST, FireOutcome.RUNNING, False)
        assert state.rounds.fire(decided) == fire
        slot = state.mocked.get(PULL, "INFLIGHT")
        assert (slot["holder"], slot["fence"], slot["lease_until"]) == (
            decided.decision_id,
            fire.fence,
            "2026-11-30T12:10:30Z",
        )

    def test_the_rounds_row_is_named_by_the_digest_of_its_decision(self, state: MockState) -> None:
        decided = state.decide()
        claimed(state, decided)
        row = state.mocked.get(PULL, f"FIRE#{decision_digest(decided.decision_id)}")
        assert (row["decision_id"], row["automation_id"]) == (decided.decision_id, "fix-feedback")

    def test_a_slot_that_another_decision_holds_is_not_taken_until_the_last_second_of_its_lease_is_over(
        self, state: MockState
    ) -> None:
        claimed(state, decision(1))
        before = state.contents()
        state.clock.advance(LEASE)
        assert state.rounds.claim(decision(2), FIRST, LEASE) is None
        assert state.contents() == before
        state.clock.advance(1)
        assert claimed(state, decision(2)).fence == 2

    def test_the_same_execution_asking_again_keeps_its_fence_and_renews_the_lease(self, state: MockState) -> None:
        first = claimed(state, decision())
        state.clock.advance(LEASE + 60)
        assert claimed(state, decision()) == first
        assert state.mocked.get(PULL, "INFLIGHT")["lease_until"] == "2026-11-30T12:21:00Z"

    def test_a_new_execution_of_the_same_decision_takes_over_at_once(self, state: MockState) -> None:
        first = claimed(state, decision(), FIRST)
        replay = claimed(state, decision(), REPLAY)
        assert replay.fence == first.fence + 1
        assert state.rounds.held(decision(), FIRST, LEASE) is None
        assert state.rounds.held(decision(), REPLAY, LEASE) == replay

    def test_what_the_round_had_recorded_stays_when_a_new_execution_takes_over(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_head(decision(), FIRST, HEAD, "feature/sums")
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        state.rounds.record_pushed(decision(), FIX)
        state.rounds.close(decision(), FIRST, FireOutcome.FAILED, "ci_unknown")
        replay = claimed(state, decision(), REPLAY)
        assert (replay.head_sha, replay.head_ref, replay.commit_sha, replay.pushed) == (
            HEAD,
            "feature/sums",
            FIX,
            True,
        )
        assert replay.pushed_at is not None
        assert replay.outcome is FireOutcome.RUNNING
        assert state.rounds.fire(decision()) == replay

    def test_an_execution_that_closed_the_round_gets_nothing_from_a_late_retry(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.close(decision(), FIRST, FireOutcome.SKIPPED, "pull_closed")
        before = state.contents()
        assert state.rounds.claim(decision(), FIRST, LEASE) is None
        assert state.contents() == before

    def test_an_execution_that_lost_the_slot_may_take_it_again_once_it_is_free(self, state: MockState) -> None:
        first = claimed(state, decision(1))
        lose_slot(state, decision(2))
        assert state.rounds.claim(decision(1), FIRST, LEASE) is None
        state.rounds.close(decision(2), RIVAL, FireOutcome.SUCCEEDED, None)
        assert claimed(state, decision(1)).fence > first.fence

    def test_a_delivery_cannot_take_a_slot_while_a_round_holds_it(self, state: MockState) -> None:
        claimed(state, decision(1))
        assert state.intake.claim(offer(2)) is Claim.HELD

    def test_claiming_takes_at_most_three_requests(self, state: MockState) -> None:
        decided = state.decide()
        state.requests.clear()
        claimed(state, decided)
        assert len(state.requests) <= 3


class TestStart:
    def test_a_round_claimed_in_time_started_when_it_was_decided(self, state: MockState) -> None:
        """Its delivery reserved the slot: whatever came since then was suppressed because of it."""
        decided = state.decide()
        state.clock.advance(45)
        assert claimed(state, decided).started_at == decided.decided_at

    def test_a_round_whose_reservation_was_lost_starts_when_it_is_claimed(self, state: MockState) -> None:
        decided = state.decide(1)
        state.clock.advance(1801)
        state.rounds.claim(decision(2), FIRST, LEASE)
        state.rounds.close(decision(2), FIRST, FireOutcome.SUCCEEDED, None)
        assert claimed(state, decided).started_at == "2026-11-30T12:30:01Z"

    def test_taking_over_a_running_round_does_not_change_when_it_started(self, state: MockState) -> None:
        first = claimed(state, decision())
        state.clock.advance(90)
        assert claimed(state, decision(), REPLAY).started_at == first.started_at

    def test_the_replay_of_a_finished_round_starts_anew(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.close(decision(), FIRST, FireOutcome.SUCCEEDED, None)
        state.clock.advance(90)
        assert claimed(state, decision(), REPLAY).started_at == "2026-11-30T12:01:30Z"


class TestHeld:
    def test_the_current_execution_renews_its_lease(self, state: MockState) -> None:
        fire = claimed(state, decision())
        state.clock.advance(LEASE)
        assert state.rounds.held(decision(), FIRST, LEASE) == fire
        state.clock.advance(LEASE)
        assert state.rounds.claim(decision(2), FIRST, LEASE) is None

    def test_an_expired_lease_is_still_held_while_nobody_has_taken_the_slot(self, state: MockState) -> None:
        fire = claimed(state, decision())
        state.clock.advance(LEASE * 10)
        assert state.rounds.held(decision(), FIRST, LEASE) == fire

    def test_an_execution_whose_slot_was_taken_holds_nothing_and_changes_nothing(self, state: MockState) -> None:
        claimed(state, decision(1))
        lose_slot(state, decision(2))
        before = state.contents()
        assert state.rounds.held(decision(1), FIRST, LEASE) is None
        assert state.contents() == before

    def test_a_slot_with_another_fence_is_not_the_one_the_execution_took(self, state: MockState) -> None:
        """Whatever raised the fence, the lease it stands for is not this execution's to renew or to free."""
        fire = claimed(state, decision())
        slot = state.mocked.get(PULL, "INFLIGHT")
        state.mocked.put(**{**slot, "fence": fire.fence + 1})
        assert state.rounds.held(decision(), FIRST, LEASE) is None
        assert state.rounds.close(decision(), FIRST, FireOutcome.FAILED, "slot_lost")
        assert state.mocked.get(PULL, "INFLIGHT") == {**slot, "fence": fire.fence + 1}

    def test_nothing_is_held_before_a_claim_or_after_the_end(self, state: MockState) -> None:
        decided = state.decide()
        assert state.rounds.held(decided, FIRST, LEASE) is None
        claimed(state, decided)
        state.rounds.close(decided, FIRST, FireOutcome.SUCCEEDED, None)
        assert state.rounds.held(decided, FIRST, LEASE) is None

    def test_asking_takes_at_most_two_requests(self, state: MockState) -> None:
        claimed(state, decision())
        state.requests.clear()
        state.rounds.held(decision(), FIRST, LEASE)
        assert len(state.requests) <= 2


class TestClose:
    def test_the_current_execution_writes_the_outcome_and_frees_the_slot(self, state: MockState) -> None:
        claimed(state, decision(1))
        assert state.rounds.close(decision(1), FIRST, FireOutcome.SKIPPED, "pull_closed")
        fire = recorded(state, decision(1))
        assert fire.outcome is FireOutcome.SKIPPED
        row = state.mocked.get(PULL, f"FIRE#{decision_digest(decision(1).decision_id)}")
        assert (row["reason"], row["ended_at"]) == ("pull_closed", "2026-11-30T12:00:00Z")
        assert claimed(state, decision(2)).fence == 2

    def test_closing_again_keeps_the_first_outcome_and_the_next_rounds_slot(self, state: MockState) -> None:
        claimed(state, decision(1))
        state.rounds.close(decision(1), FIRST, FireOutcome.SUCCEEDED, None)
        claimed(state, decision(2))
        before = state.contents()
        assert state.rounds.close(decision(1), FIRST, FireOutcome.FAILED, "States.Timeout")
        assert state.contents() == before

    def test_an_old_execution_closes_nothing(self, state: MockState) -> None:
        claimed(state, decision(), FIRST)
        claimed(state, decision(), REPLAY)
        before = state.contents()
        assert not state.rounds.close(decision(), FIRST, FireOutcome.FAILED, "aborted")
        assert state.contents() == before

    def test_a_round_that_lost_its_slot_ends_without_freeing_it(self, state: MockState) -> None:
        claimed(state, decision(1))
        lose_slot(state, decision(2))
        assert state.rounds.close(decision(1), FIRST, FireOutcome.FAILED, "slot_lost")
        fire = recorded(state, decision(1))
        assert fire.outcome is FireOutcome.FAILED
        assert state.rounds.held(decision(2), RIVAL, LEASE) is not None

    def test_a_round_that_ended_before_it_claimed_frees_the_slot_its_delivery_reserved(self, state: MockState) -> None:
        decided = state.decide(1)
        assert state.rounds.close(decided, FIRST, FireOutcome.SKIPPED, "kill_switch_off")
        fire = recorded(state, decided)
        assert (fire.execution, fire.outcome, fire.started_at) == (FIRST, FireOutcome.SKIPPED, decided.decided_at)
        assert state.intake.claim(offer(2)) is Claim.DECIDED

    def test_a_round_that_never_had_the_slot_closes_nothing(self, state: MockState) -> None:
        claimed(state, decision(2))
        before = state.contents()
        assert not state.rounds.close(decision(1), FIRST, FireOutcome.SKIPPED, "slot_held")
        assert state.contents() == before

    def test_a_replay_of_a_closed_round_is_closed_with_its_own_outcome(self, state: MockState) -> None:
        claimed(state, decision(), FIRST)
        state.rounds.close(decision(), FIRST, FireOutcome.FAILED, "push_refused")
        claimed(state, decision(), REPLAY)
        assert state.rounds.close(decision(), REPLAY, FireOutcome.SUCCEEDED, None)
        fire = recorded(state, decision())
        assert fire.outcome is FireOutcome.SUCCEEDED
        assert "reason" not in state.mocked.get(PULL, f"FIRE#{decision_digest(decision().decision_id)}")

    def test_running_is_no_end(self, state: MockState) -> None:
        claimed(state, decision())
        with pytest.raises(ValueError, match="running"):
            state.rounds.close(decision(), FIRST, FireOutcome.RUNNING, None)

    def test_closing_takes_at_most_two_requests(self, state: MockState) -> None:
        claimed(state, decision())
        state.requests.clear()
        state.rounds.close(decision(), FIRST, FireOutcome.SUCCEEDED, None)
        assert len(state.requests) <= 2
