"""Whose value counts: the team's over the organisation's over the platform's (feedback §6)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.settings.registry import (
    BUDGET,
    KILL_SWITCH,
    NEVER_PUSH_BRANCHES,
    QODO_BOT_ACCOUNT_IDS,
    QODO_MAX_ROUNDS,
    Scope,
    Setting,
)
from autoswe.rules.settings.resolution import PLATFORM, Place, Resolved, StoredSettings, Unreadable

ACME, TOOLS = Place("acme"), Place("acme", "tools")
PLACES = (TOOLS, ACME, PLATFORM)


def resolve(setting: Setting[Any], stored: dict[Place, object], place: Place = TOOLS) -> Resolved[Any] | Unreadable:
    return StoredSettings(place, {setting.name: stored}).resolve(setting)


@pytest.mark.parametrize(("stored", "value", "whose"), [
    ({}, False, None),
    ({PLATFORM: True}, True, PLATFORM),
    ({PLATFORM: True, ACME: False}, False, ACME),
    ({PLATFORM: False, ACME: False, TOOLS: True}, True, TOOLS),
    ({PLATFORM: True, ACME: True, TOOLS: False}, False, TOOLS),
    ({PLATFORM: True, TOOLS: False}, False, TOOLS),
])  # fmt: skip
def test_the_most_specific_value_counts(stored: dict[Place, object], value: bool, whose: Place | None) -> None:
    assert resolve(KILL_SWITCH, stored) == Resolved(value, whose)


@pytest.mark.parametrize(("place", "value"), [
    (PLATFORM, 1), (Place("acme"), 2), (Place("acme", "tools"), 3), (Place("acme", "other"), 2), (Place("umbrella"), 1),
    (Place("umbrella", "tools"), 1),
])  # fmt: skip
def test_a_value_counts_for_its_own_organisation_and_team_alone(place: Place, value: int) -> None:
    assert resolve(QODO_MAX_ROUNDS, {PLATFORM: 1, ACME: 2, TOOLS: 3}, place) == Resolved(value, resolved_at(place))


def resolved_at(place: Place) -> Place:
    return next(at for at in place.line() if at in (PLATFORM, ACME, TOOLS))


def test_a_platform_wide_setting_takes_no_notice_of_what_is_stored_elsewhere() -> None:
    assert resolve(QODO_BOT_ACCOUNT_IDS, {TOOLS: [1], ACME: [2]}) == Resolved((), None)
    assert resolve(QODO_BOT_ACCOUNT_IDS, {TOOLS: [1], PLATFORM: [3]}) == Resolved((3,), PLATFORM)


def test_a_budget_is_an_organisations_and_never_a_teams() -> None:
    assert resolve(BUDGET, {TOOLS: 1_000, ACME: 5}) == Resolved(5, ACME)


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("broken", ["on", 1, None, [True]])
def test_a_switch_that_is_stored_as_neither_on_nor_off_is_off_whatever_a_less_specific_scope_says(
    at: Place, broken: object
) -> None:
    stored: dict[Place, object] = dict.fromkeys(PLACES[PLACES.index(at) + 1 :], True)
    settings = StoredSettings(TOOLS, {KILL_SWITCH.name: {**stored, at: broken}})
    assert isinstance(settings.resolve(KILL_SWITCH), Unreadable)
    assert not settings.is_on(KILL_SWITCH)


def test_what_is_unreadable_names_setting_place_and_value_and_says_what_is_allowed() -> None:
    told = resolve(QODO_MAX_ROUNDS, {ACME: 11})
    assert isinstance(told, Unreadable)
    assert told.sentence == (
        "what the organisation acme has stored as qodo.prFeedbackMaxRounds cannot be 11: "
        "it must be a whole number from 1 to 10"
    )


def test_a_value_of_any_length_is_told_in_a_sentence() -> None:
    told = resolve(QODO_MAX_ROUNDS, {ACME: "x" * 10_000})
    assert isinstance(told, Unreadable)
    assert len(told.sentence) < 300


def test_a_broken_value_that_does_not_count_hurts_nobody() -> None:
    assert resolve(KILL_SWITCH, {TOOLS: True, PLATFORM: "broken"}) == Resolved(True, TOOLS)


def test_branches_that_any_scope_rules_out_stay_ruled_out_for_a_team() -> None:
    stored: dict[Place, object] = {TOOLS: ["hotfix"], ACME: ["release/*"], PLATFORM: ["main", "hotfix"]}
    assert resolve(NEVER_PUSH_BRANCHES, stored) == Resolved(("hotfix", "release/*", "main"), TOOLS)
    assert resolve(NEVER_PUSH_BRANCHES, {**stored, TOOLS: []}) == Resolved(("release/*", "main", "hotfix"), TOOLS)


@pytest.mark.parametrize("at", PLACES)
def test_branches_are_unreadable_when_any_scopes_are(at: Place) -> None:
    stored: dict[Place, object] = {place: ["main"] for place in PLACES}
    assert isinstance(resolve(NEVER_PUSH_BRANCHES, {**stored, at: "main"}), Unreadable)


def test_a_setting_that_was_not_read_is_not_taken_for_its_default() -> None:
    with pytest.raises(KeyError):
        StoredSettings(PLATFORM, {}).resolve(KILL_SWITCH)


VALUES = st.sampled_from([True, False, "broken"])


@given(st.dictionaries(st.sampled_from(PLACES), VALUES), st.sampled_from(PLACES))
def test_a_switch_is_on_only_where_the_first_value_on_the_way_up_is_on(stored: dict[Place, Any], place: Place) -> None:
    first = next((stored[at] for at in place.line() if at in stored), False)
    assert StoredSettings(place, {KILL_SWITCH.name: stored}).is_on(KILL_SWITCH) is (first is True)


@pytest.mark.parametrize(("place", "scope", "told"), [
    (PLATFORM, Scope.ADMIN, "the platform"),
    (ACME, Scope.ORGANIZATION, "the organisation acme"),
    (TOOLS, Scope.TEAM, "the team tools of acme"),
])  # fmt: skip
def test_a_place_knows_its_scope_and_what_is_above_it(place: Place, scope: Scope, told: str) -> None:
    assert (place.scope, str(place)) == (scope, told)
    assert place.line() == PLACES[PLACES.index(place) :]


@pytest.mark.parametrize("names", [(None, "tools"), ("", None), ("acme", ""), ("", "tools")])
def test_there_is_no_team_without_an_organisation_and_no_empty_name(names: tuple[str | None, str | None]) -> None:
    with pytest.raises(ValueError, match=r"organisation"):
        Place(*names)
