"""What runs as the same user must not read a container's address from its memory (architecture §5)."""

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows the attribute")
def test_a_process_that_hides_its_memory_is_not_dumpable() -> None:
    """The kernel answers 1 for a process that others of its user may read, 0 for one that they may not (prctl(2))."""
    ask = "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    script = f"import ctypes; from autoswe.tasks.container.processes import hide_memory; {ask}; hide_memory(); {ask}"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["1", "0"]
