"""What a branch allows is asked before anything is spent on a fix, and again before its push (feedback §2, §5)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from autoswe.contracts.feedback.round import Gathered, GatherOutcome, Pushed, PushOutcome
from autoswe.contracts.records.platform import RepositoryRecord
from autoswe.ports.github import PartialAnswer
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.follow_up import NoFollowUp
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.github.facts import Branch, Permission
from autoswe.rules.settings.registry import NEVER_PUSH_BRANCHES
from autoswe.steps.feedback import push_fix as pushing
from autoswe.steps.feedback.gather_feedback import gather_feedback
from autoswe.steps.feedback.gather_ports import Ports
from tests.support.feedback.fake_host import HEAD, FakeHost
from tests.support.feedback.fakes import MACHINE, NOW, FakeRounds, request
from tests.support.feedback.follow_ups import FollowUpStage
from tests.support.feedback.rounds import Stage, changed
from tests.support.feedback.threads import comment, thread

Spoil = Callable[[Stage | FollowUpStage], object]


def _stage() -> Stage:
    stage = Stage(rounds=FakeRounds())
    stage.host.threads_now = (thread(comment("Why is this so?", comment_id=12)),)
    return stage


def gather(stage: Stage) -> Gathered:
    return gather_feedback(request(), _ports(stage))


def _ports(stage: Stage | FollowUpStage) -> Ports:
    def host(*_: object) -> FakeHost:
        return stage.host

    return Ports(lambda: NOW, stage.records, stage.rounds, stage.artifacts, host, host)


def _branch(*rules: str, protected: bool = False) -> Spoil:
    return lambda stage: setattr(stage.host, "branch_now", replace(_tip(stage), protected=protected, rule_types=rules))


def _tip(stage: Stage | FollowUpStage) -> Branch:
    return Branch(stage.host.pull_now.head_sha, protected=False, rule_types=())


def _repository(**changes: object) -> Spoil:
    def spoil(stage: Stage | FollowUpStage) -> None:
        stage.host.repository_now = replace(stage.host.repository_now, **changes)  # type: ignore[arg-type]

    return spoil


def _listed(stage: Stage | FollowUpStage) -> None:
    stage.records.repository_record = RepositoryRecord(repository_id=10, never_push_branches=("feature",))


CLOSED: list[tuple[Spoil, SkipReason]] = [
    (_branch(protected=True), SkipReason.PROTECTED_BRANCH),
    (_branch("pull_request"), SkipReason.PROTECTED_BRANCH),
    (_branch("required_signatures", "update"), SkipReason.PROTECTED_BRANCH),
    (_branch("required_signatures"), SkipReason.PROTECTED_BRANCH),
    (_branch("a_rule_of_tomorrow"), SkipReason.PROTECTED_BRANCH),
    (_repository(archived=True), SkipReason.REPOSITORY_ARCHIVED),
    (_repository(default_branch="feature"), SkipReason.DEFAULT_BRANCH),
    (lambda stage: stage.records.store(NEVER_PUSH_BRANCHES, ["feat*"]), SkipReason.NEVER_PUSH_BRANCH),
    (lambda stage: stage.records.store(NEVER_PUSH_BRANCHES, "feat"), SkipReason.NEVER_PUSH_BRANCH),
    (_listed, SkipReason.NEVER_PUSH_BRANCH),
]


@pytest.mark.parametrize(("spoil", "reason"), CLOSED)
def test_a_branch_that_would_take_no_push_gets_no_round_and_says_so(spoil: Spoil, reason: SkipReason) -> None:
    stage = _stage()
    spoil(stage)
    gathered = gather(stage)
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.SKIP_VISIBLE, reason)
    assert (stage.artifacts.stored, stage.host.writes()) == ({}, [])
    assert "tree" not in stage.host.asked


@pytest.mark.parametrize(("spoil", "reason"), CLOSED)
def test_a_stranger_learns_nothing_of_the_branch(spoil: Spoil, reason: SkipReason) -> None:
    stage = _stage()
    spoil(stage)
    stage.host.permissions["reviewer"] = Permission.READ
    assert gather(stage).outcome is GatherOutcome.SKIP_SILENT
    assert "branch" not in stage.host.asked, reason


@pytest.mark.parametrize("spoil", [
    _branch("creation", "deletion", "non_fast_forward", "required_linear_history", "copilot_code_review"),
    lambda stage: (_branch("required_signatures")(stage), _repository(signs_commits=True)(stage)),
])  # fmt: skip
def test_rules_that_our_commit_keeps_stop_neither_the_round_nor_the_push(spoil: Spoil) -> None:
    stage = _stage()
    spoil(stage)
    assert gather(stage).outcome is GatherOutcome.PROCEED
    stage = _fixed()
    spoil(stage)
    assert _push(stage).outcome is PushOutcome.PUSHED


@pytest.mark.parametrize("branch", [None, Branch("d" * 40, protected=False, rule_types=())])
def test_a_branch_that_is_not_where_its_open_pull_request_says_is_asked_for_again(branch: Branch | None) -> None:
    stage = _stage()
    stage.host.branch_now = branch
    with pytest.raises(PartialAnswer):
        gather(stage)
    stage.host.branch_now = _tip(stage)
    assert gather(stage).outcome is GatherOutcome.PROCEED


@pytest.mark.parametrize("spoil", [spoil for spoil, _ in CLOSED])
def test_a_branch_that_takes_no_push_any_more_gets_no_follow_up_and_no_evidence_is_read(spoil: Spoil) -> None:
    stage = FollowUpStage.begin()
    spoil(stage)
    gathered = gather_feedback(stage.begun(), _ports(stage))
    assert (gathered.outcome, gathered.reason) == (GatherOutcome.REPORT, NoFollowUp.PUSH_NOT_ALLOWED)
    assert "evidence" not in stage.host.asked


def _fixed() -> Stage:
    stage = Stage(rounds=FakeRounds.holding())
    stage.fixed(changed())
    return stage


def _push(stage: Stage) -> Pushed:
    ports = pushing.Ports(stage.records, stage.rounds, stage.artifacts, MACHINE, lambda *_: stage.host)
    return pushing.push_fix(stage.request(), ports)


def test_a_commit_that_the_host_did_not_sign_is_not_pushed_where_signatures_are_demanded() -> None:
    stage = _fixed()
    _branch("required_signatures")(stage)
    _repository(signs_commits=True)(stage)
    stage.host.signed = False
    pushed = _push(stage)
    assert (pushed.outcome, pushed.reason) == (PushOutcome.REFUSED, PushRefusal.UNSIGNED_COMMIT)
    assert stage.host.refs == {"heads/feature": HEAD}


def test_where_no_signature_is_demanded_nobody_asks_for_one() -> None:
    stage = _fixed()
    stage.host.signed = False
    assert _push(stage).outcome is PushOutcome.PUSHED
    assert "is_signed" not in stage.host.asked


def test_a_rule_that_comes_while_the_commit_is_made_still_stops_the_push() -> None:
    stage = _fixed()
    queue = Branch(HEAD, protected=False, rule_types=("merge_queue",))
    stage.host.before["make_commit"] = lambda: setattr(stage.host, "branch_now", queue)
    assert _push(stage).reason == PushRefusal.PROTECTED_BRANCH
    assert stage.host.refs == {"heads/feature": HEAD}
