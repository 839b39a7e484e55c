"""Keeps the account of a sweep while it goes on, past whatever fails."""

from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import TracebackType

from autoswe.contracts.intake.sweep import ListingEnd, SweepFailure, SweepOutcome, Swept, SweptConnection


@dataclass
class Tally:
    """What was found of one connection so far; see ``SweptConnection``."""

    listed: int = 0
    listing: ListingEnd | None = None
    asked: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    deliveries: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    intakes: Counter[str] = field(default_factory=Counter)


class SweepReport:
    """The account of one sweep."""

    def __init__(self) -> None:
        self.left_over: list[str] = []
        self._tallies: dict[str, Tally] = {}
        self._failures: list[SweepFailure] = []

    def of(self, connection: str) -> Tally:
        """Return the tally of a connection."""
        return self._tallies.setdefault(connection, Tally())

    def going_on(self, subject: str) -> AbstractContextManager[object, bool]:
        """Do something about one subject; when it fails that is on record, and the sweep goes on with the next."""
        return _GoingOn(subject, self._failures)

    def result(self) -> Swept:
        """Tell all of it, by the connections' names."""
        return Swept(
            outcome=SweepOutcome.SWEPT,
            connections=tuple(_told(name, tally) for name, tally in sorted(self._tallies.items())),
            left_over=tuple(self.left_over),
            failures=tuple(self._failures),
        )


def _told(connection: str, tally: Tally) -> SweptConnection:
    return SweptConnection(
        connection=connection,
        listed=tally.listed,
        listing=tally.listing,
        asked=tuple(tally.asked),
        started=tuple(tally.started),
        deliveries=_plain(tally.deliveries),
        decisions=_plain(tally.decisions),
        intakes=_plain(tally.intakes),
    )


def _plain(counted: Counter[str]) -> dict[str, int]:
    return {str(word): number for word, number in sorted(counted.items())}


class _GoingOn(AbstractContextManager[object, bool]):
    def __init__(self, subject: str, failures: list[SweepFailure]) -> None:
        self._subject = subject
        self._failures = failures

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self._failures.append(SweepFailure(subject=self._subject, reason=type(error).__name__, detail=str(error)))
        return True
