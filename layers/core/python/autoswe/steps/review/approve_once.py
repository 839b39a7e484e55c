"""Writes the one approval of a head, or finds the one that is there: never a second (review §8.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from autoswe.contracts.records.platform import Connection
from autoswe.ports.clock import Clock
from autoswe.ports.github import Refused, Unavailable
from autoswe.ports.review.hosts import ApproveHost, OwnReview, RereadHost
from autoswe.ports.review.runs import Approvals, ReviewedHead
from autoswe.rules.review.pulls.candidate import APPROVED
from autoswe.rules.review.run.preflight import judge_write_token
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.steps.review.review_run import PreflightRefused

SETTLE_SECONDS = 60
"""How long an approval whose reply was lost may take to show on the host; only after that it is sent again."""

DISMISSED = "DISMISSED"


@dataclass(frozen=True)
class Approval:
    """An approval of ours that stands on the head."""

    tier: Tier
    review_url: str


@dataclass(frozen=True)
class NotApproved:
    """The approval was not written, and is not to be: ``reason`` says why. ``by_host`` says that the host refused."""

    reason: str
    by_host: bool = False


@dataclass(frozen=True)
class ApproveOnce:
    """The way to the one approval of a head; ``namespace`` names the run.

    ``open_host`` mints the token for writing, and is asked once nothing else is left to judge.
    """

    head: ReviewedHead
    namespace: str
    connection: Connection
    approvals: Approvals
    clock: Clock
    reread: RereadHost
    open_host: Callable[[Connection], ApproveHost]

    def find(self) -> Approval | None:
        """Find the approval that an earlier try of this run has written, if one has.

        Raises ``Unavailable`` while a try whose reply was lost may still come to light.
        """
        intent = self.approvals.intent(self.head)
        if intent is None or intent.namespace != self.namespace:
            return None
        if intent.review_url is not None:
            return Approval(intent.tier, intent.review_url)
        for review in self._reviews():
            if review.state == APPROVED:
                self.approvals.approved(self.head, self.namespace, review.url)
                return Approval(intent.tier, review.url)
        age = self.clock() - datetime.fromisoformat(intent.intended_at)
        if age.total_seconds() < SETTLE_SECONDS:
            raise Unavailable("an earlier try of this approval may still appear on the host")
        return None

    def write(self, tier: Tier, body: str) -> Approval | NotApproved:
        """Approve the head, unless a review of ours is on it already.

        Raises ``PreflightRefused`` when the token for writing is another App's.
        """
        for review in self._reviews():
            if review.state in {APPROVED, DISMISSED}:
                what = "was dismissed" if review.state == DISMISSED else "stands already"
                return NotApproved(f"our approval of this head {what}")
        host = self.open_host(self.connection)
        refusal = judge_write_token(self.connection.app_slug, host.app_slug())
        if refusal is not None:
            raise PreflightRefused(refusal)
        self.approvals.intend(self.head, self.namespace, tier)
        try:
            url = host.approve(self.head.repository, self.head.number, self.head.head_sha, body)
        except Refused as refused:
            return NotApproved(f"the host refuses the approval: {refused}", by_host=True)
        self.approvals.approved(self.head, self.namespace, url)
        return Approval(tier, url)

    def _reviews(self) -> list[OwnReview]:
        reviews = self.reread.reviews_by_us(self.head.repository, self.head.number)
        return [review for review in reviews if review.commit_id == self.head.head_sha]
