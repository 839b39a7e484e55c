"""Refs (Get a reference, Compare two commits)."""

from typing import Literal

from pydantic import TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import Gone, PartialAnswer


class _Target(Shape):
    type: Literal["commit"]
    sha: Sha


class _Ref(Shape):
    ref: str
    object: _Target


class _Comparison(Shape):
    status: Literal["ahead", "behind", "diverged", "identical"]


_COMPARISON = TypeAdapter(_Comparison)
_REF = TypeAdapter(_Ref)


class Refs(Resource):
    """Reads refs."""

    def ref(self, name: str) -> str | None:
        """Read the commit that a ref such as ``heads/main`` points to; ``None`` when there is no such ref."""
        try:
            read = self._api.read(_REF, "git", "ref", name)
        except Gone:
            return None
        if read.ref != f"refs/{name}":
            raise PartialAnswer(f"ref {name!r} was asked for, {read.ref!r} came")
        return read.object.sha

    def branch_holds(self, name: str, commit_sha: str) -> bool:
        """Say whether a branch stands at a commit or has gone on from it (Compare two commits)."""
        try:
            read = self._api.read(_COMPARISON, "compare", f"{commit_sha}...{name}", per_page=1)
        except Gone:
            return False
        return read.status in {"ahead", "identical"}
