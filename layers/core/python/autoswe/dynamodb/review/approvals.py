"""The intents of approvals: what was about to be sent, so that a lost reply is looked for (review §8.3)."""

from collections.abc import Callable
from datetime import datetime

from autoswe.contracts.review.rows import ApprovalIntent
from autoswe.dynamodb.table.client import Backoff, Table
from autoswe.dynamodb.table.contract_rows import from_row, to_row
from autoswe.dynamodb.table.keys import key
from autoswe.dynamodb.table.rows import Key, Rows, put, update
from autoswe.dynamodb.table.timestamps import epoch, timestamp
from autoswe.ports.review.runs import ReviewedHead
from autoswe.rules.review.run.ledger import RETENTION
from autoswe.rules.review.verdict.tiers import Tier


class ApprovalTable:
    """The intents in the table; every method raises ``Contended`` and ``MalformedRow``. Times are to the second."""

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)
        self._now = now

    def intent(self, head: ReviewedHead) -> ApprovalIntent | None:
        """Read the latest intent to approve a head."""
        row = self._rows.read(_place(head))
        return None if row is None else from_row(ApprovalIntent, row)

    def intend(self, head: ReviewedHead, namespace: str, tier: Tier) -> None:
        """Record that a run is about to approve a head under a tier, now.

        Raises pydantic's ``ValidationError`` for a tier that cannot be approved.
        """
        written = {"namespace": namespace, "tier": tier, "intended_at": timestamp(self._now())}
        intent = ApprovalIntent.model_validate(written)
        self._rows.write(put({**_place(head), **to_row(intent), "expires_at": epoch(self._now() + RETENTION)}))

    def approved(self, head: ReviewedHead, namespace: str, review_url: str) -> None:
        """Record the page of the approval that a run has written; another run's intent is left as it is."""
        self._rows.write(update(_place(head), {"review_url": review_url}, expect={"namespace": namespace}))


def _place(head: ReviewedHead) -> Key:
    return {"pk": key("APPROVAL", head.repository.casefold(), str(head.number)), "sk": head.head_sha}
