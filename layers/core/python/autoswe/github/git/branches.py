"""Branches and refs (Get a branch, Get rules for a branch, Get a reference, Compare two commits)."""

from typing import Literal

from pydantic import TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Branch


class _Commit(Shape):
    sha: Sha


class _Protection(Shape):
    enabled: bool


class _Branch(Shape):
    name: str
    commit: _Commit
    protected: bool
    protection: _Protection | None = None


class _Rule(Shape):
    type: str


class _Target(Shape):
    type: Literal["commit"]
    sha: Sha


class _Ref(Shape):
    ref: str
    object: _Target


class _Comparison(Shape):
    status: Literal["ahead", "behind", "diverged", "identical"]


_BRANCH = TypeAdapter(_Branch)
_COMPARISON = TypeAdapter(_Comparison)
_RULES = TypeAdapter(list[_Rule])
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


class Branches(Resource):
    """Reads branches."""

    def branch(self, name: str) -> Branch | None:
        """Read a branch, whether it is protected, and the types of the active rules on it; ``None``: no such branch."""
        try:
            read = self._api.read(_BRANCH, "branches", name)
        except Gone:
            return None
        if read.name != name:
            # A renamed branch still answers to its old name.
            raise PartialAnswer(f"branch {name!r} was asked for, {read.name!r} came")
        rules = [rule.type for page in self._api.pages(_RULES, "rules", "branches", name) for rule in page]
        return Branch(read.commit.sha, _protected_the_classic_way(read, rules), tuple(dict.fromkeys(rules)))


def _protected_the_classic_way(read: _Branch, rules: list[str]) -> bool:
    """Tell a classic protection from rulesets, which also make a branch ``protected`` (List branches).

    Unless the host says that there is none, and rules say what protects the branch instead, there is one.
    """
    by_rules_alone = read.protection is not None and not read.protection.enabled and bool(rules)
    return read.protected and not by_rules_alone
