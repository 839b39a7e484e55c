"""A program that was run leaves nothing behind, and its end is told truly (architecture §9.12)."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autoswe.tasks.container.watchdog import TAIL_BYTES, Ended, Identity, run

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")


PATH = {"PATH": os.environ["PATH"]}


def shell(script: str, folder: Path, timeout_seconds: float = 30) -> Ended:
    environment = {**PATH, "ONLY": "this"}
    return run(
        ("sh", "-c", script),
        folder=folder,
        environment=environment,
        timeout_seconds=timeout_seconds,
        grace_seconds=0.1,
    )


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("code", [0, 1, 77])
def test_a_program_that_ends_by_itself_is_reported_with_its_exit_code(tmp_path: Path, code: int) -> None:
    ended = shell(f"exit {code}", tmp_path)
    assert (ended.exit_code, ended.timed_out, ended.succeeded) == (code, False, code == 0)


def test_a_program_that_a_signal_ended_has_no_exit_code_and_did_not_succeed(tmp_path: Path) -> None:
    ended = shell("kill -9 $$", tmp_path)
    assert (ended.exit_code, ended.timed_out, ended.succeeded) == (None, False, False)


@pytest.mark.parametrize("program", ["no-such-program", "./folder", "a\0b"])
def test_a_program_that_cannot_be_started_did_not_succeed_and_says_why(tmp_path: Path, program: str) -> None:
    (tmp_path / "folder").mkdir()
    ended = run((program,), folder=tmp_path, environment={}, timeout_seconds=30)
    assert (ended.exit_code, ended.succeeded) == (None, False)
    assert ended.tail.startswith(b"it could not be started")


def test_a_program_sees_exactly_the_given_environment_and_folder_and_no_input(tmp_path: Path) -> None:
    ended = shell("env -u PWD -u OLDPWD -u SHLVL -u _ -u PATH; pwd; cat", tmp_path)
    assert ended.tail.decode().split() == ["ONLY=this", str(tmp_path)]


def test_only_the_end_of_the_output_is_kept(tmp_path: Path) -> None:
    ended = shell("head -c 1000000 /dev/zero; echo out; echo err >&2", tmp_path)
    assert len(ended.tail) == TAIL_BYTES
    assert ended.tail.endswith(b"\0out\nerr\n")


def test_standard_output_can_be_kept_apart_with_a_bound_of_its_own(tmp_path: Path) -> None:
    script = "head -c 100000 /dev/zero; echo out; echo err >&2"
    ended = run(
        ("sh", "-c", script), folder=tmp_path, environment=PATH, timeout_seconds=30, output_bytes=TAIL_BYTES * 2
    )
    assert len(ended.output) == TAIL_BYTES * 2
    assert ended.output.endswith(b"\0out\n")
    assert ended.tail == b"err\n"


@pytest.mark.parametrize("script", ["cat", "sleep 0; cat", "head -c 1", "true", "exec <&-; true"])
def test_a_program_reads_the_text_it_is_given_as_far_as_it_likes(tmp_path: Path, script: str) -> None:
    text = b"x" * 300_000
    ended = run(
        ("sh", "-c", script), folder=tmp_path, environment=PATH, timeout_seconds=30, text=text, output_bytes=10**6
    )
    assert ended.succeeded
    assert ended.output == (text if "cat" in script else b"x" if "head" in script else b"")


def test_a_program_that_hangs_is_ended_by_term(tmp_path: Path) -> None:
    ended = shell("trap 'echo asked; exit 0' TERM; echo ready; while :; do :; done", tmp_path, 1)
    assert (ended.exit_code, ended.timed_out, ended.succeeded) == (None, True, False)
    assert ended.tail == b"ready\nasked\n"


def test_a_program_that_ignores_term_is_killed_with_its_children(tmp_path: Path) -> None:
    ended = shell("trap '' TERM; sleep 600 & echo $! $$; wait; wait", tmp_path, 1)
    assert ended.timed_out
    assert not any(is_alive(int(process)) for process in ended.tail.split())


class Deadline(Exception):
    """What a container's deadline raises in the main thread, wherever that is."""


def test_a_deadline_that_passes_during_the_wait_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, passed = threading.Thread.join, iter([False])

    def join(thread: threading.Thread, timeout: float | None = None) -> None:
        if not next(passed, True):
            while not (tmp_path / "program").exists():
                wait(thread, 0.01)
            raise Deadline
        wait(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", join)
    with pytest.raises(Deadline):
        shell("echo $$ > begun; mv begun program; exec sleep 600", tmp_path)
    assert not is_alive(int((tmp_path / "program").read_text()))


def test_no_signal_handler_can_leave_a_lock_of_the_wait_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Handlers run, and raise, in the main thread alone, also where ``Popen.wait`` has just taken its lock."""
    wait, waiting = subprocess.Popen.wait, set[threading.Thread]()

    def watched(program: "subprocess.Popen[bytes]", timeout: float | None = None) -> int:
        waiting.add(threading.current_thread())
        return wait(program, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", watched)
    shell("trap '' TERM; sleep 600", tmp_path, 0.1)
    assert waiting
    assert threading.main_thread() not in waiting


def test_children_left_in_the_group_end_with_the_program(tmp_path: Path) -> None:
    ended = shell("sleep 600 & echo $!", tmp_path)
    assert ended.succeeded
    assert not is_alive(int(ended.tail))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run programs as another user")
def test_another_identity_brings_none_of_our_groups(tmp_path: Path) -> None:
    before = os.getgroups()
    os.setgroups([4])
    try:
        ended = run(
            ("id", "-G"), folder=tmp_path, environment=PATH, timeout_seconds=30, identity=Identity(65534, 65534)
        )
    finally:
        os.setgroups(before)
    assert ended.tail == b"65534\n"


@linux_only
def test_a_grandchild_that_fled_to_its_own_session_ends_with_the_program(tmp_path: Path) -> None:
    """The fugitive closes the output first: nothing else would betray it."""
    ended = shell(
        "(setsid sh -c 'echo $$ > fugitive; exec sleep 600 >&- 2>&-' &) ; until [ -s fugitive ]; do :; done", tmp_path
    )
    assert ended.succeeded
    assert not is_alive(int((tmp_path / "fugitive").read_text()))


@linux_only
def test_a_process_that_was_there_before_is_spared(tmp_path: Path) -> None:
    bystander = os.posix_spawnp("sleep", ["sleep", "600"], PATH)
    try:
        assert shell("true", tmp_path).succeeded
        assert os.waitpid(bystander, os.WNOHANG) == (0, 0)
    finally:
        os.kill(bystander, signal.SIGKILL)
        os.waitpid(bystander, 0)
