"""All that the host knows: what every room shares, the repositories, and the Apps installed on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.repository import Repository
from infra.local.github_host.state import State


@dataclass(eq=False)
class HostState(State):
    """Everything on the host."""

    installations: dict[int, Installation] = field(default_factory=dict)
    repositories: dict[str, Repository] = field(default_factory=dict)

    def repository(self, full_name: str) -> Repository | None:
        """Look up a repository by ``owner/name``; names are not case-sensitive."""
        return self.repositories.get(full_name.lower())

    def installations_on(self, repository: GitRepository) -> list[Installation]:
        """List the active installations that see a repository."""
        return [one for one in self.installations.values() if one.active and repository in one.repositories]
