"""What the steps of a scheduled review ask the host, and what it answers (review §5, §8.3).

Every method raises the ``HostError`` that fits; a list that was not read to its end is ``PartialAnswer`` or, where its
type says so, absent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from autoswe.rules.review.diff.changed_files import ChangedFile, Side
from autoswe.rules.review.pulls.candidate import Candidate, Diff, PullState
from autoswe.rules.review.pulls.reread import Live


@dataclass(frozen=True)
class ScannedRepository:
    """A repository that the App may review in, by its full name."""

    full_name: str
    archived: bool


@dataclass(frozen=True)
class ListedPull:
    """A pull request as a list shows it; ``candidate`` has neither state nor diff."""

    candidate: Candidate
    title: str
    url: str


@dataclass(frozen=True)
class CheckRow:
    """One report on the head, in the host's words; ``conclusion`` is absent while it runs.

    A commit's status has no status of its own: it is ``COMPLETED`` unless it is awaited, then ``PENDING``.
    """

    name: str
    status: str
    conclusion: str | None


@dataclass(frozen=True)
class ReviewRow:
    """One review; ``author`` is absent when the account was deleted, ``commit`` when the host has dropped it."""

    author: str | None
    is_bot: bool
    state: str
    commit: str | None
    submitted_at: datetime | None


@dataclass(frozen=True)
class CommitRow:
    """One commit; ``verified`` says that the host trusts its signature, ``author`` is absent without an account."""

    sha: str
    message: str
    verified: bool
    author: str | None


@dataclass(frozen=True)
class PullDetails:
    """What is told of a selected pull request beside its state, each list whole.

    ``author`` is absent when the account was deleted. ``head_repository`` is absent when the fork was deleted.
    ``head_sha`` is the head that the checks are of.
    """

    title: str
    body: str
    url: str
    author: str | None
    author_association: str
    head_sha: str
    head_repository: str | None
    head_ref: str
    base_ref: str
    is_fork: bool
    labels: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    checks: tuple[CheckRow, ...]
    reviews: tuple[ReviewRow, ...]


@dataclass(frozen=True)
class Changes:
    """The changed files with their patches as the host gave them, uncut and without sides, and what they add up to.

    Beyond the most files that a review takes no more are read, so that ``files`` may be less than all; ``diff`` still
    counts too many then.
    """

    files: tuple[ChangedFile, ...]
    diff: Diff


@dataclass(frozen=True)
class OwnReview:
    """A review that our App wrote; ``commit_id`` is absent when the host has dropped the commit."""

    commit_id: str | None
    state: str
    url: str
    body: str


class ScanHost(Protocol):
    """What select_pulls asks the host about the whole installation, with one token for reading."""

    def app_slug(self) -> str:
        """Read the slug of the App that the token is minted by."""
        ...

    def powers(self, repository: str) -> Mapping[str, object] | None:
        """Read what a repository says that this token may do there; ``None`` when it does not say."""
        ...

    def repositories(self, org: str) -> tuple[ScannedRepository, ...]:
        """List every repository of the installation; ``Forbidden`` when one is not the organisation's."""
        ...

    def open_pulls(self, repositories: Sequence[str]) -> tuple[ListedPull, ...]:
        """List every open pull request of some of the installation's repositories.

        ``Gone`` for a repository that is none of them.
        """
        ...

    def named_pulls(self, pulls: Sequence[tuple[str, int]]) -> tuple[ListedPull, ...]:
        """Read pull requests by full name and number, in that order; ``Gone`` for one that the token cannot read."""
        ...

    def states(self, pulls: Sequence[tuple[str, int]]) -> tuple[PullState | None, ...]:
        """Read the states of listed or named pull requests, in their order; ``None`` for one that is not told whole.

        A list within a state that is longer than is ever read is absent.
        """
        ...

    def details(self, repository: str, number: int) -> PullDetails:
        """Read what is told of a selected pull request; ``PartialAnswer`` when a list is longer than is ever read."""
        ...

    def changes(self, repository: str, number: int) -> Changes:
        """Read the changed files, and after the last of them where head and base stand."""
        ...

    def commits(self, repository: str, number: int) -> tuple[CommitRow, ...]:
        """List every commit, oldest first; ``PartialAnswer`` from 250 on, where the host may leave some out."""
        ...

    def file_at(self, repository: str, sha: str, path: str, *, with_text: bool = True) -> Side | None:
        """Read a file of a commit; ``None`` when the commit has none there.

        The text is absent unless it is wanted, for a submodule, for what is not UTF-8, and above 1 MiB.
        """
        ...


class RereadHost(Protocol):
    """What apply_review asks the host about one pull request, with a token for reading."""

    def live(self, repository: str, number: int) -> Live:
        """Read the pull request as it stands now."""
        ...

    def reviews_by_us(self, repository: str, number: int) -> tuple[OwnReview, ...]:
        """List every review of the pull request that our App wrote, oldest first."""
        ...


class ApproveHost(Protocol):
    """What apply_review tells the host, with the one token that can approve."""

    def app_slug(self) -> str:
        """Read the slug of the App that the token is minted by."""
        ...

    def approve(self, repository: str, number: int, commit_id: str, body: str) -> str:
        """Approve one commit, once, and return the review's page.

        ``Refused``: the host rejects it. ``Unavailable``: nobody knows whether it was written.
        """
        ...
