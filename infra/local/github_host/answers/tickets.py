"""Addresses that are their own permission: whoever holds one fetches one thing, without a credential, for a while."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


@dataclass
class Tickets(Generic[Thing]):
    """The permissions given out so far; each is good for ``life``."""

    life: timedelta
    _given: dict[str, tuple[Thing, datetime]] = field(default_factory=dict)

    def give(self, thing: Thing, now: datetime) -> str:
        """Allow whoever shows the returned text to fetch a thing."""
        text = secrets.token_urlsafe(16)
        self._given[text] = thing, now + self.life
        return text

    def redeem(self, text: str | None, now: datetime) -> Thing | None:
        """Return what a text is good for, None when it is nothing or too late."""
        thing, expires_at = self._given.get(text or "", (None, now))
        return thing if now < expires_at else None
