"""Plays a scheduled review on this machine and prints its story: ``python -m infra.local.review.demo``.

Three repositories, eight pull requests: first a dry run that writes nothing, then a live one that approves what the
rules corroborate. The reviewer is ``rules``, which asks no model. Workflow file, handlers and container are those that
the cloud assembly deploys.
"""

import html
import logging
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule

from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.repository import Repository
from infra.local.review.assembly import ReviewSite, review_task

ORG = "octo"
OLD, NEW = "1" * 40, "2" * 40
WORKFLOW = f"""\
name: Tests
on: [push]
permissions: {{}}
jobs:
  tests:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@{OLD} # v4.1.0
      - run: make test
"""
BASE = {
    ".github/workflows/tests.yaml": WORKFLOW,
    "README.md": "# A project\n",
    "app.py": "limit = 1\n",
    "requirements.txt": "httpx==0.27.0\n",
}


def main() -> int:
    """Play both runs and print reports and approvals; returns 0 when the live run approved what it should."""
    logging.disable(logging.ERROR)
    console = Console(highlight=False, file=sys.stdout)
    with (
        tempfile.TemporaryDirectory(prefix="auto-swe-review-") as root,
        redirect_stdout(StringIO()),
        LocalAssembly(Path(root), more_tasks=[review_task()]) as assembly,
    ):
        return _play(console, assembly)


def _play(console: Console, assembly: LocalAssembly) -> int:
    console.print(Rule("auto-swe: a scheduled review"))
    repositories = [_repository(assembly, name) for name in ("widgets", "gadgets", "gears")]
    trivial, others = _open_pulls(assembly, repositories)
    site = ReviewSite.open(assembly, repositories)
    console.print(f"{len(trivial) + len(others)} pull requests are open in {len(repositories)} repositories")
    _run(console, site, "a dry run", dry_run=True)
    if any(map(site.approvals, trivial)):
        return 1
    live = _run(console, site, "the live run", dry_run=False)
    console.print(Rule("the approvals"))
    approved = [pull for pull in (*trivial, *others) if site.approvals(pull)]
    for pull in approved:
        for review in site.approvals(pull):
            console.print(f"{pull.repository.full_name}#{pull.number} at {review.commit[:10]}", markup=False)
            console.print(Markdown(_as_shown(review.body)))
    return 0 if live.status == "SUCCEEDED" and approved == trivial else 1


def _run(console: Console, site: ReviewSite, title: str, *, dry_run: bool) -> Execution:
    site.assembly.host.calls.clear()
    began = monotonic()
    execution = site.run(ORG, dry_run=dry_run)
    took = monotonic() - began
    console.print(Rule(title))
    console.print(Markdown(_as_shown(site.page(execution))))
    console.print(
        f"{execution.status.lower()} in {took:.1f} s, with {execution.transitions} state transitions "
        f"and {len(site.assembly.host.calls)} GitHub calls"
    )
    return execution


def _as_shown(text: str) -> str:
    return html.unescape(re.sub(r"</?code>", "`", text)).replace("\u200b", "")


def _repository(assembly: LocalAssembly, name: str) -> Repository:
    repository = assembly.host.add_repository(f"{ORG}/{name}", private=False)
    repository.commit("main", BASE, "Begin")
    return repository


def _open_pulls(assembly: LocalAssembly, repositories: Sequence[Repository]) -> tuple[list[Pull], list[Pull]]:
    """Open what may be approved, and what may not or is not even looked at."""
    host = assembly.host
    developer, reviewer = host.add_user("a-developer"), host.add_user("a-reviewer")
    bot = host.add_app("a-bot", permissions={}).bot
    widgets, gadgets, gears = repositories
    trivial = [
        _open(widgets, developer, "Tell how to install it", {"README.md": "# A project\n\nRun `make`.\n"}),
        _open(gadgets, developer, "Bump checkout", {".github/workflows/tests.yaml": WORKFLOW.replace(OLD, NEW)}),
        _open(gears, developer, "Bump httpx", {"requirements.txt": "httpx==0.27.2\n"}),
    ]
    widened = WORKFLOW.replace("permissions: {}", "permissions:\n  contents: write")
    others = [
        _open(widgets, developer, "Raise the limit", {"app.py": "limit = 2\n"}),
        _open(gadgets, developer, "Let CI push", {".github/workflows/tests.yaml": widened}),
        _open(gears, developer, "Try something", {"app.py": "limit = 3\n"}, ci="failure"),
        _open(gears, bot, "Bump everything", {"requirements.txt": "httpx==0.28.0\n"}),
        _open(widgets, developer, "Reword", {"README.md": "# The project\n"}),
    ]
    others[-1].review(reviewer, "request_changes", "Please keep the article.")
    return trivial, others


def _open(repository: Repository, author: Account, title: str, files: dict[str, str], *, ci: str = "success") -> Pull:
    branch = re.sub(r"\W+", "-", title.lower())
    sha = repository.commit(branch, files, title, author=author)
    repository.check_run(sha, "tests", conclusion=ci)
    return repository.open_pull(branch, repository.default_branch, author, title)


if __name__ == "__main__":
    sys.exit(main())
