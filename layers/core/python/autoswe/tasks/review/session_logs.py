"""Puts together what a program said about its work, for people to read when a verdict surprises them (review §7.4).

It is never parsed: much of it is a repository's own text.
"""

from collections.abc import Iterator
from contextlib import suppress

from autoswe.contracts.review.session import MAX_LOGS_BYTES
from autoswe.tasks.agent_clis.session import Session, Turn
from autoswe.tasks.container.watchdog import Ended
from autoswe.tasks.container.workspace import NotAFile, Workspace
from autoswe.tasks.review.clis import LOG_FOLDER, TRANSCRIPT_FILE

MAX_LOG_FILES = 20
MAX_FILE_BYTES = 1024 * 1024


def write_logs(session: Session, turn: Turn) -> str:
    """Write outputs, transcript and log files below each other, without credentials, within ``MAX_LOGS_BYTES``."""
    parts = (f"===== {name}\n{session.hide_credentials(content)}\n" for name, content in _parts(session, turn.ended))
    text = "".join((f"{turn.failure or 'the agent ended well'}\n", *parts))
    kept = text.encode(errors="replace")[:MAX_LOGS_BYTES]
    return kept.decode(errors="ignore")


def _parts(session: Session, ended: Ended) -> Iterator[tuple[str, bytes]]:
    yield "the end of standard error", ended.tail
    home = Workspace(session.home)
    for path in (TRANSCRIPT_FILE, *_log_files(session)):
        with suppress(NotAFile):
            yield path, home.read(path, MAX_FILE_BYTES).content
    yield "the end of standard output", ended.output


def _log_files(session: Session) -> list[str]:
    """List the files of the log folder; that they are real files in a real folder is seen to where they are read."""
    try:
        names = sorted(file.name for file in (session.home / LOG_FOLDER).iterdir())
    except OSError:
        return []
    return [f"{LOG_FOLDER}/{name}" for name in names[:MAX_LOG_FILES]]
