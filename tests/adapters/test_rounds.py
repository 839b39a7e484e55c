"""The ledger of rounds: one execution at a time has a pull request, and what an older one says is not recorded."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from autoswe.contracts.deliveries import Offer
from autoswe.contracts.rows import Decision, Fire, FireOutcome
from autoswe.dynamodb.client import Contended, Table
from autoswe.dynamodb.keys import SINGLE, key
from autoswe.dynamodb.pending_intakes import pending_intake
from autoswe.dynamodb.rounds import RoundSuperseded, RoundTable, WriteNotIntended
from autoswe.dynamodb.suppressed import DeliveryNotSuppressed
from autoswe.intake_ports import Claim
from autoswe.ports import Rounds
from autoswe.rules.feedback.naming import decision_digest
from tests.support.deliveries import CONNECTION, REPOSITORY
from tests.support.state import MockState, decision, mock_state, offer

LEASE = 600
HEAD, OTHER_HEAD = "1" * 40, "2" * 40
FIX, OTHER_FIX = "a" * 40, "b" * 40
PULL = key("PR", CONNECTION, REPOSITORY, "7")
FIRST, REPLAY = "execution:first", "execution:replay"


@pytest.fixture
def state() -> Iterator[MockState]:
    with mock_state() as mocked:
        yield mocked


def claimed(state: MockState, decided: Decision, execution: str = FIRST) -> Fire:
    fire = state.rounds.claim(decided, execution, LEASE)
    assert fire is not None
    return fire


def lose_slot(state: MockState, rival: Decision) -> None:
    """Let the lease run out and a rival take the pull request."""
    state.clock.advance(LEASE + 1)
    claimed(state, rival, "execution:rival")


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
        state.rounds.record_commit(decision(), FIRST, FIX)
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
        state.rounds.close(decision(2), "execution:rival", FireOutcome.SUCCEEDED, None)
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


class TestRecording:
    def test_the_head_is_recorded_by_the_current_execution(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_head(decision(), FIRST, HEAD, "feature/sums")
        fire = state.rounds.fire(decision())
        assert fire is not None
        assert (fire.head_sha, fire.head_ref) == (HEAD, "feature/sums")

    @pytest.mark.parametrize("over", ["never claimed", "superseded", "closed"])
    def test_the_head_is_not_recorded_by_any_other(self, state: MockState, over: str) -> None:
        if over != "never claimed":
            claimed(state, decision(), FIRST)
        if over == "superseded":
            claimed(state, decision(), REPLAY)
        if over == "closed":
            state.rounds.close(decision(), FIRST, FireOutcome.FAILED, None)
        before = state.contents()
        with pytest.raises(RoundSuperseded):
            state.rounds.record_head(decision(), FIRST, HEAD, "feature/sums")
        assert state.contents() == before

    def test_a_commit_is_recorded_on_the_round_and_as_one_of_ours(self, state: MockState) -> None:
        claimed(state, decision())
        assert state.rounds.record_commit(decision(), FIRST, FIX)
        fire = state.rounds.fire(decision())
        assert fire is not None
        assert (fire.commit_sha, fire.pushed) == (FIX, False)
        ours = key("COMMIT", CONNECTION, REPOSITORY, FIX)
        assert state.mocked.get(ours) == {
            "pk": ours,
            "sk": SINGLE,
            "decision_id": decision().decision_id,
            "pull_number": 7,
            "recorded_at": "2026-11-30T12:00:00Z",
        }

    @pytest.mark.parametrize("lost", ["never claimed", "superseded", "slot taken", "closed"])
    def test_a_commit_is_not_recorded_when_the_slot_is_not_the_executions(self, state: MockState, lost: str) -> None:
        if lost != "never claimed":
            claimed(state, decision(1))
        if lost == "superseded":
            claimed(state, decision(1), REPLAY)
        if lost == "slot taken":
            lose_slot(state, decision(2))
        if lost == "closed":
            state.rounds.close(decision(1), FIRST, FireOutcome.FAILED, None)
        before = state.contents()
        assert not state.rounds.record_commit(decision(1), FIRST, FIX)
        assert state.contents() == before

    def test_every_commit_a_round_recorded_stays_one_of_ours(self, state: MockState) -> None:
        """A retry that made another commit may have pushed either of them."""
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX)
        assert len(state.mocked.rows("COMMIT#")) == 2

    def test_another_commit_than_the_pushed_one_is_not_pushed_yet(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX)
        state.rounds.record_pushed(decision(), FIX)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX)
        fire = state.rounds.fire(decision())
        assert fire is not None
        assert (fire.commit_sha, fire.pushed) == (OTHER_FIX, False)

    def test_a_push_is_recorded_with_its_first_time(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX)
        state.rounds.record_pushed(decision(), FIX)
        state.clock.advance(60)
        state.rounds.record_pushed(decision(), FIX)
        fire = state.rounds.fire(decision())
        assert fire is not None
        assert (fire.pushed, fire.pushed_at) == (True, "2026-11-30T12:00:00Z")

    def test_a_push_of_another_commit_than_the_rounds_is_not_recorded(self, state: MockState) -> None:
        claimed(state, decision())
        with pytest.raises(RoundSuperseded):
            state.rounds.record_pushed(decision(), FIX)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX)
        with pytest.raises(RoundSuperseded):
            state.rounds.record_pushed(decision(), FIX)
        fire = state.rounds.fire(decision())
        assert fire is not None
        assert not fire.pushed


class TestPushedRounds:
    def push(self, state: MockState, decided: Decision, execution: str = FIRST, commit: str = FIX) -> None:
        claimed(state, decided, execution)
        state.rounds.record_commit(decided, execution, commit)
        state.rounds.record_pushed(decided, commit)
        state.rounds.close(decided, execution, FireOutcome.SUCCEEDED, None)

    def test_only_pushed_rounds_of_the_same_automation_and_pull_request_count(self, state: MockState) -> None:
        self.push(state, decision(1))
        self.push(state, decision(2))
        self.push(state, decision(3, automation_id="another"))
        self.push(state, decision(4, pull_number=70))
        claimed(state, decision(5))
        state.rounds.record_commit(decision(5), FIRST, FIX)
        assert state.rounds.pushed_rounds(decision(9)) == 2

    def test_the_decisions_own_round_does_not_count_against_it(self, state: MockState) -> None:
        self.push(state, decision(1))
        assert state.rounds.pushed_rounds(decision(1)) == 0

    def test_a_round_that_pushes_again_counts_once(self, state: MockState) -> None:
        self.push(state, decision(1))
        self.push(state, decision(1), REPLAY, OTHER_FIX)
        assert state.rounds.pushed_rounds(decision(9)) == 1

    def test_a_round_that_has_pushed_counts_while_it_prepares_another_commit(self, state: MockState) -> None:
        self.push(state, decision(1))
        claimed(state, decision(1), REPLAY)
        state.rounds.record_commit(decision(1), REPLAY, OTHER_FIX)
        assert state.rounds.pushed_rounds(decision(9)) == 1

    def test_rounds_on_later_pages_count_too(self, state: MockState) -> None:
        """DynamoDB ends a page at 1 MB."""
        for number in range(1, 5):
            self.push(state, decision(number))
            place = {"pk": PULL, "sk": f"FIRE#{decision_digest(decision(number).decision_id)}"}
            state.mocked.put(**{**state.mocked.get(**place), "padding": "x" * 350_000})
        state.requests.clear()
        assert state.rounds.pushed_rounds(decision(9)) == 4
        assert len(state.requests) > 1


class TestWrites:
    def test_a_write_is_known_by_the_decision_that_intended_it(self, state: MockState) -> None:
        assert state.rounds.intended(decision(1), "auto-swe/feedback/pr-7") is None
        state.rounds.intend(decision(1), "auto-swe/feedback/pr-7")
        assert state.rounds.intended(decision(2), "auto-swe/feedback/pr-7") == decision(1).decision_id
        assert state.rounds.intended(decision(1), "another") is None

    def test_an_intent_that_is_recorded_again_keeps_its_time_and_its_effect(self, state: MockState) -> None:
        state.rounds.intend(decision(), "summary")
        state.rounds.effect(decision(), "summary", "comment 88")
        state.clock.advance(60)
        state.rounds.intend(decision(), "summary")
        row = state.mocked.get(PULL, "WRITE#summary")
        assert (row["intended_at"], row["effect"]) == ("2026-11-30T12:00:00Z", "comment 88")

    def test_a_later_decision_takes_over_a_write_of_the_same_name(self, state: MockState) -> None:
        """The work branch of a pull request has one name in every round."""
        state.rounds.intend(decision(1), "auto-swe/feedback/pr-7")
        state.rounds.effect(decision(1), "auto-swe/feedback/pr-7", "made")
        state.rounds.intend(decision(2), "auto-swe/feedback/pr-7")
        assert state.rounds.intended(decision(1), "auto-swe/feedback/pr-7") == decision(2).decision_id
        assert "effect" not in state.mocked.get(PULL, "WRITE#auto-swe/feedback/pr-7")

    def test_an_effect_needs_the_decisions_own_intent(self, state: MockState) -> None:
        with pytest.raises(WriteNotIntended):
            state.rounds.effect(decision(1), "summary", "comment 88")
        state.rounds.intend(decision(1), "summary")
        state.rounds.intend(decision(2), "summary")
        with pytest.raises(WriteNotIntended):
            state.rounds.effect(decision(1), "summary", "comment 88")

    def test_writes_on_different_pull_requests_are_different(self, state: MockState) -> None:
        state.rounds.intend(decision(1), "summary")
        assert state.rounds.intended(decision(2, pull_number=70), "summary") is None


class TestClose:
    def test_the_current_execution_writes_the_outcome_and_frees_the_slot(self, state: MockState) -> None:
        claimed(state, decision(1))
        assert state.rounds.close(decision(1), FIRST, FireOutcome.SKIPPED, "pull_closed")
        fire = state.rounds.fire(decision(1))
        assert fire is not None
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
        fire = state.rounds.fire(decision(1))
        assert fire is not None
        assert fire.outcome is FireOutcome.FAILED
        assert state.rounds.held(decision(2), "execution:rival", LEASE) is not None

    def test_a_round_that_ended_before_it_claimed_frees_the_slot_its_delivery_reserved(self, state: MockState) -> None:
        decided = state.decide(1)
        assert state.rounds.close(decided, FIRST, FireOutcome.SKIPPED, "kill_switch_off")
        fire = state.rounds.fire(decided)
        assert fire is not None
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
        fire = state.rounds.fire(decision())
        assert fire is not None
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
        delivery = state.suppress(2)
        state.rounds.offer_again(decided, delivery)
        (row,) = state.mocked.rows("INTAKE#")
        assert (row["pk"], row["sk"], row["kind"]) == (key("INTAKE", CONNECTION, delivery), SINGLE, "intake")
        assert self.offered(state) == [offer(2)]

    def test_a_suppressed_delivery_that_is_offered_after_the_round_is_decided_on(self, state: MockState) -> None:
        decided = state.decide(1)
        state.rounds.offer_again(decided, state.suppress(2))
        state.rounds.close(decided, FIRST, FireOutcome.SKIPPED, "pull_closed")
        (again,) = self.offered(state)
        assert state.intake.claim(again) is Claim.DECIDED

    def test_offering_again_twice_leaves_an_intake_that_was_settled_alone(self, state: MockState) -> None:
        decided = state.decide(1)
        delivery = state.suppress(2)
        state.rounds.offer_again(decided, delivery)
        state.mocked.put(**{**state.mocked.get(key("INTAKE", CONNECTION, delivery)), "outcome": "decided"})
        before = state.contents()
        state.rounds.offer_again(decided, delivery)
        assert state.contents() == before

    def test_a_delivery_that_was_not_suppressed_is_not_offered(self, state: MockState) -> None:
        decided = state.decide(1)
        with pytest.raises(DeliveryNotSuppressed):
            state.rounds.offer_again(decided, decided.delivery)
        assert state.mocked.rows("INTAKE#") == []

    @staticmethod
    def offered(state: MockState) -> list[Offer]:
        items = state.mocked.client.scan(TableName=state.mocked.table.name)["Items"]
        return [pending_intake(item).offer for item in items if item.get("kind") == {"S": "intake"}]


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


def prepared(state: MockState) -> Decision:
    """Bring a round to where each of its writes could come next."""
    decided = state.decide(1)
    claimed(state, decided)
    state.rounds.record_commit(decided, FIRST, FIX)
    state.rounds.intend(decided, "summary")
    state.suppress(2)
    return decided


WRITES: dict[str, Callable[[Rounds, Decision], object]] = {
    "claim": lambda rounds, decided: rounds.claim(decided, FIRST, LEASE),
    "claim of a replay": lambda rounds, decided: rounds.claim(decided, REPLAY, LEASE),
    "held": lambda rounds, decided: rounds.held(decided, FIRST, LEASE),
    "record_head": lambda rounds, decided: rounds.record_head(decided, FIRST, HEAD, "feature/sums"),
    "record_commit": lambda rounds, decided: rounds.record_commit(decided, FIRST, FIX),
    "record_commit of another": lambda rounds, decided: rounds.record_commit(decided, FIRST, OTHER_FIX),
    "record_pushed": lambda rounds, decided: rounds.record_pushed(decided, FIX),
    "intend": lambda rounds, decided: rounds.intend(decided, "reply"),
    "effect": lambda rounds, decided: rounds.effect(decided, "summary", "comment 88"),
    "close": lambda rounds, decided: rounds.close(decided, FIRST, FireOutcome.SUCCEEDED, None),
    "offer_again": lambda rounds, decided: rounds.offer_again(decided, offer(2).delivery),
    "note": lambda rounds, decided: rounds.note(decided, "round_skipped"),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_a_write_that_is_made_again_later_answers_the_same_and_changes_nothing_but_a_lease(
    state: MockState, write: Callable[[Rounds, Decision], object]
) -> None:
    decided = prepared(state)
    answer = write(state.rounds, decided)
    before = state.contents(without=("lease_until",))
    state.clock.advance(60)
    assert write(state.rounds, decided) == answer
    assert state.contents(without=("lease_until",)) == before


class LossyClient:
    """Passes everything to a DynamoDB client; after each write ``lose`` may raise, its effect having been made."""

    def __init__(self, client: Any, lose: Callable[[], None]) -> None:
        self._client = client
        self._lose = lose

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def ask(**request: Any) -> Any:
            answer = getattr(self._client, operation)(**request)
            if operation in {"put_item", "update_item", "transact_write_items"}:
                self._lose()
            return answer

        return ask


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_a_write_whose_reply_was_lost_can_be_made_again(
    state: MockState, write: Callable[[Rounds, Decision], object]
) -> None:
    decided = prepared(state)

    def lose() -> None:
        raise ConnectionClosedError(endpoint_url="https://dynamodb.test")

    lossy = LossyClient(state.mocked.client, lose)
    rounds = RoundTable(Table(state.mocked.table.name, lambda: lossy), state.clock, state.patience)
    with pytest.raises(ConnectionClosedError):
        write(rounds, decided)
    after_loss = state.contents(without=("lease_until",))
    write(state.rounds, decided)
    assert state.contents(without=("lease_until",)) == after_loss


class TestRivals:
    def refusing(self, state: MockState, times: int, operation: str, code: str) -> RoundTable:
        """Build the ledger on a client whose ``operation`` is refused a number of times before it is let through."""
        refusals = [code] * times

        class RefusingClient(LossyClient):
            def __getattr__(self, name: str) -> Callable[..., Any]:
                if name == operation and refusals:
                    error = {"Error": {"Code": refusals.pop(), "Message": ""}}
                    error["CancellationReasons"] = [{"Code": "TransactionConflict"}, {"Code": "None"}]  # type: ignore[assignment]

                    def refuse(**_: Any) -> None:
                        raise ClientError(error, name)

                    return refuse
                return super().__getattr__(name)

        client = RefusingClient(state.mocked.client, lambda: None)
        return RoundTable(Table(state.mocked.table.name, lambda: client), state.clock, state.patience)

    @pytest.mark.parametrize(
        ("operation", "code"),
        [
            ("transact_get_items", "TransactionCanceledException"),
            ("transact_write_items", "TransactionCanceledException"),
            ("transact_write_items", "TransactionInProgressException"),
        ],
    )
    def test_a_claim_that_meets_another_transaction_is_tried_again(
        self, state: MockState, operation: str, code: str
    ) -> None:
        assert self.refusing(state, 2, operation, code).claim(decision(), FIRST, LEASE) is not None

    @pytest.mark.parametrize("code", ["TransactionConflictException", "ProvisionedThroughputExceededException"])
    def test_a_renewal_that_meets_another_transaction_is_tried_again(self, state: MockState, code: str) -> None:
        fire = claimed(state, decision())
        assert self.refusing(state, 2, "update_item", code).held(decision(), FIRST, LEASE) == fire

    @pytest.mark.parametrize("operation", ["transact_get_items", "transact_write_items"])
    def test_a_claim_that_is_refused_again_and_again_is_neither_made_nor_denied(
        self, state: MockState, operation: str
    ) -> None:
        with pytest.raises(Contended):
            self.refusing(state, 1000, operation, "TransactionCanceledException").claim(decision(), FIRST, LEASE)
        assert state.contents() == []

    def test_a_round_that_changes_between_every_look_and_write_is_neither_claimed_nor_denied(
        self, state: MockState
    ) -> None:
        class UnsettlingClient(LossyClient):
            def __getattr__(self, name: str) -> Callable[..., Any]:
                if name == "transact_write_items":
                    slot = state.mocked.get(PULL, "INFLIGHT")
                    state.mocked.put(PULL, "INFLIGHT", fence=int(slot.get("fence", 0)) + 1)
                return super().__getattr__(name)

        client = UnsettlingClient(state.mocked.client, lambda: None)
        rounds = RoundTable(Table(state.mocked.table.name, lambda: client), state.clock, state.patience)
        with pytest.raises(Contended):
            rounds.claim(decision(), FIRST, LEASE)
        assert state.rounds.fire(decision()) is None

    def test_an_error_that_is_no_contention_is_not_hidden(self, state: MockState) -> None:
        with pytest.raises(ClientError, match="AccessDenied"):
            self.refusing(state, 1, "transact_get_items", "AccessDeniedException").claim(decision(), FIRST, LEASE)


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Let threads take turns as often as the interpreter can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("eager_threads")
class TestThreads:
    def test_of_twenty_decisions_at_once_one_gets_the_pull_request(self, state: MockState) -> None:
        with ThreadPoolExecutor(20) as threads:
            fires = list(threads.map(lambda number: state.rounds.claim(decision(number), FIRST, LEASE), range(1, 21)))
        (winner,) = [fire for fire in fires if fire is not None]
        assert winner.fence == 1
        holders = [number for number in range(1, 21) if state.rounds.held(decision(number), FIRST, LEASE)]
        assert fires[holders[0] - 1] == winner
        assert len(holders) == 1

    def test_of_five_executions_of_one_decision_at_once_the_last_is_current_and_no_two_share_a_fence(
        self, state: MockState
    ) -> None:
        executions = [f"execution:{number}" for number in range(5)]
        with ThreadPoolExecutor(5) as threads:
            fires = list(threads.map(lambda execution: claimed(state, decision(), execution), executions))
        assert sorted(fire.fence for fire in fires) == [1, 2, 3, 4, 5]
        current = [execution for execution in executions if state.rounds.held(decision(), execution, LEASE)]
        assert [fire.execution for fire in fires if fire.fence == 5] == current

    def test_twenty_retries_of_one_execution_at_once_get_the_same_fence(self, state: MockState) -> None:
        with ThreadPoolExecutor(20) as threads:
            fires = list(threads.map(lambda _: claimed(state, decision()), range(20)))
        assert {fire.fence for fire in fires} == {1}
