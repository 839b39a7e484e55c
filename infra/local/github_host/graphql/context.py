"""Who asks, and what they may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLResolveInfo

from infra.local.github_host.access.tokens import InstallationToken
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.graphql.errors import Refused, forbidden, not_found
from infra.local.github_host.host_state import HostState
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import Review, ReviewComment, ReviewThread
from infra.local.github_host.replicas import View
from infra.local.github_host.repository import Repository

Info = GraphQLResolveInfo["Context"]
# How each field of a type is answered: from the object, what graphql-core knows of the request, and the arguments.
Fields = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class RateLimit:
    """What the request cost and how many nodes it asked for at most, and what is left of the hour's points."""

    cost: int
    node_count: int
    limit: int
    remaining: int
    reset_at: str


@dataclass(frozen=True)
class Context:
    """One request: the host, the token it came with, what it cost, and what it sees."""

    state: HostState
    token: InstallationToken
    rate_limit: RateLimit | None
    view: View

    def require(self, repository: GitRepository, *permissions: str) -> None:
        """Go on when the token may read one of these in a repository; Refused otherwise."""
        if not self.token.may_read(repository, *permissions):
            raise forbidden()

    def repository(self, owner: str, name: str) -> Repository:
        """Return a repository the token sees; Refused otherwise."""
        full_name = f"{owner}/{name}"
        found = self.state.repository(full_name) or self.state.repository_once(full_name)
        if found is None or not self.token.sees(found):
            raise not_found(f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return found

    def pull(self, repository: Repository, number: int) -> Pull:
        """Return a pull request; Refused when there is none, or no permission."""
        self.require(repository, "pull_requests")
        if number not in repository.pulls:
            raise not_found(f"Could not resolve to a PullRequest with the number of {number}.")
        return repository.pulls[number]

    def node(self, node_id: str) -> object:
        """Return what has a global id; Refused when that is nothing the token sees."""
        node = self.view.node(self.state.nodes.get(node_id))
        repository = _repository_of(node)
        if repository is None or not self.token.sees(repository):
            raise _unresolved(node_id)
        if not isinstance(node, Repository):
            self.require(repository, "pull_requests")
        return node

    def nodes(self, node_ids: Sequence[str]) -> list[object]:
        """Return what has each global id, for one that is nothing the token sees the refusal; Refused for too many."""
        limit = self.state.limits.query_ids
        if len(node_ids) > limit:
            message = f"You may not provide more than {limit} node ids; you provided {len(node_ids)}."
            raise Refused("ARGUMENT_LIMIT", message)
        return [self._node_or_refusal(node_id) for node_id in node_ids]

    def repository_node(self, node_id: str) -> Repository:
        """Return the repository that has a global id; Refused when that is something else."""
        node = self.node(node_id)
        if not isinstance(node, Repository):
            raise _unresolved(node_id)
        return node

    def _node_or_refusal(self, node_id: str) -> object:
        # An error among the nodes becomes null there, with the error beside the data.
        try:
            return self.node(node_id)
        except Refused as refused:
            return refused


def _unresolved(node_id: str) -> Refused:
    return not_found(f"Could not resolve to a node with the global id of '{node_id}'")


def _repository_of(node: object) -> GitRepository | None:
    match node:
        case GitRepository():
            return node
        case Pull():
            return node.repository
        case IssueComment() | Review() | ReviewComment() | ReviewThread():
            return None if isinstance(node, IssueComment | ReviewComment) and node.deleted else node.pull.repository
        case _:
            return None
