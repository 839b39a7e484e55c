"""Rounds on pull requests that the platform did not open: the command alone, where it is taken and allowed (feedback
§1, §2, §5).
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from autoswe.contracts.feedback.round import Gathered, GatherOutcome, Pushed, PushOutcome
from autoswe.contracts.records.platform import Automation, Origin
from autoswe.ports.feedback.hosts import GatherHost
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.github.facts import Permission
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind
from autoswe.rules.settings.registry import OTHER_PULL_REQUESTS
from autoswe.rules.settings.resolution import Place
from autoswe.steps.feedback import gather_feedback as gathering
from autoswe.steps.feedback import push_fix as pushing
from autoswe.steps.feedback.gather_ports import Ports as GatherPorts
from tests.support.feedback.fake_host import HEAD, FakeHost
from tests.support.feedback.fakes import DECISION, MACHINE, NOW, FakeRounds, request
from tests.support.feedback.rounds import Stage, changed
from tests.support.feedback.state import repository_record
from tests.support.feedback.threads import comment, thread

PLATFORM, OTHERS = PullRequestScope.PLATFORM, PullRequestScope.OTHERS
THEIRS = [None, Origin(kind=OriginKind.OTHER, run_status=RunStatus.ENDED, author_id=99, branch="feature")]
"""What is on record of a pull request that the platform did not open."""

Spoil = Callable[[Stage], object]


def others(
    *scopes: PullRequestScope, trigger: TriggerKind = TriggerKind.COMMAND, rounds: FakeRounds | None = None
) -> Stage:
    """Put a trigger on a pull request of others that an automation with these scopes was decided to act on."""
    stage = Stage(rounds=rounds or FakeRounds())
    stage.records.decisions[DECISION.decision_id] = DECISION.model_copy(update={"trigger": trigger})
    stage.records.automation_record = Automation(
        automation_id="default", enabled=True, pull_requests=scopes or (PLATFORM, OTHERS)
    )
    stage.records.origin_record = None
    stage.records.store(OTHER_PULL_REQUESTS, True)
    stage.host.threads_now = (thread(comment("Why is this so?", comment_id=12)),)
    if trigger is TriggerKind.COMMAND and stage.host.trigger is not None:
        stage.host.trigger = replace(stage.host.trigger, body="/auto-swe fix")
    return stage


def gather(stage: Stage) -> Gathered:
    def open_host(*_: object) -> GatherHost:
        return stage.host

    def no_evidence(*_: object) -> FakeHost:
        raise AssertionError("asked about CI")

    ports = GatherPorts(lambda: NOW, stage.records, stage.rounds, stage.artifacts, open_host, no_evidence)
    return gathering.gather_feedback(request(), ports)


def push(stage: Stage) -> Pushed:
    ports = pushing.Ports(stage.records, stage.rounds, stage.artifacts, MACHINE, lambda *_: stage.host)
    return pushing.push_fix(stage.request(), ports)


@pytest.mark.parametrize("scopes", [(OTHERS,), (PLATFORM, OTHERS)])
@pytest.mark.parametrize("origin", THEIRS)
def test_an_allowed_command_proceeds_on_the_branch_that_the_host_names(
    scopes: tuple[PullRequestScope, ...], origin: Origin | None
) -> None:
    stage = others(*scopes)
    stage.records.origin_record = origin
    stage.host.pull_now = replace(stage.host.pull_now, head_ref="feature", author_id=4321)
    assert gather(stage).outcome is GatherOutcome.PROCEED
    assert stage.rounds.current is not None
    assert (stage.rounds.current.head_ref, stage.rounds.current.head_sha) == ("feature", HEAD)


@pytest.mark.parametrize("scopes", [(PLATFORM,), (PLATFORM, OTHERS)])
def test_a_request_for_changes_that_was_decided_on_all_the_same_is_skipped_in_silence(
    scopes: tuple[PullRequestScope, ...],
) -> None:
    gathered = gather(others(*scopes, trigger=TriggerKind.CHANGES_REQUESTED))
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_SILENT, SkipReason.OTHERS_WITHOUT_COMMAND)


def test_a_command_that_the_automation_takes_on_our_own_pull_requests_alone_is_skipped_visibly() -> None:
    gathered = gather(others(PLATFORM))
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_VISIBLE, SkipReason.OTHER_PULL_REQUEST)


def _at(values: dict[Place, object]) -> Spoil:
    def spoil(stage: Stage) -> None:
        stage.records.repository_record = repository_record(repository_id=10, organization="acme", team="tools")
        stage.records.stored[OTHER_PULL_REQUESTS.name] = values

    return spoil


ADMIN, ACME, TOOLS = Place(), Place("acme"), Place("acme", "tools")
FORBIDDEN = [{}, {ADMIN: False}, {ADMIN: True, ACME: False}, {ACME: True, TOOLS: False}, {ADMIN: True, TOOLS: "on"}]


@pytest.mark.parametrize("values", FORBIDDEN)
def test_a_command_is_skipped_visibly_where_the_setting_is_off_or_unreadable(values: dict[Place, object]) -> None:
    stage = others()
    _at(values)(stage)
    gathered = gather(stage)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_VISIBLE, SkipReason.OTHERS_NOT_ALLOWED)


def test_a_team_that_allows_others_gets_its_round_while_the_platform_does_not() -> None:
    stage = others()
    _at({ADMIN: False, TOOLS: True})(stage)
    assert gather(stage).outcome is GatherOutcome.PROCEED


def test_an_automation_for_others_alone_does_not_act_on_a_pull_request_that_the_platform_opened() -> None:
    stage = others(OTHERS)
    stage.records.origin_record = Stage().records.origin_record
    gathered = gather(stage)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_SILENT, SkipReason.AUTOMATION_OFF)


@pytest.mark.parametrize("allowed", [True, False])
def test_somebody_who_is_not_trusted_is_told_nothing_about_it(*, allowed: bool) -> None:
    stage = others()
    stage.records.store(OTHER_PULL_REQUESTS, allowed)
    stage.host.permissions["reviewer"] = Permission.READ
    gathered = gather(stage)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_SILENT, SkipReason.REQUESTER_NOT_TRUSTED)


@pytest.mark.parametrize("head_repository_id", [11, None])
def test_a_fork_is_skipped_in_silence(head_repository_id: int | None) -> None:
    stage = others()
    stage.host.pull_now = replace(stage.host.pull_now, head_repository_id=head_repository_id)
    gathered = gather(stage)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_SILENT, SkipReason.PULL_FROM_FORK)


def fixed(trigger: TriggerKind = TriggerKind.COMMAND) -> Stage:
    stage = others(trigger=trigger, rounds=FakeRounds.holding())
    stage.fixed(changed())
    return stage


@pytest.mark.parametrize("origin", THEIRS)
def test_an_allowed_command_s_fix_is_pushed(origin: Origin | None) -> None:
    stage = fixed()
    stage.records.origin_record = origin
    assert push(stage).outcome is PushOutcome.PUSHED


def test_a_fix_that_a_request_for_changes_asked_for_is_not_pushed_and_the_host_is_not_asked() -> None:
    stage = fixed(TriggerKind.CHANGES_REQUESTED)
    pushed = push(stage)
    assert (pushed.outcome, pushed.reason) == (PushOutcome.REFUSED, PushRefusal.OTHER_PULL_REQUEST)
    assert stage.host.asked == []


@pytest.mark.parametrize("values", FORBIDDEN)
def test_a_command_s_fix_is_not_pushed_where_the_setting_is_off_or_unreadable(values: dict[Place, object]) -> None:
    stage = fixed()
    _at(values)(stage)
    pushed = push(stage)
    assert (pushed.outcome, pushed.reason) == (PushOutcome.REFUSED, PushRefusal.OTHER_PULL_REQUEST)
    assert stage.host.asked == []


def test_a_setting_that_is_switched_off_while_the_commit_is_made_still_stops_the_push() -> None:
    stage = fixed()
    stage.host.before["make_commit"] = lambda: stage.records.store(OTHER_PULL_REQUESTS, False)
    assert push(stage).reason == PushRefusal.OTHER_PULL_REQUEST
    assert stage.host.refs == {"heads/feature": HEAD}


@pytest.mark.parametrize("trigger", TriggerKind)
def test_to_a_pull_request_that_the_platform_opened_a_fix_is_pushed_whatever_the_setting_says(
    trigger: TriggerKind,
) -> None:
    stage = fixed(trigger)
    stage.records.origin_record = Stage().records.origin_record
    stage.records.store(OTHER_PULL_REQUESTS, False)
    assert push(stage).outcome is PushOutcome.PUSHED
