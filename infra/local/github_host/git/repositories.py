"""A repository as git has it: whose it is, what is in it, and how its branches move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any, Protocol

from infra.local.github_host.git.branch_rules import RULE_TYPES, BranchRule
from infra.local.github_host.git.history import Change, write_change
from infra.local.github_host.git.objects import Commit, Signature
from infra.local.github_host.git.store import ZERO_SHA, GitStore, RefUpdate
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account, Collaborators
from infra.local.github_host.state import State

_HEADS = "refs/heads/"


class OpenPull(Protocol):
    """An open pull request as the repository that it is to be merged into shows it."""

    id: int
    number: int
    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str

    @property
    def head_repository(self) -> GitRepository:
        """Where its head branch is."""


@dataclass(eq=False, kw_only=True)
class GitRepository(ABC):
    """A repository with its real git store; ``archived`` makes it read-only for everybody.

    ``written`` tells when a commit was made here.

    Every repository of a host is a ``Repository``. This is the part of it that checks and pull requests build on, so
    what it must know of those, the rooms above tell it.
    """

    id: int
    name: str
    owner: Account
    default_branch: str
    private: bool
    store: GitStore
    state: State
    collaborators: Collaborators
    created_at: datetime
    fork_of: GitRepository | None = None
    archived: bool = False
    deleted: bool = False
    protected: dict[str, Sequence[str]] = field(default_factory=dict)
    rules: list[BranchRule] = field(default_factory=list)
    written: dict[str, datetime] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """Owner and name, as in addresses."""
        return f"{self.owner.login}/{self.name}"

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("R", self.id)

    @property
    @abstractmethod
    def open_pulls(self) -> Sequence[OpenPull]:
        """The pull requests that wait to be merged into it."""

    @abstractmethod
    def branch_moved(self, branch: str, sha: str | None, by: Account) -> None:
        """Let everything follow that depends on a branch, which now stands at a commit, or at None when it is gone."""

    # Files and history

    def commit(
        self,
        branch: str,
        changes: Mapping[str, Change],
        message: str,
        *,
        author: Account | None = None,
        parent_branch: str | None = None,
    ) -> str:
        """Push one commit and return its id.

        A branch that does not exist yet starts at ``parent_branch``, by default the default branch. A change is a
        file's new content, or None to delete it.
        """
        with self.state.change():
            tip = self.store.tip(branch)
            parent = tip or self.store.tip(parent_branch or self.default_branch)
            who = author or self.owner
            signature = Signature(who.name or who.login, who.email, self.state.now())
            sha = write_change(self.store, parent, changes, message, signature)
            self.written.setdefault(sha, self.state.clock())
            self.push([RefUpdate(f"refs/heads/{branch}", tip or ZERO_SHA, sha)], by=who)
            return sha

    def reset(self, branch: str, sha: str, *, by: Account | None = None) -> None:
        """Force a branch to a commit, wherever it stood."""
        with self.state.change():
            if self.store.commit(sha) is None:
                raise ValueError(f"{self.full_name} has no commit {sha}")
            before = self.store.tip(branch) or ZERO_SHA
            self.push([RefUpdate(f"refs/heads/{branch}", before, sha)], by=by or self.owner)

    def delete_branch(self, branch: str, *, by: Account | None = None) -> None:
        """Delete a branch; pull requests from it are closed. ValueError for the default branch, which stays."""
        if branch == self.default_branch:
            raise ValueError(f"refusing to delete the default branch of {self.full_name}")
        with self.state.change():
            self.push([RefUpdate(f"refs/heads/{branch}", self.tip(branch), ZERO_SHA)], by=by or self.owner)

    def tip(self, branch: str) -> str:
        """Return the commit a branch stands at; ValueError when there is no such branch."""
        sha = self.store.tip(branch)
        if sha is None:
            raise ValueError(f"{self.full_name} has no branch {branch!r}")
        return sha

    def read(self, ref: str, path: str) -> bytes:
        """Return a file's content at a branch, tag or commit; ValueError when it is not there."""
        found = self.store.find(f"{ref}:{path}")
        if found is None or found.type != "blob":
            raise ValueError(f"{self.full_name} has no file {path!r} at {ref!r}")
        return found.content

    def log(self, branch: str) -> list[Commit]:
        """List the commits a branch reaches, newest first."""
        shas = self.store.determined("rev-list", self.tip(branch)).decode().split()
        return [commit for sha in shas if (commit := self.store.commit(sha)) is not None]

    def diff(self, base: str, head: str) -> str:
        """Return the patch between two commits or branches."""
        return self.store.run("diff", "--no-color", base, head).decode(errors="replace")

    def push(self, updates: Sequence[RefUpdate], *, by: Account) -> None:
        """Move refs all together, then let follow what depends on them.

        Judges nothing: whoever calls has decided that the move is allowed. GitFailure when a ref is not where its
        update says. Call it inside a change.
        """
        self.store.update_refs(updates)
        for update in updates:
            if update.ref.startswith(_HEADS):
                after = None if update.after == ZERO_SHA else update.after
                self.branch_moved(update.ref.removeprefix(_HEADS), after, by)

    # Rules

    def protect(self, branch: str, *, contexts: Sequence[str] = ()) -> None:
        """Protect a branch, or all that match a shell pattern, the classic way: Apps may not push to it.

        ``contexts`` are the checks and statuses that a pull request into it needs, whoever reports them.
        """
        self.protected[branch] = tuple(contexts)

    def is_protected(self, branch: str) -> bool:
        """Tell whether a classic protection covers a branch."""
        return any(fnmatchcase(branch, pattern) for pattern in self.protected)

    def required_contexts(self, branch: str) -> Sequence[str]:
        """List what the classic protection of a branch requires of a pull request."""
        found = [
            context for pattern, named in self.protected.items() if fnmatchcase(branch, pattern) for context in named
        ]
        return tuple(dict.fromkeys(found))

    def add_rule(self, branch: str, rule_type: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Put a ruleset rule on a branch or on all that match a shell pattern.

        ``required_status_checks`` takes the parameters that "Get rules for a branch" shows.
        """
        if rule_type not in RULE_TYPES:
            raise ValueError(f"unknown rule type {rule_type!r}; known are {', '.join(sorted(RULE_TYPES))}")
        self.rules.append(BranchRule(branch, rule_type, parameters or {}))
