"""The deliveries in ``events/github``: what the host sends for a few typical events, with GitHub's own addresses.

``python -m infra.local.github_host.sample_deliveries`` writes them anew. Ids and times are always the same.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.answers.links import Links
from infra.local.github_host.events import Event
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment
from infra.local.github_host.repository import Repository

FOLDER = Path(__file__).parents[3] / "events" / "github"
COMMAND = "/auto-swe fix"
_NOW = datetime(2026, 1, 15, 9, 30, tzinfo=UTC)
_GITHUB = Links(web="https://github.com", api="https://api.github.com")
_PERMISSIONS = {
    "actions": "read",
    "checks": "read",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
_EVENTS = ("check_run", "issue_comment", "pull_request_review", "pull_request_review_comment")
_BEFORE = "def area(width, height):\n    return width + height\n"
_AFTER = "def area(width, height):\n    return width * height\n\n\ndef perimeter(a, b):\n    return a + b\n"
_SUGGESTION = "A perimeter has four sides.\n\n```suggestion\n    return 2 * (a + b)\n```"


@dataclass(frozen=True)
class SampleWorld:
    """The repository and the people of the samples; on a fresh host every id in it is the same."""

    host: GitHubHost
    app: App
    installation: Installation
    repository: Repository
    reviewer: Account
    pull: Pull

    @classmethod
    def begin(cls, host: GitHubHost) -> SampleWorld:
        """Set the scene on a host that holds nothing yet."""
        app = host.add_app("auto-swe-feedback", permissions=_PERMISSIONS, events=_EVENTS)
        repository = host.add_repository("octo/widgets")
        reviewer = host.add_user("rita-reviews")
        repository.collaborators.set_permission(reviewer, "write")
        repository.commit("main", {"geometry.py": _BEFORE}, "Add area")
        repository.commit("auto-swe/perimeter", {"geometry.py": _AFTER}, "Add perimeter", author=app.bot)
        installation = host.install(app, [repository])
        pull = repository.open_pull("auto-swe/perimeter", "main", app.bot, "Add perimeter")
        return cls(host, app, installation, repository, reviewer, pull)

    def play(self) -> dict[str, dict[str, Any]]:
        """Play the events, sending nothing, and return event, delivery id and payload of each, by name."""
        linter = self.host.add_app("some-linter", permissions={"pull_requests": "write"})

        def last(event: str) -> dict[str, Any]:
            sent = next(one for one in reversed(self.host.deliveries) if one.event == event)
            return {"event": sent.event, "delivery": sent.guid, "payload": sent.payload}

        def announced(event: str, action: str | None, about: object, sender: Account) -> dict[str, Any]:
            repository = self.repository if event == "check_run" else None
            self.host.state.announce(Event(event, action, about, sender, repository, deliver=False))
            return last(event)

        def commented(body: str, *, by_bot: bool = False) -> dict[str, Any]:
            self.pull.comment(linter.bot if by_bot else self.reviewer, body, deliver=False)
            return last("issue_comment")

        def reviewed(
            state: str, body: str, *inline: InlineComment, event: str = "pull_request_review"
        ) -> dict[str, Any]:
            self.pull.review(self.reviewer, state, body, inline, deliver=False)
            return last(event)

        check_run = self.repository.check_run(self.pull.head_sha, "tests", conclusion="failure")
        return {
            "ping": announced("ping", None, self.app, self.app.owner),
            "installation_created": announced("installation", "created", self.installation, self.installation.account),
            "review_changes_requested": reviewed(
                "request_changes", "Please.", InlineComment("geometry.py", 6, _SUGGESTION)
            ),
            "command_in_review_body": reviewed("comment", COMMAND),
            "command_in_inline_comment": reviewed(
                "comment", "", InlineComment("geometry.py", 5, COMMAND), event="pull_request_review_comment"
            ),
            "command_in_discussion": commented(COMMAND),
            "command_by_bot": commented(COMMAND, by_bot=True),
            "command_in_quote": commented(f"> {COMMAND}\n\nThat did nothing yesterday."),
            "plain_comment": commented("Nice work – thanks!"),
            "check_run": announced("check_run", "completed", check_run, check_run.suite.app.bot),
        }


def sample_deliveries(root: Path) -> dict[str, dict[str, Any]]:
    """Play the events on a host below ``root`` and return event, delivery id and payload of each, by name."""
    with GitHubHost(lambda: _NOW, root, links=_GITHUB) as host:
        return SampleWorld.begin(host).play()


def as_text(sample: Mapping[str, Any]) -> str:
    """Write a sample as its file has it."""
    return json.dumps(sample, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the files."""
    with tempfile.TemporaryDirectory() as root:
        for name, sample in sample_deliveries(Path(root)).items():
            (FOLDER / f"{name}.json").write_text(as_text(sample), encoding="utf-8")


if __name__ == "__main__":
    main()
