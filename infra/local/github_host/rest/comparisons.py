"""Comparing commits, and packing one as an archive.

Sources: "Compare two commits", "Download a repository archive (tar)".
"""

from __future__ import annotations

from infra.local.github_host.answers.errors import not_found
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import git
from infra.local.github_host.documents.accounts import Document
from infra.local.github_host.git.diff import changed_files
from infra.local.github_host.git.objects import Commit
from infra.local.github_host.people.permissions import reading
from infra.local.github_host.repository import Repository
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

_COMMITS_A_PAGE = 100

comparisons = Resource()


@comparisons.operation(
    "GET /repos/{owner}/{repo}/compare/{basehead}", "commits/commits#compare-two-commits", reading("contents")
)
def compare(request: Request) -> Reply:
    """Compare two commits from their common ancestor; the first page alone lists files, and not all of many."""
    repo = request.repository
    base_name, dots, head_name = request.path["basehead"].partition("...")
    base, head = repo.store.commit(base_name), repo.store.commit(head_name)
    common = None if base is None or head is None else repo.store.merge_base(base.sha, head.sha)
    unknown = [one for one in (base, head) if one is not None and not request.view.knows(repo, one.sha)]
    if unknown or not dots or base is None or head is None or common is None:
        raise not_found()
    ahead = repo.store.commits_between(base.sha, head.sha)
    shown, headers = page(request, ahead, _COMMITS_A_PAGE)
    document = {
        **_summary(request, repo, base, head, common),
        "total_commits": len(ahead),
        "commits": [_commit(request, repo, sha) for sha in shown],
    }
    if request.query.get("page", "1") == "1":
        files = changed_files(repo.store, common, head.sha)[: request.state.limits.compared_files]
        document["files"] = [git.changed_file(request.links, repo, file, head.sha) for file in files]
    return Reply(200, document, headers)


@comparisons.operation(
    "GET /repos/{owner}/{repo}/tarball/{ref}",
    "repos/contents#download-a-repository-archive-tar",
    reading("contents"),
)
def tarball(request: Request) -> Reply:
    """Send the caller to where the archive is, with a short-lived permission in the address."""
    repo = request.repository
    commit = repo.store.commit(request.path["ref"])
    if commit is None:
        raise not_found()
    ticket = request.services.archives.ticket(repo, commit.sha, request.state.now())
    location = f"{request.links.web}/codeload/{repo.full_name}/legacy.tar.gz/{commit.sha}?token={ticket}"
    return Reply(302, headers={"Location": location})


def _summary(request: Request, repo: Repository, base: Commit, head: Commit, common: str) -> Document:
    ahead = len(repo.store.commits_between(base.sha, head.sha))
    behind = len(repo.store.commits_between(head.sha, base.sha))
    status = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind", (False, False): "identical"}
    range_of = f"{base.sha}...{head.sha}"
    page_url = request.links.page(repo.full_name, "compare", range_of)
    return {
        "url": f"{request.links.repository(repo.full_name)}/compare/{range_of}",
        "html_url": page_url,
        "permalink_url": page_url,
        "diff_url": f"{page_url}.diff",
        "patch_url": f"{page_url}.patch",
        "base_commit": _commit(request, repo, base.sha),
        "merge_base_commit": _commit(request, repo, common),
        "status": status[ahead > 0, behind > 0],
        "ahead_by": ahead,
        "behind_by": behind,
    }


def _commit(request: Request, repo: Repository, sha: str) -> Document:
    commit = repo.store.commit(sha)
    if commit is None:
        raise not_found()
    return git.commit_in_history(request.links, repo, commit)
