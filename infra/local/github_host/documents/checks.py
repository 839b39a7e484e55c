"""Checks, statuses and workflow runs as JSON."""

from __future__ import annotations

from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import optional_timestamp, timestamp
from infra.local.github_host.checks.checks import (
    Annotation,
    CheckRun,
    CheckSuite,
    CommitStatus,
    WorkflowRun,
    combined_state,
)
from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.documents.accounts import Document, account, app
from infra.local.github_host.documents.git import simple_commit
from infra.local.github_host.documents.repositories import minimal_repository
from infra.local.github_host.git.repositories import GitRepository


def pull_references(links: Links, repo: GitRepository, sha: str) -> list[Document]:
    """Show the open pull requests whose head a commit is, as checks do."""

    def end(of: GitRepository, ref: str, tip: str) -> Document:
        return {"ref": ref, "sha": tip, "repo": {"id": of.id, "url": links.repository(of.full_name), "name": of.name}}

    return [
        {
            "url": f"{links.repository(repo.full_name)}/pulls/{pull.number}",
            "id": pull.id,
            "number": pull.number,
            "head": end(pull.head_repository, pull.head_ref, pull.head_sha),
            "base": end(repo, pull.base_ref, pull.base_sha),
        }
        for pull in repo.open_pulls
        if pull.head_sha == sha
    ]


def check_run(links: Links, one: CheckRun) -> Document:
    """Show a check run (schema ``check-run``)."""
    repo = one.repository
    api = f"{links.repository(repo.full_name)}/check-runs/{one.id}"
    page = links.page(repo.full_name, "runs", one.id)
    return {
        "id": one.id,
        "node_id": one.node_id,
        "head_sha": one.suite.head_sha,
        "external_id": "",
        "url": api,
        "html_url": page,
        "details_url": page,
        "status": one.status,
        "conclusion": one.conclusion,
        "started_at": timestamp(one.started_at),
        "completed_at": optional_timestamp(one.completed_at),
        "output": {
            "title": None,
            "summary": None,
            "text": None,
            "annotations_count": len(one.annotations),
            "annotations_url": f"{api}/annotations",
        },
        "name": one.name,
        "check_suite": {"id": one.suite.id},
        "app": app(links, one.suite.app),
        "pull_requests": pull_references(links, repo, one.suite.head_sha),
    }


def annotation(links: Links, of: CheckRun, one: Annotation) -> Document:
    """Show an annotation of a check run (schema ``check-annotation``)."""
    blob = links.page(of.repository.full_name, "blob", of.suite.head_sha, one.path)
    return {
        "path": one.path,
        "start_line": one.line,
        "end_line": one.line,
        "start_column": None,
        "end_column": None,
        "annotation_level": one.level,
        "title": one.title,
        "message": one.message,
        "raw_details": None,
        "blob_href": blob,
    }


def check_run_in_webhook(links: Links, one: CheckRun) -> Document:
    """Show a check run as webhooks do: with its suite."""
    suite = check_suite(links, one.suite)
    left_out = ("latest_check_runs_count", "check_runs_url", "head_commit", "repository")
    return {**check_run(links, one), "check_suite": {k: v for k, v in suite.items() if k not in left_out}}


def check_suite(links: Links, one: CheckSuite) -> Document:
    """Show a check suite (schema ``check-suite``)."""
    repo = one.repository
    api = f"{links.repository(repo.full_name)}/check-suites/{one.id}"
    return {
        "id": one.id,
        "node_id": one.node_id,
        "head_branch": one.head_branch,
        "head_sha": one.head_sha,
        "status": one.status,
        "conclusion": one.conclusion,
        "url": api,
        "before": None,
        "after": one.head_sha,
        "pull_requests": pull_references(links, repo, one.head_sha),
        "app": app(links, one.app),
        "created_at": timestamp(one.created_at),
        "updated_at": timestamp(one.updated_at),
        "latest_check_runs_count": len(one.runs),
        "check_runs_url": f"{api}/check-runs",
        "head_commit": simple_commit(repo, one.head_sha),
        "repository": minimal_repository(links, repo),
    }


def combined_status(
    links: Links, repo: CheckedRepository, sha: str, shown: list[CommitStatus], statuses: list[CommitStatus]
) -> Document:
    """Show a page of a commit's statuses and what all of them say together (schema ``combined-commit-status``)."""
    api = links.repository(repo.full_name)
    return {
        "state": combined_state(status.state for status in statuses),
        "statuses": [_status(links, repo, status) for status in shown],
        "sha": sha,
        "total_count": len(statuses),
        "repository": minimal_repository(links, repo),
        "commit_url": f"{api}/commits/{sha}",
        "url": f"{api}/commits/{sha}/status",
    }


def job(links: Links, of: WorkflowRun, one: CheckRun) -> Document:
    """Show a job of a workflow run (schema ``job``); it is a check run, and numbered as such."""
    repo = one.repository
    api = links.repository(repo.full_name)
    page = links.page(repo.full_name, "actions", "runs", of.id)
    return {
        "id": one.id,
        "run_id": of.id,
        "run_url": f"{api}/actions/runs/{of.id}",
        "run_attempt": 1,
        "node_id": one.node_id,
        "head_sha": of.head_sha,
        "head_branch": of.head_branch,
        "workflow_name": of.name,
        "url": f"{api}/actions/jobs/{one.id}",
        "html_url": f"{page}/job/{one.id}",
        "status": one.status,
        "conclusion": one.conclusion,
        "created_at": timestamp(one.started_at),
        "started_at": timestamp(one.started_at),
        "completed_at": optional_timestamp(one.completed_at),
        "name": one.name,
        "steps": [],
        "check_run_url": f"{api}/check-runs/{one.id}",
        "labels": ["ubuntu-latest"],
        "runner_id": None,
        "runner_name": None,
        "runner_group_id": None,
        "runner_group_name": None,
    }


def workflow_run(links: Links, one: WorkflowRun, suite: CheckSuite) -> Document:
    """Show a run of a workflow and the suite it reports in (schema ``workflow-run``)."""
    repo = one.repository
    api = f"{links.repository(repo.full_name)}/actions/runs/{one.id}"
    return {
        "id": one.id,
        "name": one.name,
        "node_id": one.node_id,
        "check_suite_id": suite.id,
        "check_suite_node_id": suite.node_id,
        "head_branch": one.head_branch,
        "head_sha": one.head_sha,
        "path": one.path,
        "display_title": one.name,
        "run_number": one.run_number,
        "run_attempt": 1,
        "event": one.event,
        "status": one.status,
        "conclusion": one.conclusion,
        "workflow_id": 1,
        "url": api,
        "html_url": links.page(repo.full_name, "actions", "runs", one.id),
        "pull_requests": pull_references(links, repo, one.head_sha),
        "created_at": timestamp(one.created_at),
        "updated_at": timestamp(one.updated_at),
        "actor": account(links, one.actor),
        "triggering_actor": account(links, one.actor),
        "run_started_at": timestamp(one.created_at),
        "jobs_url": f"{api}/jobs",
        "logs_url": f"{api}/logs",
        "check_suite_url": f"{links.repository(repo.full_name)}/check-suites/{suite.id}",
        "artifacts_url": f"{api}/artifacts",
        "cancel_url": f"{api}/cancel",
        "rerun_url": f"{api}/rerun",
        "previous_attempt_url": None,
        "workflow_url": f"{links.repository(repo.full_name)}/actions/workflows/1",
        "head_commit": simple_commit(repo, one.head_sha),
        "repository": minimal_repository(links, repo),
        "head_repository": minimal_repository(links, repo),
    }


def _status(links: Links, repo: GitRepository, one: CommitStatus) -> Document:
    at = timestamp(one.created_at)
    return {
        "url": f"{links.repository(repo.full_name)}/statuses/{one.sha}",
        "avatar_url": f"{links.web}/avatars/{one.creator.id}.png",
        "id": one.id,
        "node_id": one.node_id,
        "state": one.state,
        "description": one.description,
        "target_url": one.target_url,
        "context": one.context,
        "created_at": at,
        "updated_at": at,
    }
