"""The memory from run to run: which heads a run has assessed, so that none costs a second session (review §6)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from autoswe.rules.review.verdict.tiers import Tier, Verdict

RETENTION = timedelta(days=90)

Key = tuple[str, int, str]
"""The repository's full name in lower case, the pull request's number and its head commit."""


@dataclass(frozen=True)
class Assessment:
    """What one run decided about one head.

    ``verdict`` is never ``failed``. ``run_id`` is the run's number, ``assessed_at`` when its report was written.
    """

    repository: str
    number: int
    head_sha: str
    verdict: Verdict
    tier: Tier
    dry_run: bool
    run_id: int
    assessed_at: datetime

    @property
    def key(self) -> Key:
        """Name the head that was assessed."""
        return self.repository.casefold(), self.number, self.head_sha


Ledger = Mapping[Key, Assessment]


class Assessable(Protocol):
    """What the ledger asks of a result; ``tier`` is absent of a failed one."""

    @property
    def repository(self) -> str:
        """The full name."""

    @property
    def number(self) -> int:
        """The pull request's number."""

    @property
    def head_sha(self) -> str:
        """The head that was reviewed."""

    @property
    def verdict(self) -> Verdict:
        """What became of it."""

    @property
    def tier(self) -> Tier | None:
        """The effective tier."""

    @property
    def dry_run(self) -> bool:
        """Whether nothing could be written."""


def merge(*ledgers: Iterable[Assessment], now: datetime) -> Ledger:
    """Keep the newest assessment of each head, and none that is older than 90 days.

    Which ledgers come first, and how they are grouped, makes no difference: of equally new ones a live one is kept, and
    beyond that the larger run number and the later word.
    """
    newest: dict[Key, Assessment] = {}
    for ledger in ledgers:
        for entry in ledger:
            kept = newest.get(entry.key)
            if entry.assessed_at >= now - RETENTION and (kept is None or _age(entry) > _age(kept)):
                newest[entry.key] = entry
    return dict(sorted(newest.items()))


def is_assessed(ledger: Ledger, key: Key, *, dry_run: bool) -> bool:
    """Say whether a run need not look at a head again.

    A dry run honours every assessment. A live run honours live ones alone: it has yet to do what a dry run reported.
    """
    entry = ledger.get(key)
    return entry is not None and (dry_run or not entry.dry_run)


def assess(results: Iterable[Assessable], *, run_id: int, now: datetime) -> tuple[Assessment, ...]:
    """Return the assessments that a run adds; a failed result is none, so the next run looks at that head again."""
    return tuple(
        Assessment(
            repository=result.repository,
            number=result.number,
            head_sha=result.head_sha,
            verdict=result.verdict,
            tier=result.tier,
            dry_run=result.dry_run,
            run_id=run_id,
            assessed_at=now,
        )
        for result in results
        if result.verdict is not Verdict.FAILED and result.tier is not None
    )


def _age(entry: Assessment) -> tuple[datetime, bool, int, str, str, str]:
    return entry.assessed_at, not entry.dry_run, entry.run_id, entry.verdict, entry.tier, entry.repository
