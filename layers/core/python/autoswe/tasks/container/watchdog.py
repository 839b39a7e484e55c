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

from autoswe.tasks.container.processes import adopt_orphans, kill_descendants, list_descendants

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
    time. ``tail`` is the end of what it wrote to either output, mixed as it came; where standard output was asked for
    apart, ``output`` is the end of that, and ``tail`` the end of the rest.
    """

    exit_code: int | None
    timed_out: bool
    seconds: float
    tail: bytes
    output: bytes = b""

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
    text: bytes = b"",
    output_bytes: int = 0,
    grace_seconds: float = GRACE_SECONDS,
    clock: Callable[[], float] = monotonic,
) -> Ended:
    """Run ``command`` in ``folder`` with exactly ``environment``, for at most ``timeout_seconds``.

    It reads ``text`` from standard input. With ``output_bytes``, so much of the end of its standard output is kept
    apart from everything else that it writes.

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
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if output_bytes else subprocess.STDOUT,
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
    tail, output = bytearray(), bytearray()
    if process.stderr is None:
        readers = [_start(_keep_end, process.stdout, tail, TAIL_BYTES)]
    else:
        readers = [
            _start(_keep_end, process.stdout, output, output_bytes),
            _start(_keep_end, process.stderr, tail, TAIL_BYTES),
        ]
    _start(_feed, process.stdin, text)
    # A signal handler that raises in the main thread, as a container's deadline does, would leave a lock of
    # ``Popen.wait`` held for good; in a thread of its own nothing interrupts it.
    waiter = _start(process.wait)
    timed_out = False
    try:
        waiter.join(timeout_seconds)
        if waiter.is_alive():
            timed_out = True
            _signal_group(process.pid, signal.SIGTERM)
            waiter.join(grace_seconds)
    finally:
        _signal_group(process.pid, signal.SIGKILL)
        waiter.join()
        kill_descendants(spared)
        for reader in readers:
            reader.join(grace_seconds)
    exit_code = process.returncode if process.returncode >= 0 and not timed_out else None
    return Ended(exit_code, timed_out, clock() - started, bytes(tail), bytes(output))


def _start(work: Callable[..., object], *arguments: object) -> Thread:
    thread = Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _keep_end(output: BinaryIO, end: bytearray, max_bytes: int) -> None:
    with output:
        while chunk := os.read(output.fileno(), 65536):
            end += chunk
            del end[:-max_bytes]


def _feed(program: BinaryIO, text: bytes) -> None:
    """Write ``text`` and the end of input; a program that does not read it all is no failure."""
    with suppress(BrokenPipeError), program:
        program.write(text)


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
