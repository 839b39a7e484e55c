"""What scanning 1,000 pull requests costs: GitHub calls by pull request, goal 0.05 for listing and brief state."""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter

from infra.local.assembly import LocalAssembly
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.repository import Repository
from infra.local.review.assembly import ReviewSite
from tests.bench.scale import Scale

TITLE = "scanning 1,000 pull requests of 40 repositories, without sessions"

ORG = "octo"
REPOSITORIES = 40
PULLS_EACH = 25
READY_EACH = 3
"""How many of a repository's pull requests are left after their brief state: of those the diffs are read."""

GOAL = 0.05
BEFORE_THE_SURVIVORS = (
    "POST /app/installations/{installation_id}/access_tokens",
    "GET /app",
    "GET /repos/{owner}/{repo}",
    "GET /installation/repositories",
    "graphql OpenPulls",
    "graphql PullStates",
)
"""What is asked before it is known which pull requests are left: tokens, the listing and everybody's brief state."""


def measure(scale: Scale) -> Iterator[str]:
    """Scan, and count what was asked of GitHub for all pull requests and what for those that were left."""
    count = max(REPOSITORIES // scale.share, 1)
    logging.disable(logging.ERROR)
    with (
        tempfile.TemporaryDirectory() as root,
        redirect_stdout(StringIO()),
        LocalAssembly(Path(root)) as assembly,
    ):
        author = assembly.host.add_user("a-developer")
        repositories = [assembly.host.add_repository(f"{ORG}/r{n}", private=False) for n in range(count)]
        for repository in repositories:
            _fill(repository, author)
        site = ReviewSite.open(assembly, repositories)
        assembly.host.calls.clear()
        began = perf_counter()
        execution = site.run(ORG, skip_agent=True)
        took = perf_counter() - began
        calls = Counter(call.operation for call in assembly.host.calls)
        counts = site.report(execution)["counts"]
    logging.disable(logging.NOTSET)
    pulls = count * PULLS_EACH
    if counts["candidates_seen"] != pulls:
        raise AssertionError(f"{pulls} pull requests are open, and the scan saw {counts['candidates_seen']}")
    brief = sum(calls[operation] for operation in BEFORE_THE_SURVIVORS)
    yield f"{took:.2f} s in all, {execution.status.lower()}, {execution.transitions} state transitions"
    yield f"{brief / pulls:.3f} calls by pull request for listing and brief state; the goal is at most {GOAL}"
    ready = count * READY_EACH
    yield f"{(calls.total() - brief) / ready:.2f} calls by pull request for the {ready} of which the diff is read"
    for operation, number in calls.most_common():
        yield f"  {number:4} {operation}"


def _fill(repository: Repository, author: Account) -> None:
    """Open pull requests with green checks, of which most are drafts."""
    repository.commit("main", {"README.md": "# A project\n"}, "Begin")
    sha = repository.commit("change", {"README.md": "# The project\n"}, "Reword", author=author)
    repository.check_run(sha, "tests", conclusion="success")
    for number in range(PULLS_EACH):
        repository.reset(f"change-{number}", sha, by=author)
        draft = number >= READY_EACH
        repository.open_pull(f"change-{number}", "main", author, f"Reword {number}", draft=draft)
