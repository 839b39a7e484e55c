"""What a person may change, and the sentence that says why not (feedback §6)."""

import pytest

from autoswe.rules.settings.change import Change, ChangeRefusal, Refused, find_setting, judge_change
from autoswe.rules.settings.registry import BUDGET, KILL_SWITCH, NEVER_PUSH_BRANCHES, REGISTRY, Scope
from autoswe.rules.settings.resolution import PLATFORM, Place

ACME, TOOLS = Place("acme"), Place("acme", "tools")
OF = {Scope.ADMIN: PLATFORM, Scope.ORGANIZATION: ACME, Scope.TEAM: TOOLS}


@pytest.mark.parametrize("place", [PLATFORM, ACME, TOOLS])
def test_a_switch_may_be_changed_for_platform_organisation_and_team(place: Place) -> None:
    assert judge_change(KILL_SWITCH.name, place, "on") == Change(KILL_SWITCH, place, True)


def test_a_list_is_changed_as_a_whole() -> None:
    change = judge_change(NEVER_PUSH_BRANCHES.name, ACME, "main, release/*")
    assert change == Change(NEVER_PUSH_BRANCHES, ACME, ("main", "release/*"))


def test_nothing_written_takes_the_value_back() -> None:
    assert judge_change(BUDGET.name, ACME, None) == Change(BUDGET, ACME, None)


@pytest.mark.parametrize(("name", "place", "written", "reason", "sentence"), [
    ("github.prFeedbackAutomationEnabled", PLATFORM, "on", ChangeRefusal.UNKNOWN_SETTING,
     "there is no setting 'github.prFeedbackAutomationEnabled': did you mean github.prFeedbackAutomationsEnabled?"),
    ("x", PLATFORM, "on", ChangeRefusal.UNKNOWN_SETTING,
     "there is no setting 'x': autoswe settings list names all of them"),
    ("github.prFeedbackAutomationsEnabled", PLATFORM, "true", ChangeRefusal.VALUE_NOT_ALLOWED,
     "github.prFeedbackAutomationsEnabled cannot be 'true': it must be on or off"),
    ("qodo.prFeedbackMaxRounds", TOOLS, "11", ChangeRefusal.VALUE_NOT_ALLOWED,
     "qodo.prFeedbackMaxRounds cannot be 11: it must be a whole number from 1 to 10"),
    ("qodo.prFeedbackMinActionLevel", PLATFORM, "all", ChangeRefusal.VALUE_NOT_ALLOWED,
     "qodo.prFeedbackMinActionLevel cannot be 'all': "
     "it must be one of action_required, remediation_recommended, informational"),
    ("qodo.prFeedbackBotAccountIds", ACME, "1", ChangeRefusal.SCOPE_NOT_ALLOWED,
     "qodo.prFeedbackBotAccountIds is platform-wide: the organisation acme cannot have a value of its own"),
    ("budget.monthlyUsd", TOOLS, "10", ChangeRefusal.SCOPE_NOT_ALLOWED,
     "budget.monthlyUsd is set for an organisation as a whole: the team tools of acme cannot have a value of its own"),
])  # fmt: skip
def test_what_may_not_be_changed_is_refused_in_a_sentence_that_says_what_is_allowed(
    name: str, place: Place, written: str, reason: ChangeRefusal, sentence: str
) -> None:
    assert judge_change(name, place, written) == Refused(reason, sentence)


@pytest.mark.parametrize("name", REGISTRY)
@pytest.mark.parametrize("scope", Scope)
def test_a_setting_takes_a_value_at_its_own_scopes_and_at_no_other(name: str, scope: Scope) -> None:
    refused = isinstance(judge_change(name, OF[scope], None), Refused)
    assert refused is (scope not in REGISTRY[name].scopes)


def test_a_setting_is_found_by_its_name() -> None:
    assert find_setting(KILL_SWITCH.name) is KILL_SWITCH
