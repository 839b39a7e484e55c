"""Ref changes that an App asks for: judged first, then done, all or none.

Sources: "Delete a reference", which the default branch does not allow, in observed words; the manual of git
check-ref-format; ``branch_rules`` and ``workflow_files``.
"""

from __future__ import annotations

from collections.abc import Sequence

from infra.local.github_host.git.branch_rules import BranchChange, ChangeKind, refusal
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.git.store import REF_NAME, ZERO_SHA, GitFailure, RefUpdate
from infra.local.github_host.git.workflow_files import brings_workflows
from infra.local.github_host.people.accounts import Account

_HEADS = "refs/heads/"


class RefRefused(Exception):
    """Why a ref does not move: the HTTP status of REST and GitHub's message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def check_name(ref: str) -> None:
    """Raise RefRefused unless this can be the full name of a ref that Apps may write (git check-ref-format)."""
    parts = ref.split("/")
    malformed = any(part.startswith(".") or part.endswith((".", ".lock")) or ".." in part for part in parts)
    if not REF_NAME.fullmatch(ref) or len(parts) < 3 or malformed or "@{" in ref:
        raise RefRefused(422, "Reference name must start with 'refs/' and contain at least two slashes")
    if not ref.startswith((_HEADS, "refs/tags/")):
        raise RefRefused(422, "Reference update failed")


def update_refs(
    repository: GitRepository, asked: Sequence[tuple[RefUpdate, bool]], *, by: Account, workflows: bool
) -> None:
    """Carry out updates, each with its ``force``; RefRefused, and no ref moves, when one is not allowed.

    ``workflows`` says that workflow files may change.
    """
    for update, force in asked:
        check_name(update.ref)
        _check_objects(repository, update, force=force)
        if update.after == ZERO_SHA and update.ref == f"{_HEADS}{repository.default_branch}":
            raise RefRefused(422, "Cannot delete the default branch")
        if not workflows and brings_workflows(repository.store, update):
            raise RefRefused(403, "Resource not accessible by integration")
        change = _branch_change(repository, update)
        refused = None if change is None else refusal(change, repository.protected, repository.rules)
        if refused is not None:
            raise RefRefused(refused.status, refused.message)
    try:
        repository.push([update for update, _ in asked], by=by)
    except GitFailure:
        raise RefRefused(422, "Reference update failed") from None


def _check_objects(repository: GitRepository, update: RefUpdate, *, force: bool) -> None:
    store = repository.store
    if update.after == ZERO_SHA:
        return
    found = store.find(update.after)
    if found is None or found.sha != update.after:
        raise RefRefused(422, "Object does not exist")
    if found.type != "commit" and update.ref.startswith(_HEADS):
        raise RefRefused(422, "Object is not a commit")
    if update.before != ZERO_SHA and not force and not store.is_ancestor(update.before, update.after):
        raise RefRefused(422, "Update is not a fast forward")


def _branch_change(repository: GitRepository, update: RefUpdate) -> BranchChange | None:
    if not update.ref.startswith(_HEADS):
        return None
    store, branch = repository.store, update.ref.removeprefix(_HEADS)
    if update.after == ZERO_SHA:
        return BranchChange(branch, ChangeKind.DELETE)
    commits = [store.commit(sha) for sha in store.commits_between(_known(repository, update), update.after)]
    signed = all(commit is not None and commit.signed_by_host for commit in commits)
    linear = all(commit is not None and len(commit.parents) < 2 for commit in commits)
    if update.before == ZERO_SHA:
        return BranchChange(branch, ChangeKind.CREATE, signed=signed, linear=linear)
    return BranchChange(branch, ChangeKind.UPDATE, store.is_ancestor(update.before, update.after), signed, linear)


def _known(repository: GitRepository, update: RefUpdate) -> str:
    """Return the commit up to which the branch's history is old."""
    if update.before != ZERO_SHA:
        return update.before
    return repository.store.tip(repository.default_branch) or update.after
