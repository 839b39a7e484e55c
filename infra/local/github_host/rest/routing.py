"""Which operation a request means, who may carry it out, and what its handler gets to see."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from infra.local.github_host.access.tokens import InstallationToken, Tokens
from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.checks.job_logs import JobLogs
from infra.local.github_host.git.archives import Archives
from infra.local.github_host.host_state import HostState
from infra.local.github_host.people.apps import App
from infra.local.github_host.people.permissions import Need
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.replicas import LIVE, Replicas, View
from infra.local.github_host.repository import Repository
from infra.local.github_host.webhooks.deliveries import Webhooks

_SHA = re.compile(r"[0-9a-f]{40}")


class Authority(Enum):
    """Who may call an operation: the App itself, with a JSON Web Token, or one of its installations."""

    APP = "app"
    INSTALLATION = "installation"


@dataclass(frozen=True)
class Services:
    """The parts of the host that operations act on."""

    state: HostState
    tokens: Tokens
    webhooks: Webhooks
    archives: Archives
    job_logs: JobLogs
    replicas: Replicas


@dataclass(frozen=True)
class Request:
    """A request that may be carried out: its caller is known and has the permission.

    ``path`` holds the decoded parameters of the address, ``query`` those behind the question mark, ``body`` the JSON;
    ``view`` shows what a reading request sees.
    """

    services: Services
    path: Mapping[str, Any]
    query: Mapping[str, str]
    body: Mapping[str, Any]
    url: str
    caller: App | InstallationToken
    target: Repository | None = None
    view: View = LIVE

    @property
    def state(self) -> HostState:
        """All that the host knows."""
        return self.services.state

    @property
    def links(self) -> Links:
        """The addresses answers contain."""
        return self.state.links

    @property
    def app(self) -> App:
        """The calling App."""
        return self.caller if isinstance(self.caller, App) else self.caller.installation.app

    @property
    def token(self) -> InstallationToken:
        """The installation token of the call."""
        if isinstance(self.caller, App):
            raise ApiError(401, "Bad credentials")
        return self.caller

    @property
    def repository(self) -> Repository:
        """The repository that the address names."""
        if self.target is None:
            raise not_found()
        return self.target

    @property
    def pull(self) -> Pull:
        """The pull request that the address names, as pull or as issue."""
        number = self.path.get("pull_number", self.path.get("issue_number"))
        pull = self.repository.pulls.get(number or 0)
        if pull is None:
            raise not_found()
        return pull

    def field(self, name: str, kind: type, default: Any = ...) -> Any:
        """Return a field of the JSON body; ApiError 422 when it is missing or of another type."""
        value = self.body.get(name, default)
        if value is ...:
            raise unprocessable(f'Invalid request.\n\n"{name}" wasn\'t supplied.')
        if value is not default and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            known = {str: "a string", bool: "a boolean", list: "an array", dict: "an object", int: "an integer"}
            raise unprocessable(f"Invalid request.\n\nFor 'properties/{name}', {value!r} is not {known[kind]}.")
        return value

    def sha(self, name: str) -> str:
        """Return a field that must be a full object id; ApiError 422 otherwise."""
        value: str = self.field(name, str)
        if not _SHA.fullmatch(value):
            raise unprocessable(f"The {name} parameter must be exactly 40 characters and contain only [0-9a-f].")
        return value


Handler = Callable[[Request], Reply]


@dataclass(frozen=True)
class Route:
    """One operation: method and path template as documented, the needed permissions (any one), its handler.

    ``documentation`` is the page a refusal points to, ``creates_content`` says that people are told of what it writes,
    ``public`` that it shows everybody what is public, whatever permissions a token has; ``denial`` is what it says to
    whoever lacks the permission.
    """

    method: str
    template: str
    documentation: str
    needs: tuple[Need, ...]
    authority: Authority
    handler: Handler
    creates_content: bool
    public: bool
    denial: str

    @property
    def operation(self) -> str:
        """Method and template, as calls are recorded."""
        return f"{self.method} {self.template}"

    @property
    def writes(self) -> bool:
        """Whether the operation changes something."""
        return self.method != "GET"

    @property
    def accepted_permissions(self) -> str:
        """The value of ``X-Accepted-GitHub-Permissions``."""
        return "; ".join(map(str, self.needs))


@dataclass
class Resource:
    """The operations of one resource; used as a decorator on their handlers."""

    routes: list[Route] = field(default_factory=list)

    def operation(
        self,
        operation: str,
        documentation: str,
        needs: tuple[Need, ...] = (),
        authority: Authority = Authority.INSTALLATION,
        *,
        creates_content: bool = False,
        public: bool | None = None,
        denial: str = "Resource not accessible by integration",
    ) -> Callable[[Handler], Handler]:
        """Serve ``METHOD /path/{parameter}`` with the decorated handler; reading is public unless it says otherwise."""
        method, _, template = operation.partition(" ")
        open_to_all = method == "GET" if public is None else public

        def add(handler: Handler) -> Handler:
            self.routes.append(
                Route(method, template, documentation, needs, authority, handler, creates_content, open_to_all, denial)
            )
            return handler

        return add
