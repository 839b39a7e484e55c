"""The platform's records: what is saved is what is read, and who changed trust or a switch is kept."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoswe.contracts.records.platform import GateSettings, Member
from autoswe.dynamodb.records.platform import RecordTable
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Contended
from autoswe.dynamodb.table.keys import key
from autoswe.ports.records import Records
from autoswe.rules.records.origin import RunStatus
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind
from autoswe.rules.settings.registry import KILL_SWITCH
from autoswe.rules.settings.resolution import PLATFORM
from tests.support.feedback.state import (
    MockState,
    automation,
    connection,
    decision,
    member,
    mock_state,
    origin,
    repository_record,
)
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER
from tests.support.intake.ledger import disturbed_table
from tests.support.mock_table import SWITCH

NAMES = st.text(st.sampled_from("ab/#% .é"), min_size=1, max_size=12)


@pytest.fixture
def state() -> Iterator[MockState]:
    with mock_state() as mocked:
        yield mocked


def test_steps_read_records_through_their_port(state: MockState) -> None:
    records: Records = state.records
    assert records.of_round(decision().decision_id, CONNECTION, REPOSITORY) == (None, None, None)


def test_a_rounds_records_come_together_as_they_were_saved(state: MockState) -> None:
    state.decide(1)
    state.records.save_connection(connection())
    state.records.save_repository(CONNECTION, REPOSITORY, repository_record())
    decided, connected, known = state.records.of_round(decision(1).decision_id, CONNECTION, REPOSITORY)
    assert decided == state.records.decision(decision(1).decision_id)
    assert (connected, known) == (connection(), repository_record())


def test_a_record_that_was_never_saved_is_none(state: MockState) -> None:
    records = state.records
    assert records.decision(decision().decision_id) is None
    assert records.repository(CONNECTION, REPOSITORY) is None
    assert records.member(CONNECTION, REPOSITORY, REVIEWER) is None
    assert records.automation(CONNECTION, "fix-feedback") is None
    assert records.origin(CONNECTION, REPOSITORY, 7) is None


def test_a_decision_reads_as_its_delivery_recorded_it(state: MockState) -> None:
    assert state.decide(4) == decision(4)


def test_each_record_is_read_as_it_was_saved(state: MockState) -> None:
    records = state.records
    gates = GateSettings(setup=(("pip", "install", "."),), lint=("ruff", "check"), tests=("pytest", "-q"))
    known = repository_record(gates=gates, never_push_branches=("main", "release/1"))
    selective = automation(
        repositories=(REPOSITORY,),
        triggers=(TriggerKind.COMMAND,),
        pull_requests=(PullRequestScope.PLATFORM, PullRequestScope.OTHERS),
        max_rounds=20,
    )
    records.save_connection(connection())
    records.save_repository(CONNECTION, REPOSITORY, known)
    records.save_automation(CONNECTION, selective)
    records.save_origin(CONNECTION, REPOSITORY, 7, origin())
    records.save_member(CONNECTION, REPOSITORY, member(), by="ann", at=state.clock())
    assert records.connection(CONNECTION) == connection()
    assert records.repository(CONNECTION, REPOSITORY) == known
    assert records.automation(CONNECTION, "fix-feedback") == selective
    assert records.origin(CONNECTION, REPOSITORY, 7) == origin()
    assert records.member(CONNECTION, REPOSITORY, REVIEWER) == member()


def test_a_record_that_is_saved_again_replaces_the_one_before(state: MockState) -> None:
    state.records.save_origin(CONNECTION, REPOSITORY, 7, origin(run_status=RunStatus.RUNNING))
    state.records.save_origin(CONNECTION, REPOSITORY, 7, origin())
    state.records.save_repository(CONNECTION, REPOSITORY, repository_record(gates=GateSettings(lint=("ruff",))))
    state.records.save_repository(CONNECTION, REPOSITORY, repository_record())
    assert state.records.origin(CONNECTION, REPOSITORY, 7) == origin()
    assert state.records.repository(CONNECTION, REPOSITORY) == repository_record()


def test_the_webhook_reads_the_same_records_as_the_round(state: MockState) -> None:
    """What the command line saves is what a delivery is judged by."""
    state.records.save_setting(KILL_SWITCH, True, by="ann", at=state.clock())
    state.records.save_member(CONNECTION, REPOSITORY, member(), by="ann", at=state.clock())
    state.records.save_automation(CONNECTION, automation(repositories=(REPOSITORY,)))
    context = state.intake.context(CONNECTION, REPOSITORY, 9001, 7, REVIEWER)
    assert (context.switched_on, context.active_member) == (True, True)
    (known,) = state.intake.automations(CONNECTION)
    assert (known.automation_id, known.enabled, tuple(known.repositories)) == ("fix-feedback", True, (REPOSITORY,))


def test_a_setting_is_off_until_it_is_saved_as_on(state: MockState) -> None:
    for value in (None, True, False):
        state.records.save_setting(KILL_SWITCH, value, by="ann", at=state.clock())
        assert state.records.settings(PLATFORM, KILL_SWITCH).is_on(KILL_SWITCH) is (value is True)


def test_a_setting_keeps_who_changed_it_when_and_from_what(state: MockState) -> None:
    state.records.save_setting(KILL_SWITCH, True, by="ann", at=state.clock())
    assert state.mocked.get(**SWITCH) == {
        **SWITCH,
        "value": True,
        "previous_value": None,
        "changed_by": "ann",
        "changed_at": "2026-11-30T12:00:00Z",
    }
    state.records.save_setting(KILL_SWITCH, False, by="bob", at=state.clock() + timedelta(minutes=1))
    row = state.mocked.get(**SWITCH)
    assert (row["value"], row["previous_value"], row["changed_by"], row["changed_at"]) == (
        False,
        True,
        "bob",
        "2026-11-30T12:01:00Z",
    )


def test_a_member_keeps_who_changed_it_when_and_from_what(state: MockState) -> None:
    state.records.save_member(CONNECTION, REPOSITORY, member(), by="ann", at=state.clock())
    left = member(active=False, login="renamed")
    state.records.save_member(CONNECTION, REPOSITORY, left, by="bob", at=state.clock())
    row = state.mocked.get(key("MEMBER", CONNECTION, REPOSITORY), str(REVIEWER))
    assert (row["previous_active"], row["previous_login"], row["changed_by"]) == (True, member().login, "bob")
    assert state.records.member(CONNECTION, REPOSITORY, REVIEWER) == left


def test_saving_what_is_already_so_keeps_the_record_of_the_last_change(state: MockState) -> None:
    """A retry, or a second person setting the same, must not hide who changed it and from what."""
    state.records.save_setting(KILL_SWITCH, True, by="ann", at=state.clock())
    before = state.contents()
    state.records.save_setting(KILL_SWITCH, True, by="bob", at=state.clock() + timedelta(days=1))
    assert state.contents() == before


def test_a_change_keeps_what_was_really_there_before_it_even_when_somebody_else_was_quicker(state: MockState) -> None:
    state.records.save_member(CONNECTION, REPOSITORY, member(), by="ann", at=state.clock())

    def rename(operation: str) -> None:
        if operation == "put_item":
            other = member(login="quicker")
            state.records.save_member(CONNECTION, REPOSITORY, other, by="bob", at=state.clock())

    records = RecordTable(disturbed_table(state, before=rename), state.backoff)
    records.save_member(CONNECTION, REPOSITORY, member(active=False), by="cyd", at=state.clock())
    row = state.mocked.get(key("MEMBER", CONNECTION, REPOSITORY), str(REVIEWER))
    assert (row["active"], row["login"], row["previous_login"], row["changed_by"]) == (
        False,
        member().login,
        "quicker",
        "cyd",
    )


def test_a_change_that_never_meets_the_row_it_saw_is_not_made(state: MockState) -> None:
    logins = (f"login-{number}" for number in range(100))

    def rename(operation: str) -> None:
        if operation == "put_item":
            other = member(login=next(logins))
            state.records.save_member(CONNECTION, REPOSITORY, other, by="bob", at=state.clock())

    records = RecordTable(disturbed_table(state, before=rename), state.backoff)
    with pytest.raises(Contended):
        records.save_member(CONNECTION, REPOSITORY, member(active=False), by="ann", at=state.clock())
    saved = state.records.member(CONNECTION, REPOSITORY, REVIEWER)
    assert saved is not None
    assert saved.active


def test_a_field_without_a_value_is_not_in_the_row(state: MockState) -> None:
    state.records.save_repository(CONNECTION, REPOSITORY, repository_record())
    assert "gates" not in state.mocked.get(key("REPOSITORY", CONNECTION, REPOSITORY))


@pytest.mark.parametrize(
    "damage",
    [{"bot_id": "201"}, {"bot_id": None}, {"bot_id": 0}, {"name": 5}],
    ids=["text for a number", "null", "out of bounds", "number for a text"],
)
def test_a_damaged_row_is_refused_and_names_row_and_field(state: MockState, damage: dict[str, object]) -> None:
    state.records.save_connection(connection())
    state.mocked.put("CONNECTION", CONNECTION, **{**connection().model_dump(), **damage})
    with pytest.raises(MalformedRow, match=f"CONNECTION / {CONNECTION} is wrong at .*{next(iter(damage))}"):
        state.records.connection(CONNECTION)


def test_a_row_with_an_unknown_enum_value_is_refused(state: MockState) -> None:
    state.mocked.put(
        key("PR", CONNECTION, REPOSITORY, "7"), "ORIGIN", **{**origin().model_dump(mode="json"), "kind": "newer"}
    )
    with pytest.raises(MalformedRow, match="kind"):
        state.records.origin(CONNECTION, REPOSITORY, 7)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(st.tuples(NAMES, NAMES, st.integers(1, 2**53)), min_size=1, max_size=4, unique=True))
def test_no_two_members_share_a_row(state: MockState, places: list[tuple[str, str, int]]) -> None:
    """Names may hold what keys are spelled with."""
    for index, (app, repository, account) in enumerate(places):
        saved = Member(account_id=account, login=f"login-{index}", active=True)
        state.records.save_member(app, repository, saved, by="ann", at=state.clock())
    for index, (app, repository, account) in enumerate(places):
        found = state.records.member(app, repository, account)
        assert found is not None
        assert found.login == f"login-{index}"
