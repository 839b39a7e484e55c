"""The logs of a session hold what its program said, without credentials and within bounds (review §7.4)."""

import os
from pathlib import Path

import pytest

from autoswe.contracts.review.session import MAX_LOGS_BYTES
from autoswe.tasks.agent_clis.cli import Settings
from autoswe.tasks.agent_clis.session import Session, Turn
from autoswe.tasks.container.watchdog import Ended
from autoswe.tasks.review.clis import REVIEW_CLIS
from autoswe.tasks.review.session_logs import MAX_LOG_FILES, write_logs
from tests.tasks.review.sessions import SECRETS

SECRET = SECRETS["copilot"]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session(
        REVIEW_CLIS["copilot"].cli, Settings({"AUTOSWE_MODEL_CREDENTIAL": SECRET}), tmp_path / "agent", 60
    )
    (session.home / "logs").mkdir(parents=True)
    return session


def turn(output: bytes = b"", tail: bytes = b"", failure: str = "") -> Turn:
    return Turn(Ended(0, timed_out=False, seconds=1, tail=tail, output=output), None, failure)


def test_logs_begin_with_how_the_session_ended_and_hold_outputs_transcript_and_log_files(session: Session) -> None:
    (session.home / "transcript.md").write_text("all that was said")
    (session.home / "logs/1.log").write_text("called the model")
    text = write_logs(session, turn(b"events", b"warnings", "the agent failed"))
    assert text == (
        "the agent failed\n"
        "===== the end of standard error\nwarnings\n"
        "===== transcript.md\nall that was said\n"
        "===== logs/1.log\ncalled the model\n"
        "===== the end of standard output\nevents\n"
    )


def test_a_credential_is_in_no_part(session: Session) -> None:
    other = "ghs_" + "A" * 36
    for file in ("transcript.md", "logs/1.log"):
        (session.home / file).write_text(f"it said {SECRET} and {other}")
    text = write_logs(session, turn(f"{SECRET} {other}".encode(), f"{SECRET} {other}".encode()))
    assert SECRET not in text
    assert other not in text
    assert text.count("it said ") == 2


def test_logs_keep_their_bound_whatever_a_program_wrote(session: Session) -> None:
    (session.home / "transcript.md").write_text("é" * 500_000)
    for number in range(MAX_LOG_FILES + 5):
        (session.home / f"logs/{number:02}.log").write_text("é" * 400_000)
    text = write_logs(session, turn(b"\xff" * 4_000_000))
    assert len(text.encode()) <= MAX_LOGS_BYTES
    assert f"logs/{MAX_LOG_FILES}.log" not in text


@pytest.mark.parametrize("planted", ["transcript.md", "logs/1.log", "logs"])
def test_a_link_that_a_session_planted_leads_nowhere(session: Session, tmp_path: Path, planted: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "1.log").write_text("not of this session")
    place = session.home / planted
    if planted == "logs":
        place.rmdir()
    place.symlink_to(outside if planted == "logs" else outside / "1.log")
    assert "not of this session" not in write_logs(session, turn())


def test_a_pipe_or_a_name_that_is_no_text_does_not_hold_up_the_logs(session: Session) -> None:
    os.mkfifo(session.home / "transcript.md")
    (session.home / "logs" / os.fsdecode(b"\xff.log")).write_text("odd")
    assert "===== the end of standard output\nevents\n" in write_logs(session, turn(b"events"))
