"""What a round records: its head, its commits, its pushes and its writes, each by whoever may."""

import pytest

from autoswe.contracts.records.platform import Decision, FireOutcome
from autoswe.dynamodb.feedback.rounds import RoundSuperseded, WriteNotIntended
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.ports.feedback.rounds import Written
from autoswe.rules.records.decisions import decision_digest
from tests.support.feedback.state import MockState, decision
from tests.support.intake.deliveries import CONNECTION, REPOSITORY
from tests.support.intake.ledger import FIRST, FIX, HEAD, OTHER_FIX, PULL, REPLAY, claimed, lose_slot, recorded


class TestRecording:
    def test_the_head_is_recorded_by_the_current_execution(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_head(decision(), FIRST, HEAD, "feature/sums")
        fire = recorded(state, decision())
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
        assert state.rounds.record_commit(decision(), FIRST, FIX, None) == FIX
        fire = recorded(state, decision())
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
        assert state.rounds.record_commit(decision(1), FIRST, FIX, None) is None
        assert state.contents() == before

    def test_every_commit_a_round_recorded_stays_one_of_ours(self, state: MockState) -> None:
        """A retry that made another commit may have pushed either of them."""
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX, FIX)
        assert len(state.mocked.rows("COMMIT#")) == 2

    def test_a_commit_that_another_try_recorded_meanwhile_stays_on_record(self, state: MockState) -> None:
        """The other try may be moving the branch to it at this very moment."""
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        before = state.contents()
        assert state.rounds.record_commit(decision(), FIRST, OTHER_FIX, None) == FIX
        assert state.contents() == before

    def test_another_commit_than_the_pushed_one_is_not_pushed_yet(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        state.rounds.record_pushed(decision(), FIX)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX, FIX)
        fire = recorded(state, decision())
        assert (fire.commit_sha, fire.pushed) == (OTHER_FIX, False)

    def test_a_push_is_recorded_with_its_first_time(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        state.rounds.record_pushed(decision(), FIX)
        state.clock.advance(60)
        state.rounds.record_pushed(decision(), FIX)
        fire = recorded(state, decision())
        assert (fire.pushed, fire.pushed_at) == (True, "2026-11-30T12:00:00Z")

    def test_a_second_commit_is_watched_from_its_own_push_while_the_round_counts_from_its_first(
        self, state: MockState
    ) -> None:
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        state.rounds.record_pushed(decision(), FIX)
        state.clock.advance(60)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX, FIX)
        assert recorded(state, decision()).commit_pushed_at is None
        for _ in range(2):
            state.rounds.record_pushed(decision(), OTHER_FIX)
            state.clock.advance(60)
        fire = recorded(state, decision())
        assert (fire.pushed_at, fire.commit_pushed_at) == ("2026-11-30T12:00:00Z", "2026-11-30T12:01:00Z")

    def test_a_commit_that_was_prepared_and_not_pushed_leaves_the_pushed_one_known(self, state: MockState) -> None:
        claimed(state, decision())
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        state.rounds.record_pushed(decision(), FIX)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX, FIX)
        fire = recorded(state, decision())
        assert (fire.commit_sha, fire.pushed_sha) == (OTHER_FIX, FIX)

    def test_a_push_of_another_commit_than_the_rounds_is_not_recorded(self, state: MockState) -> None:
        claimed(state, decision())
        with pytest.raises(RoundSuperseded):
            state.rounds.record_pushed(decision(), FIX)
        state.rounds.record_commit(decision(), FIRST, OTHER_FIX, None)
        with pytest.raises(RoundSuperseded):
            state.rounds.record_pushed(decision(), FIX)
        fire = recorded(state, decision())
        assert not fire.pushed


class TestEarlierCommits:
    def push(self, state: MockState, decided: Decision, execution: str = FIRST, commit: str = FIX) -> None:
        before = claimed(state, decided, execution).commit_sha
        state.rounds.record_commit(decided, execution, commit, before)
        state.rounds.record_pushed(decided, commit)
        state.rounds.close(decided, execution, FireOutcome.SUCCEEDED, None)

    def test_only_pushed_rounds_of_the_same_automation_and_pull_request_are_listed_newest_first(
        self, state: MockState
    ) -> None:
        self.push(state, decision(2), commit="2" * 40)
        state.clock.advance(1)
        self.push(state, decision(1), commit="1" * 40)
        self.push(state, decision(3, automation_id="another"), commit="3" * 40)
        self.push(state, decision(4, pull_number=70), commit="4" * 40)
        claimed(state, decision(5))
        state.rounds.record_commit(decision(5), FIRST, "5" * 40, None)
        assert state.rounds.earlier_commits(decision(9)) == ("1" * 40, "2" * 40)

    def test_rounds_that_pushed_in_the_same_second_keep_their_order(self, state: MockState) -> None:
        numbers = (3, 1, 4, 2)
        for number in numbers:
            self.push(state, decision(number), commit=str(number) * 40)
        assert state.rounds.earlier_commits(decision(9)) == tuple(str(number) * 40 for number in reversed(numbers))

    def test_the_decisions_own_round_is_not_an_earlier_one(self, state: MockState) -> None:
        self.push(state, decision(1))
        assert state.rounds.earlier_commits(decision(1)) == ()

    def test_a_round_that_pushes_again_is_one_round(self, state: MockState) -> None:
        self.push(state, decision(1))
        self.push(state, decision(1), REPLAY, OTHER_FIX)
        assert state.rounds.earlier_commits(decision(9)) == (OTHER_FIX,)

    def test_a_round_that_prepares_another_commit_still_stands_for_the_one_it_pushed(self, state: MockState) -> None:
        self.push(state, decision(1))
        claimed(state, decision(1), REPLAY)
        state.rounds.record_commit(decision(1), REPLAY, OTHER_FIX, FIX)
        assert state.rounds.earlier_commits(decision(9)) == (FIX,)

    def test_rounds_on_later_pages_are_listed_too(self, state: MockState) -> None:
        """DynamoDB ends a page at 1 MB."""
        for number in range(1, 5):
            self.push(state, decision(number))
            place = {"pk": PULL, "sk": f"FIRE#{decision_digest(decision(number).decision_id)}"}
            state.mocked.put(**{**state.mocked.get(**place), "padding": "x" * 350_000})
        state.requests.clear()
        assert len(state.rounds.earlier_commits(decision(9))) == 4
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

    def test_a_write_is_on_record_from_its_announcement_for_every_decision(self, state: MockState) -> None:
        assert state.rounds.written(decision(1), "summary") is None
        announced = state.rounds.announce(decision(1), "summary", None)
        assert announced == Written(decision(1).decision_id, "2026-11-30T12:00:00Z")
        assert state.rounds.written(decision(2), "summary") == announced
        state.clock.advance(60)
        state.rounds.settle(decision(2), "summary", announced, "88", "digest")
        settled = Written(decision(2).decision_id, "2026-11-30T12:00:00Z", "88", "digest")
        assert state.rounds.written(decision(1), "summary") == settled

    def test_of_two_that_saw_the_same_record_one_may_announce_a_write(self, state: MockState) -> None:
        announced = state.rounds.announce(decision(1), "summary", None)
        assert state.rounds.announce(decision(1), "summary", None) is None
        assert announced is not None
        state.rounds.settle(decision(1), "summary", announced, "88", None)
        settled = state.rounds.written(decision(1), "summary")
        state.clock.advance(1)
        assert state.rounds.announce(decision(2), "summary", settled) is not None
        assert state.rounds.announce(decision(1), "summary", settled) is None

    def test_what_has_changed_since_it_was_seen_is_not_settled(self, state: MockState) -> None:
        first = state.rounds.announce(decision(1), "summary", None)
        assert first is not None
        state.clock.advance(60)
        again = state.rounds.announce(decision(1), "summary", first)
        state.rounds.settle(decision(1), "summary", first, "88", None)
        assert state.rounds.written(decision(1), "summary") == again

    def test_a_doubt_is_as_old_as_its_first_mention(self, state: MockState) -> None:
        assert state.rounds.doubted_seconds(decision(1), "push") == 0
        state.clock.advance(119)
        assert state.rounds.doubted_seconds(decision(1), "push") == 119
        assert state.rounds.doubted_seconds(decision(1), "another") == 0
        assert state.rounds.doubted_seconds(decision(2), "push") == 0

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
