"""Apps on the repositories of an account."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from infra.local.github_host.events import Event
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.repository import Repository
from infra.local.github_host.state import State


@dataclass(eq=False)
class Installation:
    """An App on the repositories of one account, with the permissions granted there."""

    id: int
    app: App
    account: Account
    permissions: dict[str, str]
    created_at: datetime
    state: State = field(repr=False)
    repositories: list[Repository] = field(default_factory=list)
    suspended_at: datetime | None = None
    removed: bool = False

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("IN", self.id)

    @property
    def active(self) -> bool:
        """Whether the App acts and hears of anything here."""
        return not self.removed and self.suspended_at is None

    def suspend(self) -> None:
        """Stop the App here until it is allowed again."""
        with self.state.change():
            self.suspended_at = self.state.now()
            self.announce("suspend")

    def unsuspend(self) -> None:
        """Allow a suspended App again."""
        with self.state.change():
            self.suspended_at = None
            self.announce("unsuspend")

    def remove(self) -> None:
        """Uninstall the App; its tokens die at once."""
        with self.state.change():
            self.removed = True
            self.announce("deleted")

    def announce(self, action: str) -> None:
        """Tell the App about its own installation."""
        self.state.announce(Event("installation", action, self, sender=self.account))
