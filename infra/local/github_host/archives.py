"""Archives that are fetched without a credential, by whoever holds a short-lived address."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.github_host.errors import not_found
from infra.local.github_host.repository import Repository

TICKET_LIFE = timedelta(minutes=5)


@dataclass(frozen=True)
class _Ticket:
    repository: Repository
    sha: str
    expires_at: datetime


@dataclass
class Archives:
    """The permissions given out so far."""

    _tickets: dict[str, _Ticket] = field(default_factory=dict)

    def ticket(self, repository: Repository, sha: str, now: datetime) -> str:
        """Allow whoever shows the returned text to fetch one commit's archive for five minutes."""
        text = secrets.token_urlsafe(16)
        self._tickets[text] = _Ticket(repository, sha, now + TICKET_LIFE)
        return text

    def fetch(self, full_name: str, sha: str, ticket: str | None, now: datetime) -> bytes:
        """Return the archive; its one top folder is ``owner-name-`` and seven digits of the commit.

        ApiError 404 when the ticket is not for this, or too old.
        """
        found = self._tickets.get(ticket or "")
        if found is None or found.expires_at <= now or (found.repository.full_name, found.sha) != (full_name, sha):
            raise not_found()
        return found.repository.store.archive(sha, f"{full_name.replace('/', '-')}-{sha[:7]}")
