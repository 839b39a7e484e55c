"""Which pull requests there are, and in what state (GitHub: "Objects", "List repositories accessible to the app").

Pull requests are listed repository by repository, which has no ceiling as a search has, and many repositories or pull
requests are asked about in one request.
"""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue, TypeAdapter

from autoswe.contracts.model import Count, PositiveInt
from autoswe.github.review.pull_lists import ActorNode
from autoswe.github.review.pull_states import QUERY, STATE
from autoswe.github.transport.api import MOST_PAGES
from autoswe.github.transport.app_identity import AppIdentity
from autoswe.github.transport.connections import Page, Reading, check_count
from autoswe.github.transport.installation import Installation, InstallationResource
from autoswe.github.transport.nodes import Node
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import Forbidden, Gone, PartialAnswer
from autoswe.ports.review.hosts import ListedPull, ScannedRepository
from autoswe.rules.review.pulls.candidate import Account, Candidate, PullState


class _Repository(Shape):
    node_id: str
    full_name: str
    archived: bool


class _Repositories(Shape):
    total_count: Count
    repositories: list[_Repository]


class _Powers(Shape):
    permissions: dict[str, JsonValue] | None = None


class _User(Shape):
    login: str
    type: str


class _Base(Shape):
    repo: _Repository


class _NamedPull(Shape):
    node_id: str
    number: PositiveInt
    title: str
    html_url: str
    user: _User | None
    base: _Base


class _PullNode(Node):
    number: PositiveInt
    title: str
    url: str
    author: ActorNode | None


class _RepositoryNode(Node):
    pull_requests: Page[_PullNode]


_REPOSITORIES = TypeAdapter(_Repositories)
_POWERS = TypeAdapter(_Powers)
_NAMED = TypeAdapter(_NamedPull)
_PULLS = TypeAdapter(_RepositoryNode)

_Place = tuple[str, int]


class Scan(InstallationResource):
    """Lists repositories and pull requests, and reads the states of many pull requests at once."""

    def __init__(self, installation: Installation, identity: AppIdentity) -> None:
        super().__init__(installation)
        self._identity = identity
        self._repositories: Mapping[str, _Repository] | None = None
        self._node_ids: dict[_Place, str] = {}

    def app_slug(self) -> str:
        """Read the slug of the App that the token is minted by."""
        return self._identity.slug()

    def powers(self, repository: str) -> Mapping[str, object] | None:
        """Read what a repository says that this token may do there; ``None`` when it does not say."""
        return self._installation.repository(repository).read(_POWERS).permissions

    def repositories(self, org: str) -> tuple[ScannedRepository, ...]:
        """List every repository of the installation; ``Forbidden`` when one is not the organisation's."""
        listed = self._listed().values()
        if any(one.full_name.partition("/")[0].casefold() != org.casefold() for one in listed):
            raise Forbidden(f"the App's installation is not {org}'s")
        return tuple(ScannedRepository(one.full_name, one.archived) for one in listed)

    def open_pulls(self, repositories: Sequence[str]) -> tuple[ListedPull, ...]:
        """List every open pull request of some of the installation's repositories."""
        chosen = {one.node_id: one for one in map(self._known, repositories)}
        nodes = self._installation.all_nodes(_PULLS, "open_pulls", list(chosen), after=None)
        return tuple(
            self._listed_pull(chosen[node.id], pull) for node in nodes for pull in self._all_of(chosen[node.id], node)
        )

    def named_pulls(self, pulls: Sequence[_Place]) -> tuple[ListedPull, ...]:
        """Read pull requests by full name and number, in that order; ``Gone`` for one that the token cannot read."""
        return tuple(self._named(repository, number) for repository, number in pulls)

    def states(self, pulls: Sequence[_Place]) -> tuple[PullState | None, ...]:
        """Read the states of pull requests that were listed or named before, in their order."""
        ids = [self._node_ids[_place(*pull)] for pull in pulls]
        nodes = self._installation.each_node(STATE, QUERY, ids)
        return tuple(None if node is None else node.pull_state(self._installation) for node in nodes)

    def _listed(self) -> Mapping[str, _Repository]:
        if self._repositories is None:
            pages = list(self._installation.pages(_REPOSITORIES, "installation", "repositories"))
            listed = [one for page in pages for one in page.repositories]
            check_count("the installation's repositories", len(listed), max(page.total_count for page in pages))
            self._repositories = {one.full_name.casefold(): one for one in listed}
        return self._repositories

    def _known(self, repository: str) -> _Repository:
        known = self._listed().get(repository.casefold())
        if known is None:
            raise Gone(f"{repository} is not among the installation's repositories")
        return known

    def _all_of(self, repository: _Repository, first: _RepositoryNode) -> tuple[_PullNode, ...]:
        pulls = Reading[_PullNode]()
        pulls.take(first.pull_requests)
        for _ in range(MOST_PAGES):
            whole = pulls.whole()
            if whole is not None:
                return whole
            ids = [repository.node_id]
            (more,) = self._installation.all_nodes(_PULLS, "open_pulls", ids, after=pulls.cursor)
            pulls.take(more.pull_requests)
        raise PartialAnswer(f"the pull requests of {repository.full_name}: more than {MOST_PAGES} pages")

    def _listed_pull(self, repository: _Repository, pull: _PullNode) -> ListedPull:
        author = pull.author.account() if pull.author else None
        return self._remembered(pull.id, repository, pull.number, author, title=pull.title, url=pull.url)

    def _named(self, repository: str, number: int) -> ListedPull:
        pull = self._installation.repository(repository).read(_NAMED, "pulls", number)
        home = pull.base.repo
        if _place(home.full_name, pull.number) != _place(repository, number):
            raise PartialAnswer(f"{repository}#{number} was asked for, {home.full_name}#{pull.number} came")
        author = Account(pull.user.type, pull.user.login) if pull.user else None
        return self._remembered(pull.node_id, home, number, author, title=pull.title, url=pull.html_url)

    def _remembered(
        self, node_id: str, repository: _Repository, number: int, author: Account | None, *, title: str, url: str
    ) -> ListedPull:
        self._node_ids[_place(repository.full_name, number)] = node_id
        return ListedPull(Candidate(repository.full_name, number, repository.archived, author), title, url)


def _place(repository: str, number: int) -> _Place:
    return repository.casefold(), number
