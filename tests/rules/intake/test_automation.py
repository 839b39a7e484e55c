"""Which automations may be saved (feedback §1, §6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.intake.automation import AutomationRefusal, Permit, Refused, judge_automation
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind
from autoswe.rules.settings.resolution import PLATFORM, Resolved, Unreadable

COMMAND, CHANGES = TriggerKind.COMMAND, TriggerKind.CHANGES_REQUESTED
OURS, OTHERS = PullRequestScope.PLATFORM, PullRequestScope.OTHERS
ALLOWED = Permit("octo/widgets", Resolved(True, PLATFORM))
FORBIDDEN = Permit("octo/gears", Resolved(False, None))
UNKNOWN = Permit("octo/bolts", Unreadable("it is broken"))


@pytest.mark.parametrize("permits", [[], [ALLOWED], [FORBIDDEN], [UNKNOWN]])
def test_an_automation_for_our_own_pull_requests_needs_no_leave(permits: list[Permit]) -> None:
    assert judge_automation([CHANGES, COMMAND], [OURS], permits) is None


@pytest.mark.parametrize("scopes", [[OTHERS], [OURS, OTHERS]])
def test_others_are_taken_where_they_are_allowed(scopes: list[PullRequestScope]) -> None:
    assert judge_automation([CHANGES, COMMAND], scopes, [ALLOWED, ALLOWED]) is None


def test_others_are_refused_while_the_setting_is_off_in_a_sentence_that_says_what_to_change() -> None:
    assert judge_automation([COMMAND], [OURS, OTHERS], [ALLOWED, FORBIDDEN]) == Refused(
        AutomationRefusal.OTHERS_NOT_ALLOWED,
        "github.prFeedbackOtherPullRequestsEnabled is off for octo/gears: "
        "set it to on there, or leave others out of pull_requests",
    )


def test_others_are_refused_while_nobody_can_tell_whether_they_are_allowed() -> None:
    refused = judge_automation([COMMAND], [OTHERS], [ALLOWED, UNKNOWN])
    assert isinstance(refused, Refused)
    assert refused.reason is AutomationRefusal.OTHERS_NOT_ALLOWED
    assert refused.sentence == "whether octo/bolts allows others cannot be read: it is broken; set it anew"


def test_others_without_the_command_are_refused_because_nothing_else_acts_on_them() -> None:
    refused = judge_automation([CHANGES], [OURS, OTHERS], [ALLOWED])
    assert isinstance(refused, Refused)
    assert refused.reason is AutomationRefusal.OTHERS_WITHOUT_COMMAND
    assert "add the trigger command" in refused.sentence


@pytest.mark.parametrize(("triggers", "scopes", "missing"), [
    ([], [OURS], "name at least one trigger"),
    ([COMMAND], [], "name at least one kind of pull request"),
])  # fmt: skip
def test_an_automation_that_selects_nothing_is_refused(
    triggers: list[TriggerKind], scopes: list[PullRequestScope], missing: str
) -> None:
    refused = judge_automation(triggers, scopes, [ALLOWED])
    assert isinstance(refused, Refused)
    assert refused.reason is AutomationRefusal.SELECTS_NOTHING
    assert missing in refused.sentence


@given(
    st.lists(st.sampled_from(TriggerKind)),
    st.lists(st.sampled_from(PullRequestScope)),
    st.lists(st.sampled_from([ALLOWED, FORBIDDEN, UNKNOWN]), min_size=1),
)
def test_no_automation_for_others_gets_past_a_repository_that_does_not_allow_them(
    triggers: list[TriggerKind], scopes: list[PullRequestScope], permits: list[Permit]
) -> None:
    saved = judge_automation(triggers, scopes, permits) is None
    assert not saved or OTHERS not in scopes or set(permits) == {ALLOWED}
