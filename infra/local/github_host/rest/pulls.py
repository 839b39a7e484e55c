"""Pull requests, the files they change and the commits they hold."""

from __future__ import annotations

from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import git, pulls
from infra.local.github_host.people.permissions import reading
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

pull_requests = Resource()


@pull_requests.operation(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}", "pulls/pulls#get-a-pull-request", reading("pull_requests")
)
def get_pull(request: Request) -> Reply:
    """Get a pull request."""
    return Reply(200, pulls.full_pull(request.links, request.pull))


@pull_requests.operation(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
    "pulls/pulls#list-pull-requests-files",
    reading("pull_requests"),
)
def list_files(request: Request) -> Reply:
    """List pull requests files, in the order of their paths and no more than three thousand."""
    pull, limits = request.pull, request.state.limits
    changes = pull.changed_files()[: limits.pull_files]
    shown, headers = page(request, changes)
    files = [git.changed_file(request.links, request.repository, one, pull.head_sha) for one in shown]
    return Reply(200, files, headers)


@pull_requests.operation(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
    "pulls/pulls#list-commits-on-a-pull-request",
    reading("pull_requests"),
)
def list_commits(request: Request) -> Reply:
    """List commits on a pull request, oldest first and no more than two hundred and fifty."""
    repo = request.repository
    found = (repo.store.commit(sha) for sha in request.pull.commits()[: request.state.limits.pull_commits])
    shown, headers = page(request, [commit for commit in found if commit is not None])
    return Reply(200, [git.commit_in_history(request.links, repo, commit) for commit in shown], headers)
