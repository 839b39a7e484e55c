"""A clock that stands still until it is told to go on."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Tells a time that only ``advance`` changes; the time it starts with is a whole second."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Tell the time."""
        return self.moment

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.moment += timedelta(seconds=seconds)
