"""Commits and what reports on them as GraphQL fields.

Source: "Objects: StatusCheckRollup". Observed: beside its contexts the summary speaks of that page alone, and what a
token may not see comes as null with an error while the rest is answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphql import FieldNode, GraphQLObjectType, get_argument_values, get_named_type

from infra.local.github_host.answers.timestamps import optional_timestamp, timestamp
from infra.local.github_host.checks.checks import CheckRun, CheckSuite, CommitStatus, WorkflowRun, rollup_state
from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.graphql.connections import Connection, Page, connect, cut
from infra.local.github_host.graphql.context import Context, Fields, Info
from infra.local.github_host.graphql.errors import Refused, forbidden
from infra.local.github_host.graphql.refs import is_required
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.replicas import View

Report = CheckRun | CommitStatus


@dataclass(frozen=True)
class GitCommit:
    """A commit of a repository."""

    repository: CheckedRepository
    sha: str

    def reports(self, view: View) -> list[Report]:
        """List the newest check of each App and name, the newest status of each context, then those awaited."""
        checks, sha = view.checks(self.repository), self.sha
        return [*checks.runs_of(sha, latest=True), *checks.statuses_of(sha), *checks.awaited_of(sha)]


@dataclass(frozen=True)
class Rollup:
    """All reports on a commit; ``summarised`` are those that the state speaks of."""

    commit: GitCommit
    reports: Sequence[Report]
    summarised: Sequence[Report]


def rollup(commit: GitCommit, info: Info) -> Rollup | None:
    """Return what sums up the reports on a commit, null when there are none; Refused without any permission to see."""
    info.context.require(commit.repository, "checks", "statuses")
    reports = commit.reports(info.context.view)
    if not reports:
        return None
    page = _contexts_page(info)
    return Rollup(commit, reports, reports if page is None else cut("contexts", reports, page.first, page.after).nodes)


def _contexts_page(info: Info) -> Page | None:
    """Return the page of ``contexts`` that is asked for in the very selection that is resolved, None without one."""
    rollup_type = get_named_type(info.return_type)
    selected = [one for node in info.field_nodes if node.selection_set for one in node.selection_set.selections]
    for one in selected:
        if isinstance(rollup_type, GraphQLObjectType) and isinstance(one, FieldNode) and one.name.value == "contexts":
            arguments = get_argument_values(rollup_type.fields["contexts"], one, info.variable_values)
            first = arguments.get("first")
            return None if first is None else Page(first, arguments.get("after"))
    return None


def _state(rollup: Rollup, _: Info) -> str | None:
    runs = [one for one in rollup.summarised if isinstance(one, CheckRun)]
    statuses = [one for one in rollup.summarised if isinstance(one, CommitStatus)]
    # An empty page summarises nothing, which GitHub calls a success.
    return rollup_state(runs, statuses) or "SUCCESS"


def _contexts(rollup: Rollup, info: Info, **page: Any) -> Connection:
    shown = connect(info, rollup.reports, **page)
    return replace(shown, nodes=[_visible(one, rollup.commit.repository, info.context) for one in shown.nodes])


def _visible(report: Report, repository: GitRepository, context: Context) -> Report | Refused:
    # An error among the nodes becomes null there, with the error beside the data.
    permission = "checks" if isinstance(report, CheckRun) else "statuses"
    return report if context.token.may_read(repository, permission) else forbidden()


def _workflow_run(suite: CheckSuite, info: Info) -> WorkflowRun | None:
    info.context.require(suite.repository, "actions")
    return suite.workflow_run


def _suites(commit: GitCommit, info: Info, **page: Any) -> Connection:
    info.context.require(commit.repository, "checks")
    return connect(info, info.context.view.checks(commit.repository).suites_of(commit.sha), **page)


def _check_runs(suite: CheckSuite, info: Info, filterBy: object = None, **page: Any) -> Connection:  # noqa: N803, ARG001
    return connect(info, list({run.name: run for run in suite.runs}.values()), **page)


COMMIT: Fields = {
    "id": lambda commit, _: node_id("C", commit.repository.id, commit.sha),
    "oid": lambda commit, _: commit.sha,
    "checkSuites": _suites,
    "statusCheckRollup": rollup,
}
ROLLUP: Fields = {
    "id": lambda rollup, _: node_id("SCR", rollup.commit.repository.id, rollup.commit.sha),
    "state": _state,
    "contexts": _contexts,
}
CHECK_RUN: Fields = {
    "id": lambda run, _: run.node_id,
    "databaseId": lambda run, _: run.id,
    "name": lambda run, _: run.name,
    "status": lambda run, _: run.status.upper(),
    "conclusion": lambda run, _: run.conclusion and run.conclusion.upper(),
    "startedAt": lambda run, _: timestamp(run.started_at),
    "completedAt": lambda run, _: optional_timestamp(run.completed_at),
    "checkSuite": lambda run, _: run.suite,
    "isRequired": is_required,
}
CHECK_SUITE: Fields = {
    "id": lambda suite, _: suite.node_id,
    "databaseId": lambda suite, _: suite.id,
    "status": lambda suite, _: suite.status.upper(),
    "conclusion": lambda suite, _: suite.conclusion and suite.conclusion.upper(),
    "checkRuns": _check_runs,
    "app": lambda suite, _: suite.app,
    "workflowRun": _workflow_run,
}
APP: Fields = {
    "id": lambda app, _: app.node_id,
    "databaseId": lambda app, _: app.app_id,
    "slug": lambda app, _: app.slug,
}
WORKFLOW_RUN: Fields = {
    "id": lambda run, _: run.node_id,
    "databaseId": lambda run, _: run.id,
    "event": lambda run, _: run.event,
    "file": lambda run, _: run,
}
WORKFLOW_RUN_FILE: Fields = {
    "id": lambda run, _: node_id("WFRF", run.id),
    "path": lambda run, _: run.path,
}
STATUS_CONTEXT: Fields = {
    "id": lambda status, _: status.node_id,
    "context": lambda status, _: status.context,
    "state": lambda status, _: status.state.upper(),
    "description": lambda status, _: status.description,
    "createdAt": lambda status, _: timestamp(status.created_at),
    "isRequired": is_required,
}
