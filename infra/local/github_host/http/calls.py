"""What callers asked, in order."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False)
class Call:
    """One API request.

    ``operation`` is ``GET /repos/{owner}/{repo}`` with the documented path template, or ``graphql ReviewThreads`` with
    the operation's name. ``status`` is the answer's, None while it is on its way or when the caller never got one.
    ``question`` is the address with its query and the body of a request that may be asked again alike, None of others.
    """

    method: str
    path: str
    operation: str
    question: tuple[str, bytes] | None = field(default=None, repr=False)
    app: str | None = None
    installation_id: int | None = None
    status: int | None = None

    @property
    def over_graphql(self) -> bool:
        """Whether it is a GraphQL operation."""
        return self.operation.startswith("graphql ")


class Calls:
    """The record of all calls since the start or the last ``clear()``."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._lock = threading.Lock()

    def add(self, call: Call) -> None:
        """Record a call at the moment it arrives."""
        with self._lock:
            self._calls.append(call)

    def clear(self) -> None:
        """Forget the calls so far."""
        with self._lock:
            self._calls.clear()

    def of(self, operation: str) -> list[Call]:
        """List the calls of one operation."""
        return [call for call in self if call.operation == operation]

    def __iter__(self) -> Iterator[Call]:
        with self._lock:
            return iter(list(self._calls))

    def __len__(self) -> int:
        with self._lock:
            return len(self._calls)

    def __getitem__(self, index: int) -> Call:
        with self._lock:
            return self._calls[index]
