"""The repository's own programs run with nothing of ours in reach (architecture §5)."""

import logging
import os
from pathlib import Path

import pytest

from autoswe.contracts.feedback.fixing import Change, ChangeOperation, FileChange, FileMode
from autoswe.rules.source.archive import SourceMode
from autoswe.tasks.container.watchdog import Ended
from autoswe.tasks.feedback.sandbox import Sandbox
from tests.tasks.containers import HEAD
from tests.tasks.source_trees import pack, read_folder, text_file

SOURCE = (text_file("a", "one"), text_file("d/link", "../a", SourceMode.LINK))
ADDITION = FileChange(path="d/new", mode=FileMode.REGULAR, op=ChangeOperation.ADD, base_blob=None, content_base64="")


@pytest.fixture
def sandbox(open_folder: Path) -> Sandbox:
    return Sandbox.prepare(open_folder / "copy", pack(*SOURCE), None)


def shell(sandbox: Sandbox, script: str) -> Ended:
    return sandbox.run("tests", ("sh", "-c", script), 30)


def test_a_copy_holds_the_source_and_the_change(open_folder: Path, sandbox: Sandbox) -> None:
    assert read_folder(sandbox.workspace) == set(SOURCE)
    changed = Sandbox.prepare(open_folder / "changed", pack(*SOURCE), Change(head_sha=HEAD, files=(ADDITION,)))
    assert read_folder(changed.workspace) == {*SOURCE, text_file("d/new", "")}


def test_a_program_sees_four_variables_and_a_fresh_home(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOSWE_MANIFEST_URL", "https://example.test")
    ended = shell(sandbox, "env -u PWD -u OLDPWD -u SHLVL -u _; ls -A $HOME $TMPDIR | grep -v :")
    assert dict(line.split("=", 1) for line in ended.tail.decode().split()) == {
        "PATH": os.environ["PATH"],
        "HOME": str(sandbox.home),
        "TMPDIR": str(sandbox.temporary),
        "LANG": "C.UTF-8",
    }


def test_what_one_program_leaves_in_its_home_the_next_one_finds(sandbox: Sandbox) -> None:
    assert shell(sandbox, "touch $HOME/installed $TMPDIR/t built a").succeeded
    assert shell(sandbox, "rm $HOME/installed $TMPDIR/t built a d/link").succeeded


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run programs as another user")
def test_as_root_programs_run_as_nobody(sandbox: Sandbox) -> None:
    assert shell(sandbox, "id -u; id -g; id -G").tail.split() == [b"65534"] * 3


def test_the_log_shows_the_output_as_plain_lines_that_name_their_program(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        shell(sandbox, "printf 'one\\n\\033[2Jtwo\\r\\377'")
    assert [record.getMessage() for record in caplog.records] == ["tests| one", "tests| \ufffd[2Jtwo", "tests| \ufffd"]
