"""Moving branches, and everything that a moved branch moves along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from infra.local.github_host.git.store import ZERO_SHA, RefUpdate
from infra.local.github_host.people.accounts import Account

if TYPE_CHECKING:
    from infra.local.github_host.pulls.pulls import Pull
    from infra.local.github_host.repository import Repository

PushHook = Callable[["Repository", str, str], None]
_HEADS = "refs/heads/"


def push(repository: Repository, updates: Sequence[RefUpdate], *, by: Account) -> None:
    """Move refs all together, then let pull requests and push hooks follow.

    Judges nothing: whoever calls has decided that the move is allowed. GitFailure when a ref is not where its update
    says. Call it inside a change.
    """
    repository.store.update_refs(updates)
    for update in updates:
        if not update.ref.startswith(_HEADS):
            continue
        branch = update.ref.removeprefix(_HEADS)
        for pull in _open_pulls(repository, branch):
            if update.after == ZERO_SHA:
                pull.close(by=by)
            elif update.after != pull.head_sha:
                pull.move_head(update.after, by)
        if update.after != ZERO_SHA:
            for hook in repository.push_hooks:
                _call_later(hook, repository, branch, update.after)


def _open_pulls(repository: Repository, branch: str) -> list[Pull]:
    return [
        pull
        for target in repository.state.repositories.values()
        for pull in target.pulls.values()
        if pull.is_open and pull.head_repository is repository and pull.head_ref == branch
    ]


def _call_later(hook: PushHook, repository: Repository, branch: str, sha: str) -> None:
    repository.state.afterwards(lambda: hook(repository, branch, sha))
