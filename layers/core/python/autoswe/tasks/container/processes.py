"""What Linux offers to keep a process's descendants together and out of its memory; elsewhere nothing happens."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_SWEEPS = 100


def adopt_orphans() -> None:
    """Make every process that descends from this one, and loses its parent, a child of this one (prctl(2))."""
    _control(_PR_SET_CHILD_SUBREAPER, 1)


def hide_memory() -> None:
    """Keep other processes of the same user away from this one's memory and environment (prctl(2), proc(5))."""
    _control(_PR_SET_DUMPABLE, 0)


def list_descendants() -> list[int]:
    """List the processes that descend from this one, as far as the system tells (proc(5), ``stat``)."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name, in parentheses, may hold anything; the parent is the second field after it.
            parent = int(entry.read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.parent.name))
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        below = children.get(pending.pop(), [])
        found += below
        pending += below
    return found


def kill_descendants(spared: frozenset[int]) -> None:
    """Kill all descendants but ``spared``, until a sweep finds none: what forked meanwhile is found by the next one."""
    for _ in range(_SWEEPS):
        left = [process for process in list_descendants() if process not in spared]
        if not left:
            return
        killed = [process for process in left if _kill(process)]
        for process in killed:
            with suppress(ChildProcessError):
                os.waitpid(process, 0)


def _kill(process: int) -> bool:
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _control(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
