"""Who is let in: every request is charged to its caller, and refused where a limit is reached.

Source: "Rate limits for the REST API", "Rate limits and query limits for the GraphQL API". An Enterprise Server limits
no rates unless its administrator asks for it ("Configuring rate limits").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from infra.local.github_host.access.tokens import InstallationToken
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.host_state import HostState
from infra.local.github_host.http.rate_limits import Charge, PrimaryLimit, Resource, SecondaryLimits, Window
from infra.local.github_host.http.refusals import CONTENT_LIMIT, SECONDARY_LIMIT, exhausted, throttled
from infra.local.github_host.people.apps import App

Caller = App | InstallationToken


class NotAdmitted(Exception):
    """The request is not carried out, but answered with ``reply``."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


class Admission:
    """What each caller used of its limits, and how many requests it has under way."""

    def __init__(self, state: HostState) -> None:
        self._state = state
        self._primary = PrimaryLimit(state.limits)
        self._secondary = SecondaryLimits(state.limits)
        self._under_way: Counter[str | None] = Counter()

    @contextmanager
    def one_more(self, credential: str | None) -> Iterator[None]:
        """Let a request be under way; NotAdmitted, without a time to wait, when there are too many of a credential."""
        with self._state.lock:
            if self._under_way[credential] >= self._state.limits.concurrent_requests:
                raise NotAdmitted(throttled(SECONDARY_LIMIT, {}))
            self._under_way[credential] += 1
        try:
            yield
        finally:
            with self._state.lock:
                self._under_way[credential] -= 1

    def charge(self, caller: Caller, charge: Charge) -> dict[str, str]:
        """Count a request and return the headers that say how much is left; NotAdmitted when a limit is reached.

        An Enterprise Server counts nothing and says nothing.
        """
        if self._state.enterprise_version is not None:
            return {}
        now, name = self._state.now(), _name(caller)
        with self._state.lock:
            limit = self._secondary.spend(name, charge, now)
            if limit is not None:
                message = CONTENT_LIMIT if limit.window is Window.CONTENT else SECONDARY_LIMIT
                raise NotAdmitted(throttled(message, {"Retry-After": str(limit.wait_seconds)}))
            within, headers = self._primary.spend(name, charge, now)
        if not within:
            raise NotAdmitted(exhausted(name, headers, over_graphql=charge.resource is Resource.GRAPHQL))
        return headers

    def penalise(self, caller: Caller, resource: Resource) -> None:
        """Count a point beyond its own for a request that took too long; GitHub does not say how many it takes."""
        with self._state.lock:
            self._primary.spend(_name(caller), Charge(resource), self._state.now())


def _name(caller: Caller) -> str:
    return f"app ID {caller.app_id}" if isinstance(caller, App) else f"installation ID {caller.installation.id}"
