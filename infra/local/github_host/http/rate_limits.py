"""How much a caller may ask: the primary limit of an hour, and the secondary ones of shorter times.

Sources: "Rate limits for the REST API", "Rate limits and query limits for the GraphQL API". Where the secondary windows
begin GitHub does not say: here a window is whatever just passed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from infra.local.github_host.limits import Limits

_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
READING_POINTS = 1
WRITING_POINTS = 5


class Resource(StrEnum):
    """The kinds of API that have a primary limit each, as ``X-RateLimit-Resource`` names them."""

    REST = "core"
    GRAPHQL = "graphql"


@dataclass(frozen=True)
class Charge:
    """What one request costs.

    ``primary`` points of the hour, ``secondary`` points of the minute (5 for what writes, 1 otherwise), and whether
    people are told of what it writes.
    """

    resource: Resource
    primary: int = 1
    secondary: int = READING_POINTS
    creates_content: bool = False


class PrimaryLimit:
    """What was used in the present hour."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._used: Counter[tuple[str, Resource, datetime]] = Counter()

    def spend(self, caller: str, charge: Charge, now: datetime) -> tuple[bool, dict[str, str]]:
        """Count a call; return whether it is within the limit, and the headers that say how much is left."""
        window = now.replace(minute=0, second=0, microsecond=0)
        limit = self._limits.requests_per_hour
        account = caller, charge.resource, window
        within = self._used[account] + charge.primary <= limit
        self._used[account] = self._used[account] + charge.primary if within else limit
        used = self._used[account]
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(limit - used),
            "X-RateLimit-Reset": str(int((window + _HOUR).timestamp())),
            "X-RateLimit-Used": str(used),
            "X-RateLimit-Resource": str(charge.resource),
        }
        return within, headers


class Window(StrEnum):
    """The secondary limits that count over a time."""

    REST_POINTS = "rest points"
    GRAPHQL_POINTS = "graphql points"
    CONTENT = "content"


@dataclass(frozen=True)
class Throttled:
    """A secondary limit was reached; it is free again after ``wait_seconds``."""

    window: Window
    wait_seconds: int


@dataclass
class SecondaryLimits:
    """What was used in the last minute and hour."""

    limits: Limits
    _used: defaultdict[tuple[str, Window], list[tuple[datetime, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def spend(self, caller: str, charge: Charge, now: datetime) -> Throttled | None:
        """Count a call, or say which limit it would exceed and not count it."""
        points = Window.REST_POINTS if charge.resource is Resource.REST else Window.GRAPHQL_POINTS
        amounts = {points: charge.secondary} | ({Window.CONTENT: 1} if charge.creates_content else {})
        for window, amount in amounts.items():
            waits = [self._wait(caller, window, amount, length, most, now) for length, most in self._bounds(window)]
            if any(waits):
                return Throttled(window, max(waits))
        for window, amount in amounts.items():
            kept = [(at, used) for at, used in self._used[caller, window] if now - at < _HOUR]
            self._used[caller, window] = [*kept, (now, amount)]
        return None

    def _bounds(self, window: Window) -> list[tuple[timedelta, int]]:
        limits = self.limits
        match window:
            case Window.REST_POINTS:
                return [(_MINUTE, limits.rest_points_per_minute)]
            case Window.GRAPHQL_POINTS:
                return [(_MINUTE, limits.graphql_points_per_minute)]
            case Window.CONTENT:
                return [(_MINUTE, limits.content_per_minute), (_HOUR, limits.content_per_hour)]

    def _wait(self, caller: str, window: Window, amount: int, length: timedelta, most: int, now: datetime) -> int:
        recent = [(at, used) for at, used in self._used[caller, window] if now - at < length]
        if sum(used for _, used in recent) + amount <= most:
            return 0
        oldest = min((at for at, _ in recent), default=now)
        return math.ceil((oldest + length - now).total_seconds())
