"""Git data: blobs, trees and commits.

Sources: "Git blobs", "Git trees", "Git commits". How a blob that is too large is refused is assumed.
"""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from typing import Any

from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import git
from infra.local.github_host.git.objects import Signature, commit_text
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.permissions import reading, writing
from infra.local.github_host.rest.routing import Request, Resource

# Who commits what the API writes, and signs it.
WEB_FLOW = ("GitHub", "noreply@github.com")

git_objects = Resource()


@git_objects.operation("GET /repos/{owner}/{repo}/git/blobs/{file_sha}", "git/blobs#get-a-blob", reading("contents"))
def get_blob(request: Request) -> Reply:
    """Get a blob, in base64."""
    sha = request.path["file_sha"]
    found = request.repository.store.find(sha)
    if found is None or found.type != "blob":
        raise not_found()
    if len(found.content) > request.state.limits.blob_bytes:
        message = f"This API returns blobs up to {request.state.limits.blob_bytes} bytes in size."
        raise ApiError(403, message, errors=[{"resource": "Blob", "field": "data", "code": "too_large"}])
    document = {
        "sha": found.sha,
        "node_id": node_id("B", request.repository.id, found.sha),
        "size": len(found.content),
        "url": _url(request, "blobs", found.sha),
        "content": base64.encodebytes(found.content).decode(),
        "encoding": "base64",
    }
    return Reply(200, document)


@git_objects.operation("POST /repos/{owner}/{repo}/git/blobs", "git/blobs#create-a-blob", writing("contents"))
def create_blob(request: Request) -> Reply:
    """Create a blob from UTF-8 text or base64."""
    content: str = request.field("content", str)
    encoding = request.field("encoding", str, "utf-8")
    if encoding not in {"utf-8", "base64"}:
        raise unprocessable(f"{encoding} is not a supported encoding")
    try:
        data = base64.b64decode(content) if encoding == "base64" else content.encode()
    except (binascii.Error, ValueError):
        raise unprocessable("content is not valid Base64") from None
    if len(data) > request.state.limits.blob_bytes:
        raise unprocessable("Validation Failed", {"resource": "Blob", "field": "content", "code": "too_large"})
    sha = request.repository.store.write_blob(data)
    return Reply(201, {"sha": sha, "url": _url(request, "blobs", sha)})


@git_objects.operation(
    "GET /repos/{owner}/{repo}/git/commits/{commit_sha}", "git/commits#get-a-commit-object", reading("contents")
)
def get_commit(request: Request) -> Reply:
    """Get a commit object."""
    repo = request.repository
    found = repo.store.find(request.path["commit_sha"])
    commit = None if found is None or found.type != "commit" else repo.store.commit(found.sha)
    if commit is None or not request.view.knows(repo, commit.sha):
        raise not_found()
    return Reply(200, git.git_commit(request.links, repo, commit))


@git_objects.operation("POST /repos/{owner}/{repo}/git/commits", "git/commits#create-a-commit", writing("contents"))
def create_commit(request: Request) -> Reply:
    """Create a commit; it is the App's bot's and signed unless the request names author, committer or signature.

    Source: "About commit signature verification", which speaks of bots for GitHub and not for Enterprise Server.
    """
    repo, bot = request.repository, request.app.bot
    message: str = request.field("message", str)
    tree = request.sha("tree")
    parents = tuple(request.field("parents", list, []))
    if not _has_type(request, tree, "tree"):
        raise unprocessable("Tree SHA does not exist")
    for parent in parents:
        if not isinstance(parent, str) or not _has_type(request, parent, "commit"):
            raise unprocessable("Parent SHA does not exist or is not a commit object")
    now = request.state.now()
    own_words = any(request.body.get(name) for name in ("author", "committer", "signature"))
    author = _signature(request, "author", Signature(bot.login, bot.email, now))
    committer = _signature(request, "committer", author if own_words else Signature(*WEB_FLOW, now))
    signed = not own_words and request.state.enterprise_version is None
    sha = repo.store.write_commit(commit_text(tree, parents, author, committer, message, signed=signed))
    repo.written.setdefault(sha, request.state.clock())
    commit = repo.store.commit(sha)
    if commit is None:
        raise ApiError(500, "Server Error")
    shown = git.git_commit(request.links, repo, commit)
    return Reply(201, shown, {"Location": shown["url"]})


def _signature(request: Request, name: str, default: Signature) -> Signature:
    given: dict[str, Any] | None = request.field(name, dict, None)
    if given is None:
        return default
    if not isinstance(given.get("name"), str) or not isinstance(given.get("email"), str):
        raise unprocessable(f"Invalid request.\n\nFor 'properties/{name}', name and email must be strings.")
    try:
        at = datetime.fromisoformat(given["date"]) if "date" in given else default.at
    except (TypeError, ValueError):
        raise unprocessable(f"Invalid request.\n\nFor 'properties/{name}', date is not ISO 8601.") from None
    return Signature(given["name"], given["email"], at.astimezone(UTC))


def _has_type(request: Request, sha: str, kind: str) -> bool:
    found = request.repository.store.find(sha)
    return found is not None and found.type == kind and found.sha == sha


def _url(request: Request, kind: str, sha: str) -> str:
    return f"{request.links.repository(request.repository.full_name)}/git/{kind}/{sha}"
