"""What CI says about a commit.

Sources: "List check runs for a Git reference", "List check run annotations", "List check suites for a Git reference",
"Get the combined status for a specific reference".
"""

from __future__ import annotations

from infra.local.github_host.answers.errors import not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import checks as documents
from infra.local.github_host.people.permissions import reading
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

checks = Resource()


@checks.operation(
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    "checks/runs#list-check-runs-for-a-git-reference",
    reading("checks"),
)
def list_check_runs(request: Request) -> Reply:
    """List check runs for a Git reference; the newest of each name unless ``filter=all``."""
    query, repo = request.query, request.repository
    runs = request.view.checks(repo).runs_of(_commit(request), latest=query.get("filter", "latest") != "all")
    wanted = [
        run
        for run in runs
        if query.get("check_name") in {None, run.name}
        and query.get("status") in {None, run.status}
        and query.get("app_id") in {None, str(run.suite.app.app_id)}
    ]
    shown, headers = page(request, wanted)
    document = {"total_count": len(wanted), "check_runs": [documents.check_run(request.links, run) for run in shown]}
    return Reply(200, document, headers)


@checks.operation(
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
    "checks/runs#list-check-run-annotations",
    reading("checks"),
)
def list_annotations(request: Request) -> Reply:
    """List check run annotations, in the order they were made."""
    runs = (run for suite in request.view.checks(request.repository).suites for run in suite.runs)
    found = next((run for run in runs if run.id == request.path["check_run_id"]), None)
    if found is None:
        raise not_found()
    shown, headers = page(request, found.annotations)
    return Reply(200, [documents.annotation(request.links, found, one) for one in shown], headers)


@checks.operation(
    "GET /repos/{owner}/{repo}/commits/{ref}/check-suites",
    "checks/suites#list-check-suites-for-a-git-reference",
    reading("checks"),
)
def list_check_suites(request: Request) -> Reply:
    """List check suites for a Git reference."""
    suites = [
        suite
        for suite in request.view.checks(request.repository).suites_of(_commit(request))
        if request.query.get("app_id") in {None, str(suite.app.app_id)}
    ]
    shown, headers = page(request, suites)
    documents_shown = [documents.check_suite(request.links, suite) for suite in shown]
    return Reply(200, {"total_count": len(suites), "check_suites": documents_shown}, headers)


@checks.operation(
    "GET /repos/{owner}/{repo}/commits/{ref}/status",
    "commits/statuses#get-the-combined-status-for-a-specific-reference",
    reading("statuses"),
)
def get_combined_status(request: Request) -> Reply:
    """Get the combined status for a specific reference; ``pending`` when nobody set one."""
    sha = _commit(request)
    statuses = request.view.checks(request.repository).statuses_of(sha)
    shown, headers = page(request, statuses)
    document = documents.combined_status(request.links, request.repository, sha, list(shown), statuses)
    return Reply(200, document, headers)


def _commit(request: Request) -> str:
    name = request.path["ref"]
    commit = request.repository.store.commit(name)
    if commit is None or not request.view.knows(request.repository, commit.sha):
        raise unprocessable(f"No commit found for SHA: {name}")
    return commit.sha
