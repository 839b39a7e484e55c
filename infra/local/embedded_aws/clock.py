"""The time that a local assembly tells: the real time plus what its workflows have waited."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock


class LocalClock:
    """A clock that runs with the operating system's and can be moved ahead, never back.

    ``pause_per_wait`` is how many real seconds a workflow's Wait takes, so that a person can watch (0 or more).
    ``on_wait`` is called with the seconds waited, after they have passed, each time a workflow waits or backs off
    before a retry: there a scenario lets the world move on. What it raises fails the waiting state.
    """

    def __init__(self, *, pause_per_wait: float = 0.0, on_wait: Callable[[float], None] | None = None) -> None:
        if pause_per_wait < 0:
            raise ValueError(f"pause_per_wait is {pause_per_wait}, and nobody can pause for less than no time")
        self.pause_per_wait = pause_per_wait
        self.on_wait = on_wait
        self._ahead = timedelta()
        self._lock = Lock()

    def now(self) -> datetime:
        """Tell the time, in UTC."""
        with self._lock:
            return datetime.now(UTC) + self._ahead

    def advance(self, seconds: float) -> None:
        """Move the clock ahead by ``seconds`` (0 or more)."""
        if seconds < 0:
            raise ValueError(f"a clock cannot advance by {seconds} seconds")
        with self._lock:
            self._ahead += timedelta(seconds=seconds)

    def wait(self, seconds: float) -> None:
        """Let ``seconds`` pass at once and tell ``on_wait``; a time already over takes none."""
        waited = max(0.0, seconds)
        self.advance(waited)
        if self.on_wait is not None:
            self.on_wait(waited)
