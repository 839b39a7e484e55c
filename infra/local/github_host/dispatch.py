"""From an API request to its answer: recorded, perhaps made to fail, authenticated, permitted, carried out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from infra.local.github_host.apps import App
from infra.local.github_host.calls import Call, Calls
from infra.local.github_host.errors import ApiError, not_found
from infra.local.github_host.faults import Faults
from infra.local.github_host.graphql.endpoint import execute, operation_name
from infra.local.github_host.graphql.errors import only_errors
from infra.local.github_host.rate_limits import RateLimits
from infra.local.github_host.replies import Reply
from infra.local.github_host.repository import Repository
from infra.local.github_host.rest.api import find_route
from infra.local.github_host.rest.routing import Authority, Request, Route, Services
from infra.local.github_host.tokens import InstallationToken, app_of

API_VERSIONS = frozenset({"2022-11-28", "2026-03-10"})
CODELOAD_ROOT = "/codeload/"
_DOCUMENTATION = "https://docs.github.com"


@dataclass(frozen=True)
class Question:
    """An API request as it arrives: ``path`` is decoded and below the API's root."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Dispatch:
    """Answer API requests."""

    services: Services
    calls: Calls = field(default_factory=Calls)
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        state = self.services.state
        self._limits = RateLimits(lambda: state.limits.requests_per_hour)

    def rest(self, question: Question) -> Reply:
        """Answer a REST request."""
        try:
            route, parameters = find_route(question.method, question.path)
        except ApiError as error:
            unknown = _refusal(error, "rest")
            return self._recorded(question, f"{question.method} unknown", lambda _call: unknown)

        def carry_out(call: Call) -> Reply:
            try:
                return self._carry_out(route, parameters, question, call)
            except ApiError as error:
                return _refusal(error, f"rest/{route.documentation}")

        return self._recorded(question, route.operation, carry_out)

    def graphql(self, question: Question) -> Reply:
        """Answer a GraphQL request."""
        state = self.services.state

        def carry_out(call: Call) -> Reply:
            try:
                token = self.services.tokens.find(question.headers.get("Authorization"), state.now())
                call.app, call.installation_id = token.installation.app.slug, token.installation.id
                within, headers = self._spend(token, "graphql")
                if not within:
                    return Reply(200, only_errors([_exceeded(token)]), headers)
                with state.change():
                    return execute(state, _json(question.body), token, headers)
            except ApiError as error:
                return _refusal(error, "graphql")

        return self._recorded(question, f"graphql {operation_name(question.body)}", carry_out)

    def codeload(self, question: Question) -> Reply:
        """Answer the request for an archive, whose address is its permission.

        It is no API request and not recorded, yet can be made to fail, as ``GET codeload``.
        """
        state = self.services.state

        def carry_out() -> Reply:
            owner, name, _, sha = [*question.path.removeprefix(CODELOAD_ROOT).split("/"), "", "", ""][:4]
            try:
                with state.lock:
                    ticket, now = question.query.get("token"), state.now()
                    return Reply(200, self.services.archives.fetch(f"{owner}/{name}", sha, ticket, now))
            except ApiError as error:
                return Reply(error.status, error.message.encode())

        return self.faults.around(Call(question.method, question.path, f"{question.method} codeload"), carry_out)

    def _recorded(self, question: Question, operation: str, carry_out: Callable[[Call], Reply]) -> Reply:
        call = Call(question.method, question.path, operation)
        # GraphQL posts its questions, too.
        if question.method == "GET" or operation.startswith("graphql "):
            call.question = (f"{question.path}?{sorted(question.query.items())}", question.body)
        self.calls.add(call)
        reply = self.faults.around(call, lambda: carry_out(call))
        call.status = reply.status
        return reply

    def _carry_out(self, route: Route, parameters: Mapping[str, Any], question: Question, call: Call) -> Reply:
        version = question.headers.get("X-GitHub-Api-Version")
        if version is not None and version not in API_VERSIONS:
            raise ApiError(400, f"The API version {version!r} in X-GitHub-Api-Version is not supported")
        state = self.services.state
        caller = self._caller(route, question)
        app = caller if isinstance(caller, App) else caller.installation.app
        call.app, call.installation_id = app.slug, None if isinstance(caller, App) else caller.installation.id
        within, limits = self._spend(caller, "core")
        if not within:
            raise ApiError(403, _exceeded(caller)["message"], headers=limits)
        with state.change():
            target = self._target(route, parameters, caller)
            request = Request(
                services=self.services,
                path=parameters,
                query=question.query,
                body=_json(question.body) if route.writes and question.body else {},
                url=state.links.api + quote(question.path),
                caller=caller,
                target=target,
            )
            reply = route.handler(request)
        accepted = {"X-Accepted-GitHub-Permissions": route.accepted_permissions} if route.needs else {}
        return Reply(reply.status, reply.body, {**limits, **accepted, **reply.headers})

    def _caller(self, route: Route, question: Question) -> App | InstallationToken:
        authorization, now = question.headers.get("Authorization"), self.services.state.now()
        if route.authority is Authority.APP:
            return app_of(authorization, self.services.state.apps, now)
        return self.services.tokens.find(authorization, now)

    def _spend(self, caller: App | InstallationToken, resource: str) -> tuple[bool, dict[str, str]]:
        with self.services.state.lock:
            return self._limits.spend(_name(caller), resource, self.services.state.now())

    def _target(
        self, route: Route, parameters: Mapping[str, Any], caller: App | InstallationToken
    ) -> Repository | None:
        if isinstance(caller, App):
            return None
        repository = self.services.state.repository(f"{parameters['owner']}/{parameters['repo']}")
        if repository is None or not caller.sees(repository):
            raise not_found()
        if not caller.allows_any(route.needs):
            accepted = {"X-Accepted-GitHub-Permissions": route.accepted_permissions}
            raise ApiError(403, "Resource not accessible by integration", headers=accepted)
        if route.writes and repository.archived:
            raise ApiError(403, "Repository was archived so is read-only.")
        return repository


def _name(caller: App | InstallationToken) -> str:
    return f"app ID {caller.app_id}" if isinstance(caller, App) else f"installation ID {caller.installation.id}"


def _exceeded(caller: App | InstallationToken) -> dict[str, str]:
    return {"type": "RATE_LIMITED", "message": f"API rate limit exceeded for {_name(caller)}."}


def _refusal(error: ApiError, documentation: str) -> Reply:
    body: dict[str, Any] = {"message": error.message}
    if error.errors:
        body["errors"] = list(error.errors)
    body |= {"documentation_url": f"{_DOCUMENTATION}/{documentation}", "status": str(error.status)}
    return Reply(error.status, body, error.headers)


def _json(body: bytes) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except ValueError:
        raise ApiError(400, "Problems parsing JSON") from None
    if not isinstance(content, dict):
        raise ApiError(400, "Body should be a JSON object")
    return content
