"""What is told of a selected pull request beside its state (GitHub: "Objects: PullRequest")."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, TypeAdapter

from autoswe.contracts.model import Count, Sha
from autoswe.github.review.pull_lists import ActorNode, ReviewNode
from autoswe.github.transport.connections import MOST_PAGES_OF_A_LIST, Page, Reading, check_count
from autoswe.github.transport.installation import InstallationResource
from autoswe.github.transport.shape import GraphqlShape
from autoswe.ports.github import PartialAnswer
from autoswe.ports.review.hosts import CheckRow, PullDetails, ReviewRow

_AWAITED = {"EXPECTED", "PENDING"}


class _CheckRun(GraphqlShape):
    kind: Literal["CheckRun"] = Field(alias="__typename")
    name: str
    status: str
    conclusion: str | None

    def row(self) -> CheckRow:
        return CheckRow(self.name, self.status, self.conclusion)


class _StatusContext(GraphqlShape):
    kind: Literal["StatusContext"] = Field(alias="__typename")
    context: str
    state: str

    def row(self) -> CheckRow:
        awaited = self.state in _AWAITED
        return CheckRow(self.context, "PENDING" if awaited else "COMPLETED", None if awaited else self.state)


_Check = Annotated[_CheckRun | _StatusContext, Field(discriminator="kind")]


class _Contexts(Page[_Check]):
    total_count: Count


class _Rollup(GraphqlShape):
    contexts: _Contexts


class _Label(GraphqlShape):
    name: str


class _HeadRepository(GraphqlShape):
    name_with_owner: str


class _Pull(GraphqlShape):
    title: str
    body: str
    url: str
    author_association: str
    head_ref_oid: Sha
    head_ref_name: str
    base_ref_name: str
    is_cross_repository: bool
    created_at: AwareDatetime
    updated_at: AwareDatetime
    author: ActorNode | None
    head_repository: _HeadRepository | None
    labels: Page[_Label]
    reviews: Page[ReviewNode]
    status_check_rollup: _Rollup | None


class _Repository(GraphqlShape):
    pull_request: _Pull


class _Data(GraphqlShape):
    repository: _Repository


class _Answer(GraphqlShape):
    data: _Data


_ANSWER = TypeAdapter(_Answer)


class Details(InstallationResource):
    """Reads what a pull request says of itself, its checks and its reviews."""

    def details(self, repository: str, number: int) -> PullDetails:
        """Read what is told of a selected pull request; ``PartialAnswer`` when a list is longer than is ever read."""
        api = self._installation.repository(repository)
        reviews, checks = Reading[ReviewNode](), Reading[_Check]()
        for _ in range(MOST_PAGES_OF_A_LIST):
            cursors = {"reviews": reviews.cursor, "checks": checks.cursor}
            pull = api.query(_ANSWER, "pull_details", number=number, **cursors).data.repository.pull_request
            reviews.take(pull.reviews)
            if pull.status_check_rollup is None:
                checks = Reading(goes_on=False)
            else:
                checks.take(pull.status_check_rollup.contexts)
            if not reviews.goes_on and not checks.goes_on:
                return _details(pull, reviews.nodes, checks.nodes)
        raise PartialAnswer(f"{repository}#{number}: its reviews or checks have more than {MOST_PAGES_OF_A_LIST} pages")


def _details(pull: _Pull, reviews: list[ReviewNode], checks: list[_Check]) -> PullDetails:
    if pull.labels.page_info.has_next_page:
        raise PartialAnswer(f"{pull.url}: it has more labels than one page")
    if pull.status_check_rollup is not None:
        check_count(f"the checks of {pull.url}", len(checks), pull.status_check_rollup.contexts.total_count)
    author = pull.author.account() if pull.author else None
    return PullDetails(
        title=pull.title,
        body=pull.body,
        url=pull.url,
        author=author.login if author else None,
        author_association=pull.author_association,
        head_sha=pull.head_ref_oid,
        head_repository=pull.head_repository.name_with_owner if pull.head_repository else None,
        head_ref=pull.head_ref_name,
        base_ref=pull.base_ref_name,
        is_fork=pull.is_cross_repository,
        labels=tuple(label.name for label in pull.labels.nodes),
        created_at=pull.created_at,
        updated_at=pull.updated_at,
        checks=tuple(check.row() for check in checks),
        reviews=tuple(map(_review, reviews)),
    )


def _review(node: ReviewNode) -> ReviewRow:
    author = node.author.account() if node.author else None
    return ReviewRow(
        author=author.login if author else None,
        is_bot=author is not None and author.typename == "Bot",
        state=node.state,
        commit=node.commit_sha,
        submitted_at=node.submitted_at,
    )
