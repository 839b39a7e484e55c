"""The roles that the steps of a scheduled review ask for beside the host; wiring joins them to the table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from autoswe.contracts.records.platform import Connection
from autoswe.contracts.review.rows import ApprovalIntent, ReviewRun
from autoswe.rules.review.run.lease import LeaseAnswer
from autoswe.rules.review.run.ledger import Assessment
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import Place, StoredSettings


@dataclass(frozen=True)
class Remembered:
    """What is on record of an organisation's heads; ``forgotten`` counts the records that could not be read."""

    assessments: tuple[Assessment, ...]
    forgotten: int = 0


@dataclass(frozen=True)
class ReviewedHead:
    """One head of one pull request: its repository's full name, its number and its commit."""

    repository: str
    number: int
    head_sha: str


class ReviewRecords(Protocol):
    """The platform's own records; what is not there is ``None``."""

    def connection(self, name: str) -> Connection | None:
        """Read a connection."""
        ...

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a place, all at one moment."""
        ...


class ReviewRuns(Protocol):
    """The runs on record."""

    def run(self, namespace: str) -> ReviewRun | None:
        """Read a run."""
        ...

    def begin(self, run: ReviewRun) -> bool:
        """Record a run; false when there is one of its namespace."""
        ...

    def go_on(self, before: ReviewRun, after: ReviewRun) -> bool:
        """Replace a run's record; false when it is no longer what it was before."""
        ...


class Leases(Protocol):
    """Who has which organisation for a live run (``rules.review.run.lease``)."""

    def ask(self, org: str, execution: str, since: datetime, seconds: int) -> LeaseAnswer:
        """Take an organisation for ``seconds``, or a place in the queue for it."""
        ...

    def held(self, org: str, execution: str, seconds: int) -> bool:
        """Renew the lease; false when the execution does not have it any more."""
        ...

    def release(self, org: str, execution: str) -> None:
        """Give the organisation up; of anybody else nothing is taken."""
        ...


class Assessments(Protocol):
    """The ledger's records."""

    def remembered(self, org: str) -> Remembered:
        """Read every assessment of an organisation."""
        ...

    def record(self, org: str, assessments: Iterable[Assessment]) -> None:
        """Keep each assessment unless a newer one of its head is on record; recording it again changes nothing."""
        ...


class Approvals(Protocol):
    """The intents of approvals: recorded before the approval is sent."""

    def intent(self, head: ReviewedHead) -> ApprovalIntent | None:
        """Read the latest intent to approve a head."""
        ...

    def intend(self, head: ReviewedHead, namespace: str, tier: Tier) -> None:
        """Record that a run is about to approve a head under a tier, which must be one that can be approved."""
        ...

    def approved(self, head: ReviewedHead, namespace: str, review_url: str) -> None:
        """Record the page of the approval that a run has written."""
        ...


class OurCommits(Protocol):
    """The commits that the platform has pushed."""

    def pushed_by_us(self, repository: str, commits: Sequence[str]) -> frozenset[str]:
        """Return those of a repository's commits that a round of any connection has made."""
        ...
