"""The deliveries in ``events/github``: what the host sends for a few typical events, with GitHub's own addresses.

``python -m infra.local.github_host.sample_deliveries`` writes them anew. Ids and times are always the same.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infra.local.github_host.happenings import Happening
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.links import Links
from infra.local.github_host.reviews import InlineComment

FOLDER = Path(__file__).parents[3] / "events" / "github"
COMMAND = "/auto-swe fix"
_NOW = datetime(2026, 1, 15, 9, 30, tzinfo=UTC)
_GITHUB = Links(web="https://github.com", api="https://api.github.com")
_PERMISSIONS = {"checks": "read", "contents": "write", "issues": "write", "pull_requests": "write", "statuses": "read"}
_EVENTS = ("check_run", "issue_comment", "pull_request_review", "pull_request_review_comment")
_BEFORE = "def area(width, height):\n    return width + height\n"
_AFTER = "def area(width, height):\n    return width * height\n\n\ndef perimeter(a, b):\n    return a + b\n"


def sample_deliveries(root: Path) -> dict[str, dict[str, Any]]:
    """Play the events on a host below ``root`` and return event, delivery id and payload of each, by name."""
    with GitHubHost(lambda: _NOW, root, links=_GITHUB) as host:
        app = host.add_app("auto-swe-feedback", permissions=_PERMISSIONS, events=_EVENTS)
        other_app = host.add_app("some-linter", permissions={"pull_requests": "write"})
        repository = host.add_repository("octo/widgets")
        reviewer = host.add_user("rita-reviews")
        repository.collaborators.set_permission(reviewer, "write")
        repository.commit("main", {"geometry.py": _BEFORE}, "Add area")
        head = repository.commit("auto-swe/perimeter", {"geometry.py": _AFTER}, "Add perimeter", author=app.bot)
        installation = host.install(app, [repository])
        pull = repository.open_pull("auto-swe/perimeter", "main", app.bot, "Add perimeter")

        def last() -> dict[str, Any]:
            sent = host.deliveries[-1]
            return {"event": sent.event, "delivery": sent.guid, "payload": sent.payload}

        def announced(happening: Happening) -> dict[str, Any]:
            host.state.announce(happening)
            return last()

        def commented(body: str, *, by_bot: bool = False) -> dict[str, Any]:
            pull.comment(other_app.bot if by_bot else reviewer, body, deliver=False)
            return last()

        def reviewed(state: str, body: str, *inline: InlineComment) -> dict[str, Any]:
            pull.review(reviewer, state, body, inline, deliver=False)
            return last()

        check_run = repository.check_run(head, "tests", conclusion="failure")
        return {
            "ping": announced(Happening("ping", None, app, sender=app.owner, deliver=False)),
            "installation_created": announced(
                Happening("installation", "created", installation, sender=installation.account, deliver=False)
            ),
            "review_changes_requested": reviewed("request_changes", "A perimeter has four sides."),
            "command_in_review_body": reviewed("comment", COMMAND),
            "command_in_inline_comment": reviewed("comment", "", InlineComment("geometry.py", 6, COMMAND)),
            "command_in_discussion": commented(COMMAND),
            "command_by_bot": commented(COMMAND, by_bot=True),
            "command_in_quote": commented(f"> {COMMAND}\n\nThat did nothing yesterday."),
            "plain_comment": commented("Nice work – thanks!"),
            "check_run": announced(
                Happening("check_run", "completed", check_run, check_run.suite.app.bot, repository, deliver=False)
            ),
        }


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
