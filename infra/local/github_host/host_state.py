"""All that the host knows: what every room shares, the repositories, and the Apps installed on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.events import Event
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.repository import Repository
from infra.local.github_host.state import State


@dataclass(eq=False)
class HostState(State):
    """Everything on the host; ``moved`` are repositories by the names that they had before."""

    installations: dict[int, Installation] = field(default_factory=dict)
    repositories: dict[str, Repository] = field(default_factory=dict)
    moved: dict[str, Repository] = field(default_factory=dict)

    def repository(self, full_name: str) -> Repository | None:
        """Look up a repository by ``owner/name``; names are not case-sensitive."""
        return self.repositories.get(full_name.lower())

    def repository_of_id(self, repository_id: int) -> Repository | None:
        """Look up a repository by its number, which it keeps under every name."""
        return next((one for one in self.repositories.values() if one.id == repository_id), None)

    def repository_once(self, full_name: str) -> Repository | None:
        """Look up a repository by a name that it had before and that nothing else has now."""
        found = self.moved.get(full_name.lower())
        return None if found is None or found.deleted else found

    def move(self, repository: Repository, name: str, owner: Account, *, by: Account) -> None:
        """Give a repository another name or owner; the old name leads to the new one, and Apps hear the new one.

        Only installations of its new owner see it from now on. Sources: "Renaming a repository", "Transferring a
        repository", "Webhook events and payloads". ValueError for a name that is taken.
        """
        before, former = repository.full_name, repository.owner
        after = f"{owner.login}/{name}"
        if self.repository(after) not in {None, repository}:
            raise ValueError(f"{after!r} is taken")
        with self.change():
            del self.repositories[before.lower()]
            old_name, repository.name, repository.owner = repository.name, name, owner
            repository.collaborators.owner = owner
            self.moved[before.lower()] = repository
            self.moved.pop(after.lower(), None)
            self.repositories[after.lower()] = repository
            for installation in self.installations.values():
                if installation.account is not owner and repository in installation.repositories:
                    installation.repositories.remove(repository)
            if former is owner:
                renamed = {"repository": {"name": {"from": old_name}}}
                self.announce(Event("repository", "renamed", repository, by, repository, {"changes": renamed}))
            else:
                self.announce(Event("repository", "transferred", repository, by, repository, {"former": former}))

    def installations_on(self, repository: GitRepository) -> list[Installation]:
        """List the active installations that see a repository."""
        return [one for one in self.installations.values() if one.active and repository in one.repositories]
