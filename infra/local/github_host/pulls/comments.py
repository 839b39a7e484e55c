"""What reviews, review comments and issue comments share, which GraphQL calls the interface ``Comment``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.state import State


class Commented(Protocol):
    """A pull request as what is written on it knows it."""

    number: int

    @property
    def repository(self) -> CheckedRepository:
        """What it is to be merged into."""

    @property
    def state(self) -> State:
        """Where it lives."""


@dataclass(eq=False)
class Comment:
    """A text with an author.

    ``edited_at`` and ``editor`` are None until somebody changes it; whoever may write to the repository may change
    anybody's words, which stay under their author's name (Editing a comment). ``app`` is the App whose token wrote it.
    """

    id: int
    author: Account
    body: str
    created_at: datetime
    updated_at: datetime
    edited_at: datetime | None = None
    editor: Account | None = None
    deleted: bool = False
    app: App | None = None

    def rewrite(self, body: str, at: datetime, by: Account) -> dict[str, object]:
        """Replace the text and return what a webhook says of the change."""
        changes: dict[str, object] = {"body": {"from": self.body}}
        self.body = body
        self.updated_at = self.edited_at = at
        self.editor = by
        return changes
