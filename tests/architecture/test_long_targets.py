"""What is too long for ``make test`` is found and run by ``make soak``, and by nothing else."""

import subprocess
import sys

import pytest

from tests.support.places import ROOT

SOAKED = "tests/faults/test_matrix.py"
A_PROPERTY = "tests/rules/text/test_fence.py"


def recipe(target: str) -> list[str]:
    """Read the commands of a target of the Makefile."""
    _, _, rest = (ROOT / "Makefile").read_text().partition(f"\n{target}: ")
    return [line.strip().removeprefix("@") for line in rest.partition("\n\n")[0].splitlines()[1:]]


def run(command: str, *arguments: str) -> str:
    """Run pytest as a command of the Makefile does, with other arguments for its paths, and return what it says."""
    program, *options = command.removesuffix(" $(ARGS)").removesuffix(" tests/rules").split()
    assert program == "$(RUN)/pytest"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-n", "0", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("target", ["bench", "faults", "mutants", "sentences"])
def test_a_long_target_starts_the_program_that_the_tests_start(target: str) -> None:
    [command] = recipe(target)
    assert f"-m tests.{target}" in command


def test_the_test_run_leaves_out_what_soak_alone_plays(pytestconfig: pytest.Config) -> None:
    [command] = [line for line in recipe("test") if "pytest" in line]
    assert command == "$(RUN)/pytest"
    options = pytestconfig.getini("addopts")
    assert options[options.index("-m") + 1] == "not soak"


def test_soak_plays_the_tests_that_the_test_run_leaves_out_and_no_others() -> None:
    long, _ = recipe("soak")
    told = run(long, "--collect-only", SOAKED)
    assert "::test_a_follow_up_survives_the_failure_of_a_call_of_each_operation" in told
    assert "::test_a_follow_up_survives_the_failure_of_any_call" not in told


def test_soak_plays_properties_of_the_rules_on_ten_times_as_many_examples() -> None:
    _, properties = recipe("soak")
    told = run(properties, "--hypothesis-show-statistics", A_PROPERTY)
    assert "settings.max_examples=500" in told
