"""The gates container, as a process among hostile programs: its report is true or there is none (architecture §5)."""

import hashlib
import os
import signal
import tempfile
from pathlib import Path

import pytest

from autoswe.contracts.feedback.fixing import GateName, GateStatus
from tests.tasks.containers import Task, shell_gate
from tests.tasks.source_trees import text_file

SOURCE = (text_file("app.txt", "wrong\n"),)
FIXED = (text_file("app.txt", "right\n"),)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run programs as another user")


@pytest.fixture
def changed(task: Task) -> Task:
    """A task whose collected change makes "wrong" right."""
    task.store_change(SOURCE, FIXED)
    return task


def statuses(task: Task) -> list[GateStatus]:
    return [gate.status for gate in task.report.gates]


def test_the_gates_judge_the_change_and_the_report_is_bound_to_its_bytes(changed: Task) -> None:
    manifest = changed.gates_manifest(
        SOURCE,
        shell_gate("grep -q right app.txt && test -e made-by-set-up", GateName.LINT),
        shell_gate("grep -q wrong app.txt", GateName.TYPECHECK),
        shell_gate("echo some words; exit 3"),
        setup=(("touch", "made-by-set-up"),),
    )
    ended = changed.run("gates", manifest)
    assert ended.exit_code == 0, ended.log
    assert changed.report.change_sha256 == hashlib.sha256(changed.storage.objects["change.json"]).hexdigest()
    assert [(gate.name, gate.status, gate.exit_code) for gate in changed.report.gates] == [
        (GateName.LINT, GateStatus.PASSED, 0),
        (GateName.TYPECHECK, GateStatus.FAILED, 1),
        (GateName.TESTS, GateStatus.ALREADY_FAILING, 3),
    ]
    assert "tests| some words" in ended.log


def test_a_hostile_program_cannot_read_the_manifests_address(changed: Task) -> None:
    """It looks at the environment of the process that started it; 9 says that nothing of ours was seen there."""
    script = 'tr "\\0" "\\n" < /proc/$PPID/environ | grep -q AUTOSWE && exit 0; exit 9'
    changed.run("gates", changed.gates_manifest(SOURCE, shell_gate(script)))
    assert changed.report.gates[0].exit_code == 9


@as_root
def test_a_hostile_program_cannot_end_the_container_or_speak_in_its_name(changed: Task, open_folder: Path) -> None:
    """It kills whatever it may, shouts a report of its own, and flees with a child in another session."""
    script = (
        f"setsid sh -c 'echo $$ > {open_folder}/fugitive; exec sleep 600 >&- 2>&-' & "
        f"until [ -s {open_folder}/fugitive ]; do :; done; "
        'kill -9 $PPID; printf \'\\033[2J{"schema_version":1,"gates":[]}\'; exit 4'
    )
    ended = changed.run("gates", changed.gates_manifest(SOURCE, shell_gate(script, GateName.LINT), shell_gate("true")))
    assert ended.exit_code == 0, ended.log
    assert statuses(changed) == [GateStatus.ALREADY_FAILING, GateStatus.PASSED]
    assert "\033" not in ended.log
    with pytest.raises(ProcessLookupError):
        os.kill(int((open_folder / "fugitive").read_text()), 0)


def test_a_planted_conftest_can_fail_its_gate_and_nothing_else(task: Task) -> None:
    """The source's own tests pass, so a gate that a planted file breaks is the change's fault."""
    task.store_change(SOURCE, (*SOURCE, text_file("conftest.py", "import os, signal\nos.kill(0, signal.SIGKILL)\n")))
    gate = shell_gate("for file in conftest.py; do [ ! -e $file ] || /usr/bin/env python3 $file; done")
    ended = task.run("gates", task.gates_manifest(SOURCE, gate, shell_gate("true", GateName.LINT)))
    assert ended.exit_code == 0, ended.log
    assert statuses(task) == [GateStatus.FAILED, GateStatus.PASSED]


def test_a_gate_that_hangs_times_out_and_takes_its_grandchildren_with_it(changed: Task, open_folder: Path) -> None:
    """It hangs on the changed file only, so the change is to blame."""
    script = f"grep -q wrong app.txt || {{ sh -c 'sleep 600 & echo $! > {open_folder}/grandchild; wait' & wait; }}"
    changed.run("gates", changed.gates_manifest(SOURCE, shell_gate(script, timeout_seconds=2)))
    assert statuses(changed) == [GateStatus.TIMED_OUT]
    with pytest.raises(ProcessLookupError):
        os.kill(int((open_folder / "grandchild").read_text()), 0)


def test_nothing_is_left_in_the_temporary_folder(changed: Task) -> None:
    before = set(Path(tempfile.gettempdir()).glob("gates-*"))
    changed.run("gates", changed.gates_manifest(SOURCE, shell_gate("mkdir locked && touch locked/x && chmod 0 locked")))
    assert statuses(changed) == [GateStatus.PASSED]
    assert set(Path(tempfile.gettempdir()).glob("gates-*")) <= before


def test_a_container_that_is_told_to_stop_ends_the_programs_that_it_runs(changed: Task, open_folder: Path) -> None:
    word = open_folder / "word"
    os.mkfifo(word)
    word.chmod(0o666)
    manifest = changed.gates_manifest(SOURCE, shell_gate(f"echo $$ > {word}; exec sleep 600"))
    with changed.begin("gates", manifest) as container:
        program = int(word.read_text())
        container.terminate()
        container.wait(timeout=60)
    assert container.returncode == 128 + signal.SIGTERM
    assert "gates.json" not in changed.storage.objects
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
