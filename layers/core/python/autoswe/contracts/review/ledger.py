"""``ledger.json``: the assessments of the last 90 days, as every report exports them (review §18.3)."""

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import Field

from autoswe.contracts.model import Contract, Sha
from autoswe.contracts.review.words import MIB, Document, Moment, PullNumber, Repository
from autoswe.rules.review.run.ledger import Assessment
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from autoswe.rules.text.strict_json import LARGEST_INTEGER

MAX_LEDGER_BYTES = 32 * MIB


class LedgerEntry(Contract):
    """One assessment; ``run_id`` is the run's number, ``assessed_at`` when its report was written."""

    repository: Repository
    number: PullNumber
    head_sha: Sha
    verdict: Literal[Verdict.APPROVED, Verdict.WOULD_APPROVE, Verdict.NEEDS_HUMAN]
    tier: Tier
    dry_run: bool
    run_id: Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]
    assessed_at: Moment

    def assessment(self) -> Assessment:
        """Return it as the rules know it."""
        return Assessment(**dict(self))


class LedgerDocument(Document):
    """``ledger.json``: each head at most once, sorted by repository, number and head."""

    entries: tuple[LedgerEntry, ...]

    @classmethod
    def of(cls, assessments: Iterable[Assessment]) -> Self:
        """Write down what the ledger holds."""
        entries = (LedgerEntry.model_validate(vars(entry)) for entry in sorted(assessments, key=lambda one: one.key))
        return cls(schema=1, entries=tuple(entries))
