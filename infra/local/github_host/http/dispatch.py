"""From an API request to its answer: recorded, perhaps made to fail, authenticated, permitted, carried out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from infra.local.github_host.access.tokens import InstallationToken, app_of
from infra.local.github_host.answers.errors import ApiError, not_found
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.graphql.endpoint import execute, operation_name, prepare
from infra.local.github_host.http.admission import Admission, Caller, NotAdmitted
from infra.local.github_host.http.calls import Call, Calls
from infra.local.github_host.http.faults import Faults, TookTooLong
from infra.local.github_host.http.rate_limits import READING_POINTS, WRITING_POINTS, Charge, Resource
from infra.local.github_host.http.refusals import anonymous, moved, refusal, took_too_long
from infra.local.github_host.people.apps import App
from infra.local.github_host.replicas import LIVE
from infra.local.github_host.repository import Repository
from infra.local.github_host.rest.api import find_route
from infra.local.github_host.rest.routing import Authority, Request, Route, Services

API_VERSIONS = frozenset({"2022-11-28", "2026-03-10"})
CODELOAD_ROOT = "/codeload/"
JOB_LOGS_ROOT = "/job-logs/"
_BY_NUMBER = re.compile(r"/repositories/(\d+)((?:/.*)?)")


@dataclass(frozen=True)
class Question:
    """A request as it arrives: ``path`` is decoded, and of an API request it is what stands below the API's root."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def authorization(self) -> str | None:
        """The credential with its scheme."""
        return self.headers.get("Authorization")


@dataclass
class Dispatch:
    """Answer requests."""

    services: Services
    calls: Calls = field(default_factory=Calls)
    faults: Faults = field(init=False)

    def __post_init__(self) -> None:
        self.faults = Faults(self.services.state.clock)
        self._admission = Admission(self.services.state)

    def rest(self, question: Question) -> Reply:
        """Answer a REST request."""
        try:
            route, parameters = find_route(question.method, self._named(question.path))
        except ApiError as error:
            unknown = refusal(error, "rest")
            return self._recorded(question, f"{question.method} unknown", lambda _call: unknown, lambda: None)

        def carry_out(call: Call) -> Reply:
            try:
                return self._carry_out(route, parameters, question, call)
            except ApiError as error:
                return refusal(error, f"rest/{route.documentation}")

        return self._recorded(question, route.operation, carry_out, lambda: self._caller(route, question))

    def graphql(self, question: Question) -> Reply:
        """Answer a GraphQL request."""
        state = self.services.state

        def token() -> InstallationToken:
            return self.services.tokens.find(question.authorization, state.now())

        def carry_out(call: Call) -> Reply:
            try:
                caller = token()
                call.app, call.installation_id = caller.installation.app.slug, caller.installation.id
                operation = prepare(_json(question.body), state.limits.query_nodes)
                points = WRITING_POINTS if operation.writes else READING_POINTS
                headers = self._admission.charge(caller, Charge(Resource.GRAPHQL, operation.points, points))
                with state.change():
                    view = LIVE if operation.writes else self.services.replicas.view(call.operation)
                    return execute(state, operation, caller, headers, view)
            except ApiError as error:
                return refusal(error, "graphql")

        return self._recorded(question, f"graphql {operation_name(question.body)}", carry_out, token)

    def codeload(self, question: Question) -> Reply:
        """Answer the request for an archive, whose address is its permission.

        It is no API request and not recorded, yet can be made to fail, as ``GET codeload``.
        """

        def carry_out(now: datetime) -> Reply:
            owner, name, _, sha = [*question.path.removeprefix(CODELOAD_ROOT).split("/"), "", "", ""][:4]
            ticket = question.query.get("token")
            try:
                return Reply(200, self.services.archives.fetch(f"{owner}/{name}", sha, ticket, now))
            except ApiError as error:
                return Reply(error.status, error.message)

        return self._elsewhere(question, "codeload", carry_out)

    def job_log(self, question: Question) -> Reply:
        """Answer the request for a job's log, whose address is its permission.

        It is no API request and not recorded, yet can be made to fail, as ``GET job-log``.
        """
        ticket, authorization, part = question.query.get("sig"), question.authorization, question.headers.get("Range")
        logs = self.services.job_logs
        return self._elsewhere(question, "job-log", lambda now: logs.fetch(ticket, authorization, part, now))

    def _elsewhere(self, question: Question, name: str, carry_out: Callable[[datetime], Reply]) -> Reply:
        state = self.services.state

        def proceed() -> Reply:
            with state.lock:
                return carry_out(state.now())

        return self.faults.around(Call(question.method, question.path, f"{question.method} {name}"), proceed)

    def _recorded(
        self,
        question: Question,
        operation: str,
        carry_out: Callable[[Call], Reply],
        caller: Callable[[], Caller | None],
    ) -> Reply:
        call = Call(question.method, question.path, operation)
        # GraphQL posts its questions, too.
        if question.method == "GET" or call.over_graphql:
            call.question = (f"{question.path}?{sorted(question.query.items())}", question.body)
        self.calls.add(call)
        if not question.headers.get("User-Agent"):
            call.status = 403
            return anonymous()
        try:
            with self._admission.one_more(question.authorization):
                reply = self.faults.around(call, lambda: carry_out(call))
        except NotAdmitted as refused:
            reply = refused.reply
        except TookTooLong as ended:
            self._penalise(caller, call)
            reply = took_too_long(ended.status, over_graphql=call.over_graphql)
        call.status = reply.status
        return reply

    def _penalise(self, caller: Callable[[], Caller | None], call: Call) -> None:
        with suppress(ApiError):
            known = caller()
            if known is not None:
                self._admission.penalise(known, Resource.GRAPHQL if call.over_graphql else Resource.REST)

    def _carry_out(self, route: Route, parameters: Mapping[str, Any], question: Question, call: Call) -> Reply:
        version = question.headers.get("X-GitHub-Api-Version")
        if version is not None and version not in API_VERSIONS:
            raise ApiError(400, f"The API version {version!r} in X-GitHub-Api-Version is not supported")
        state = self.services.state
        caller = self._caller(route, question)
        app = caller if isinstance(caller, App) else caller.installation.app
        call.app, call.installation_id = app.slug, None if isinstance(caller, App) else caller.installation.id
        points = WRITING_POINTS if route.writes else READING_POINTS
        limits = self._admission.charge(caller, Charge(Resource.REST, 1, points, route.creates_content))
        with state.change():
            address = self._new_address(parameters, question, caller)
            if address is not None:
                return moved(question.method, address)
            target = self._target(route, parameters, caller)
            request = Request(
                services=self.services,
                path=parameters,
                query=question.query,
                body=_json(question.body) if route.writes and question.body else {},
                url=state.links.api + quote(question.path),
                caller=caller,
                target=target,
                view=LIVE if route.writes else self.services.replicas.view(route.operation),
            )
            reply = route.handler(request)
        accepted = {"X-Accepted-GitHub-Permissions": route.accepted_permissions} if route.needs else {}
        return Reply(reply.status, reply.body, {**limits, **accepted, **reply.headers})

    def _named(self, path: str) -> str:
        """Return the address by name of what is below a repository's number, which redirects lead to."""
        by_number = _BY_NUMBER.fullmatch(path)
        repository = None if by_number is None else self.services.state.repository_of_id(int(by_number[1]))
        return path if by_number is None or repository is None else f"/repos/{repository.full_name}{by_number[2]}"

    def _new_address(self, parameters: Mapping[str, Any], question: Question, caller: Caller) -> str | None:
        """Return where a repository is found by its number that moved away from the name it is asked for by."""
        state = self.services.state
        if isinstance(caller, App) or "owner" not in parameters:
            return None
        full_name = f"{parameters['owner']}/{parameters['repo']}"
        found = None if state.repository(full_name) else state.repository_once(full_name)
        if found is None or not caller.sees(found):
            return None
        below = quote(question.path.removeprefix(f"/repos/{full_name}"))
        query = f"?{urlencode(question.query)}" if question.query else ""
        return f"{state.links.api}/repositories/{found.id}{below}{query}"

    def _caller(self, route: Route, question: Question) -> Caller:
        now = self.services.state.now()
        if route.authority is Authority.APP:
            return app_of(question.authorization, self.services.state.apps, now)
        return self.services.tokens.find(question.authorization, now)

    def _target(self, route: Route, parameters: Mapping[str, Any], caller: Caller) -> Repository | None:
        if isinstance(caller, App) or "owner" not in parameters:
            return None
        repository = self.services.state.repository(f"{parameters['owner']}/{parameters['repo']}")
        if repository is None or not caller.sees(repository):
            raise not_found()
        allowed = caller.acts_on(repository) and caller.allows_any(route.needs)
        if not allowed and not (route.public and not repository.private):
            accepted = {"X-Accepted-GitHub-Permissions": route.accepted_permissions}
            raise ApiError(403, route.denial, headers=accepted)
        if route.writes and repository.archived:
            raise ApiError(403, "Repository was archived so is read-only.")
        return repository


def _json(body: bytes) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except ValueError:
        raise ApiError(400, "Problems parsing JSON") from None
    if not isinstance(content, dict):
        raise ApiError(400, "Body should be a JSON object")
    return content
