"""The reviews, review requests and review threads of a pull request, each read to its end (GitHub: "Objects")."""

from typing import Protocol, TypeVar

from pydantic import AwareDatetime, Field, JsonValue, TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.transport.connections import MOST_PAGES_OF_A_LIST, Page, Reading
from autoswe.github.transport.nodes import Node
from autoswe.github.transport.shape import GraphqlShape
from autoswe.ports.github import PartialAnswer
from autoswe.rules.review.pulls.candidate import Account, Requested, Review, Thread

T = TypeVar("T")

_BOT_SUFFIX = "[bot]"


class Queries(Protocol):
    """Whatever runs GraphQL queries."""

    def query(self, shape: TypeAdapter[T], name: str, **variables: JsonValue) -> T:
        """Run the named query."""
        ...


class ActorNode(GraphqlShape):
    """Whoever does something."""

    typename: str = Field(alias="__typename")
    login: str

    def account(self) -> Account:
        """Return it with the suffix that REST gives a bot's login, with which it cannot be a person's."""
        is_bot = self.typename == "Bot"
        login = f"{self.login.removesuffix(_BOT_SUFFIX)}{_BOT_SUFFIX}" if is_bot else self.login
        return Account(self.typename, login)


class _Commit(GraphqlShape):
    oid: Sha


class ReviewNode(GraphqlShape):
    """One review."""

    state: str
    submitted_at: AwareDatetime | None
    author: ActorNode | None
    commit: _Commit | None

    @property
    def commit_sha(self) -> str | None:
        """The commit that was reviewed."""
        return self.commit.oid if self.commit else None

    def review(self) -> Review:
        """Return it as the rules know it."""
        author = self.author.account().login if self.author else None
        return Review(author, self.state, self.commit_sha, self.submitted_at)


class _Reviewer(GraphqlShape):
    typename: str = Field(alias="__typename")
    login: str | None = None


class RequestNode(GraphqlShape):
    """Somebody who is asked for a review; the host may not tell who."""

    requested_reviewer: _Reviewer | None

    def requested(self) -> Requested | None:
        """Return it as the rules know it."""
        asked = self.requested_reviewer
        return None if asked is None else Requested(asked.typename, asked.login)


class _Comment(GraphqlShape):
    author: ActorNode | None


class _Opening(GraphqlShape):
    nodes: list[_Comment]


class ThreadNode(GraphqlShape):
    """One review thread with the comment that opened it."""

    is_resolved: bool
    comments: _Opening

    def thread(self) -> Thread:
        """Return it as the rules know it."""
        opener = self.comments.nodes[0].author if self.comments.nodes else None
        return Thread(self.is_resolved, opener.account() if opener else None)


class ListsNode(Node):
    """A page of each list; one that the host does not tell is absent."""

    reviews: Page[ReviewNode] | None
    review_requests: Page[RequestNode] | None
    review_threads: Page[ThreadNode] | None


class _Data(GraphqlShape):
    node: ListsNode | None


class _Answer(GraphqlShape):
    data: _Data


_ANSWER = TypeAdapter(_Answer)


class PullLists:
    """The three lists of one pull request."""

    def __init__(self) -> None:
        self._reviews = Reading[ReviewNode]()
        self._requests = Reading[RequestNode]()
        self._threads = Reading[ThreadNode]()

    @property
    def reviews(self) -> tuple[Review, ...] | None:
        """Every review, ``None`` when the list was not read to its end."""
        whole = self._reviews.whole()
        return None if whole is None else tuple(node.review() for node in whole)

    @property
    def requested(self) -> tuple[Requested | None, ...] | None:
        """Everybody who is asked for a review, ``None`` when the list was not read to its end."""
        whole = self._requests.whole()
        return None if whole is None else tuple(node.requested() for node in whole)

    @property
    def threads(self) -> tuple[Thread, ...] | None:
        """Every thread, ``None`` when the list was not read to its end."""
        whole = self._threads.whole()
        return None if whole is None else tuple(node.thread() for node in whole)

    @property
    def go_on(self) -> bool:
        """Whether some list has not ended yet."""
        return self._reviews.goes_on or self._requests.goes_on or self._threads.goes_on

    def take(self, page: ListsNode) -> None:
        """Add the next page of each."""
        self._reviews.take(page.reviews)
        self._requests.take(page.review_requests)
        self._threads.take(page.review_threads)

    def read(self, queries: Queries, pull_id: str) -> None:
        """Read on until every list has ended, or the most pages that are read have been."""
        for _ in range(MOST_PAGES_OF_A_LIST):
            cursors = {
                "reviews": self._reviews.cursor,
                "requests": self._requests.cursor,
                "threads": self._threads.cursor,
            }
            node = queries.query(_ANSWER, "pull_lists", id=pull_id, **cursors).data.node
            if node is None or node.id != pull_id:
                raise PartialAnswer("the lists of a pull request were asked for, something else came")
            self.take(node)
            if not self.go_on:
                return


def complete_lists(queries: Queries, beginning: ListsNode) -> PullLists:
    """Return the lists whose beginnings were read; where one of them goes on, all are read anew, in larger pages."""
    lists = PullLists()
    lists.take(beginning)
    if lists.go_on:
        lists = PullLists()
        lists.read(queries, beginning.id)
    return lists
