"""The role that tells the time."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Return now, in UTC."""
        ...
