"""Whether a recognised trigger becomes a decision (feedback §1, §2, §6)."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.intake.admission import AdmissionContext, Admitted, IntakeRefusal, admit
from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind

REPOSITORY = "octo/widgets"
MEMBER = AdmissionContext(switched_on=True, active_member=True, opened_by_platform=True, repository=REPOSITORY)
ON_OTHERS = replace(MEMBER, opened_by_platform=False, others_allowed=True)
FORBIDDEN = replace(ON_OTHERS, others_allowed=False)
AUTOMATION = AutomationFilter("one", enabled=True)

kinds = st.sampled_from(TriggerKind)
standings = st.builds(
    AdmissionContext,
    st.just(True),
    st.just(True),
    opened_by_platform=st.booleans(),
    others_allowed=st.booleans(),
    repository=st.just(REPOSITORY),
)
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
    assert admit(kind, MEMBER, [AUTOMATION]) == Admitted("one")


@given(kinds, standings, st.lists(automations))
def test_with_the_kill_switch_off_nothing_is_admitted(
    kind: TriggerKind, context: AdmissionContext, saved: list[AutomationFilter]
) -> None:
    context = replace(context, switched_on=False)
    assert admit(kind, context, saved) is IntakeRefusal.KILL_SWITCH_OFF


@given(kinds, standings, st.lists(automations))
def test_somebody_who_is_no_active_member_is_never_admitted(
    kind: TriggerKind, context: AdmissionContext, saved: list[AutomationFilter]
) -> None:
    stranger = replace(context, active_member=False)
    assert admit(kind, stranger, [*saved, AUTOMATION]) is IntakeRefusal.NOT_A_MEMBER
    assert not isinstance(admit(kind, stranger, saved), Admitted)


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
    assert admit(TriggerKind.COMMAND, MEMBER, [other]) is IntakeRefusal.NO_AUTOMATION


OTHERS = AutomationFilter("others", enabled=True, pull_requests=(PullRequestScope.OTHERS,))
BOTH = AutomationFilter("both", enabled=True, pull_requests=(PullRequestScope.PLATFORM, PullRequestScope.OTHERS))


@pytest.mark.parametrize("kind", TriggerKind)
@pytest.mark.parametrize("allowed", [True, False])
def test_an_automation_for_others_alone_does_not_act_on_a_pull_request_that_the_platform_opened(
    kind: TriggerKind, *, allowed: bool
) -> None:
    ours = replace(MEMBER, others_allowed=allowed)
    assert admit(kind, ours, [OTHERS]) is IntakeRefusal.NO_AUTOMATION
    assert admit(kind, ours, [OTHERS, BOTH]) == Admitted("both")


@pytest.mark.parametrize("automation", [OTHERS, BOTH])
def test_a_command_on_a_pull_request_of_others_is_admitted_if_the_host_knows_it(automation: AutomationFilter) -> None:
    admitted = Admitted(automation.automation_id, if_on_host=True)
    assert admit(TriggerKind.COMMAND, ON_OTHERS, [automation]) == admitted


def test_where_others_are_allowed_an_automation_that_takes_them_comes_before_one_that_does_not() -> None:
    saved = [AutomationFilter("a", enabled=True), OTHERS]
    assert admit(TriggerKind.COMMAND, ON_OTHERS, saved) == Admitted("others", if_on_host=True)


@pytest.mark.parametrize("other", [
    replace(OTHERS, enabled=False),
    replace(OTHERS, repositories=("octo/gears",)),
    replace(OTHERS, triggers=(TriggerKind.CHANGES_REQUESTED,)),
])  # fmt: skip
def test_an_automation_for_others_that_does_not_select_the_command_admits_nothing(other: AutomationFilter) -> None:
    assert admit(TriggerKind.COMMAND, ON_OTHERS, [other]) is IntakeRefusal.NO_AUTOMATION


@pytest.mark.parametrize("context", [ON_OTHERS, FORBIDDEN])
def test_a_request_for_changes_on_a_pull_request_of_others_is_nothing_to_an_automation_for_others(
    context: AdmissionContext,
) -> None:
    assert admit(TriggerKind.CHANGES_REQUESTED, context, [OTHERS]) is IntakeRefusal.NO_AUTOMATION


@pytest.mark.parametrize("context", [ON_OTHERS, FORBIDDEN])
@pytest.mark.parametrize("automation", [AUTOMATION, BOTH])
def test_a_request_for_changes_on_a_pull_request_of_others_is_no_trigger_where_our_own_are_taken_either(
    context: AdmissionContext, automation: AutomationFilter
) -> None:
    refused = IntakeRefusal.OTHERS_WITHOUT_COMMAND
    assert admit(TriggerKind.CHANGES_REQUESTED, context, [automation]) is refused


@given(standings, st.lists(automations))
def test_a_request_for_changes_is_admitted_on_pull_requests_that_the_platform_opened_alone(
    context: AdmissionContext, saved: list[AutomationFilter]
) -> None:
    admission = admit(TriggerKind.CHANGES_REQUESTED, context, saved)
    assert context.opened_by_platform or not isinstance(admission, Admitted)


@pytest.mark.parametrize("automation", [AUTOMATION, OTHERS, BOTH])
def test_a_command_where_others_are_not_allowed_is_left_to_the_round_to_say_so_and_no_head_is_read(
    automation: AutomationFilter,
) -> None:
    assert admit(TriggerKind.COMMAND, FORBIDDEN, [automation]) == Admitted(automation.automation_id)


@given(kinds, standings, st.lists(automations))
def test_a_head_is_read_only_for_a_command_on_a_pull_request_of_others_where_they_are_allowed_and_taken(
    kind: TriggerKind, context: AdmissionContext, saved: list[AutomationFilter]
) -> None:
    admission = admit(kind, context, saved)
    taken = any(one.takes(TriggerKind.COMMAND, REPOSITORY, PullRequestScope.OTHERS) for one in saved)
    read = isinstance(admission, Admitted) and admission.if_on_host
    could_start = not context.opened_by_platform and context.others_allowed and taken
    assert read == (kind is TriggerKind.COMMAND and could_start)


def test_an_automation_that_names_the_repository_among_others_admits_the_trigger() -> None:
    named = replace(AUTOMATION, repositories=("octo/gears", REPOSITORY))
    assert admit(TriggerKind.COMMAND, MEMBER, [named]) == Admitted("one")


@pytest.mark.parametrize("ids", list(permutations(("first", "second", "third"))), ids=" ".join)
def test_of_several_automations_that_select_a_trigger_the_first_by_id_takes_it(ids: tuple[str, ...]) -> None:
    saved = [replace(AUTOMATION, automation_id=one, enabled=one != "first") for one in ids]
    assert admit(TriggerKind.COMMAND, MEMBER, saved) == Admitted("second")


@given(
    st.sampled_from([(TriggerKind.COMMAND, FORBIDDEN), *((kind, MEMBER) for kind in TriggerKind)]),
    st.lists(automations),
    st.randoms(use_true_random=False),
)
def test_the_first_by_id_of_the_automations_that_select_a_trigger_takes_it_in_whatever_order_they_come(
    triggered: tuple[TriggerKind, AdmissionContext], saved: list[AutomationFilter], chance: Random
) -> None:
    kind, context = triggered
    alone = [one.automation_id for one in saved if isinstance(admit(kind, context, [one]), Admitted)]
    expected = Admitted(min(alone)) if alone else IntakeRefusal.NO_AUTOMATION
    assert admit(kind, context, saved) == expected
    chance.shuffle(saved)
    assert admit(kind, context, saved) == expected


@given(kinds, standings, st.lists(automations))
def test_what_stands_on_record_for_another_repository_admits_nothing(
    kind: TriggerKind, context: AdmissionContext, saved: list[AutomationFilter]
) -> None:
    """A repository may have taken the name that another one has left."""
    another = replace(context, is_another_repository=True)
    assert admit(kind, another, [*saved, AUTOMATION]) is IntakeRefusal.ANOTHER_REPOSITORY
