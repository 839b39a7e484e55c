"""Times in which the host is away, as a whole or in part, by its own clock.

Source: "Troubleshooting the REST API"; the words of the answer are observed. It is a page for people and no JSON, it
comes before anybody asks who the caller is, and nothing is done or counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase

from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.http.calls import Call

_AWAY = "No server is currently available to service your request.\nSorry about that. Please try refreshing.\n"


class ConnectionCut(Exception):
    """The caller's connection ends without an answer."""


@dataclass(frozen=True)
class _Outage:
    begins: datetime
    ends: datetime
    operation: str
    status: int | None


class Outages:
    """The outages that are planned; any number may overlap, and the one planned first answers."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._planned: list[_Outage] = []
        self._lock = threading.Lock()

    def plan(self, seconds: float, *, operation: str = "*", status: int | None = 503, begins_in: float = 0) -> None:
        """Be away for ``seconds`` of the host's clock, from now or from ``begins_in`` seconds on.

        ``operation`` is written as calls are recorded, or is a shell pattern of that; archives and logs are ``GET
        codeload`` and ``GET job-log``. ``status`` None cuts each connection without an answer, which a caller cannot
        tell from one that was lost on the way.
        """
        begins = self._clock() + timedelta(seconds=begins_in)
        with self._lock:
            self._planned.append(_Outage(begins, begins + timedelta(seconds=seconds), operation, status))

    def clear(self) -> None:
        """Be there again."""
        with self._lock:
            self._planned.clear()

    def answer(self, call: Call) -> Reply | None:
        """Return what a call meets instead of the host, None when the host is there; ConnectionCut without a word."""
        if not self._planned:
            return None
        now = self._clock()
        with self._lock:
            met = (one for one in self._planned if one.begins <= now < one.ends)
            outage = next((one for one in met if fnmatchcase(call.operation, one.operation)), None)
        if outage is None:
            return None
        if outage.status is None:
            raise ConnectionCut
        return Reply(outage.status, _AWAY)
