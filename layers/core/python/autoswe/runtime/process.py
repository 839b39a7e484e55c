"""What surrounds the code of one process: its environment, its clock, and what it builds once and keeps warm.

A Lambda runs with the operating system's environment and clock; the local assembly installs its own for as long as it
lives. Importing this module costs next to nothing: it is on the webhook's path.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import RLock
from typing import Any, TypeVar

T = TypeVar("T")


class EnvironmentVariableMissing(Exception):
    """A function was deployed without a variable it needs; the message names it."""


def system_now() -> datetime:
    """Read the operating system's clock, in UTC."""
    return datetime.now(UTC)


@dataclass
class Process:
    """One environment with its clock, its way of letting seconds pass, and the objects built for it."""

    environment: Mapping[str, str]
    now: Callable[[], datetime] = system_now
    sleep: Callable[[float], None] = time.sleep
    _built: dict[str, Any] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)

    def variable(self, name: str) -> str:
        """Read an environment variable that must be there."""
        value = self.environment.get(name, "")
        if not value:
            raise EnvironmentVariableMissing(f"the environment variable {name} is not set")
        return value

    def once(self, name: str, build: Callable[[], T]) -> T:
        """Return what was built under ``name``, building it at the first call."""
        with self._lock:
            if name not in self._built:
                self._built[name] = build()
            built: T = self._built[name]
            return built


_current = Process(os.environ)


def current() -> Process:
    """Return the process that handlers run in."""
    return _current


@contextmanager
def running_as(process: Process) -> Iterator[Process]:
    """Run handlers in ``process`` until the block ends; what was warm before is warm again afterwards."""
    global _current  # noqa: PLW0603 - a Lambda process has exactly one surrounding, and so does the local assembly
    before, _current = _current, process
    try:
        yield process
    finally:
        _current = before
