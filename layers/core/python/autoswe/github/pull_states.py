"""Where a pull request stands, with all that decides whether its branch may be pushed to, in one query.

Sources: "Objects: PullRequest, Ref, RefUpdateRule". ``rules`` are the active rulesets' of repository and organisation;
``refUpdateRule`` is what anybody may see of a classic protection, and is not there without one.
"""

from typing import Literal

from pydantic import Field, TypeAdapter

from autoswe.contracts.model import PositiveInt, Sha
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, PageInfo
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Branch, Pull, PullState, Repository


class _Target(GraphqlShape):
    oid: Sha


class _Named(GraphqlShape):
    name: str


class _Beside(GraphqlShape):
    target: _Target


class _Author(GraphqlShape):
    typename: str = Field(alias="__typename")
    database_id: PositiveInt | None = None


class _Numbered(GraphqlShape):
    database_id: PositiveInt


class _Rule(GraphqlShape):
    type: str


class _Rules(GraphqlShape):
    page_info: PageInfo
    nodes: list[_Rule]


class _UpdateRule(GraphqlShape):
    pattern: str | None


class _Head(GraphqlShape):
    name: str
    target: _Target
    ref_update_rule: _UpdateRule | None
    rules: _Rules

    def branch(self) -> Branch:
        if self.rules.page_info.has_next_page:
            raise PartialAnswer(f"branch {self.name!r} has more rules than one page")
        types = (rule.type.lower() for rule in self.rules.nodes)
        return Branch(self.target.oid, self.ref_update_rule is not None, tuple(dict.fromkeys(types)))


class _Pull(GraphqlShape):
    number: PositiveInt
    state: Literal["OPEN", "CLOSED", "MERGED"]
    head_ref_name: str
    head_ref_oid: Sha
    base_ref_name: str
    base_ref_oid: Sha
    author: _Author | None
    head_repository: _Numbered | None
    head_ref: _Head | None


class _Repository(GraphqlShape):
    id: str
    database_id: PositiveInt
    name_with_owner: str
    is_archived: bool
    default_branch_ref: _Named | None
    beside: _Beside | None
    pull_request: _Pull


class _Data(GraphqlShape):
    repository: _Repository


class _Answer(GraphqlShape):
    data: _Data


_ANSWER = TypeAdapter(_Answer)

# GitHub Enterprise Server names its version in every answer, and signs nothing that a bot commits.
_ENTERPRISE_VERSION = "x-github-enterprise-version"


class PullStates(Resource):
    """Reads where pull requests stand."""

    def pull_state(self, number: int, beside: str) -> PullState:
        """Read a pull request with its branch, its repository, and the tip of the branch ``beside``.

        ``Gone`` when there is no such pull request. A branch with more rules than are told is ``PartialAnswer``.
        """
        answer, headers = self._api.query_with_headers(
            _ANSWER, "pull_state", number=number, beside=f"refs/heads/{beside}"
        )
        found = answer.data.repository
        read, head = found.pull_request, found.pull_request.head_ref
        if read.number != number:
            raise PartialAnswer(f"pull request {number} was asked for, {read.number} came")
        if head is not None and head.name != read.head_ref_name:
            raise PartialAnswer(f"branch {read.head_ref_name!r} was asked for, {head.name!r} came")
        if found.default_branch_ref is None:
            raise Gone("the repository has no default branch")
        pull = Pull(
            number=number,
            is_open=read.state == "OPEN",
            head_sha=read.head_ref_oid,
            head_ref=read.head_ref_name,
            head_repository_id=read.head_repository.database_id if read.head_repository else None,
            base_sha=read.base_ref_oid,
            base_ref=read.base_ref_name,
            repository_id=found.database_id,
            author_id=read.author.database_id if read.author else None,
        )
        repository = Repository(
            found.database_id,
            found.id,
            found.default_branch_ref.name,
            found.is_archived,
            _ENTERPRISE_VERSION not in headers,
            found.name_with_owner,
        )
        tip = found.beside.target.oid if found.beside else None
        return PullState(pull, head.branch() if head else None, repository, tip)
