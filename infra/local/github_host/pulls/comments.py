"""What people and bots write: a text with an author, which may be edited and deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App


@dataclass(eq=False)
class Remark:
    """A written text; ``edited_at`` is None until somebody changes it, ``app`` is the App whose token wrote it."""

    id: int
    author: Account
    body: str
    created_at: datetime
    updated_at: datetime
    edited_at: datetime | None = None
    deleted: bool = False
    app: App | None = None

    def rewrite(self, body: str, at: datetime) -> dict[str, object]:
        """Replace the text and return what a webhook says of the change."""
        changes: dict[str, object] = {"body": {"from": self.body}}
        self.body = body
        self.updated_at = self.edited_at = at
        return changes
