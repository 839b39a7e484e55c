"""Settings in the table: saved for a place, read for a repository, and in how many requests (feedback §6)."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoswe.contracts.records.platform import SavedSetting
from autoswe.dynamodb.records.decisions import DecisionTable
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.keys import key
from autoswe.rules.intake.admission import AdmissionContext
from autoswe.rules.settings.registry import (
    BUDGET,
    KILL_SWITCH,
    NEVER_PUSH_BRANCHES,
    QODO_BOT_ACCOUNT_IDS,
    QODO_MIN_ACTION_LEVEL,
    Setting,
)
from autoswe.rules.settings.resolution import PLATFORM, Place, Resolved, Unreadable
from tests.support.feedback.state import MockState, member, repository_record
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER
from tests.support.mock_table import SWITCH

ACME, TOOLS = Place("acme"), Place("acme", "tools")


def save(state: MockState, setting: Setting[Any], value: object, place: Place = PLATFORM, *, by: str = "ann") -> None:
    state.records.save_setting(setting, value, by=by, at=state.clock(), place=place)


def stand(state: MockState, **record: str) -> None:
    """Say where the repository stands, and make the reviewer a member."""
    state.records.save_repository(CONNECTION, REPOSITORY, repository_record(**record))
    state.records.save_member(CONNECTION, REPOSITORY, member(), by="ann", at=state.clock())


def context(state: MockState) -> AdmissionContext:
    return state.intake.context(CONNECTION, REPOSITORY, 9001, 7, REVIEWER)


@pytest.mark.parametrize(("setting", "value"), [
    (KILL_SWITCH, True),
    (NEVER_PUSH_BRANCHES, ("main", "release/*")),
    (NEVER_PUSH_BRANCHES, ()),
    (QODO_BOT_ACCOUNT_IDS, (7, 2**53 - 1)),
    (QODO_MIN_ACTION_LEVEL, "informational"),
    (BUDGET, 250),
])  # fmt: skip
def test_a_value_is_read_as_it_was_saved(state: MockState, setting: Setting[Any], value: object) -> None:
    save(state, setting, value)
    assert state.records.settings(PLATFORM, setting).resolve(setting) == Resolved(value, PLATFORM)


def test_each_place_keeps_its_own_value_with_who_changed_it_when_and_from_what(state: MockState) -> None:
    save(state, NEVER_PUSH_BRANCHES, ("main",), ACME)
    state.clock.advance(60)
    save(state, NEVER_PUSH_BRANCHES, ("main", "next"), ACME, by="bob")
    save(state, NEVER_PUSH_BRANCHES, (), TOOLS, by="cyd")
    assert state.records.saved_setting(NEVER_PUSH_BRANCHES, PLATFORM) is None
    assert state.records.saved_setting(NEVER_PUSH_BRANCHES, ACME) == SavedSetting(
        value=["main", "next"], previous_value=["main"], changed_by="bob", changed_at="2026-11-30T12:01:00Z"
    )
    assert state.records.saved_setting(NEVER_PUSH_BRANCHES, TOOLS) == SavedSetting(
        value=[], previous_value=None, changed_by="cyd", changed_at="2026-11-30T12:01:00Z"
    )


def test_a_value_that_is_taken_back_counts_no_more_and_is_still_on_record(state: MockState) -> None:
    save(state, KILL_SWITCH, True)
    save(state, KILL_SWITCH, False, ACME)
    save(state, KILL_SWITCH, None, ACME, by="bob")
    assert state.records.settings(ACME, KILL_SWITCH).resolve(KILL_SWITCH) == Resolved(True, PLATFORM)
    saved = state.records.saved_setting(KILL_SWITCH, ACME)
    assert saved is not None
    assert (saved.value, saved.previous_value, saved.changed_by) == (None, False, "bob")
    before = state.contents()
    save(state, KILL_SWITCH, None, ACME, by="cyd")
    assert state.contents() == before


def test_all_that_a_step_needs_to_know_for_a_team_is_read_in_one_request(state: MockState) -> None:
    save(state, BUDGET, 10, ACME)
    state.requests.clear()
    stored = state.records.settings(TOOLS, KILL_SWITCH, BUDGET, QODO_BOT_ACCOUNT_IDS)
    assert state.requests == ["TransactGetItems"]
    assert stored.resolve(BUDGET) == Resolved(10, ACME)
    assert stored.resolve(QODO_BOT_ACCOUNT_IDS) == Resolved((), None)


@pytest.mark.parametrize(("record", "requests"), [
    ({}, ["BatchGetItem"]),
    ({"organization": "acme"}, ["BatchGetItem", "BatchGetItem"]),
    ({"organization": "acme", "team": "tools"}, ["BatchGetItem", "BatchGetItem"]),
])  # fmt: skip
def test_the_webhook_reads_switch_and_member_in_one_request_and_overrides_in_one_more(
    state: MockState, record: dict[str, str], requests: list[str]
) -> None:
    stand(state, **record)
    save(state, KILL_SWITCH, True)
    state.requests.clear()
    assert context(state) == AdmissionContext(switched_on=True, active_member=True, repository=REPOSITORY)
    assert state.requests == requests


@pytest.mark.parametrize(("record", "requests"), [
    ({}, ["TransactGetItems"]),
    ({"organization": "acme", "team": "tools"}, ["TransactGetItems", "TransactGetItems"]),
])  # fmt: skip
def test_a_start_reads_the_switch_in_one_request_and_overrides_in_one_more(
    state: MockState, record: dict[str, str], requests: list[str]
) -> None:
    stand(state, **record)
    save(state, KILL_SWITCH, True)
    state.requests.clear()
    table = DecisionTable(state.mocked.table, state.backoff)
    assert table.settings_of(CONNECTION, REPOSITORY, KILL_SWITCH).is_on(KILL_SWITCH)
    assert state.requests == requests


SWITCHED = st.sampled_from([None, True, False])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    stored=st.fixed_dictionaries({PLATFORM: SWITCHED, ACME: SWITCHED, TOOLS: SWITCHED, Place("other"): SWITCHED}),
    place=st.sampled_from([PLATFORM, ACME, TOOLS]),
)
def test_webhook_start_and_round_agree_on_whether_the_switch_is_on(
    state: MockState, stored: dict[Place, bool | None], place: Place
) -> None:
    names = {"organization": place.organization, "team": place.team}
    stand(state, **{name: value for name, value in names.items() if value is not None})
    for at, value in stored.items():
        save(state, KILL_SWITCH, value, at)
    expected = next((value for at in place.line() if (value := stored[at]) is not None), False)
    table = DecisionTable(state.mocked.table, state.backoff)
    assert context(state).switched_on is expected
    assert table.settings_of(CONNECTION, REPOSITORY, KILL_SWITCH).is_on(KILL_SWITCH) is expected
    assert state.records.settings(place, KILL_SWITCH).is_on(KILL_SWITCH) is expected
    assert table.on_somewhere(KILL_SWITCH) is any(stored.values())


@pytest.mark.parametrize("broken", ["true", 1, ["on"], None])
def test_a_switch_that_is_neither_on_nor_off_is_off_everywhere(state: MockState, broken: object) -> None:
    stand(state)
    state.mocked.put(**SWITCH, value=broken)
    table = DecisionTable(state.mocked.table, state.backoff)
    assert context(state) == AdmissionContext(switched_on=False, active_member=True, repository=REPOSITORY)
    assert not table.settings_of(CONNECTION, REPOSITORY, KILL_SWITCH).is_on(KILL_SWITCH)
    assert not table.on_somewhere(KILL_SWITCH)
    assert isinstance(state.records.settings(PLATFORM, KILL_SWITCH).resolve(KILL_SWITCH), Unreadable)


@pytest.mark.parametrize("record", [
    {"team": "tools"}, {"organization": ""}, {"organization": 1}, {"organization": "acme", "team": ""},
    {"organization": None},
])  # fmt: skip
def test_a_repository_that_stands_nowhere_is_named_and_not_taken_for_one_of_the_platform(
    state: MockState, record: dict[str, object]
) -> None:
    save(state, KILL_SWITCH, True)
    state.mocked.put(key("REPOSITORY", CONNECTION, REPOSITORY), "row", repository_id=9001, **record)
    with pytest.raises(MalformedRow, match=r"organi[sz]ation|team"):
        context(state)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.text(st.sampled_from("ab#%/ é"), min_size=1, max_size=6), min_size=2, max_size=3, unique=True))
def test_no_two_places_share_a_value(state: MockState, names: list[str]) -> None:
    """Names may hold what keys are spelled with."""
    places = [Place(first, second) for first in names for second in (None, *names)]
    for number, place in enumerate(places):
        save(state, BUDGET, number, place)
    for number, place in enumerate(places):
        saved = state.records.saved_setting(BUDGET, place)
        assert saved is not None
        assert saved.value == number


def test_spending_is_recorded_by_month_and_organisation_with_who_recorded_it(state: MockState) -> None:
    records, at = state.records, state.clock()
    records.save_spending("acme", "2026-11", 80, by="ann", at=at)
    records.save_spending("acme", "2026-11", 95, by="bob", at=at + timedelta(days=1))
    records.save_spending(None, "2026-11", 7, by="ann", at=at)
    spent = [records.spent_usd(*month) for month in [("acme", "2026-11"), ("acme", "2026-12"), (None, "2026-11")]]
    assert spent == [95, 0, 7]
    row = state.mocked.get(key("SPENDING", "acme"), "2026-11")
    assert (row["previous_usd"], row["changed_by"]) == (80, "bob")


def test_spending_that_is_no_number_is_not_taken_for_nothing(state: MockState) -> None:
    state.mocked.put(key("SPENDING", "acme"), "2026-11", usd="95")
    with pytest.raises(MalformedRow, match="usd"):
        state.records.spent_usd("acme", "2026-11")
