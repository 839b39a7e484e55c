"""A decision that starts late makes sure of its pull request and takes it from nobody (architecture §4)."""

from autoswe.contracts.records.platform import Decision, FireOutcome
from autoswe.ports.slots import Hold, Slots
from tests.support.feedback.state import MockState, decision
from tests.support.intake.ledger import FIRST, LEASE, PULL, RIVAL, claimed, disturbed, recorded

CLAIM_LEASE = 1800


def slot(state: MockState) -> tuple[object, object, object]:
    row = state.mocked.get(PULL, "INFLIGHT")
    return row.get("holder"), row.get("fence"), row.get("lease_until")


def test_starting_uses_slots_through_its_port(state: MockState) -> None:
    slots: Slots = state.rounds
    assert slots.hold(decision()) is Hold.HELD


def test_a_decision_that_has_the_slot_keeps_it_for_half_an_hour_from_now_under_the_same_fence(state: MockState) -> None:
    decided = state.decide()
    state.clock.advance(60)
    assert state.rounds.hold(decided) is Hold.HELD
    assert slot(state) == (decided.decision_id, 1, "2026-11-30T12:31:00Z")


def test_a_decision_keeps_a_slot_whose_lease_ran_out_as_long_as_nobody_has_taken_it(state: MockState) -> None:
    decided = state.decide()
    state.clock.advance(CLAIM_LEASE + 1)
    assert state.rounds.hold(decided) is Hold.HELD
    assert slot(state) == (decided.decision_id, 1, "2026-11-30T13:00:01Z")


def test_a_slot_that_another_decision_holds_is_not_taken_until_its_lease_is_over(state: MockState) -> None:
    late = state.decide(1)
    state.clock.advance(CLAIM_LEASE + 1)
    rival = state.decide(2)
    before = state.contents()
    state.clock.advance(CLAIM_LEASE)
    assert state.rounds.hold(late) is Hold.TAKEN
    assert state.contents() == before
    state.clock.advance(1)
    assert state.rounds.hold(late) is Hold.HELD
    assert slot(state)[:2] == (late.decision_id, 3)
    assert state.rounds.hold(rival) is Hold.TAKEN


def test_a_slot_that_another_round_has_freed_is_taken_under_the_next_fence(state: MockState) -> None:
    late = state.decide(1)
    state.clock.advance(CLAIM_LEASE + 1)
    rival = state.decide(2)
    claimed(state, rival, RIVAL)
    state.rounds.close(rival, RIVAL, FireOutcome.SUCCEEDED, None)
    assert state.rounds.hold(late) is Hold.HELD
    assert slot(state)[:2] == (late.decision_id, 4)
    assert claimed(state, late).fence == 5


def test_a_decision_whose_round_an_execution_has_claimed_is_left_alone_while_it_runs_and_afterwards(
    state: MockState,
) -> None:
    decided = state.decide()
    claimed(state, decided)
    before = state.contents()
    assert state.rounds.hold(decided) is Hold.GATHERED
    assert state.contents() == before
    state.rounds.close(decided, FIRST, FireOutcome.SUCCEEDED, None)
    assert state.rounds.hold(decided) is Hold.GATHERED
    assert slot(state)[0] is None


def test_an_execution_that_claims_the_round_at_the_same_moment_wins(state: MockState) -> None:
    decided = state.decide()

    def claim_first(operation: str) -> None:
        if operation == "update_item" and state.rounds.fire(decided) is None:
            claimed(state, decided)

    assert disturbed(state, before=claim_first).hold(decided) is Hold.GATHERED
    assert recorded(state, decided).execution == FIRST
    assert slot(state)[2] == "2026-11-30T12:10:00Z"


def test_of_two_decisions_that_want_a_free_slot_at_the_same_moment_one_gets_it(state: MockState) -> None:
    one, other = decision(1), decision(2)
    rivals = iter([other])

    def hold_first(operation: str) -> None:
        rival = next(rivals, None) if operation == "update_item" else None
        if rival is not None:
            assert state.rounds.hold(rival) is Hold.HELD

    assert disturbed(state, before=hold_first).hold(one) is Hold.TAKEN
    assert slot(state)[0] == other.decision_id


def test_a_hold_is_a_lease_like_any_other_and_its_execution_claims_it(state: MockState) -> None:
    decided = state.decide()
    state.rounds.hold(decided)
    assert state.rounds.claim(decided, FIRST, LEASE) is not None
    assert recorded(state, decided).started_at == decided.decided_at


def test_a_round_that_nobody_claimed_is_ended_and_its_slot_freed_by_whoever_held_it_in_vain(state: MockState) -> None:
    decided = state.decide()
    state.rounds.hold(decided)
    assert state.rounds.close(decided, "fb-1", FireOutcome.FAILED, "never_gathered")
    assert recorded(state, decided).outcome is FireOutcome.FAILED
    assert slot(state)[0] is None


def _failed(state: MockState, decided: Decision) -> Decision:
    """End the decision's round as failed, have it taken up again, and read the decision anew."""
    claimed(state, decided)
    state.rounds.close(decided, FIRST, FireOutcome.FAILED, "Unavailable")
    state.rounds.take_up(decided, 1)
    return decided.model_copy(update={"attempt": 1})


def test_a_failed_round_that_is_to_be_taken_up_again_waits_to_be_started_and_is_claimed_once_more(
    state: MockState,
) -> None:
    decided = state.decide()
    before = decided.decided_at
    again = _failed(state, decided)
    row = state.mocked.get(decided.decision_id, "row")
    assert (row["unstarted"], row["attempt"]) == ("decision", 1)
    state.clock.advance(600)
    for _ in range(2):
        assert state.rounds.hold(again) is Hold.HELD
    fire = state.rounds.claim(again, RIVAL, LEASE)
    assert fire is not None
    assert (fire.attempt, fire.outcome, fire.ended_at) == (1, FireOutcome.RUNNING, None)
    assert fire.started_at == before, "its end in that second is since when something may have come that nobody served"
    assert state.rounds.hold(again) is Hold.GATHERED


def test_taking_a_round_up_twice_is_once(state: MockState) -> None:
    decided = state.decide()
    _failed(state, decided)
    before = state.contents()
    state.rounds.take_up(decided, 1)
    assert state.contents() == before


def test_a_failed_round_is_not_taken_up_once_another_decision_had_the_pull_request(state: MockState) -> None:
    again = _failed(state, state.decide(1))
    rival = state.decide(2)
    claimed(state, rival, RIVAL)
    state.rounds.close(rival, RIVAL, FireOutcome.SUCCEEDED, None)
    assert state.rounds.hold(again) is Hold.GATHERED


def test_a_failed_round_is_not_taken_up_a_day_after_its_decision(state: MockState) -> None:
    again = _failed(state, state.decide())
    state.clock.advance(24 * 3600)
    assert state.rounds.hold(again) is Hold.GATHERED
