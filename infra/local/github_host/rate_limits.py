"""The primary rate limit: so many calls per installation, hour and kind of API.

Source: "Rate limits for the REST API".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

_WINDOW = timedelta(hours=1)


@dataclass
class RateLimits:
    """What was used in the present hour; ``limit`` says how many calls an hour has."""

    limit: Callable[[], int]
    _used: Counter[tuple[str, str, datetime]] = field(default_factory=Counter)

    def spend(self, caller: str, resource: str, now: datetime) -> tuple[bool, dict[str, str]]:
        """Count a call; return whether it is within the limit, and the headers that say how much is left."""
        window = now.replace(minute=0, second=0, microsecond=0)
        limit = self.limit()
        self._used[caller, resource, window] += 1
        used = min(self._used[caller, resource, window], limit + 1)
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - used)),
            "X-RateLimit-Reset": str(int((window + _WINDOW).timestamp())),
            "X-RateLimit-Used": str(min(used, limit)),
            "X-RateLimit-Resource": resource,
        }
        return used <= limit, headers
