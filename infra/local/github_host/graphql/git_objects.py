"""Git objects by their ids as GraphQL fields.

Source: "Objects: Blob". Observed: the text of a large file comes cut, and one that is not UTF-8 is binary. Assumed: it
is cut after 512,000 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.graphql import refs
from infra.local.github_host.graphql.context import Fields, Info
from infra.local.github_host.graphql.refs import Ref, find_branch
from infra.local.github_host.graphql.rollups import GitCommit
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.repository import Repository

_TOLD_BYTES = 512_000


@dataclass(frozen=True)
class GitBlob:
    """A file's content."""

    repository: Repository
    sha: str
    content: bytes


def find_object(repository: Repository, info: Info, oid: str | None = None, **_: Any) -> GitCommit | GitBlob | None:
    """Return the commit or blob that has an object id, null when there is none."""
    info.context.require(repository, "contents")
    found = None if oid is None else repository.store.find(oid)
    if found is None or found.sha != oid:
        return None
    if found.type == "blob":
        return GitBlob(repository, found.sha, found.content)
    if found.type != "commit" or not info.context.view.knows(repository, found.sha):
        return None
    return GitCommit(repository, found.sha)


def find_ref(repository: Repository, info: Info, qualifiedName: str) -> Ref | None:  # noqa: N803 - GitHub's name
    """Return the branch of a full name such as ``refs/heads/main``, null when there is none."""
    info.context.require(repository, "contents")
    return find_branch(repository, qualifiedName.removeprefix("refs/heads/"))


def _target(ref: Ref, _: Info) -> GitCommit | None:
    tip = ref.repository.store.tip(ref.branch)
    return None if tip is None or not isinstance(ref.repository, CheckedRepository) else GitCommit(ref.repository, tip)


def _text(blob: GitBlob, _: Info) -> str | None:
    try:
        return None if b"\0" in blob.content else blob.content.decode()[:_TOLD_BYTES]
    except UnicodeDecodeError:
        return None


REF: Fields = {**refs.REF, "target": _target}
BLOB: Fields = {
    "id": lambda blob, _: node_id("B", blob.repository.id, blob.sha),
    "oid": lambda blob, _: blob.sha,
    "text": _text,
    "isTruncated": lambda blob, _: len(blob.content) > _TOLD_BYTES,
}
