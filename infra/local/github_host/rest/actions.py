"""Workflow runs of GitHub Actions, their jobs, and what those wrote.

Sources: "REST API endpoints for workflow runs", "REST API endpoints for workflow jobs". That the API answers with 404
where there is no log, and with 410 where it was kept no longer, is assumed.
"""

from __future__ import annotations

from typing import TypeVar

from infra.local.github_host.answers.errors import ApiError, not_found
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.checks.checks import CheckRun, WorkflowRun
from infra.local.github_host.documents import checks as documents
from infra.local.github_host.people.permissions import reading
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

Run = TypeVar("Run", CheckRun, WorkflowRun)

actions = Resource()


@actions.operation(
    "GET /repos/{owner}/{repo}/actions/runs",
    "actions/workflow-runs#list-workflow-runs-for-a-repository",
    reading("actions"),
)
def list_workflow_runs(request: Request) -> Reply:
    """List workflow runs for a repository, newest first."""
    head = request.query.get("head_sha")
    checks = request.view.checks(request.repository)
    runs = [run for run in checks.workflow_runs if head in {None, run.head_sha}]
    shown, headers = page(request, runs[::-1])
    documents_shown = [documents.workflow_run(request.links, run, checks.suite_of(run)) for run in shown]
    return Reply(200, {"total_count": len(runs), "workflow_runs": documents_shown}, headers)


@actions.operation(
    "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
    "actions/workflow-jobs#list-jobs-for-a-workflow-run",
    reading("actions"),
)
def list_jobs(request: Request) -> Reply:
    """List jobs for a workflow run; the newest of each name unless ``filter=all``."""
    checks = request.view.checks(request.repository)
    run = _found(checks.workflow_runs, request.path["run_id"])
    jobs = checks.jobs_of(run, latest=request.query.get("filter", "latest") != "all")
    shown, headers = page(request, jobs)
    documents_shown = [documents.job(request.links, run, job) for job in shown]
    return Reply(200, {"total_count": len(jobs), "jobs": documents_shown}, headers)


@actions.operation(
    "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
    "actions/workflow-jobs#download-job-logs-for-a-workflow-run",
    reading("actions"),
    public=False,
)
def get_job_log(request: Request) -> Reply:
    """Download job logs for a workflow run: send the caller to where the log is, with a permission for a minute."""
    checks = request.view.checks(request.repository)
    jobs = [job for run in checks.workflow_runs for job in checks.jobs_of(run, latest=False)]
    job = _found(jobs, request.path["job_id"])
    if job.log_expired:
        raise ApiError(410, "The logs for this job have expired")
    if job.log is None:
        raise not_found()
    ticket = request.services.job_logs.ticket(job, request.state.now())
    return Reply(302, headers={"Location": f"{request.links.web}/job-logs/{job.id}.txt?sig={ticket}"})


def _found(runs: list[Run], wanted: int) -> Run:
    found = next((run for run in runs if run.id == wanted), None)
    if found is None:
        raise not_found()
    return found
