"""GitHub Apps and where they are installed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from infra.local.github_host.events import Event
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account

if TYPE_CHECKING:
    from infra.local.github_host.repository import Repository
    from infra.local.github_host.state import HostState


# Making a key takes as long as half a round: a process makes a few, and names take turns.
_MOST_KEYS = 8
_KEYS: dict[int, rsa.RSAPrivateKey] = {}
_NUMBERS: dict[str, int] = {}


@dataclass(eq=False)
class App:
    """A registered GitHub App; ``webhook_url`` may be set or cleared at any time, None sends it nothing."""

    app_id: int
    slug: str
    owner: Account
    bot: Account
    permissions: dict[str, str]
    events: tuple[str, ...]
    webhook_url: str | None
    webhook_secret: str | None
    created_at: datetime

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("A", self.app_id)

    @property
    def hook_id(self) -> int:
        """The number of the App's webhook, which each delivery names."""
        return self.app_id

    @property
    def private_key(self) -> rsa.RSAPrivateKey:
        """The App's key; so many Apps in a row have different ones, and one name always has the same."""
        number = _NUMBERS.setdefault(self.slug, len(_NUMBERS) % _MOST_KEYS)
        if number not in _KEYS:
            _KEYS[number] = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        return _KEYS[number]

    @property
    def private_key_pem(self) -> str:
        """The App's key in the form in which GitHub hands it out."""
        form = serialization.PrivateFormat.TraditionalOpenSSL
        return self.private_key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


@dataclass(eq=False)
class Installation:
    """An App on the repositories of one account, with the permissions granted there."""

    id: int
    app: App
    account: Account
    permissions: dict[str, str]
    created_at: datetime
    state: HostState = field(repr=False)
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
