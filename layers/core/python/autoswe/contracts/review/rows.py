"""What the table holds of review runs (review §6, §8.3, §11)."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.model import Contract, Count
from autoswe.contracts.records.platform import Name
from autoswe.contracts.review.run import Namespace
from autoswe.contracts.review.words import Org
from autoswe.rules.review.verdict.tiers import Tier


class RunOutcome(StrEnum):
    """How a run's latest attempt ended, or that it has not."""

    RUNNING = "running"
    REPORTED = "reported"
    FAILED = "failed"


class ReviewRun(Contract):
    """One run, whatever its attempts.

    ``execution`` is the only one that may act for it; ``since`` is when that one began. ``inputs`` is ``inputs.json``,
    ``selected`` what the run selected, once it has: a replay goes on with it.
    """

    namespace: Namespace
    connection: Name
    org: Org
    dry_run: bool
    attempt: Annotated[int, Field(ge=1, le=1_000_000)]
    execution: str
    since: str
    inputs: ArtifactReference
    selected: ArtifactReference | None = None
    outcome: RunOutcome = RunOutcome.RUNNING


class ReviewLease(Contract):
    """The lease on an organisation as ``rules.review.run.lease`` has it; the times are ISO 8601 in UTC."""

    holder: str | None = None
    fence: Count = 0
    lease_until: str | None = None
    newest: str | None = None
    newest_since: str | None = None


class ApprovalIntent(Contract):
    """An approval of one commit that a run is about to send under a tier; ``review_url`` is its page, once known."""

    namespace: Namespace
    tier: Literal[Tier.TRIVIAL, Tier.LOW_RISK]
    intended_at: str
    review_url: str | None = None
