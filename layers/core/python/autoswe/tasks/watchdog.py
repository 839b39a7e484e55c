"""Runs one program so that nothing of it is left afterwards."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import BinaryIO

from autoswe.tasks.processes import adopt_orphans, kill_descendants, list_descendants

GRACE_SECONDS = 5.0
"""How long a program may go on after TERM before it is killed."""

TAIL_BYTES = 16 * 1024
"""How much of a program's output is kept: its end."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The user and group a program runs as, by number."""

    user: int
    group: int


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended.

    ``exit_code`` is the program's own, none when a signal ended it or it could not be started. ``seconds`` is wall
    time. ``tail`` is the end of what it wrote to either output, mixed as it came.
    """

    exit_code: int | None
    timed_out: bool
    seconds: float
    tail: bytes

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, in time, with exit code 0."""
        return self.exit_code == 0 and not self.timed_out


def run(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    timeout_seconds: float,
    identity: Identity | None = None,
    grace_seconds: float = GRACE_SECONDS,
    clock: Callable[[], float] = monotonic,
) -> Ended:
    """Run ``command`` in ``folder`` with exactly ``environment``, for at most ``timeout_seconds``.

    It gets a session, and so a process group, of its own. When it has ended, or after the time-out TERM and then KILL,
    its group is killed, and so is every process that it started and that left the group: on Linux this process adopts
    orphans and ends all that descend from it. ``identity`` needs root.
    """
    spared = frozenset(list_descendants())
    adopt_orphans()
    started = clock()
    try:
        process = subprocess.Popen(  # noqa: S603 - running the repository's own commands is what this is for
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o022,
            user=identity.user if identity else None,
            group=identity.group if identity else None,
            extra_groups=[] if identity else None,
        )
    except (OSError, ValueError) as error:
        return Ended(
            None, timed_out=False, seconds=clock() - started, tail=f"it could not be started: {error}".encode()
        )
    tail = bytearray()
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    reader = Thread(target=_keep_tail, args=(process.stdout, tail), daemon=True)
    reader.start()
    timed_out = False
    try:
        process.wait(timeout_seconds)
    except subprocess.TimeoutExpired:
        timed_out = True
        _signal_group(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace_seconds)
    finally:
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()
        kill_descendants(spared)
        reader.join(grace_seconds)
    exit_code = process.returncode if process.returncode >= 0 and not timed_out else None
    return Ended(exit_code, timed_out, clock() - started, bytes(tail))


def _keep_tail(output: BinaryIO, tail: bytearray) -> None:
    with output:
        while chunk := os.read(output.fileno(), 65536):
            tail += chunk
            del tail[:-TAIL_BYTES]


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
