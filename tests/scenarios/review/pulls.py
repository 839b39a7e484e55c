"""Repositories with a workflow, a program and documents, and pull requests that change them."""

import re

from infra.local.github_host.host import GitHubHost
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.repository import Repository

ORG = "octo"
OLD, NEW = "1" * 40, "2" * 40
WORKFLOW_PATH = ".github/workflows/tests.yaml"
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
WIDENED = WORKFLOW.replace("permissions: {}", "permissions:\n  contents: write")
README = "# A project\n"
BASE = {WORKFLOW_PATH: WORKFLOW, "README.md": README, "app.py": "limit = 1\n"}


def new_repository(host: GitHubHost, name: str) -> Repository:
    """Add a repository to the organisation."""
    repository = host.add_repository(f"{ORG}/{name}", private=False)
    repository.commit("main", BASE, "Begin")
    return repository


def open_pull(
    repository: Repository,
    author: Account,
    title: str,
    files: dict[str, str] | None = None,
    *,
    ci: str | None = "success",
    draft: bool = False,
) -> Pull:
    """Open a pull request with one commit; without ``files`` it changes a document. ``ci`` is its check's conclusion.

    With no conclusion nothing reports there.
    """
    branch = re.sub(r"\W+", "-", title.lower())
    changes = files or {"README.md": f"{README}\n{title}.\n"}
    sha = repository.commit(branch, dict(changes), title, author=author)
    if ci is not None:
        repository.check_run(sha, "tests", conclusion=ci)
    return repository.open_pull(branch, repository.default_branch, author, title, draft=draft)
