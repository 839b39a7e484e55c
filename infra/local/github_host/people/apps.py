"""GitHub Apps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account

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
