"""Which settings there are (feedback §6, review §9.2, §15): the table of the requirement, row by row."""

import pytest

from autoswe.rules.settings.registry import REGISTRY, Override, Scope

TEAM = (Scope.ADMIN, Scope.ORGANIZATION, Scope.TEAM)
ADMIN = (Scope.ADMIN,)

REQUIRED: list[tuple[str, object, tuple[Scope, ...], tuple[object, ...], tuple[object, ...]]] = [
    ("github.prFeedbackAutomationsEnabled", False, TEAM, (True, False), ("on", None)),
    ("github.prFeedbackOtherPullRequestsEnabled", False, TEAM, (True, False), (1,)),
    ("github.ciFixNeverPushBranches", (), TEAM, ([], ["release/*"]), ("main",)),
    ("qodo.enabled", False, TEAM, (True, False), ("off",)),
    ("qodo.prFeedbackBotAccountIds", (), ADMIN, ([], [1] * 10), ([1] * 11, [0], ["qodo"])),
    (
        "qodo.prFeedbackMinActionLevel",
        "remediation_recommended",
        TEAM,
        ("action_required", "remediation_recommended", "informational"),
        ("ACTION_REQUIRED", ""),
    ),
    ("qodo.prFeedbackIncludeOnCommand", False, TEAM, (True, False), (0,)),
    ("qodo.prFeedbackMaxRounds", 2, TEAM, (1, 10), (0, 11)),
    ("qodo.prFeedbackRunWaitSeconds", 900, ADMIN, (0, 900), (-1, 901)),
    ("qodo.prFeedbackWaitSeconds", 120, ADMIN, (0, 600), (-1, 601)),
    ("agentRuns.enabled", False, TEAM, (True, False), ("yes",)),
    ("agentRuns.maxConcurrent", 5, TEAM, (1, 50), (0, 51)),
    ("agentRuns.maxPerDay", 50, TEAM, (1, 1_000), (0, 1_001)),
    ("budget.monthlyUsd", None, (Scope.ADMIN, Scope.ORGANIZATION), (0, 1_000_000), (-1, 1_000_001)),
    ("review.enabled", False, ADMIN, (True, False), ("on",)),
    ("review.live", False, ADMIN, (True, False), ("live", 1)),
]


@pytest.mark.parametrize(
    ("name", "default", "scopes", "allowed", "refused"), REQUIRED, ids=[row[0] for row in REQUIRED]
)
def test_a_setting_is_what_is_required_of_it(
    name: str, default: object, scopes: tuple[Scope, ...], allowed: tuple[object, ...], refused: tuple[object, ...]
) -> None:
    setting = REGISTRY[name]
    assert (setting.name, setting.default, setting.scopes) == (name, default, scopes)
    assert all(setting.kind.read(value) is not None for value in allowed)
    assert all(setting.kind.read(value) is None for value in refused)


def test_there_is_no_setting_that_nobody_asked_for() -> None:
    assert list(REGISTRY) == [row[0] for row in REQUIRED]


def test_a_default_is_a_value_that_could_be_stored_or_none() -> None:
    assert all(one.default is None or one.kind.read(one.default) == one.default for one in REGISTRY.values())


def test_every_switch_is_off_until_somebody_switches_it_on() -> None:
    assert {one.default for one in REGISTRY.values() if isinstance(one.default, bool)} == {False}


def test_only_branches_add_up_over_the_scopes() -> None:
    added = [one.name for one in REGISTRY.values() if one.override is Override.ADDS]
    assert added == ["github.ciFixNeverPushBranches"]
