"""Archives of a commit, which are fetched at another address than the API's.

Source: "Download a repository archive (tar)": the address of a private repository's archive expires in five minutes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.github_host.answers.errors import not_found
from infra.local.github_host.answers.tickets import Tickets
from infra.local.github_host.git.repositories import GitRepository

LIFE = timedelta(minutes=5)


@dataclass
class Archives:
    """The archives that may be fetched."""

    _tickets: Tickets[tuple[GitRepository, str]] = field(default_factory=lambda: Tickets(LIFE))

    def ticket(self, repository: GitRepository, sha: str, now: datetime) -> str:
        """Allow whoever shows the returned text to fetch one commit's archive."""
        return self._tickets.give((repository, sha), now)

    def fetch(self, full_name: str, sha: str, ticket: str | None, now: datetime) -> bytes:
        """Return the archive; its one top folder is ``owner-name-`` and seven digits of the commit.

        ApiError 404 when the ticket is not for this, or too old.
        """
        repository, allowed = self._tickets.redeem(ticket, now) or (None, None)
        if repository is None or (repository.full_name, allowed) != (full_name, sha):
            raise not_found()
        return repository.store.archive(sha, f"{full_name.replace('/', '-')}-{sha[:7]}")
