"""Git objects, refs and comparisons as JSON."""

from __future__ import annotations

from urllib.parse import quote

from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import timestamp
from infra.local.github_host.documents.accounts import Document, author
from infra.local.github_host.git.diff import FileChange
from infra.local.github_host.git.objects import Commit, Signature, TreeEntry
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.identifiers import node_id


def ref(links: Links, repo: GitRepository, name: str, sha: str, kind: str) -> Document:
    """Show a ref (schema ``git-ref``)."""
    api = f"{links.repository(repo.full_name)}/git"
    return {
        "ref": name,
        "node_id": node_id("REF", repo.id, name),
        "url": f"{api}/{quote(name)}",
        "object": {"type": kind, "sha": sha, "url": f"{api}/{kind}s/{sha}"},
    }


def tree(links: Links, repo: GitRepository, sha: str, entries: list[TreeEntry]) -> Document:
    """Show a tree with all its entries (schema ``git-tree``)."""
    api = f"{links.repository(repo.full_name)}/git"
    return {
        "sha": sha,
        "url": f"{api}/trees/{sha}",
        "tree": [_tree_entry(api, entry) for entry in entries],
        "truncated": False,
    }


def git_commit(links: Links, repo: GitRepository, commit: Commit) -> Document:
    """Show a commit object (schema ``git-commit``)."""
    api = f"{links.repository(repo.full_name)}/git"
    return {
        "sha": commit.sha,
        "node_id": node_id("C", repo.id, commit.sha),
        "url": f"{api}/commits/{commit.sha}",
        "html_url": links.page(repo.full_name, "commit", commit.sha),
        "author": _signature(commit.author),
        "committer": _signature(commit.committer),
        "tree": {"sha": commit.tree, "url": f"{api}/trees/{commit.tree}"},
        "message": commit.message,
        "parents": [
            {
                "sha": parent,
                "url": f"{api}/commits/{parent}",
                "html_url": links.page(repo.full_name, "commit", parent),
            }
            for parent in commit.parents
        ],
        "verification": _verification(commit),
    }


def commit_in_history(links: Links, repo: GitRepository, commit: Commit) -> Document:
    """Show a commit with the accounts behind it (schema ``commit``)."""
    shown = git_commit(links, repo, commit)
    api = f"{links.repository(repo.full_name)}/commits"
    return {
        "sha": commit.sha,
        "node_id": shown["node_id"],
        "commit": {
            **{name: shown[name] for name in ("author", "committer", "message", "tree", "verification", "url")},
            "comment_count": 0,
        },
        "url": f"{api}/{commit.sha}",
        "html_url": shown["html_url"],
        "comments_url": f"{api}/{commit.sha}/comments",
        "author": _account_of(links, repo, commit.author),
        "committer": _account_of(links, repo, commit.committer),
        "parents": [{**parent, "url": f"{api}/{parent['sha']}"} for parent in shown["parents"]],
    }


def simple_commit(repo: GitRepository, sha: str) -> Document:
    """Show the commit that checks are about (schema ``simple-commit``); LookupError when there is none."""
    commit = repo.store.commit(sha)
    if commit is None:
        raise LookupError(f"{repo.full_name} has no commit {sha}")
    return {
        "id": commit.sha,
        "tree_id": commit.tree,
        "message": commit.message,
        "timestamp": timestamp(commit.committer.at),
        "author": {"name": commit.author.name, "email": commit.author.email},
        "committer": {"name": commit.committer.name, "email": commit.committer.email},
    }


def changed_file(links: Links, repo: GitRepository, change: FileChange, head: str) -> Document:
    """Show a changed file of a comparison or a pull request (schema ``diff-entry``).

    A patch that is too large is left out like that of a binary file.
    """
    document: Document = {
        "sha": change.sha,
        "filename": change.path,
        "status": change.status,
        "additions": change.additions,
        "deletions": change.deletions,
        "changes": change.additions + change.deletions,
        "blob_url": links.page(repo.full_name, "blob", head, change.path),
        "raw_url": links.page(repo.full_name, "raw", head, change.path),
        "contents_url": f"{links.repository(repo.full_name)}/contents/{quote(change.path)}?ref={head}",
    }
    if change.patch is not None and len(change.patch.encode()) <= repo.state.limits.patch_bytes:
        document["patch"] = change.patch
    if change.previous_path is not None:
        document["previous_filename"] = change.previous_path
    return document


def _tree_entry(api: str, entry: TreeEntry) -> Document:
    document: Document = {"path": entry.path, "mode": entry.mode, "type": entry.type, "sha": entry.sha}
    if entry.size is not None:
        document["size"] = entry.size
    # A submodule's commit lives in another repository, so it has no address here.
    return document if entry.type == "commit" else {**document, "url": f"{api}/{entry.type}s/{entry.sha}"}


def _signature(one: Signature) -> Document:
    return {"name": one.name, "email": one.email, "date": timestamp(one.at)}


def _account_of(links: Links, repo: GitRepository, signature: Signature) -> Document | None:
    accounts = repo.state.accounts.values()
    return next((author(links, one) for one in accounts if one.email == signature.email), None)


def _verification(commit: Commit) -> Document:
    signed = commit.armour is not None
    return {
        "verified": commit.signed_by_host,
        "reason": "valid" if commit.signed_by_host else "unknown_key" if signed else "unsigned",
        "signature": commit.armour,
        "payload": commit.payload if signed else None,
        "verified_at": timestamp(commit.committer.at) if commit.signed_by_host else None,
    }
