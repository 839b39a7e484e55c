"""Git data: trees, and why some are refused.

Source: "Git trees". That an App without the ``workflows`` permission fails here, not at the push, is observed, and so
are the words about paths. With which words GitHub refuses a symbolic link named ``.gitmodules`` is assumed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import git
from infra.local.github_host.git.objects import TreeEntry
from infra.local.github_host.git.store import GitStore
from infra.local.github_host.git.tree_names import is_linked_gitmodules, is_malformed
from infra.local.github_host.git.workflow_files import WORKFLOWS
from infra.local.github_host.people.permissions import Need, reading, writing
from infra.local.github_host.rest.routing import Request, Resource

MODES = {"100644": "blob", "100755": "blob", "120000": "blob", "040000": "tree", "160000": "commit"}
_BAD_STATE = "GitRPC::BadObjectState"

git_trees = Resource()


@git_trees.operation("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", "git/trees#get-a-tree", reading("contents"))
def get_tree(request: Request) -> Reply:
    """Get a tree, of a tree, commit or ref; any value of ``recursive`` lists all of it up to the host's limits."""
    repo = request.repository
    found = repo.store.find(f"{request.path['tree_sha']}^{{tree}}")
    if found is None:
        raise not_found()
    if "recursive" not in request.query:
        return Reply(200, git.tree(request.links, repo, found.sha, repo.store.tree(found.sha, recursive=False)))
    limits = request.state.limits
    entries = repo.store.tree(found.sha, recursive=True)
    shown = git.tree(request.links, repo, found.sha, entries[: limits.tree_entries])
    sizes = accumulate(len(json.dumps(entry)) for entry in shown["tree"])
    fitting = sum(size <= limits.tree_bytes for size in sizes)
    return Reply(200, {**shown, "tree": shown["tree"][:fitting], "truncated": fitting < len(entries)})


@git_trees.operation("POST /repos/{owner}/{repo}/git/trees", "git/trees#create-a-tree", writing("contents"))
def create_tree(request: Request) -> Reply:
    """Create a tree from entries, on top of ``base_tree`` when one is given."""
    repo = request.repository
    base = _base(request)
    changes = _Changes.read(repo.store, base, request.field("tree", list))
    sha = repo.store.write_tree(base, changes.entries, changes.removed)
    may_touch_workflows = request.token.allows(Need("workflows", "write"))
    if not may_touch_workflows and _workflows(repo.store, sha) != _workflows(repo.store, base):
        raise ApiError(403, "Resource not accessible by integration")
    entries = repo.store.tree(sha, recursive=False)
    shown = git.tree(request.links, repo, sha, entries)
    return Reply(201, shown, {"Location": shown["url"]})


@dataclass(frozen=True)
class _Changes:
    """What to set and what to take away."""

    entries: Sequence[TreeEntry]
    removed: Sequence[str]

    @classmethod
    def read(cls, store: GitStore, base: str | None, asked: Sequence[Any]) -> _Changes:
        entries: list[TreeEntry] = []
        removed: list[str] = []
        for entry in asked:
            path, mode = _path(entry), entry.get("mode")
            if mode not in MODES:
                raise unprocessable(f"tree.mode {mode!r} must be one of {', '.join(MODES)}")
            if is_linked_gitmodules(path, mode):
                raise unprocessable(_BAD_STATE)
            if entry.get("sha", ...) is None and "content" not in entry:
                if not _is_file(store, base, path):
                    raise unprocessable(_BAD_STATE)
                removed.append(path)
            elif mode == "040000":
                removed += _files_below(store, base, path)
                entries += _grafted(store, path, _sha(store, entry, mode))
            else:
                entries.append(TreeEntry(path, mode, MODES[mode], _sha(store, entry, mode)))
        return cls(entries, removed)


def _base(request: Request) -> str | None:
    name: str | None = request.field("base_tree", str, None)
    if name is None:
        return None
    found = request.repository.store.find(f"{name}^{{tree}}")
    if found is None:
        raise unprocessable("base_tree is not a valid tree oid")
    return found.sha


def _path(entry: Any) -> str:
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str) or not path:
        raise unprocessable("tree.path must be a string that is not empty")
    if path.startswith("/"):
        raise unprocessable("tree.path cannot start with a slash")
    if is_malformed(path):
        raise unprocessable("tree.path contains a malformed path component")
    return path


def _sha(store: GitStore, entry: dict[str, Any], mode: str) -> str:
    sha, content = entry.get("sha"), entry.get("content")
    if (sha is None) == (content is None):
        raise unprocessable(
            "Must supply either tree.sha or tree.content. Request will be rejected if both are present."
        )
    if isinstance(content, str):
        return store.write_blob(content.encode())
    if MODES[mode] == "commit":
        return str(sha)
    found = store.find(sha) if isinstance(sha, str) else None
    if found is None or found.sha != sha or found.type != MODES[mode]:
        raise unprocessable(f"tree.sha {sha} is not a valid {MODES[mode]}")
    return found.sha


def _is_file(store: GitStore, base: str | None, path: str) -> bool:
    found = None if base is None else store.find(f"{base}:{path}")
    return found is not None and found.type != "tree"


def _files_below(store: GitStore, base: str | None, path: str) -> list[str]:
    found = None if base is None else store.find(f"{base}:{path}")
    if found is None or found.type != "tree":
        return []
    return [f"{path}/{one.path}" for one in store.tree(found.sha, recursive=True) if one.type != "tree"]


def _grafted(store: GitStore, path: str, sha: str) -> list[TreeEntry]:
    below = store.tree(sha, recursive=True)
    return [TreeEntry(f"{path}/{one.path}", one.mode, one.type, one.sha) for one in below if one.type != "tree"]


def _workflows(store: GitStore, tree: str | None) -> str | None:
    found = None if tree is None else store.find(f"{tree}:{WORKFLOWS}")
    return None if found is None else found.sha
