"""A gate's status says whether the change is to blame (architecture §5)."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.contracts.fixing import Command, GateCommand, GateName, GatePlan, GateStatus
from autoswe.tasks.gates import judge
from autoswe.tasks.watchdog import Ended

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


@given(st.sampled_from(NOT_PASSING), st.sampled_from(NOT_PASSING))
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
