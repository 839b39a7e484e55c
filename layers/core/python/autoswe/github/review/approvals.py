"""A pull request before our approval, and the approval itself (Create a review for a pull request)."""

from collections.abc import Callable, Collection

from pydantic import JsonValue, TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.review.changes import read_commits
from autoswe.github.review.pull_states import QUERY, STATE
from autoswe.github.transport.api import Api
from autoswe.github.transport.app_identity import AppIdentity
from autoswe.github.transport.nodes import NODES, read_node
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import PartialAnswer, Unavailable
from autoswe.ports.review.hosts import OwnReview
from autoswe.rules.review.pulls.candidate import APPROVED
from autoswe.rules.review.pulls.reread import Live

OpenRepository = Callable[[str], Api]
"""Opens the API of a repository, named in full."""


class _User(Shape):
    id: int


class _Pull(Shape):
    node_id: str
    number: int
    user: _User | None


class _Review(Shape):
    user: _User | None
    state: str
    body: str | None
    html_url: str
    commit_id: Sha | None


_PULL = TypeAdapter(_Pull)
_REVIEW = TypeAdapter(_Review)
_REVIEWS = TypeAdapter(list[_Review])


class LivePulls:
    """Reads one pull request as it stands now, and what we wrote on it."""

    def __init__(self, open_repository: OpenRepository, bot_id: int, our_bots: Collection[int]) -> None:
        """``bot_id`` is the account of the App that approves, ``our_bots`` those of all our Apps."""
        self._open = open_repository
        self._bot_id = bot_id
        self._our_bots = frozenset({bot_id, *our_bots})

    def live(self, repository: str, number: int) -> Live:
        """Read the pull request as it stands now."""
        api = self._open(repository)
        pull = api.read(_PULL, "pulls", number)
        nodes = api.query(NODES, QUERY, ids=[pull.node_id]).data.nodes
        node = read_node(STATE, nodes[0], pull.node_id) if len(nodes) == 1 else None
        if pull.number != number or node is None:
            raise PartialAnswer(f"{repository}#{number} was asked for, something else came")
        try:
            commits = tuple(row.sha for row in read_commits(api, number))
        except PartialAnswer:
            commits = None
        by_us = pull.user is not None and pull.user.id in self._our_bots
        return Live(node.pull_state(api), node.base_ref_name, by_us, commits)

    def reviews_by_us(self, repository: str, number: int) -> tuple[OwnReview, ...]:
        """List every review of the pull request that our App wrote, oldest first."""
        pages = self._open(repository).pages(_REVIEWS, "pulls", number, "reviews")
        return tuple(
            OwnReview(review.commit_id, review.state, review.html_url, review.body or "")
            for page in pages
            for review in page
            if review.user is not None and review.user.id == self._bot_id
        )


class Approvals:
    """Writes approvals."""

    def __init__(self, open_repository: OpenRepository, identity: AppIdentity, bot_id: int) -> None:
        """``bot_id`` is the account of the App that approves."""
        self._open = open_repository
        self._identity = identity
        self._bot_id = bot_id

    def app_slug(self) -> str:
        """Read the slug of the App that the token is minted by."""
        return self._identity.slug()

    def approve(self, repository: str, number: int, commit_id: str, body: str) -> str:
        """Approve one commit, once, and return the review's page."""
        asked: JsonValue = {"commit_id": commit_id, "event": "APPROVE", "body": body}
        made = self._open(repository).write(_REVIEW, "POST", "pulls", number, "reviews", body=asked)
        author = made.user.id if made.user else None
        if (made.state, made.commit_id, author) != (APPROVED, commit_id, self._bot_id):
            raise Unavailable(f"an approval of {repository}#{number} was written, something else came back")
        return made.html_url
