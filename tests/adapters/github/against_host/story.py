"""A GitHub that keeps real repositories and enforces permissions, with the adapter connected to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autoswe.contracts.records.platform import Connection
from autoswe.github.hosts import GitHub
from autoswe.github.transport.http import open_client
from infra.local.github_host.access.installations import Installation
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.repository import Repository
from tests.support.fake_clock import FakeClock

BRANCH = "fix/issue#1-50%"
REF = f"heads/{BRANCH}"
SOURCE = "alpha\nbeta\ngamma\n"
# What the App is installed with: everything that any function asks for.
GRANTED = {
    "actions": "read",
    "checks": "read",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "read",
}


@dataclass(frozen=True)
class Entry:
    path: str
    mode: str
    content: bytes | None


@dataclass
class Story:
    """A repository with one open pull request, an App that may work on it, and the adapter."""

    host: GitHubHost
    clock: FakeClock
    repo: Repository
    pull: Pull
    alice: Account
    author: Account
    app: App
    installation: Installation
    github: GitHub
    slept: list[float]

    def operations(self) -> list[str]:
        return [call.operation for call in self.host.calls]

    def made_commit(self, content: bytes = b"fixed\n", parent: str | None = None) -> str:
        """Commit a change of ``a.txt`` on top of ``parent``, by default the pull request's head."""
        push = self.github.push_host("octo/widgets")
        base = parent or self.pull.head_sha
        tree = push.make_tree(push.tree(base).sha, [Entry("a.txt", "100644", content)])
        return push.make_commit("Fix", tree, base)

    def move(self, before: str, after: str) -> None:
        push = self.github.push_host("octo/widgets")
        push.move_ref(self.repo.node_id, REF, before, after)


@contextmanager
def tell(root: Path) -> Iterator[Story]:
    """Begin the story; ``root`` holds its repositories."""
    clock, slept = FakeClock(), list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.advance(seconds)

    with GitHubHost(clock, root) as host, open_client() as client:
        alice, author = host.add_user("alice"), host.add_user("author")
        app = host.add_app("auto-swe", permissions=GRANTED)
        repo = host.add_repository("octo/widgets")
        repo.commit(
            "main",
            {
                "a.txt": SOURCE,
                "src/b.py": b"\xff\x00",
                ".gitattributes": "secret.txt export-ignore\n",
                "secret.txt": "s",
            },
            "Start",
        )
        repo.commit(BRANCH, {"a.txt": SOURCE.replace("beta", "BETA")}, "Shout", author=author)
        pull = repo.open_pull(BRANCH, "main", author, "Shout")
        installation = host.install(app, repositories=[repo])
        connection = Connection(
            name="feedback",
            api_url=host.api_url,
            graphql_url=host.graphql_url,
            app_id=app.app_id,
            app_slug=app.slug,
            bot_id=app.bot.id,
            installation_id=installation.id,
        )
        github = GitHub(connection, lambda: app.private_key_pem, client=client, now=clock, sleep=sleep)
        yield Story(host, clock, repo, pull, alice, author, app, installation, github, slept)
