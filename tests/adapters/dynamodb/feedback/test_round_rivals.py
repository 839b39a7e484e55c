"""Lost replies, rivals and threads: what is recorded is recorded once, and contention is never taken for an answer."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from autoswe.contracts.records.platform import Decision, FireOutcome
from autoswe.dynamodb.table.client import Contended
from autoswe.ports.feedback.rounds import Rounds, Written
from tests.support.feedback.state import MockState, decision, offer
from tests.support.intake.ledger import (
    FIRST,
    FIX,
    HEAD,
    LEASE,
    OTHER_FIX,
    PULL,
    REPLAY,
    RIVAL,
    claimed,
    disturbed,
    lose_slot,
    recorded,
)


def prepared(state: MockState) -> Decision:
    """Bring a round to where each of its writes could come next."""
    decided = state.decide(1)
    claimed(state, decided)
    state.rounds.record_commit(decided, FIRST, FIX, None)
    state.rounds.intend(decided, "summary")
    state.suppress(2)
    return decided


WRITES: dict[str, Callable[[Rounds, Decision], object]] = {
    "claim": lambda rounds, decided: rounds.claim(decided, FIRST, LEASE),
    "claim of a replay": lambda rounds, decided: rounds.claim(decided, REPLAY, LEASE),
    "held": lambda rounds, decided: rounds.held(decided, FIRST, LEASE),
    "record_head": lambda rounds, decided: rounds.record_head(decided, FIRST, HEAD, "feature/sums"),
    "record_commit": lambda rounds, decided: rounds.record_commit(decided, FIRST, FIX, None),
    "record_commit of another": lambda rounds, decided: rounds.record_commit(decided, FIRST, OTHER_FIX, FIX),
    "record_pushed": lambda rounds, decided: rounds.record_pushed(decided, FIX),
    "intend": lambda rounds, decided: rounds.intend(decided, "reply"),
    "effect": lambda rounds, decided: rounds.effect(decided, "summary", "comment 88"),
    "settle": lambda rounds, decided: rounds.settle(
        decided, "summary", Written(decided.decision_id, "2026-11-30T12:00:00Z"), "88", "digest"
    ),
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


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_a_write_whose_reply_was_lost_can_be_made_again(
    state: MockState, write: Callable[[Rounds, Decision], object]
) -> None:
    decided = prepared(state)

    def lose_reply(operation: str) -> None:
        if operation in {"put_item", "update_item", "transact_write_items"}:
            raise ConnectionClosedError(endpoint_url="https://dynamodb.test")

    with pytest.raises(ConnectionClosedError):
        write(disturbed(state, after=lose_reply), decided)
    after_loss = state.contents(without=("lease_until",))
    write(state.rounds, decided)
    assert state.contents(without=("lease_until",)) == after_loss


def refusing(operation: str, code: str, *, times: int) -> Callable[[str], None]:
    """Refuse an operation a number of times, as DynamoDB does when another transaction is in the way."""
    refusals = iter(range(times))
    answer = {"Error": {"Code": code}, "CancellationReasons": [{"Code": "TransactionConflict"}, {"Code": "None"}]}

    def refuse(asked: str) -> None:
        if asked == operation and next(refusals, None) is not None:
            raise ClientError(answer, asked)

    return refuse


class TestContention:
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
        rounds = disturbed(state, before=refusing(operation, code, times=2))
        assert rounds.claim(decision(), FIRST, LEASE) == state.rounds.fire(decision())
        assert state.rounds.held(decision(), FIRST, LEASE) is not None

    @pytest.mark.parametrize("code", ["TransactionConflictException", "ProvisionedThroughputExceededException"])
    def test_a_renewal_that_meets_another_transaction_is_tried_again(self, state: MockState, code: str) -> None:
        fire = claimed(state, decision())
        rounds = disturbed(state, before=refusing("update_item", code, times=2))
        assert rounds.held(decision(), FIRST, LEASE) == fire

    def test_an_announcement_that_was_sent_again_after_a_lost_reply_is_its_makers(self, state: MockState) -> None:
        rounds = disturbed(state, after=refusing("put_item", "ProvisionedThroughputExceededException", times=1))
        announced = rounds.announce(decision(), "reply", None)
        assert announced is not None
        assert state.rounds.written(decision(), "reply") == announced

    @pytest.mark.parametrize("operation", ["transact_get_items", "transact_write_items"])
    def test_a_claim_that_is_refused_again_and_again_is_neither_made_nor_denied(
        self, state: MockState, operation: str
    ) -> None:
        rounds = disturbed(state, before=refusing(operation, "TransactionCanceledException", times=1000))
        with pytest.raises(Contended):
            rounds.claim(decision(), FIRST, LEASE)
        assert state.contents() == []

    def test_a_round_that_changes_between_every_look_and_write_is_neither_claimed_nor_denied(
        self, state: MockState
    ) -> None:
        def take_and_free(operation: str) -> None:
            if operation == "transact_write_items":
                fence = state.mocked.get(PULL, "INFLIGHT").get("fence", 0)
                state.mocked.put(PULL, "INFLIGHT", fence=fence + 1)

        with pytest.raises(Contended):
            disturbed(state, before=take_and_free).claim(decision(), FIRST, LEASE)
        assert state.rounds.fire(decision()) is None

    def test_an_error_that_is_no_contention_is_not_hidden(self, state: MockState) -> None:
        rounds = disturbed(state, before=refusing("transact_get_items", "AccessDeniedException", times=1))
        with pytest.raises(ClientError, match="AccessDenied"):
            rounds.claim(decision(), FIRST, LEASE)


def meanwhile(event: Callable[[], object]) -> Callable[[str], None]:
    """Let something happen once, between the look at a round and the write that follows from it."""
    events = iter([event])

    def happen(operation: str) -> None:
        if operation in {"update_item", "transact_write_items"}:
            next(events, lambda: None)()

    return happen


class TestMeanwhile:
    def test_a_lease_that_its_holder_renews_in_time_is_not_taken(self, state: MockState) -> None:
        claimed(state, decision(1), RIVAL)
        state.clock.advance(LEASE + 1)
        rounds = disturbed(state, before=meanwhile(lambda: state.rounds.held(decision(1), RIVAL, LEASE)))
        assert rounds.claim(decision(2), FIRST, LEASE) is None
        assert state.rounds.held(decision(1), RIVAL, LEASE) is not None

    def test_a_delivery_that_takes_an_expired_slot_first_keeps_it(self, state: MockState) -> None:
        claimed(state, decision(1), RIVAL)
        state.clock.advance(LEASE + 1)
        rounds = disturbed(state, before=meanwhile(lambda: state.decide(3)))
        assert rounds.claim(decision(2), FIRST, LEASE) is None
        assert state.mocked.get(PULL, "INFLIGHT")["holder"] == decision(3).decision_id

    @pytest.mark.parametrize(
        "record",
        [
            lambda rounds: rounds.held(decision(), FIRST, LEASE) is not None,
            lambda rounds: rounds.record_commit(decision(), FIRST, FIX, None),
            lambda rounds: rounds.close(decision(), FIRST, FireOutcome.FAILED, "aborted"),
        ],
        ids=["held", "record_commit", "close"],
    )
    def test_an_execution_that_is_superseded_records_nothing(
        self, state: MockState, record: Callable[[Rounds], bool]
    ) -> None:
        claimed(state, decision(), FIRST)
        rounds = disturbed(state, before=meanwhile(lambda: claimed(state, decision(), REPLAY)))
        assert not record(rounds)
        assert state.mocked.rows("COMMIT#") == []
        fire = state.rounds.held(decision(), REPLAY, LEASE)
        assert fire is not None
        assert (fire.execution, fire.commit_sha, fire.outcome) == (REPLAY, None, FireOutcome.RUNNING)

    def test_an_execution_that_loses_the_slot_records_no_commit(self, state: MockState) -> None:
        claimed(state, decision(1), FIRST)
        rounds = disturbed(state, before=meanwhile(lambda: lose_slot(state, decision(2))))
        assert rounds.record_commit(decision(1), FIRST, FIX, None) is None
        assert recorded(state, decision(1)).commit_sha is None
        assert state.mocked.rows("COMMIT#") == []

    def test_a_round_that_loses_the_slot_while_it_closes_does_not_free_it(self, state: MockState) -> None:
        claimed(state, decision(1), FIRST)
        rounds = disturbed(state, before=meanwhile(lambda: lose_slot(state, decision(2))))
        assert rounds.close(decision(1), FIRST, FireOutcome.SUCCEEDED, None)
        assert recorded(state, decision(1)).outcome is FireOutcome.SUCCEEDED
        assert state.rounds.held(decision(2), RIVAL, LEASE) is not None

    def test_a_round_without_its_slot_that_a_replay_takes_over_is_not_closed_by_the_old_execution(
        self, state: MockState
    ) -> None:
        claimed(state, decision(1), FIRST)
        lose_slot(state, decision(2))
        state.rounds.close(decision(2), RIVAL, FireOutcome.SUCCEEDED, None)
        rounds = disturbed(state, before=meanwhile(lambda: claimed(state, decision(1), REPLAY)))
        assert not rounds.close(decision(1), FIRST, FireOutcome.FAILED, "aborted")
        assert recorded(state, decision(1)).outcome is FireOutcome.RUNNING

    def test_of_two_ends_of_a_round_without_its_slot_the_first_stays(self, state: MockState) -> None:
        claimed(state, decision(1), FIRST)
        lose_slot(state, decision(2))
        ended = meanwhile(lambda: state.rounds.close(decision(1), FIRST, FireOutcome.SUCCEEDED, None))
        assert disturbed(state, before=ended).close(decision(1), FIRST, FireOutcome.FAILED, "aborted")
        assert recorded(state, decision(1)).outcome is FireOutcome.SUCCEEDED

    @pytest.mark.parametrize(
        "act",
        [
            lambda rounds: rounds.claim(decision(), REPLAY, LEASE),
            lambda rounds: rounds.record_commit(decision(), FIRST, FIX, None),
            lambda rounds: rounds.close(decision(), FIRST, FireOutcome.SUCCEEDED, None),
        ],
        ids=["claim", "record_commit", "close"],
    )
    def test_a_push_that_is_recorded_at_the_same_time_is_not_lost(
        self, state: MockState, act: Callable[[Rounds], object]
    ) -> None:
        claimed(state, decision(), FIRST)
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        act(disturbed(state, before=meanwhile(lambda: state.rounds.record_pushed(decision(), FIX))))
        fire = recorded(state, decision())
        assert (fire.commit_sha, fire.pushed) == (FIX, True)

    def test_a_replay_that_takes_over_learns_what_was_pushed_meanwhile(self, state: MockState) -> None:
        claimed(state, decision(), FIRST)
        state.rounds.record_commit(decision(), FIRST, FIX, None)
        rounds = disturbed(state, before=meanwhile(lambda: state.rounds.record_pushed(decision(), FIX)))
        replay = rounds.claim(decision(), REPLAY, LEASE)
        assert replay is not None
        assert replay.pushed


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
