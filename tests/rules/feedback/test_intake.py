"""Whether a recognised trigger becomes a decision (feedback §1, §2, §6)."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.intake import Admitted, AutomationFilter, IntakeRefusal, Standing, admit
from autoswe.rules.feedback.triggers import PullRequestScope, TriggerKind

MEMBER = Standing(switched_on=True, active_member=True)
AUTOMATION = AutomationFilter("one", enabled=True)
REPOSITORY = "octo/widgets"

kinds = st.sampled_from(TriggerKind)
automations = st.builds(
    AutomationFilter,
    automation_id=st.text(min_size=1, max_size=5),
    enabled=st.booleans(),
    repositories=st.lists(st.sampled_from([REPOSITORY, "octo/gears"]), max_size=2).map(tuple),
    triggers=st.lists(st.sampled_from([*TriggerKind, "qodo_findings"]), max_size=3).map(tuple),
    pull_requests=st.lists(st.sampled_from([*PullRequestScope, "unheard_of"]), max_size=3).map(tuple),
)


@pytest.mark.parametrize("kind", TriggerKind)
def test_a_members_trigger_is_admitted_by_an_automation_that_was_saved_without_filters(kind: TriggerKind) -> None:
    assert admit(kind, REPOSITORY, MEMBER, [AUTOMATION]) == Admitted("one")


@given(kinds, st.booleans(), st.lists(automations))
def test_with_the_kill_switch_off_nothing_is_admitted(
    kind: TriggerKind, member: bool, saved: list[AutomationFilter]
) -> None:
    standing = Standing(switched_on=False, active_member=member)
    assert admit(kind, REPOSITORY, standing, saved) is IntakeRefusal.KILL_SWITCH_OFF


@given(kinds, st.lists(automations))
def test_somebody_who_is_no_active_member_is_never_admitted(kind: TriggerKind, saved: list[AutomationFilter]) -> None:
    stranger = Standing(switched_on=True, active_member=False)
    assert admit(kind, REPOSITORY, stranger, [*saved, AUTOMATION]) is IntakeRefusal.NOT_A_MEMBER
    assert not isinstance(admit(kind, REPOSITORY, stranger, saved), Admitted)


@pytest.mark.parametrize("other", [
    replace(AUTOMATION, enabled=False),
    replace(AUTOMATION, repositories=("octo/gears",)),
    replace(AUTOMATION, triggers=(TriggerKind.CHANGES_REQUESTED,)),
    replace(AUTOMATION, triggers=("qodo_findings",)),
    replace(AUTOMATION, triggers=()),
    replace(AUTOMATION, pull_requests=()),
    replace(AUTOMATION, pull_requests=("unheard_of",)),
])  # fmt: skip
def test_an_automation_that_does_not_select_the_trigger_admits_nothing(other: AutomationFilter) -> None:
    assert admit(TriggerKind.COMMAND, REPOSITORY, MEMBER, [other]) is IntakeRefusal.NO_AUTOMATION


@pytest.mark.parametrize("kind", TriggerKind)
def test_an_automation_for_other_pull_requests_alone_admits_nothing_yet(kind: TriggerKind) -> None:
    """Which pull requests are others' is known only once the head is read, and that is not done here yet."""
    others = replace(AUTOMATION, pull_requests=(PullRequestScope.OTHERS,))
    assert admit(kind, REPOSITORY, MEMBER, [others]) is IntakeRefusal.NO_AUTOMATION


def test_an_automation_that_names_the_repository_among_others_admits_the_trigger() -> None:
    named = replace(AUTOMATION, repositories=("octo/gears", REPOSITORY))
    assert admit(TriggerKind.COMMAND, REPOSITORY, MEMBER, [named]) == Admitted("one")


@pytest.mark.parametrize("ids", list(permutations(("first", "second", "third"))), ids=" ".join)
def test_of_several_automations_that_select_a_trigger_the_first_by_id_takes_it(ids: tuple[str, ...]) -> None:
    saved = [replace(AUTOMATION, automation_id=one, enabled=one != "first") for one in ids]
    assert admit(TriggerKind.COMMAND, REPOSITORY, MEMBER, saved) == Admitted("second")


@given(kinds, st.lists(automations), st.randoms(use_true_random=False))
def test_the_first_by_id_of_the_automations_that_select_a_trigger_takes_it_in_whatever_order_they_come(
    kind: TriggerKind, saved: list[AutomationFilter], chance: Random
) -> None:
    alone = [one.automation_id for one in saved if isinstance(admit(kind, REPOSITORY, MEMBER, [one]), Admitted)]
    expected = Admitted(min(alone)) if alone else IntakeRefusal.NO_AUTOMATION
    assert admit(kind, REPOSITORY, MEMBER, saved) == expected
    chance.shuffle(saved)
    assert admit(kind, REPOSITORY, MEMBER, saved) == expected
