"""A gate's status says whether the change is to blame (architecture §5)."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autoswe.contracts.containers import Command
from autoswe.contracts.feedback.fixing import (
    Change,
    ChangeOperation,
    FileChange,
    FileMode,
    GateCommand,
    GateName,
    GatePlan,
    GateStatus,
)
from autoswe.rules.source.archive import SourceFile
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.container.watchdog import Ended
from autoswe.tasks.feedback.gates import judge, run_gates
from tests.tasks.containers import HEAD, Task, shell_gate
from tests.tasks.source_trees import text_file

SOURCE = (text_file("app.txt", "wrong\n"),)
FIXED = (text_file("app.txt", "right\n"),)
ESCAPE = FileChange(path="../x", mode=FileMode.REGULAR, op=ChangeOperation.ADD, base_blob=None, content_base64="")

PASS = Ended(0, timed_out=False, seconds=1.0, tail=b"")
FAIL = Ended(1, timed_out=False, seconds=2.0, tail=b"")
KILLED = Ended(None, timed_out=False, seconds=2.5, tail=b"")
HANG = Ended(None, timed_out=True, seconds=3.0, tail=b"")
NOT_PASSING = [FAIL, KILLED, HANG]


@dataclass
class FakeRunner:
    """Ends every command as told, by the command's first word; keeps what was run, with its time-out."""

    ends: dict[str, Ended] = field(default_factory=dict)
    ran: list[tuple[str, float]] = field(default_factory=list)

    def run(self, name: str, command: Command, timeout_seconds: float) -> Ended:
        self.ran.append((command[0], timeout_seconds))
        return self.ends.get(command[0], PASS)


def plan(*gates: GateName, setup: tuple[str, ...] = ()) -> GatePlan:
    return GatePlan(
        setup=tuple((program,) for program in setup),
        setup_timeout_seconds=100,
        gates=tuple(GateCommand(name=name, command=(name.value,), timeout_seconds=60) for name in gates),
    )


def never() -> FakeRunner:
    raise AssertionError("the pristine source is not needed")


def making(runner: FakeRunner) -> Callable[[], FakeRunner]:
    made: list[FakeRunner] = []

    def make() -> FakeRunner:
        assert not made, "one pristine copy is enough"
        made.append(runner)
        return runner

    return make


def test_gates_that_pass_are_reported_in_order_and_need_no_pristine_copy() -> None:
    candidate = FakeRunner()
    results = judge(plan(*GateName, setup=("install",)), candidate, never)
    assert [(result.name, result.status, result.exit_code, result.seconds) for result in results] == [
        (name, GateStatus.PASSED, 0, 1.0) for name in (GateName.LINT, GateName.TYPECHECK, GateName.TESTS)
    ]
    assert [program for program, _ in candidate.ran] == ["install", "lint", "typecheck", "tests"]


@pytest.mark.parametrize(
    ("end", "status", "exit_code"),
    [(FAIL, GateStatus.FAILED, 1), (KILLED, GateStatus.FAILED, None), (HANG, GateStatus.TIMED_OUT, None)],
)
def test_a_gate_that_passes_on_the_pristine_source_only_blames_the_change(
    end: Ended, status: GateStatus, exit_code: int | None
) -> None:
    pristine = FakeRunner()
    [result] = judge(plan(GateName.TESTS, setup=("install",)), FakeRunner({"tests": end}), making(pristine))
    assert (result.status, result.exit_code) == (status, exit_code)
    assert [program for program, _ in pristine.ran] == ["install", "tests"]


@pytest.mark.parametrize("on_candidate", NOT_PASSING)
@pytest.mark.parametrize("on_pristine", NOT_PASSING)
def test_a_gate_that_passes_on_neither_was_failing_already(on_candidate: Ended, on_pristine: Ended) -> None:
    [result] = judge(plan(GateName.LINT), FakeRunner({"lint": on_candidate}), making(FakeRunner({"lint": on_pristine})))
    assert result.status is GateStatus.ALREADY_FAILING
    assert result.exit_code == on_candidate.exit_code


@pytest.mark.parametrize("end", NOT_PASSING)
def test_a_set_up_that_only_the_change_breaks_fails_every_gate_without_running_one(end: Ended) -> None:
    candidate = FakeRunner({"install": end})
    results = judge(plan(GateName.LINT, GateName.TESTS, setup=("install", "more")), candidate, making(FakeRunner()))
    assert [result.status for result in results] == [GateStatus.SETUP_FAILED] * 2
    assert [program for program, _ in candidate.ran] == ["install"]


def test_a_set_up_that_fails_without_the_change_too_was_failing_already() -> None:
    broken = {"install": FAIL}
    results = judge(
        plan(GateName.LINT, GateName.TESTS, setup=("install",)), FakeRunner(broken), making(FakeRunner(broken))
    )
    assert [result.status for result in results] == [GateStatus.ALREADY_FAILING] * 2


def test_a_pristine_source_that_cannot_be_set_up_excuses_no_gate() -> None:
    pristine = FakeRunner({"install": FAIL})
    [result] = judge(plan(GateName.TESTS, setup=("install",)), FakeRunner({"tests": FAIL}), making(pristine))
    assert result.status is GateStatus.FAILED


def test_no_pristine_copy_exists_while_a_program_of_the_candidate_is_still_to_run() -> None:
    """A gate of the change could otherwise spoil the copy that excuses the next gate."""
    candidate = FakeRunner({"lint": FAIL})

    def make() -> FakeRunner:
        assert [program for program, _ in candidate.ran] == ["lint", "tests"]
        return FakeRunner()

    assert judge(plan(GateName.LINT, GateName.TESTS), candidate, make)[0].status is GateStatus.FAILED


def test_set_up_commands_share_one_time_out_and_each_gate_has_its_own() -> None:
    """The clock is read at the start and before each command; 30 seconds pass between readings."""
    readings = iter([0.0, 0.0, 30.0, 130.0])
    candidate = FakeRunner()
    judge(plan(GateName.LINT, setup=("one", "two", "three")), candidate, never, lambda: next(readings))
    assert candidate.ran == [("one", 100.0), ("two", 70.0), ("three", 0.0), ("lint", 60)]


@pytest.mark.parametrize(("after", "gates"), [(FIXED, ()), (SOURCE, (shell_gate("true"),))])
def test_without_a_gate_or_without_a_change_nothing_runs_and_the_report_is_empty(
    task: Task, transfer: Transfer, open_folder: Path, after: Sequence[SourceFile], gates: Sequence[GateCommand]
) -> None:
    task.store_change(SOURCE, after)
    manifest = task.gates_manifest(SOURCE, *gates, setup=(("touch", str(open_folder / "ran")),))
    run_gates(manifest, task.scratch, transfer)
    assert task.report.gates == ()
    assert task.report.change_sha256 == hashlib.sha256(task.storage.objects["change.json"]).hexdigest()
    assert list(open_folder.iterdir()) == []


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"[]", "the change is not as agreed"),
        (b" " * (16 * 1024 * 1024 + 1), "the change is larger than"),
        (
            Change(head_sha=HEAD, files=(ESCAPE,)).model_dump_json().encode(),
            "the path '../x' is refused",
        ),
    ],
    ids=["garbage", "oversize", "escaping"],
)
def test_a_change_that_is_not_as_agreed_is_not_judged(
    task: Task, transfer: Transfer, body: bytes, sentence: str
) -> None:
    task.storage.objects["change.json"] = body
    with pytest.raises(TaskFailed, match=sentence):
        run_gates(task.gates_manifest(SOURCE, shell_gate("true")), task.scratch, transfer)
    assert "gates.json" not in task.storage.objects
