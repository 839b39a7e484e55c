"""What CI says about a commit: check suites and runs, workflow runs, commit statuses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from infra.local.github_host.events import Event
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App

RUN_STATUSES = frozenset({"queued", "in_progress", "completed", "waiting", "requested", "pending"})
# From the mildest to the one that speaks for the whole.
CONCLUSIONS = (
    "skipped",
    "neutral",
    "success",
    "stale",
    "cancelled",
    "timed_out",
    "startup_failure",
    "failure",
    "action_required",
)
PASSING = frozenset({"success", "neutral", "skipped"})
ANNOTATION_LEVELS = ("notice", "warning", "failure")
STATUS_STATES = ("success", "pending", "failure", "error")


@dataclass(eq=False, kw_only=True)
class WorkflowRun:
    """A run of a GitHub Actions workflow; it may be complete without a single job, as one awaiting approval is."""

    id: int
    repository: GitRepository
    name: str
    path: str
    event: str
    actor: Account
    run_number: int
    head_sha: str
    head_branch: str | None
    status: str
    conclusion: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("WFR", self.id)

    def update(self, *, status: str, conclusion: str | None = None) -> None:
        """Let the run go on."""
        with self.repository.state.change():
            check_progress(status, conclusion)
            self.status, self.conclusion = status, conclusion
            self.updated_at = self.repository.state.now()


@dataclass(eq=False, kw_only=True)
class CheckSuite:
    """The check runs of one App, or of one workflow run, on one commit; it may stay queued and empty for ever."""

    id: int
    repository: GitRepository
    app: App
    head_sha: str
    head_branch: str | None
    created_at: datetime
    workflow_run: WorkflowRun | None = None
    runs: list[CheckRun] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("CS", self.id)

    @property
    def status(self) -> str:
        """How far the suite is: as far as its workflow run, else as its check runs."""
        if self.workflow_run is not None:
            return self.workflow_run.status
        if not self.runs:
            return "queued"
        return "completed" if all(run.status == "completed" for run in self.runs) else "in_progress"

    @property
    def conclusion(self) -> str | None:
        """What came out: the worst conclusion of its runs."""
        if self.workflow_run is not None:
            return self.workflow_run.conclusion
        if self.status != "completed":
            return None
        return max((run.conclusion or "success" for run in self.runs), key=CONCLUSIONS.index)

    @property
    def updated_at(self) -> datetime:
        """When something last changed in it."""
        return max((run.completed_at or run.started_at for run in self.runs), default=self.created_at)


@dataclass(frozen=True)
class Annotation:
    """What a check says of one line of a file."""

    path: str
    line: int
    level: str
    message: str
    title: str | None


@dataclass(eq=False, kw_only=True)
class CheckRun:
    """One check on one commit; in a workflow run it is a job, and then it may have a ``log``, until that is too old."""

    id: int
    suite: CheckSuite
    name: str
    status: str
    conclusion: str | None
    started_at: datetime
    completed_at: datetime | None
    log: str | None = None
    log_expired: bool = False
    annotations: list[Annotation] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("CR", self.id)

    @property
    def repository(self) -> GitRepository:
        """Where the checked commit is."""
        return self.suite.repository

    def update(self, *, status: str, conclusion: str | None = None) -> None:
        """Let the check go on."""
        check_progress(status, conclusion)
        state = self.repository.state
        with state.change():
            self.status, self.conclusion = status, conclusion
            self.completed_at = state.now() if status == "completed" else None
            self.announce("completed" if status == "completed" else "created")

    def annotate(self, path: str, line: int, message: str, *, level: str = "failure", title: str | None = None) -> None:
        """Comment on a line of a file; the level is one of ``ANNOTATION_LEVELS``."""
        if level not in ANNOTATION_LEVELS:
            raise ValueError(f"annotation level {level!r} is none of {', '.join(ANNOTATION_LEVELS)}")
        with self.repository.state.change():
            self.annotations.append(Annotation(path, line, level, message, title))

    def expire_log(self) -> None:
        """Delete the log, as happens when the time that it is kept for is over."""
        with self.repository.state.change():
            self.log, self.log_expired = None, True

    def announce(self, action: str) -> None:
        """Tell what happened to the check."""
        event = Event("check_run", action, self, self.suite.app.bot, self.repository)
        self.repository.state.announce(event)


@dataclass(frozen=True, kw_only=True)
class CommitStatus:
    """A status that somebody set on a commit; a later one of the same context replaces it."""

    id: int
    repository: GitRepository = field(repr=False, compare=False)
    sha: str
    context: str
    state: str
    description: str | None
    target_url: str | None
    creator: Account
    created_at: datetime

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("SC", self.id)


@dataclass(eq=False)
class Checks:
    """Everything CI said in one repository, oldest first."""

    suites: list[CheckSuite] = field(default_factory=list)
    statuses: list[CommitStatus] = field(default_factory=list)
    expected: list[CommitStatus] = field(default_factory=list)
    workflow_runs: list[WorkflowRun] = field(default_factory=list)

    def suites_of(self, sha: str) -> list[CheckSuite]:
        """List the suites of a commit."""
        return [suite for suite in self.suites if suite.head_sha == sha]

    def suite_of(self, workflow_run: WorkflowRun) -> CheckSuite:
        """Return the suite that a workflow run reports in."""
        return next(suite for suite in self.suites if suite.workflow_run is workflow_run)

    def runs_of(self, sha: str, *, latest: bool) -> list[CheckRun]:
        """List the check runs of a commit; ``latest`` leaves the newest of each suite and name.

        Observed: runs of one name in different suites, such as those for a push and for a pull request, all stay.
        """
        runs = [run for suite in self.suites_of(sha) for run in suite.runs]
        runs.sort(key=lambda run: run.id)
        return list({(run.suite.id, run.name): run for run in runs}.values()) if latest else runs

    def jobs_of(self, workflow_run: WorkflowRun, *, latest: bool) -> list[CheckRun]:
        """List the jobs of a workflow run; ``latest`` leaves the newest of each name."""
        runs = self.runs_of(workflow_run.head_sha, latest=latest)
        return [run for run in runs if run.suite.workflow_run is workflow_run]

    def statuses_of(self, sha: str) -> list[CommitStatus]:
        """List the newest status of each context of a commit."""
        return list({status.context: status for status in self.statuses if status.sha == sha}.values())

    def awaited_of(self, sha: str) -> list[CommitStatus]:
        """List the statuses that a rule demands of a commit and that nobody has set yet; only GraphQL shows them."""
        known = {status.context for status in self.statuses_of(sha)}
        return [status for status in self.expected if status.sha == sha and status.context not in known]


def check_progress(status: str, conclusion: str | None) -> None:
    """Raise ValueError unless the words are GitHub's and a conclusion is there exactly when it is completed."""
    if status not in RUN_STATUSES:
        raise ValueError(f"check status {status!r} is none of {', '.join(sorted(RUN_STATUSES))}")
    if conclusion is not None and conclusion not in CONCLUSIONS:
        raise ValueError(f"conclusion {conclusion!r} is none of {', '.join(CONCLUSIONS)}")
    if (status == "completed") != (conclusion is not None):
        raise ValueError(f"a check that is {status} cannot have the conclusion {conclusion!r}")


def combined_state(states: Iterable[str]) -> str:
    """Return what the legacy status endpoint says of a commit's statuses; ``pending`` when there are none.

    Source: "Get the combined status for a specific reference".
    """
    seen = set(states)
    if seen & {"failure", "error"}:
        return "failure"
    return "success" if seen == {"success"} else "pending"


def rollup_state(runs: Iterable[CheckRun], statuses: Iterable[CommitStatus]) -> str | None:
    """Return what GraphQL's rollup says of checks and statuses together, None when there are none.

    That pending comes before expected is assumed.
    """
    states = {status.state.upper() for status in statuses}
    for run in runs:
        if run.conclusion is None:
            states.add("PENDING")
        else:
            states.add("SUCCESS" if run.conclusion in PASSING else "FAILURE")
    return next((state for state in ("ERROR", "FAILURE", "PENDING", "EXPECTED", "SUCCESS") if state in states), None)
