"""A repository whose commits are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from infra.local.github_host.checks.checks import (
    CONCLUSIONS,
    STATUS_STATES,
    CheckRun,
    Checks,
    CheckSuite,
    CommitStatus,
    WorkflowRun,
    check_progress,
)
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App


@dataclass(eq=False, kw_only=True)
class CheckedRepository(GitRepository):
    """A repository with what CI says about its commits."""

    checks: Checks = field(default_factory=Checks)

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

    def run_workflow(
        self,
        sha: str,
        jobs: Mapping[str, str | None],
        name: str = "CI",
        *,
        events: Sequence[str] = ("push", "pull_request"),
    ) -> list[WorkflowRun]:
        """Run a workflow once for each event that it is ``on``, all on one commit, each with a suite of its own.

        ``jobs`` are names with their conclusions, None for a job that still runs. Source: "Events that trigger
        workflows".
        """
        with self.state.change():
            return [self._run(sha, jobs, name, event) for event in events]

    def _run(self, sha: str, jobs: Mapping[str, str | None], name: str, event: str) -> WorkflowRun:
        worst = max((one for one in jobs.values() if one is not None), key=CONCLUSIONS.index, default="success")
        status, outcome = ("completed", worst) if all(jobs.values()) else ("in_progress", None)
        run = self.workflow_run(sha, name, status=status, conclusion=outcome, event=event)
        for job, conclusion in jobs.items():
            progress = "completed" if conclusion else "in_progress"
            self.check_run(sha, job, status=progress, conclusion=conclusion, workflow_run=run)
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
            repository=self,
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
