"""A repository: what people do in it, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from infra.local.github_host.checks.checks import (
    STATUS_STATES,
    CheckRun,
    Checks,
    CheckSuite,
    CommitStatus,
    WorkflowRun,
    check_progress,
)
from infra.local.github_host.git.branch_rules import RULE_TYPES, BranchRule
from infra.local.github_host.git.history import Change, write_change
from infra.local.github_host.git.objects import Commit, Signature
from infra.local.github_host.git.pushes import PushHook, push
from infra.local.github_host.git.store import ZERO_SHA, GitStore, RefUpdate
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account, Collaborators
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.pulls import Pull

if TYPE_CHECKING:
    from infra.local.github_host.state import HostState


@dataclass(eq=False, kw_only=True)
class Repository:
    """A repository with its real git store; ``archived`` makes it read-only for everybody."""

    id: int
    name: str
    owner: Account
    default_branch: str
    private: bool
    store: GitStore
    state: HostState
    collaborators: Collaborators
    created_at: datetime
    fork_of: Repository | None = None
    archived: bool = False
    deleted: bool = False
    pulls: dict[int, Pull] = field(default_factory=dict)
    protected: list[str] = field(default_factory=list)
    rules: list[BranchRule] = field(default_factory=list)
    push_hooks: list[PushHook] = field(default_factory=list)
    checks: Checks = field(default_factory=Checks)

    @property
    def full_name(self) -> str:
        """Owner and name, as in addresses."""
        return f"{self.owner.login}/{self.name}"

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("R", self.id)

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
            push(self, [RefUpdate(f"refs/heads/{branch}", tip or ZERO_SHA, sha)], by=who)
            return sha

    def reset(self, branch: str, sha: str, *, by: Account | None = None) -> None:
        """Force a branch to a commit, wherever it stood."""
        with self.state.change():
            if self.store.commit(sha) is None:
                raise ValueError(f"{self.full_name} has no commit {sha}")
            before = self.store.tip(branch) or ZERO_SHA
            push(self, [RefUpdate(f"refs/heads/{branch}", before, sha)], by=by or self.owner)

    def delete_branch(self, branch: str, *, by: Account | None = None) -> None:
        """Delete a branch; pull requests from it are closed."""
        with self.state.change():
            push(self, [RefUpdate(f"refs/heads/{branch}", self.tip(branch), ZERO_SHA)], by=by or self.owner)

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

    def on_push(self, hook: PushHook) -> None:
        """Call ``hook(repository, branch, sha)`` after each commit that lands on a branch, whoever pushed it."""
        self.push_hooks.append(hook)

    # Rules

    def protect(self, branch: str) -> None:
        """Protect a branch, or all that match a shell pattern, the classic way: Apps may not push to it."""
        self.protected.append(branch)

    def is_protected(self, branch: str) -> bool:
        """Tell whether a classic protection covers a branch."""
        return any(fnmatchcase(branch, pattern) for pattern in self.protected)

    def add_rule(self, branch: str, rule_type: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Put a ruleset rule on a branch or on all that match a shell pattern.

        ``required_status_checks`` takes the parameters that "Get rules for a branch" shows.
        """
        if rule_type not in RULE_TYPES:
            raise ValueError(f"unknown rule type {rule_type!r}; known are {', '.join(sorted(RULE_TYPES))}")
        self.rules.append(BranchRule(branch, rule_type, parameters or {}))

    # Pull requests

    def open_pull(
        self,
        head: str,
        base: str,
        author: Account,
        title: str,
        body: str = "",
        head_repository: Repository | None = None,
        *,
        draft: bool = False,
    ) -> Pull:
        """Open a pull request from a branch of this repository or of a fork."""
        source = head_repository or self
        with self.state.change():
            now = self.state.now()
            pull = Pull(
                id=self.state.sequences.next("pull"),
                number=len(self.pulls) + 1,
                repository=self,
                author=author,
                title=title,
                body=body,
                head_ref=head,
                head_repository=source,
                head_sha=source.tip(head),
                base_ref=base,
                base_sha=self.tip(base),
                created_at=now,
                updated_at=now,
                draft=draft,
            )
            self.pulls[pull.number] = pull
            self.state.register(pull.node_id, pull)
            pull.pin_head()
            pull.announce("opened", author)
            return pull

    def pull(self, number: int) -> Pull:
        """Return a pull request; ValueError when there is none of that number."""
        if number not in self.pulls:
            raise ValueError(f"{self.full_name} has no pull request #{number}")
        return self.pulls[number]

    # CI

    def check_suite(self, sha: str, app: App, *, workflow_run: WorkflowRun | None = None) -> CheckSuite:
        """Open a suite of an App's checks on a commit; it is queued until a check run is in it."""
        with self.state.change():
            suite = CheckSuite(
                id=self.state.sequences.next("check_suite"),
                repository=self,
                app=app,
                head_sha=sha,
                head_branch=self._branch_at(sha),
                created_at=self.state.now(),
                workflow_run=workflow_run,
            )
            self.checks.suites.append(suite)
            return suite

    def check_run(
        self,
        sha: str,
        name: str,
        *,
        app: App | None = None,
        status: str = "completed",
        conclusion: str | None = None,
        workflow_run: WorkflowRun | None = None,
        log: str | None = None,
    ) -> CheckRun:
        """Report a check on a commit, by default one of GitHub Actions; as a job of a workflow run it may have a log.

        A second one of the same name is a new run, which counts instead of the first.
        """
        check_progress(status, conclusion)
        with self.state.change():
            now = self.state.now()
            run = CheckRun(
                id=self.state.sequences.next("check_run"),
                suite=self._suite(sha, app or self.state.actions_app(), workflow_run),
                name=name,
                status=status,
                conclusion=conclusion,
                started_at=now,
                completed_at=now if status == "completed" else None,
                log=log,
            )
            run.suite.runs.append(run)
            run.announce("completed" if status == "completed" else "created")
            return run

    def workflow_run(
        self,
        sha: str,
        name: str = "CI",
        *,
        status: str = "completed",
        conclusion: str | None = None,
        event: str = "pull_request",
        actor: Account | None = None,
    ) -> WorkflowRun:
        """Start a run of a GitHub Actions workflow on a commit, without jobs."""
        check_progress(status, conclusion)
        with self.state.change():
            now = self.state.now()
            run = WorkflowRun(
                id=self.state.sequences.next("workflow_run"),
                repository=self,
                name=name,
                path=f".github/workflows/{name.lower()}.yml",
                event=event,
                actor=actor or self.owner,
                run_number=len(self.checks.workflow_runs) + 1,
                head_sha=sha,
                head_branch=self._branch_at(sha),
                status=status,
                conclusion=conclusion,
                created_at=now,
                updated_at=now,
            )
            self.checks.workflow_runs.append(run)
            self.check_suite(sha, self.state.actions_app(), workflow_run=run)
            return run

    def set_status(
        self,
        sha: str,
        context: str,
        state: str,
        *,
        description: str | None = None,
        target_url: str | None = None,
        creator: Account | None = None,
    ) -> CommitStatus:
        """Set a status of a commit; a later one of the same context replaces it."""
        if state not in STATUS_STATES:
            raise ValueError(f"status {state!r} is none of {', '.join(STATUS_STATES)}")
        with self.state.change():
            status = self._status(sha, context, state, description, target_url, creator)
            self.checks.statuses.append(status)
            return status

    def expect_status(self, sha: str, context: str) -> CommitStatus:
        """Let a rule demand a status of a commit: until somebody sets it, it is expected."""
        with self.state.change():
            status = self._status(sha, context, "expected")
            self.checks.expected.append(status)
            return status

    def _status(
        self,
        sha: str,
        context: str,
        state: str,
        description: str | None = None,
        target_url: str | None = None,
        creator: Account | None = None,
    ) -> CommitStatus:
        return CommitStatus(
            id=self.state.sequences.next("status"),
            sha=sha,
            context=context,
            state=state,
            description=description,
            target_url=target_url,
            creator=creator or self.owner,
            created_at=self.state.now(),
        )

    def _suite(self, sha: str, app: App, workflow_run: WorkflowRun | None) -> CheckSuite:
        found = (s for s in self.checks.suites_of(sha) if s.app is app and s.workflow_run is workflow_run)
        return next(found, None) or self.check_suite(sha, app, workflow_run=workflow_run)

    def _branch_at(self, sha: str) -> str | None:
        heads = "refs/heads/"
        return next((name.removeprefix(heads) for name, tip, _ in self.store.refs(heads) if tip == sha), None)
