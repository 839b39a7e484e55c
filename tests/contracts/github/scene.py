"""A small GitHub to ask things of: one repository, one pull request, one App, and a caller that judges every answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import jwt

from infra.local.github_host import Account, App, GitHubHost, Installation, Pull, Repository
from tests.contracts.github.judges import rest_complaints

EVERYTHING = {
    "actions": "read",
    "checks": "read",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "read",
}
AREA = "one\ntwo\nthree\nfour\nfive\n"
CHANGED_AREA = "one\nTWO\nthree\nfour\nfive\n"


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Return status and message of a refusal."""
    return answer.status_code, answer.json()["message"]


@dataclass
class Clock:
    """A time that stands still until it is moved."""

    now: datetime = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the present time."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


@dataclass
class Caller:
    """Asks the host with one token; a REST answer that GitHub's description does not allow fails the test."""

    host: GitHubHost
    client: httpx.Client
    token: str

    def rest(
        self, method: str, path: str, json: Any = None, *, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Ask the REST API; a path without a leading slash is one of the scene's repository."""
        where = path if path.startswith("/") else f"/repos/octo/widgets/{path}".rstrip("/")
        asked = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        answer = self.client.request(method, self.host.api_url + where, json=json, headers=asked)
        operation = self.host.calls[-1].operation
        if answer.content and not operation.endswith("unknown"):
            assert rest_complaints(operation, answer.status_code, answer.json()) == []
        return answer

    def get(self, path: str) -> Any:
        """Return what a successful GET answers."""
        answer = self.rest("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def graphql(self, query: str, operation: str | None = None, **variables: Any) -> dict[str, Any]:
        """Return what a GraphQL operation answers, errors included; name it where a document has several."""
        asked = {"query": query, "operationName": operation, "variables": variables}
        answer = self.client.post(self.host.graphql_url, json=asked, headers={"Authorization": f"Bearer {self.token}"})
        assert answer.status_code == 200, answer.text
        document: dict[str, Any] = answer.json()
        return document


@dataclass
class Scene:
    """What the tests know about the small GitHub."""

    host: GitHubHost
    clock: Clock
    client: httpx.Client
    app: App
    installation: Installation
    repository: Repository
    author: Account
    reviewer: Account
    base: str
    head: str
    pull: Pull

    def app_token(self, app: App | None = None, *, issued: int = -60, expires: int = 540) -> str:
        """Sign a token of an App; the times are seconds from now."""
        signer, now = app or self.app, int(self.clock.now.timestamp())
        claims = {"iat": now + issued, "exp": now + expires, "iss": str(signer.app_id)}
        return jwt.encode(claims, signer.private_key, algorithm="RS256")

    def as_app(self, token: str | None = None) -> Caller:
        """Call as the App itself."""
        return Caller(self.host, self.client, token or self.app_token())

    def mint(self, body: Mapping[str, Any], installation: Installation | None = None) -> httpx.Response:
        """Ask for an installation token."""
        where = installation or self.installation
        caller = self.as_app(self.app_token(where.app))
        return caller.rest("POST", f"/app/installations/{where.id}/access_tokens", dict(body))

    def caller(self, permissions: Mapping[str, str] | None = None, repositories: Sequence[str] | None = None) -> Caller:
        """Call as the installation, with all it may do or with less."""
        body: dict[str, Any] = {}
        if permissions is not None:
            body["permissions"] = dict(permissions)
        if repositories is not None:
            body["repositories"] = list(repositories)
        answer = self.mint(body)
        assert answer.status_code == 201, answer.text
        return Caller(self.host, self.client, answer.json()["token"])


@contextmanager
def open_scene(root: Path, *, enterprise_version: str | None = None) -> Iterator[Scene]:
    """Set the scene below a folder."""
    clock = Clock()
    host = GitHubHost(clock, root, enterprise_version=enterprise_version)
    with host, httpx.Client(verify=False, trust_env=False) as client:
        author, reviewer = host.add_user("abel"), host.add_user("rita")
        app = host.add_app("fixer", permissions=EVERYTHING)
        repository = host.add_repository("octo/widgets")
        repository.collaborators.set_permission(reviewer, "write")
        files = {"src/area.txt": AREA, ".github/workflows/ci.yml": "on: push\n", "README.md": "Widgets\n"}
        base = repository.commit("main", files, "Begin")
        head = repository.commit("feature/area", {"src/area.txt": CHANGED_AREA}, "Change", author=author)
        yield Scene(
            host=host,
            clock=clock,
            client=client,
            app=app,
            installation=host.install(app, [repository]),
            repository=repository,
            author=author,
            reviewer=reviewer,
            base=base,
            head=head,
            pull=repository.open_pull("feature/area", "main", author, "Change the area", "Why not?"),
        )
