"""Mints one token per step, with exactly the permissions that the step's function may have.

It is for one repository; a scan's is for those that it reads, or for all of the installation's.

Source: Create an installation access token for an app.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Final

import httpx
from pydantic import JsonValue, StringConstraints, TypeAdapter

from autoswe.contracts.model import PositiveInt
from autoswe.contracts.records.platform import Connection
from autoswe.github.transport.credentials import app_credential
from autoswe.github.transport.http import Credential, Request, Transport
from autoswe.github.transport.refusals import judge
from autoswe.github.transport.shape import Shape, Unreadable, read_shape
from autoswe.ports.clock import Clock
from autoswe.ports.github import Forbidden, Gone, PartialAnswer, Refused

# What selects a pull request, and what has to be true of it still when it is approved.
_REVIEWED = {"checks": "read", "contents": "read", "metadata": "read", "pull_requests": "read", "statuses": "read"}

PERMISSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "resolve_intake": {"metadata": "read", "pull_requests": "read"},
    "gather_feedback": {"contents": "read", "metadata": "read", "pull_requests": "read"},
    "gather_feedback, of CI": {"actions": "read", "checks": "read", "metadata": "read", "statuses": "read"},
    "push_fix": {"contents": "write", "metadata": "read", "pull_requests": "read"},
    "poll_ci": {
        "actions": "read",
        "checks": "read",
        # GraphQL reads the commit itself on the way to what reports on it.
        "contents": "read",
        "metadata": "read",
        "pull_requests": "read",
        "statuses": "read",
    },
    "respond": {"issues": "write", "metadata": "read", "pull_requests": "write"},
    "select_pulls": _REVIEWED,
    "prepare_review": {"contents": "read", "metadata": "read"},
    "apply_review": _REVIEWED,
    "apply_review, to approve": {"metadata": "read", "pull_requests": "write"},
}
"""What each function's token may do; whoever is not among ``WRITERS`` only reads."""

WRITERS = frozenset({"push_fix", "respond", "apply_review, to approve"})
"""The functions that ever hold a token which can write."""

# Until GitHub's machines have all heard of a new token, some answer 401 to it.
_FRESH = timedelta(seconds=10)


class _Repository(Shape):
    id: PositiveInt | None = None
    full_name: str


class _Minted(Shape):
    token: Annotated[str, StringConstraints(pattern=r"^[!-~]+$")]
    permissions: dict[str, str]
    repositories: list[_Repository] | None = None


_MINTED = TypeAdapter(_Minted)


class StepToken:
    """The token of one step, minted when it is first needed and the same from then on."""

    def __init__(
        self,
        transport: Transport,
        connection: Connection,
        private_key: Callable[[], str],
        now: Clock,
        function: str,
        repositories: Sequence[str] | int,
    ) -> None:
        """Remember whom the token is for.

        ``function`` is a key of ``PERMISSIONS``; ``private_key`` returns the App's PEM. ``repositories`` is one by its
        number, or names, in full or without their owner, each once; none stands for all of the installation's.
        """
        self._transport = transport
        self._connection = connection
        self._private_key = private_key
        self._now = now
        self._permissions = PERMISSIONS[function]
        self._repositories = repositories
        self._name = f"a token for {_told(repositories)}"
        self._credential: Credential | None = None
        self._granted: Sequence[_Repository] = ()

    def __call__(self) -> Credential:
        """Return the token's credential; raises ``Forbidden`` when the host refuses, or grants more than asked."""
        if self._credential is None:
            self._credential = self._mint()
        return self._credential

    def repository(self) -> str:
        """Return the full name of the one repository that the token is for, as the host gives it now."""
        self()
        [granted] = self._granted
        return granted.full_name

    def _mint(self) -> Credential:
        asked: dict[str, JsonValue] = {"permissions": dict(self._permissions)}
        if isinstance(self._repositories, int):
            asked["repository_ids"] = [self._repositories]
        elif self._repositories:
            asked["repositories"] = list(map(_short, self._repositories))
        request = Request(
            name=self._name,
            method="POST",
            url=httpx.URL(
                f"{self._connection.api_url.rstrip('/')}/app/installations/{self._connection.installation_id}/access_tokens"
            ),
            credential=app_credential(self._connection.app_id, self._private_key(), self._now()),
            # Another token does no harm, so a lost answer may be asked for again.
            is_read=True,
            body=json.dumps(asked).encode(),
        )
        try:
            minted = read_shape(_MINTED, self._transport.send(request, judge).content)
        except (Gone, Refused) as error:
            # The installation or a permission is missing, which says nothing of what the step is about to ask for.
            raise Forbidden(str(error)) from error
        except Unreadable as unreadable:
            raise PartialAnswer(f"{request.name}: {unreadable}") from None
        self._refuse_more_than_asked(minted)
        self._granted = minted.repositories or ()
        return Credential(minted.token, fresh_until=self._now() + _FRESH)

    def _refuse_more_than_asked(self, minted: _Minted) -> None:
        if not minted.permissions.items() <= self._permissions.items():
            raise Forbidden(f"{self._name} came with permissions that were not asked for")
        if not isinstance(self._repositories, int) and not self._repositories:
            return
        if minted.repositories is None:
            raise PartialAnswer(f"{self._name} came without word of what it is for")
        if isinstance(self._repositories, int):
            if [repository.id for repository in minted.repositories] != [self._repositories]:
                raise Forbidden(f"{self._name} came for something else")
            return
        granted = sorted((repository.full_name.casefold() for repository in minted.repositories), key=_short)
        asked = sorted(map(str.casefold, self._repositories), key=_short)
        if len(granted) != len(asked) or not all(map(_names, asked, granted)):
            raise Forbidden(f"{self._name} came for something else")


def _told(repositories: Sequence[str] | int) -> str:
    if isinstance(repositories, int):
        return f"repository {repositories}"
    return ", ".join(repositories[:3]) or "the whole installation"


def _short(repository: str) -> str:
    return repository.rpartition("/")[2]


def _names(asked: str, granted: str) -> bool:
    return granted == asked or ("/" not in asked and _short(granted) == asked)
