"""The records of runs: what reports leave in the table, whoever writes at the same time (feedback §2, §3, §6)."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from autoswe.dynamodb.records.runs import RunTable
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Contended
from autoswe.dynamodb.table.keys import key
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import Recorded, Refused, Run, RunRefusal, Unchanged, Verdict, judge_report
from tests.support.feedback.state import MockState, origin
from tests.support.intake.deliveries import CONNECTION, REPOSITORY
from tests.support.intake.ledger import disturbed_table
from tests.support.intake.runs import NOON, agent_run, run

PULL = key("PR", CONNECTION, REPOSITORY, "7")
DAY = "AGENTDAY#acme#2026-11-30"
PARKED = RunStatus.AWAITING_HUMAN_MERGE


def settle(runs: RunTable, told: Run, organization: str | None = "acme") -> Verdict:
    return runs.settle(told, organization, lambda record, claim: judge_report(record, claim, told))


def table(state: MockState, before: Callable[[str], None] = lambda _: None) -> RunTable:
    return RunTable(disturbed_table(state, before=before), state.backoff)


def test_a_run_is_read_as_it_was_reported(state: MockState) -> None:
    for told in (run(pull_number=7), agent_run(run_id="run-2", pull_number=8)):
        assert settle(table(state), told) == Recorded(told)
    assert table(state).runs(CONNECTION, REPOSITORY) == (run(pull_number=7), agent_run(run_id="run-2", pull_number=8))
    assert table(state).runs(CONNECTION, "octo/other") == ()


def test_the_pull_request_has_the_run_as_its_origin_from_when_it_is_named(state: MockState) -> None:
    settle(table(state), agent_run(1))
    assert state.records.origin(CONNECTION, REPOSITORY, 7) is None
    settle(table(state), agent_run(2, pull_number=7))
    settle(table(state), agent_run(3, status=PARKED))
    found = state.records.origin(CONNECTION, REPOSITORY, 7)
    assert found == origin(kind=OriginKind.AGENT_RUN, run_status=PARKED, run_id="run-1")
    assert state.records.run_of(CONNECTION, REPOSITORY, 7) == agent_run(3, status=PARKED, pull_number=7)


def test_a_pull_request_without_a_reported_run_has_none(state: MockState) -> None:
    assert state.records.run_of(CONNECTION, REPOSITORY, 7) is None
    state.records.save_origin(CONNECTION, REPOSITORY, 7, origin())
    assert state.records.run_of(CONNECTION, REPOSITORY, 7) is None
    state.records.save_origin(CONNECTION, REPOSITORY, 7, origin(run_id="gone"))
    assert state.records.run_of(CONNECTION, REPOSITORY, 7) is None


def test_reports_in_any_order_and_twice_leave_the_same_rows(state: MockState) -> None:
    reports = [agent_run(1), agent_run(2, pull_number=7), agent_run(3, status=PARKED)]
    found = []
    for number, order in enumerate(permutations(reports)):
        mine = [replace(told, repository=f"octo/{number}") for told in order]
        for told in (*mine, *mine):
            settle(table(state), told, f"of-{number}")
        of_pull = state.mocked.get(key("PR", CONNECTION, f"octo/{number}", "7"), "ORIGIN")
        of_run = state.mocked.get(key("RUN", CONNECTION, f"octo/{number}"), "run-1")
        started = state.mocked.get(f"AGENTDAY#of-{number}#2026-11-30")["started"]
        found.append([of_pull["run_status"], of_run["status"], of_run["reported_at"], of_run["pull_number"], started])
    assert found == [["awaiting_human_merge"] * 2 + ["2026-11-30T12:03:00Z", 7, 1]] * 6


def test_a_report_that_changes_nothing_writes_nothing(state: MockState) -> None:
    settle(table(state), agent_run(2, pull_number=7))
    before = state.contents()
    assert isinstance(settle(table(state), agent_run(1)), Unchanged)
    assert state.contents() == before


@pytest.mark.parametrize("holder", ["run-2", None])
def test_a_refused_claim_writes_nothing(state: MockState, holder: str | None) -> None:
    settle(table(state), agent_run(1))
    state.records.save_origin(CONNECTION, REPOSITORY, 7, origin(run_id=holder))
    before = state.contents()
    refused = settle(table(state), agent_run(2, pull_number=7))
    assert isinstance(refused, Refused)
    assert refused.reason is RunRefusal.PULL_REQUEST_CLAIMED
    assert state.contents() == before


def test_of_two_runs_that_claim_a_pull_request_at_once_one_gets_it(state: MockState) -> None:
    rivals = [run(run_id="run-2", pull_number=7)]

    def come_first(operation: str) -> None:
        if operation == "transact_write_items" and rivals:
            settle(table(state), rivals.pop())

    refused = settle(table(state, come_first), run(pull_number=7))
    assert isinstance(refused, Refused)
    assert state.mocked.get(PULL, "ORIGIN")["run_id"] == "run-2"
    assert state.mocked.get(key("RUN", CONNECTION, REPOSITORY), "run-1") == {}


def test_a_newer_report_that_comes_between_look_and_write_is_not_overwritten(state: MockState) -> None:
    settle(table(state), run(1, pull_number=7))
    newer = [run(9, status=PARKED)]

    def come_first(operation: str) -> None:
        if operation == "transact_write_items" and newer:
            settle(table(state), newer.pop())

    assert isinstance(settle(table(state, come_first), run(2)), Unchanged)
    assert state.mocked.get(PULL, "ORIGIN")["run_status"] == "awaiting_human_merge"


def test_a_report_that_never_meets_the_record_it_saw_is_not_recorded(state: MockState) -> None:
    minutes = iter(range(10, 100))

    def come_first(operation: str) -> None:
        if operation == "transact_write_items":
            settle(table(state), run(next(minutes), pull_number=7))

    settle(table(state), run(1, pull_number=7))
    with pytest.raises(Contended):
        settle(table(state, come_first), run(99, status=PARKED))


def test_a_new_agent_run_counts_once_on_its_day_and_a_workflow_does_not(state: MockState) -> None:
    settle(table(state), run(run_id="workflow", pull_number=3))
    assert state.mocked.get(DAY) == {}
    for told in (agent_run(1), agent_run(2, pull_number=7), agent_run(1), agent_run(5, run_id="run-2")):
        settle(table(state), told)
    day = state.mocked.get(DAY)
    assert day["started"] == 2
    assert day["expires_at"] > NOON.timestamp() + 86_400


def test_two_new_agent_runs_at_once_both_count(state: MockState) -> None:
    rivals = [agent_run(1, run_id="run-2")]

    def come_first(operation: str) -> None:
        if operation == "transact_write_items" and rivals:
            settle(table(state), rivals.pop())

    settle(table(state, come_first), agent_run(1))
    assert state.mocked.get(DAY)["started"] == 2


def follow_up(state: MockState, decision: str, most: int, organization: str | None = "acme") -> str | None:
    return state.records.start_follow_up(decision, organization, NOON, lambda n: "full" if n >= most else None)


def test_follow_ups_count_with_the_runs_of_the_organisation_up_to_the_ceiling(state: MockState) -> None:
    settle(table(state), agent_run(1))
    assert [follow_up(state, f"DECISION#{number}", 3) for number in range(4)] == [None, None, "full", "full"]
    assert follow_up(state, "DECISION#4", 3, "other") is None
    assert follow_up(state, "DECISION#4", 3, None) is None
    assert state.mocked.get(DAY)["started"] == 3


def test_a_follow_up_that_is_counted_counts_once_and_is_not_judged_again(state: MockState) -> None:
    assert follow_up(state, "DECISION#1", 1) is None
    before = state.contents()
    assert follow_up(state, "DECISION#1", 1) is None
    assert state.contents() == before


def test_follow_ups_at_once_never_go_over_the_ceiling(state: MockState) -> None:
    rivals = ["DECISION#2"]

    def come_first(operation: str) -> None:
        if operation == "transact_write_items" and rivals:
            assert follow_up(state, rivals.pop(), 1) is None

    records: Any = type(state.records)(disturbed_table(state, before=come_first), state.backoff)
    assert records.start_follow_up("DECISION#1", "acme", NOON, lambda n: "full" if n >= 1 else None) == "full"
    assert state.mocked.get(DAY)["started"] == 1


def test_a_damaged_run_is_refused_and_names_row_and_field(state: MockState) -> None:
    settle(table(state), agent_run(pull_number=7))
    row = state.mocked.get(key("RUN", CONNECTION, REPOSITORY), "run-1")
    state.mocked.put(**{**row, "scope": "newer"})
    with pytest.raises(MalformedRow, match=r"RUN#.* / run-1 is wrong at .*scope"):
        state.records.run_of(CONNECTION, REPOSITORY, 7)
