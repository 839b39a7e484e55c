"""Moving the branch when every gate agrees, and not otherwise (feedback §5)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from autoswe.contracts.feedback.fixing import FileMode, GateName, GateStatus, Outcome, ThreadOutcome, ThreadOutcomeKind
from autoswe.contracts.feedback.round import Gathered, GatherOutcome, Pushed, PushOutcome, RoundReport
from autoswe.contracts.records.platform import RepositoryRecord
from autoswe.contracts.workflow import Returned
from autoswe.ports.github import Gone, HostError, NotYet, Refused, RuleBroken, Unavailable
from autoswe.rules.feedback.naming import work_branch, work_branch_write
from autoswe.rules.feedback.push_gate import PushRefusal
from autoswe.rules.github.facts import Branch
from autoswe.rules.settings.registry import KILL_SWITCH, NEVER_PUSH_BRANCHES
from autoswe.steps.feedback.push_fix import Ports, push_fix
from autoswe.steps.feedback.round_records import SlotLost
from tests.support.feedback.fake_host import HEAD, FakeHost
from tests.support.feedback.fakes import DECISION, EXECUTION, MACHINE
from tests.support.feedback.rounds import FIXED, Stage, changed

WORK_REF = f"heads/{work_branch(7)}"


def push(stage: Stage, *, machine: str = MACHINE, **answers: object) -> Pushed:
    ports = Ports(stage.records, stage.rounds, stage.artifacts, machine, lambda *_: stage.host)
    return push_fix(stage.request(**answers), ports)


@pytest.fixture
def stage() -> Stage:
    prepared = Stage()
    prepared.fixed(changed())
    return prepared


def _pushed_files(host: FakeHost) -> dict[str, tuple[str, bytes]]:
    return host.trees[host.commits[host.refs["heads/feature"]]]


def test_the_branch_moves_to_one_commit_that_holds_the_head_plus_the_change(stage: Stage) -> None:
    pushed = push(stage)
    assert pushed.outcome is PushOutcome.PUSHED
    assert stage.host.refs == {"heads/feature": pushed.commit_sha}
    assert _pushed_files(stage.host) == {"a.py": ("100644", FIXED), "run.sh": ("100755", b"true\n")}


def test_the_commit_is_recorded_before_the_branch_moves(stage: Stage) -> None:
    recorded: list[str | None] = []

    def look() -> None:
        assert stage.rounds.current is not None
        recorded.append(stage.rounds.current.commit_sha)

    stage.host.before["move_ref"] = look
    assert [push(stage).commit_sha] == recorded


def test_the_work_branch_is_intended_before_it_is_made_and_gone_afterwards(stage: Stage) -> None:
    write = work_branch_write(DECISION.decision_id, 7)
    intended: list[bool] = []
    stage.host.before["make_ref"] = lambda: intended.append(write in stage.rounds.writes)
    push(stage)
    assert intended == [True]
    assert stage.rounds.writes[write] == "deleted"


def test_the_report_claims_only_what_the_change_bears_out(stage: Stage) -> None:
    pushed = push(stage)
    assert pushed.report is not None
    [thread] = RoundReport.model_validate_json(stage.artifacts.get(pushed.report)).threads
    assert thread.claims_addressed

    far = Stage()
    far.fixed(changed("other.py", None, b"x\n"), outcome=_outcome(places=()))
    pushed = push(far)
    assert pushed.report is not None
    [thread] = RoundReport.model_validate_json(far.artifacts.get(pushed.report)).threads
    assert not thread.claims_addressed


def _outcome(label: str = "T1", places: tuple[str, ...] = ("a.py",), copies: int = 1) -> Outcome:
    one = ThreadOutcome(label=label, outcome=ThreadOutcomeKind.ADDRESSED, note="", places=places)
    return Outcome(agent="suggestions", threads=(one,) * copies)


Spoil = Callable[[Stage], object]


def _set(name: str, **changes: object) -> Spoil:
    def spoil(stage: Stage) -> None:
        setattr(stage.host, name, replace(getattr(stage.host, name), **changes))

    return spoil


def _moved(name: str, **changes: object) -> Spoil:
    def spoil(stage: Stage) -> None:
        _set(name, **changes)(stage)
        stage.host.refs["heads/feature"] = "d" * 40

    return spoil


def _store(name: str, content: bytes) -> Spoil:
    return lambda stage: stage.artifacts.stored.update({name: [content]})


def _lose(name: str) -> Spoil:
    return lambda stage: stage.artifacts.stored.pop(name)


def _refuse_branch(stage: Stage) -> None:
    stage.records.repository_record = RepositoryRecord(repository_id=10, never_push_branches=("feature",))


def _move_the_ref(stage: Stage) -> None:
    stage.host.before["move_ref"] = lambda: stage.host.refs.update({"heads/feature": "d" * 40})


def _host_rule(stage: Stage) -> None:
    def refuse() -> None:
        raise RuleBroken("Repository rule violations found")

    stage.host.before["move_ref"] = refuse


def _lying_tree(stage: Stage) -> None:
    stage.host.loses_entries = True


SPOILED: list[tuple[Spoil, PushRefusal]] = [
    (_lose("change"), PushRefusal.FIXER_LEFT_NOTHING),
    (_lose("outcome"), PushRefusal.FIXER_LEFT_NOTHING),
    (_lose("gates"), PushRefusal.FIXER_LEFT_NOTHING),
    (_store("outcome", b"{"), PushRefusal.FIXER_LEFT_NOTHING),
    (_store("change", b'{"head_sha": 3}'), PushRefusal.FIXER_LEFT_NOTHING),
    (lambda stage: stage.fixed(changed(), change_sha256="0" * 64), PushRefusal.FIXER_LEFT_NOTHING),
    (lambda stage: stage.fixed(changed(), head_sha="d" * 40), PushRefusal.FIXER_LEFT_NOTHING),
    (lambda stage: stage.fixed(changed(), gate=GateName.TESTS), PushRefusal.FIXER_LEFT_NOTHING),
    (lambda stage: stage.fixed(changed(), outcome=_outcome("T2")), PushRefusal.FIXER_LEFT_NOTHING),
    (lambda stage: stage.fixed(changed(), outcome=_outcome(copies=2)), PushRefusal.FIXER_LEFT_NOTHING),
    (lambda stage: stage.fixed(changed(), gates=GateStatus.FAILED), PushRefusal.GATES_FAILED),
    (lambda stage: stage.fixed(changed(), gates=GateStatus.TIMED_OUT), PushRefusal.GATES_FAILED),
    (lambda stage: stage.fixed(changed(), gates=GateStatus.SETUP_FAILED), PushRefusal.GATES_FAILED),
    (lambda stage: stage.records.stored.clear(), PushRefusal.KILL_SWITCH_OFF),
    (_set("pull_now", is_open=False), PushRefusal.PULL_CLOSED),
    (_set("pull_now", head_repository_id=None), PushRefusal.PULL_FROM_FORK),
    (_set("pull_now", head_ref="other"), PushRefusal.BRANCH_CHANGED),
    (_moved("pull_now", head_sha="d" * 40), PushRefusal.HEAD_MOVED),
    (_set("repository_now", archived=True), PushRefusal.REPOSITORY_ARCHIVED),
    (_set("repository_now", default_branch="feature"), PushRefusal.DEFAULT_BRANCH),
    (_set("branch_now", protected=True), PushRefusal.PROTECTED_BRANCH),
    (_moved("branch_now", tip="d" * 40), PushRefusal.HEAD_MOVED),
    (_refuse_branch, PushRefusal.NEVER_PUSH_BRANCH),
    (lambda stage: stage.records.store(NEVER_PUSH_BRANCHES, ["feat*"]), PushRefusal.NEVER_PUSH_BRANCH),
    (lambda stage: stage.records.store(NEVER_PUSH_BRANCHES, "other"), PushRefusal.NEVER_PUSH_BRANCH),
    (lambda stage: stage.records.store(KILL_SWITCH, "on"), PushRefusal.KILL_SWITCH_OFF),
    (lambda stage: stage.fixed(changed(".github/workflows/ci.yml", None, b"x")), PushRefusal.PROTECTED_PATH),
    (lambda stage: stage.fixed(changed("../x", None, b"x")), PushRefusal.UNSAFE_PATH),
    (lambda stage: stage.fixed(changed(before=b"other")), PushRefusal.STALE_BASE),
    (_lying_tree, PushRefusal.TREE_DIFFERS),
    (_move_the_ref, PushRefusal.HEAD_MOVED),
    (_host_rule, PushRefusal.HOST_REFUSED),
]


@pytest.mark.parametrize(("spoil", "refusal"), SPOILED)
def test_one_gate_that_says_no_is_enough(stage: Stage, spoil: Spoil, refusal: PushRefusal) -> None:
    spoil(stage)
    pushed = push(stage)
    assert (pushed.outcome, pushed.reason) == (PushOutcome.REFUSED, refusal)
    assert stage.host.refs.get("heads/feature") in {HEAD, "d" * 40}
    assert WORK_REF not in stage.host.refs
    assert stage.rounds.notes == [f"push_refused:{refusal}"]


def _always(stage: Stage, method: str, error: HostError) -> None:
    def refuse() -> None:
        stage.host.before[method] = refuse
        raise error

    stage.host.before[method] = refuse


MAY_PASS: list[tuple[Spoil, PushRefusal]] = [
    (_set("pull_now", head_sha="d" * 40), PushRefusal.HEAD_MOVED),
    (_set("branch_now", tip="d" * 40), PushRefusal.HEAD_MOVED),
    (lambda stage: setattr(stage.host, "branch_now", None), PushRefusal.BRANCH_MISSING),
    (lambda stage: _always(stage, "move_ref", Refused("not a fast forward")), PushRefusal.HOST_REFUSED),
    (lambda stage: _always(stage, "make_ref", Refused("Object does not exist")), PushRefusal.HOST_REFUSED),
]


@pytest.mark.parametrize(("spoil", "refusal"), MAY_PASS)
def test_what_may_be_old_news_while_the_branch_stands_is_refused_after_two_minutes(
    stage: Stage, spoil: Spoil, refusal: PushRefusal
) -> None:
    spoil(stage)
    for _ in range(2):
        with pytest.raises(NotYet):
            push(stage)
        stage.rounds.now += timedelta(seconds=119)
    assert push(stage).reason == refusal
    assert stage.host.refs == {"heads/feature": HEAD}


@pytest.mark.parametrize(("spoil", "_"), MAY_PASS)
def test_what_was_old_news_is_pushed_after_all(stage: Stage, spoil: Spoil, _: PushRefusal) -> None:
    before = replace(stage.host)
    spoil(stage)
    with pytest.raises(NotYet):
        push(stage)
    stage.host.pull_now, stage.host.branch_now = before.pull_now, before.branch_now
    stage.host.before.clear()
    pushed = push(stage)
    assert pushed.outcome is PushOutcome.PUSHED
    assert stage.host.refs == {"heads/feature": pushed.commit_sha}


@pytest.mark.parametrize(
    ("method", "error"),
    [("tree", Gone("404")), ("pull", Gone("404")), ("make_commit", Refused("Tree SHA does not exist"))],
)
def test_what_we_just_made_may_not_show_yet(stage: Stage, method: str, error: HostError) -> None:
    _always(stage, method, error)
    with pytest.raises(NotYet):
        push(stage)
    stage.rounds.now += timedelta(seconds=120)
    with pytest.raises(type(error)):
        push(stage)
    stage.host.before.clear()
    assert push(stage).outcome is PushOutcome.PUSHED


@pytest.mark.parametrize("shown", ["ref", "pull request"])
def test_a_branch_or_pull_request_at_the_recorded_commit_is_our_push_whatever_else_is_said(
    stage: Stage, shown: str
) -> None:
    stage.host.lost_replies.add("move_ref")
    with pytest.raises(Unavailable):
        push(stage)
    commit = stage.host.refs["heads/feature"]
    _always(stage, "branch_holds", Gone("No commit found"))
    if shown == "pull request":
        stage.host.pull_now = replace(stage.host.pull_now, head_sha=commit)
        stage.host.refs["heads/feature"] = HEAD
    pushed = push(stage)
    assert (pushed.outcome, pushed.commit_sha) == (PushOutcome.PUSHED, commit)
    assert stage.host.asked.count("move_ref") == 1


def test_a_push_that_nothing_shows_yet_is_neither_denied_nor_made_again(stage: Stage) -> None:
    """Compare, ref and pull request are all behind; the host itself compares, and refuses the move."""
    stage.host.lost_replies.add("move_ref")
    with pytest.raises(Unavailable):
        push(stage)
    commit = stage.host.refs["heads/feature"]
    stage.host.refs["heads/feature"] = HEAD
    stage.host.before["move_ref"] = lambda: stage.host.refs.update({"heads/feature": commit})
    pushed = push(stage)
    assert (pushed.outcome, pushed.commit_sha) == (PushOutcome.PUSHED, commit)
    assert stage.host.asked.count("make_commit") == 1


def test_of_two_tries_that_overlap_both_push_the_commit_that_was_recorded_first(stage: Stage) -> None:
    pushed: list[Pushed] = []
    stage.host.before["make_commit"] = lambda: pushed.append(push(stage))
    pushed.append(push(stage))
    first, second = pushed
    assert first.commit_sha == second.commit_sha
    assert {first.outcome, second.outcome} == {PushOutcome.PUSHED}
    assert stage.host.refs == {"heads/feature": first.commit_sha}


def test_only_the_built_in_workflow_may_push(stage: Stage) -> None:
    assert push(stage, machine="arn:another").reason == PushRefusal.NOT_OUR_WORKFLOW
    assert stage.host.writes() == []


def test_a_gate_that_failed_before_the_change_does_not_block() -> None:
    stage = Stage()
    stage.fixed(changed(), gates=GateStatus.ALREADY_FAILING)
    assert push(stage).outcome is PushOutcome.PUSHED


@pytest.mark.parametrize("path", ["a.py", "new.py"])
def test_a_secret_in_an_added_line_is_refused_before_anything_is_made(path: str) -> None:
    stage = Stage()
    token = "gh" + "p_" + "Ab1" * 12
    before = b"A\nB\nC\n" if path == "a.py" else None
    stage.fixed(changed(path, before, f"A\ntoken = '{token}'\n".encode()))
    assert push(stage).reason == PushRefusal.SECRET_IN_CHANGE
    assert stage.host.writes() == []


def test_a_secret_that_the_file_held_already_does_not_block() -> None:
    stage = Stage()
    old = f"token = '{'gh' + 'p_' + 'Ab1' * 12}'\n".encode()
    stage.host.trees["1a" * 20]["a.py"] = ("100644", old + b"B\n")
    stage.fixed(changed(before=old + b"B\n", after=old + b"X\n"))
    assert push(stage).outcome is PushOutcome.PUSHED


def test_an_empty_change_pushes_nothing_and_is_no_refusal() -> None:
    stage = Stage()
    stage.fixed()
    pushed = push(stage)
    assert (pushed.outcome, pushed.commit_sha) == (PushOutcome.UNCHANGED, None)
    assert pushed.report is not None
    assert stage.host.writes() == []


def test_additions_deletions_and_modes_arrive_as_collected() -> None:
    stage = Stage()
    stage.fixed(
        changed("new.sh", None, b"true\n", FileMode.EXECUTABLE),
        changed("run.sh", b"true\n", None, FileMode.EXECUTABLE),
    )
    push(stage)
    assert _pushed_files(stage.host) == {"a.py": ("100644", b"A\nB\nC\n"), "new.sh": ("100755", b"true\n")}


def test_a_lost_reply_to_the_push_is_found_by_the_retry(stage: Stage) -> None:
    stage.host.lost_replies.add("move_ref")
    with pytest.raises(Unavailable):
        push(stage)
    commit = stage.host.refs["heads/feature"]
    pushed = push(stage)
    assert (pushed.outcome, pushed.commit_sha) == (PushOutcome.PUSHED, commit)
    assert stage.host.refs == {"heads/feature": commit}


def test_a_push_whose_reply_was_lost_is_found_under_a_commit_that_came_on_top(stage: Stage) -> None:
    stage.host.lost_replies.add("move_ref")
    with pytest.raises(Unavailable):
        push(stage)
    ours, later = stage.host.refs["heads/feature"], "d" * 40
    stage.host.refs["heads/feature"], stage.host.ancestors[later] = later, {ours}
    pushed = push(stage)
    assert (pushed.outcome, pushed.commit_sha) == (PushOutcome.PUSHED, ours)
    assert stage.host.refs["heads/feature"] == later
    assert stage.host.asked.count("make_commit") == 1


@pytest.mark.parametrize("died_before", ["make_ref", "move_ref", "drop_ref"])
def test_a_death_at_any_call_followed_by_a_retry_leaves_one_commit(stage: Stage, died_before: str) -> None:
    def die() -> None:
        raise Unavailable("gone")

    stage.host.before[died_before] = die
    with pytest.raises(Unavailable):
        push(stage)
    pushed = push(stage)
    assert pushed.outcome is PushOutcome.PUSHED
    assert stage.host.refs == {"heads/feature": pushed.commit_sha}
    assert stage.host.asked.count("make_commit") == 1


def test_a_work_branch_that_somebody_else_made_is_left_alone(stage: Stage) -> None:
    stage.host.refs[WORK_REF] = "e" * 40
    assert push(stage).reason == PushRefusal.WORK_BRANCH_LEFT
    assert stage.host.refs == {"heads/feature": HEAD, WORK_REF: "e" * 40}


def test_an_execution_that_lost_the_pull_request_touches_nothing(stage: Stage) -> None:
    stage.rounds.held_by = "another"
    with pytest.raises(SlotLost):
        push(stage)
    assert stage.host.asked == []


def test_an_execution_that_loses_the_pull_request_while_it_works_does_not_push(stage: Stage) -> None:
    stage.host.before["make_commit"] = lambda: setattr(stage.rounds, "held_by", "another")
    with pytest.raises(SlotLost):
        push(stage)
    assert stage.host.refs == {"heads/feature": HEAD}


@pytest.mark.parametrize(
    ("happens", "refusal"),
    [
        (lambda stage: stage.records.stored.clear(), PushRefusal.KILL_SWITCH_OFF),
        (lambda stage: stage.records.store(NEVER_PUSH_BRANCHES, ["feature"]), PushRefusal.NEVER_PUSH_BRANCH),
        (_set("pull_now", is_open=False), PushRefusal.PULL_CLOSED),
        (_set("branch_now", protected=True), PushRefusal.PROTECTED_BRANCH),
    ],
)
def test_what_changes_while_the_commit_is_made_still_stops_the_push(
    stage: Stage, happens: Spoil, refusal: PushRefusal
) -> None:
    def change() -> None:
        happens(stage)

    stage.host.before["make_commit"] = change
    assert push(stage).reason == refusal
    assert stage.host.refs == {"heads/feature": HEAD}


def test_a_slot_that_is_taken_after_the_commit_was_recorded_stops_the_push(stage: Stage) -> None:
    stage.rounds.lost_after_commit = True
    with pytest.raises(SlotLost):
        push(stage)
    assert stage.host.refs == {"heads/feature": HEAD}


def test_a_work_branch_that_the_host_keeps_does_not_undo_a_push(stage: Stage) -> None:
    def refuse() -> None:
        raise Refused("Cannot delete this branch")

    stage.host.before["drop_ref"] = refuse
    assert push(stage).outcome is PushOutcome.PUSHED
    assert "work_branch_kept" in stage.rounds.notes


def test_a_resumed_round_finds_its_commit_and_pushes_nothing_again(stage: Stage) -> None:
    commit = push(stage).commit_sha
    asked = len(stage.host.asked)
    resumed = Returned(value=Gathered(outcome=GatherOutcome.RESUME, head_sha=HEAD))
    again = push(stage, gather=resumed, prepare=None)
    assert (again.outcome, again.commit_sha) == (PushOutcome.PUSHED, commit)
    assert again.report is not None
    assert "make_commit" not in stage.host.asked[asked:]


def test_the_recorded_execution_is_the_one_that_pushed(stage: Stage) -> None:
    push(stage)
    assert stage.rounds.current is not None
    assert (stage.rounds.current.execution, stage.rounds.current.pushed) == (EXECUTION, True)


def test_a_branch_under_rules_that_a_fast_forward_cannot_break_is_pushed_to(stage: Stage) -> None:
    stage.host.branch_now = Branch(HEAD, protected=False, rule_types=("deletion", "non_fast_forward"))
    assert push(stage).outcome is PushOutcome.PUSHED
