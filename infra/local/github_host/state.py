"""What all rooms share: time, numbers, accounts and Apps, one lock, and who hears of changes.

Whoever changes something does so inside ``change()``. What follows from a change - webhooks, a scenario's push hooks -
happens in the same thread once the outermost change is complete and the lock is free, so a receiver may call back.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from infra.local.github_host.answers.links import Links
from infra.local.github_host.events import Event
from infra.local.github_host.identifiers import Sequences
from infra.local.github_host.limits import Limits
from infra.local.github_host.people.accounts import Account, AccountType
from infra.local.github_host.people.apps import App
from infra.local.github_host.people.permissions import complete

APP_OWNER = "app-makers"
ACTIONS_APP_ID = 15368


class Recorder(Protocol):
    """Whoever keeps what was; called under the lock when an outermost change begins, and when it has succeeded."""

    def __call__(self, *, begins: bool) -> None:
        """Look at everything; ``begins`` says that a change is about to begin."""


class _Scope(threading.local):
    """How deep in changes this thread is, and what it owes once it is out of them."""

    def __init__(self) -> None:
        self.depth = 0
        self.consequences: deque[Callable[[], object]] = deque()


@dataclass(eq=False)
class State:
    """Accounts, Apps and what hears of changes: as much of ``HostState`` as the rooms need that it is made of."""

    clock: Callable[[], datetime]
    links: Links
    enterprise_version: str | None = None
    limits: Limits = field(default_factory=Limits)
    sequences: Sequences = field(default_factory=Sequences)
    accounts: dict[str, Account] = field(default_factory=dict)
    apps: dict[int, App] = field(default_factory=dict)
    nodes: dict[str, object] = field(default_factory=dict)
    listeners: list[Callable[[Event], None]] = field(default_factory=list)
    recorders: list[Recorder] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    _scope: _Scope = field(default_factory=_Scope)

    def now(self) -> datetime:
        """Return the host's time in UTC, to the second as GitHub keeps it."""
        return self.clock().astimezone(UTC).replace(microsecond=0)

    @contextmanager
    def change(self) -> Iterator[None]:
        """Hold the lock; when the outermost change succeeds, let its consequences happen after the lock is free."""
        scope = self._scope
        with self.lock:
            self._record(begins=True)
            scope.depth += 1
            try:
                yield
            except BaseException:
                scope.consequences.clear()
                raise
            finally:
                scope.depth -= 1
            self._record(begins=False)
        while scope.depth == 0 and scope.consequences:
            scope.consequences.popleft()()

    def _record(self, *, begins: bool) -> None:
        if self._scope.depth == 0:
            for recorder in self.recorders:
                recorder(begins=begins)

    def afterwards(self, consequence: Callable[[], object]) -> None:
        """Let something happen after the change that this thread is in."""
        self._scope.consequences.append(consequence)

    def announce(self, event: Event) -> None:
        """Tell the listeners what happened, while it is still true."""
        for listener in self.listeners:
            listener(event)

    def register(self, node_id: str, node: object) -> None:
        """Make an object findable by its global id."""
        self.nodes[node_id] = node

    def account(self, login: str) -> Account | None:
        """Look up an account; logins are not case-sensitive."""
        return self.accounts.get(login.lower())

    def add_account(self, login: str, kind: AccountType, name: str | None = None) -> Account:
        """Create an account; ValueError when the login is taken."""
        if login.lower() in self.accounts:
            raise ValueError(f"the login {login!r} is taken")
        account = Account(self.sequences.next("account"), login, kind, name)
        self.accounts[login.lower()] = account
        return account

    def add_app(
        self,
        slug: str,
        *,
        permissions: Mapping[str, str],
        events: Iterable[str] = (),
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
        app_id: int | None = None,
    ) -> App:
        """Register an App and its bot account; ValueError for a permission that GitHub does not know."""
        owner = self.account(APP_OWNER) or self.add_account(APP_OWNER, AccountType.ORGANIZATION)
        app = App(
            app_id=app_id or self.sequences.next("app"),
            slug=slug,
            owner=owner,
            bot=self.add_account(f"{slug}[bot]", AccountType.BOT),
            permissions=complete(permissions),
            events=tuple(events),
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            created_at=self.now(),
        )
        self.apps[app.app_id] = app
        return app

    def actions_app(self) -> App:
        """Return GitHub Actions, the App that reports what workflows do."""
        known = self.apps.get(ACTIONS_APP_ID)
        return known or self.add_app("github-actions", permissions={"checks": "write"}, app_id=ACTIONS_APP_ID)
