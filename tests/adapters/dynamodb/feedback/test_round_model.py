"""Whatever two decisions and three executions do in whatever order, one execution at a time has the pull request."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from autoswe.contracts.records.platform import Fire, FireOutcome
from autoswe.dynamodb.feedback.rounds import RoundSuperseded
from autoswe.dynamodb.feedback.snapshot import fire_key
from autoswe.dynamodb.feedback.transitions import commit_key
from autoswe.dynamodb.records.slots import slot_key
from autoswe.dynamodb.table.contract_rows import from_row
from tests.support.feedback.state import MockState, decision, mock_state

LEASE = 60
DECISIONS = st.sampled_from([1, 2])
EXECUTIONS = st.sampled_from(["execution:a", "execution:b", "execution:c"])
COMMITS = st.sampled_from(["a" * 40, "b" * 40])
ENDS = st.sampled_from([FireOutcome.SUCCEEDED, FireOutcome.SKIPPED, FireOutcome.FAILED])


@dataclass
class Round:
    """What one decision's round should say of itself."""

    execution: str | None = None
    outcome: FireOutcome = FireOutcome.RUNNING
    head: str | None = None
    commit: str | None = None
    pushed: bool = False


@dataclass
class Ledger:
    """The rules in a few lines, without fences, transactions or rows."""

    owner: tuple[int, str] | None = None
    lease_until: int = 0
    rounds: dict[int, Round] = field(default_factory=lambda: {1: Round(), 2: Round()})

    def may_claim(self, number: int, execution: str, now: int) -> bool:
        theirs = self.rounds[number]
        if theirs.execution == execution and theirs.outcome is not FireOutcome.RUNNING:
            return False
        return self.owner is None or self.owner[0] == number or self.lease_until < now


class RoundsMachine(RuleBasedStateMachine):
    """Drives the table and the model side by side."""

    state: MockState

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.fences: list[int] = [0]
        self.seconds = 0

    @initialize()
    def begin(self) -> None:
        for row in self.state.mocked.rows(""):
            row_key = {name: {"S": row[name]} for name in ("pk", "sk")}
            self.state.mocked.client.delete_item(TableName=self.state.mocked.table.name, Key=row_key)

    @rule(seconds=st.sampled_from([1, LEASE // 2, LEASE, LEASE + 1]))
    def time_passes(self, seconds: int) -> None:
        self.state.clock.advance(seconds)
        self.seconds += seconds

    @rule(number=DECISIONS, execution=EXECUTIONS)
    def claim(self, number: int, execution: str) -> None:
        allowed = self.ledger.may_claim(number, execution, self.seconds)
        fire = self.state.rounds.claim(decision(number), execution, LEASE)
        assert (fire is not None) == allowed
        if fire is None:
            return
        if self.ledger.owner == (number, execution):
            assert fire.fence == self.fences[-1]
        else:
            assert fire.fence > self.fences[-1]
            self.fences.append(fire.fence)
        self.ledger.owner = (number, execution)
        self.ledger.lease_until = self.seconds + LEASE
        claimed = self.ledger.rounds[number]
        claimed.execution, claimed.outcome = execution, FireOutcome.RUNNING
        assert (fire.head_sha, fire.commit_sha, fire.pushed) == (claimed.head, claimed.commit, claimed.pushed)

    @rule(number=DECISIONS, execution=EXECUTIONS)
    def held(self, number: int, execution: str) -> None:
        fire = self.state.rounds.held(decision(number), execution, LEASE)
        assert (fire is not None) == (self.ledger.owner == (number, execution))
        if fire is not None:
            self.ledger.lease_until = self.seconds + LEASE

    @rule(number=DECISIONS, execution=EXECUTIONS, head=COMMITS)
    def record_head(self, number: int, execution: str, head: str) -> None:
        mine = self.ledger.rounds[number]
        if mine.execution == execution and mine.outcome is FireOutcome.RUNNING:
            self.state.rounds.record_head(decision(number), execution, head, "feature")
            mine.head = head
        else:
            with pytest.raises(RoundSuperseded):
                self.state.rounds.record_head(decision(number), execution, head, "feature")

    @rule(number=DECISIONS, execution=EXECUTIONS, commit=COMMITS, instead_of=st.none() | COMMITS)
    def record_commit(self, number: int, execution: str, commit: str, instead_of: str | None) -> None:
        recorded = self.state.rounds.record_commit(decision(number), execution, commit, instead_of)
        mine = self.ledger.rounds[number]
        if self.ledger.owner != (number, execution):
            assert recorded is None
            return
        if mine.commit not in {commit, instead_of}:
            assert recorded == mine.commit
            return
        assert recorded == commit
        if mine.commit != commit:
            mine.commit, mine.pushed = commit, False

    @rule(number=DECISIONS, commit=COMMITS)
    def record_pushed(self, number: int, commit: str) -> None:
        if self.ledger.rounds[number].commit == commit:
            self.state.rounds.record_pushed(decision(number), commit)
            self.ledger.rounds[number].pushed = True
        else:
            with pytest.raises(RoundSuperseded):
                self.state.rounds.record_pushed(decision(number), commit)

    @rule(number=DECISIONS, execution=EXECUTIONS, outcome=ENDS)
    def close(self, number: int, execution: str, outcome: FireOutcome) -> None:
        mine = self.ledger.rounds[number]
        assert self.state.rounds.close(decision(number), execution, outcome, None) == (mine.execution == execution)
        if mine.execution == execution and mine.outcome is FireOutcome.RUNNING:
            mine.outcome = outcome
            if self.ledger.owner == (number, execution):
                self.ledger.owner = None

    @invariant()
    def the_table_says_what_the_model_says(self) -> None:
        """The slot names the one owner, each round what its execution recorded, and no commit of ours is lost."""
        rows = {(row["pk"], row["sk"]): row for row in self.state.mocked.rows("")}
        slot = rows.get(place(slot_key(decision(1))), {})
        owner = self.ledger.owner
        assert slot.get("holder") == (decision(owner[0]).decision_id if owner else None)
        for number, expected in self.ledger.rounds.items():
            row = rows.get(place(fire_key(decision(number))))
            assert (row is None) == (expected.execution is None)
            if row is None:
                continue
            fire = from_row(Fire, row)
            assert Round(fire.execution, fire.outcome, fire.head_sha, fire.commit_sha, fire.pushed) == expected
            assert fire.commit_sha is None or place(commit_key(decision(number), fire.commit_sha)) in rows
            if owner and owner[0] == number:
                assert slot["fence"] == fire.fence


def place(row_key: Mapping[str, str]) -> tuple[str, str]:
    return row_key["pk"], row_key["sk"]


def test_one_execution_at_a_time_has_the_pull_request_and_an_older_one_records_nothing() -> None:
    with mock_state() as state:
        RoundsMachine.state = state
        run_state_machine_as_test(
            RoundsMachine,
            settings=settings(
                max_examples=25,
                stateful_step_count=20,
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow],
            ),
        )
