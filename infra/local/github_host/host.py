"""The GitHub host: everything a scenario, a demo or a developer's session does with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.access.tokens import Tokens
from infra.local.github_host.answers.links import Links
from infra.local.github_host.checks.job_logs import JobLogs
from infra.local.github_host.events import Event
from infra.local.github_host.git.archives import Archives
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.git.store import GitStore
from infra.local.github_host.host_state import HostState
from infra.local.github_host.http.calls import Calls
from infra.local.github_host.http.dispatch import Dispatch
from infra.local.github_host.http.faults import Faults
from infra.local.github_host.http.server import GRAPHQL_ROOT, REST_ROOT, Server
from infra.local.github_host.limits import Limits
from infra.local.github_host.people.accounts import Account, AccountType, Collaborators
from infra.local.github_host.people.apps import App
from infra.local.github_host.replicas import Replicas
from infra.local.github_host.repository import Repository
from infra.local.github_host.rest.routing import Services
from infra.local.github_host.webhooks.deliveries import Attempt, Delivery, Webhooks
from infra.local.github_host.webhooks.payloads import EVENTS, UNASKED


class GitHubHost:
    """A GitHub on the loopback interface, whose repositories are bare git repositories below ``root``.

    Use it as a context manager; it answers HTTP inside. ``clock`` is its only time. ``links`` replaces the addresses
    that answers and webhooks contain, which are otherwise the server's own. ``enterprise_version``, such as ``3.19.0``,
    makes it a GitHub Enterprise Server: it says so in its answers and webhooks, and limits no rates.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        root: Path,
        *,
        links: Links | None = None,
        enterprise_version: str | None = None,
    ) -> None:
        self._root = root
        self._server = Server(lambda: self._dispatch)
        self.url = self._server.url
        self.api_url = self.url + REST_ROOT
        self.graphql_url = self.url + GRAPHQL_ROOT
        self.state = HostState(clock, links or Links.of_server(self.url), enterprise_version)
        self.webhooks = Webhooks(self.state)
        self.state.listeners.append(self.webhooks.hear)
        self.replicas = Replicas(self.state)
        services = Services(self.state, Tokens(self.state.limits), self.webhooks, Archives(), JobLogs(), self.replicas)
        self._dispatch = Dispatch(services)

    def __enter__(self) -> GitHubHost:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop answering, cut off whoever still waits, and leave the repositories on disk."""
        self._server.stop()
        self.webhooks.close()
        for repository in self.state.repositories.values():
            repository.store.close()

    @property
    def calls(self) -> Calls:
        """Every API request so far, in the order of arrival."""
        return self._dispatch.calls

    @property
    def faults(self) -> Faults:
        """Where calls are made to fail."""
        return self._dispatch.faults

    def outage(self, seconds: float, *, operation: str = "*", status: int | None = 503, begins_in: float = 0) -> None:
        """Be away for so long by the host's clock, whole or for the operations that fit a pattern."""
        self.faults.outages.plan(seconds, operation=operation, status=status, begins_in=begins_in)

    @property
    def limits(self) -> Limits:
        """Bounds that may be lowered to see what happens at them."""
        return self.state.limits

    @property
    def deliveries(self) -> Sequence[Delivery]:
        """Every webhook so far, also those built and not sent."""
        return tuple(self.webhooks.deliveries)

    def deliver(self, delivery: Delivery) -> Attempt:
        """Send a delivery, for the first time or once more; any thread may."""
        return self.webhooks.deliver(delivery)

    def redeliver(self, guid: str) -> list[Attempt]:
        """Send every delivery of an event again, under the same guid."""
        return self.webhooks.redeliver(guid)

    def add_user(self, login: str, *, name: str | None = None) -> Account:
        """Create a person's account."""
        with self.state.change():
            return self.state.add_account(login, AccountType.USER, name)

    def delete_account(self, account: Account) -> None:
        """Delete an account; what it wrote stays, without an author."""
        with self.state.change():
            account.deleted = True

    def add_app(
        self,
        slug: str,
        *,
        permissions: Mapping[str, str],
        events: Iterable[str] = (),
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
    ) -> App:
        """Register a GitHub App; ValueError for a permission or an event that the host does not know."""
        subscribed = tuple(events)
        offered = EVENTS - UNASKED
        unknown = sorted(set(subscribed) - offered)
        if unknown:
            raise ValueError(f"Apps cannot subscribe to {', '.join(unknown)} here, but to {', '.join(sorted(offered))}")
        with self.state.change():
            return self.state.add_app(
                slug,
                permissions=permissions,
                events=subscribed,
                webhook_url=webhook_url,
                webhook_secret=webhook_secret,
            )

    def ping(self, app: App, *, deliver: bool = True) -> None:
        """Tell an App that its webhook works."""
        with self.state.change():
            self.state.announce(Event("ping", None, app, sender=app.owner, deliver=deliver))

    def add_repository(
        self,
        full_name: str,
        *,
        clone_from: Path | None = None,
        branch: str | None = None,
        private: bool = True,
        fork_of: Repository | None = None,
    ) -> Repository:
        """Create a repository: empty, a copy of one on disk, or a fork.

        ``branch`` is its default branch: ``main``, or the one checked out in what it is copied from. The owner
        becomes an organization unless there is such an account.
        """
        login, _, name = full_name.partition("/")
        if not login or not name or self.state.repository(full_name) is not None:
            raise ValueError(f"{full_name!r} is not a free owner/name")
        source = fork_of.store.path if fork_of is not None else clone_from
        with self.state.change():
            number = self.state.sequences.next("repository")
            path = self._root / login / f"{name}.git"
            if path.exists():
                # What was there has another name now, and its folder still.
                path = path.with_name(f"{name}-{number}.git")
            owner = self.state.account(login) or self.state.add_account(login, AccountType.ORGANIZATION)
            store = GitStore.create(path, branch or "main") if source is None else GitStore.clone(path, source)
            default = branch or store.head_branch()
            if default is None or (source is not None and store.tip(default) is None):
                store.close()
                raise ValueError(f"{source} has no branch {default or 'checked out'}; name one that it has")
            repository = Repository(
                id=number,
                name=name,
                owner=owner,
                default_branch=default,
                private=private,
                store=store,
                state=self.state,
                collaborators=Collaborators(owner, private),
                created_at=self.state.now(),
                fork_of=fork_of,
                all_repositories=self.state.repositories,
            )
            self.state.repositories[full_name.lower()] = repository
            self.state.moved.pop(full_name.lower(), None)
            self.state.register(repository.node_id, repository)
            return repository

    def rename(self, repository: Repository, name: str, *, by: Account | None = None) -> None:
        """Give a repository another name, under which the old one still finds it; ValueError when that is taken."""
        self.state.move(repository, name, repository.owner, by=by or repository.owner)

    def transfer(
        self,
        repository: Repository,
        owner: str,
        *,
        by: Account | None = None,
        seen_by: Sequence[Installation] = (),
    ) -> None:
        """Give a repository to another account, which becomes an organization unless there is one of that login.

        ``seen_by`` are the new owner's installations on all repositories, which see it at once; others see it when
        they are installed on it there.
        """
        with self.state.change():
            account = self.state.account(owner) or self.state.add_account(owner, AccountType.ORGANIZATION)
            for installation in seen_by:
                installation.repositories.append(repository)
            self.state.move(repository, repository.name, account, by=by or repository.owner)

    def delete_repository(self, repository: GitRepository) -> None:
        """Delete a repository; pull requests from it stay, without a head repository."""
        with self.state.change():
            repository.deleted = True
            del self.state.repositories[repository.full_name.lower()]
            repository.store.close()

    def install(
        self, app: App, repositories: Sequence[Repository], *, permissions: Mapping[str, str] | None = None
    ) -> Installation:
        """Install an App on repositories of one account, with the permissions it asks for or with others."""
        owners = {repository.owner.login: repository.owner for repository in repositories}
        if len(owners) != 1:
            raise ValueError(f"an installation is on repositories of one account, not of {sorted(owners)}")
        with self.state.change():
            installation = Installation(
                id=self.state.sequences.next("installation"),
                app=app,
                account=next(iter(owners.values())),
                permissions=dict(permissions or app.permissions),
                created_at=self.state.now(),
                state=self.state,
                repositories=list(repositories),
            )
            self.state.installations[installation.id] = installation
            installation.announce("created")
            return installation
