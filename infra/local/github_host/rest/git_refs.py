"""Git data: refs.

Source: "Git references".
"""

from __future__ import annotations

from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import git
from infra.local.github_host.documents.accounts import Document
from infra.local.github_host.git.ref_updates import RefRefused, update_refs
from infra.local.github_host.git.store import ZERO_SHA, RefUpdate
from infra.local.github_host.people.permissions import Need, reading, writing
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

git_refs = Resource()


@git_refs.operation("GET /repos/{owner}/{repo}/git/ref/{ref}", "git/refs#get-a-reference", reading("contents"))
def get_ref(request: Request) -> Reply:
    """Get a reference by its exact name."""
    return Reply(200, _shown(request, f"refs/{request.path['ref']}"))


@git_refs.operation(
    "GET /repos/{owner}/{repo}/git/matching-refs/{ref}", "git/refs#list-matching-references", reading("contents")
)
def list_matching_refs(request: Request) -> Reply:
    """List the references that start with a name; none is an empty list."""
    repo = request.repository
    found, headers = page(request, repo.store.refs(f"refs/{request.path['ref']}"))
    return Reply(200, [git.ref(request.links, repo, *one) for one in found], headers)


@git_refs.operation("POST /repos/{owner}/{repo}/git/refs", "git/refs#create-a-reference", writing("contents"))
def create_ref(request: Request) -> Reply:
    """Create a reference."""
    ref: str = request.field("ref", str)
    sha = request.sha("sha")
    if request.repository.store.ref(ref) is not None:
        raise unprocessable("Reference already exists")
    _update(request, RefUpdate(ref, ZERO_SHA, sha), force=False)
    shown = _shown(request, ref)
    return Reply(201, shown, {"Location": shown["url"]})


@git_refs.operation("PATCH /repos/{owner}/{repo}/git/refs/{ref}", "git/refs#update-a-reference", writing("contents"))
def update_ref(request: Request) -> Reply:
    """Update a reference; without ``force`` the new commit must contain the old one."""
    ref = f"refs/{request.path['ref']}"
    sha = request.sha("sha")
    force: bool = request.field("force", bool, False)
    _update(request, RefUpdate(ref, _standing(request, ref), sha), force=force)
    return Reply(200, _shown(request, ref))


@git_refs.operation("DELETE /repos/{owner}/{repo}/git/refs/{ref}", "git/refs#delete-a-reference", writing("contents"))
def delete_ref(request: Request) -> Reply:
    """Delete a reference."""
    ref = f"refs/{request.path['ref']}"
    _update(request, RefUpdate(ref, _standing(request, ref), ZERO_SHA), force=True)
    return Reply(204)


def _shown(request: Request, ref: str) -> Document:
    found = request.repository.store.ref(ref)
    if found is None:
        raise not_found()
    return git.ref(request.links, request.repository, ref, found.sha, found.type)


def _standing(request: Request, ref: str) -> str:
    found = request.repository.store.ref(ref)
    if found is None:
        raise unprocessable("Reference does not exist")
    return found.sha


def _update(request: Request, update: RefUpdate, *, force: bool) -> None:
    try:
        workflows = request.token.allows(Need("workflows", "write"))
        update_refs(request.repository, [(update, force)], by=request.app.bot, workflows=workflows)
    except RefRefused as refused:
        raise ApiError(refused.status, refused.message) from None
