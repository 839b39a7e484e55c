"""The first process of a container: runs one command and leaves nothing of it behind.

Run as a script. On Linux it adopts every orphan of its descendants, so that a process that went into a session of its
own dies with the container like any other. The first SIGTERM is passed on to the command, the second kills everything.
Its exit code is the command's, or 128 plus the signal that ended the command; 127 when there is no such command.
"""

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

_ADOPT_ORPHANS = 36
_SIGNAL_WHEN_PARENT_ENDS = 1
_NO_SUCH_COMMAND = 127


def _children() -> list[int]:
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = stat.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                children.append(int(stat.parent.name))
    return children


def _kill_children() -> None:
    for child in _children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _kill_group(command: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(command, signal.SIGKILL)


def _leave_nothing(command: int) -> None:
    _kill_group(command)
    if sys.platform != "linux":
        return
    with contextlib.suppress(ChildProcessError):
        while True:
            _kill_children()
            os.waitpid(-1, 0)


def main(argv: list[str]) -> int:
    """Run ``argv`` to its end and return the exit code."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
        libc.prctl(_SIGNAL_WHEN_PARENT_ENDS, signal.SIGTERM, 0, 0, 0)
    asked: list[int] = []
    running: list[int] = []

    def stop(number: int, _frame: object) -> None:
        asked.append(number)
        for command in running:
            if len(asked) == 1:
                os.kill(command, signal.SIGTERM)
            else:
                _kill_group(command)

    signal.signal(signal.SIGTERM, stop)
    try:
        command = os.posix_spawnp(argv[0], argv, os.environ, setpgroup=0, setsigdef=[signal.SIGPIPE])
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
        return _NO_SUCH_COMMAND
    running.append(command)
    if asked:
        os.kill(command, signal.SIGTERM)
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == command:
            break
    running.clear()
    _leave_nothing(command)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
