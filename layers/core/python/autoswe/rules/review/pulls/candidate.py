"""A pull request as selection sees it, and what a host's words about it mean (review §5).

Facts arrive in three readings: the listing, then the state, then the diff. What was not read yet is absent, and the
rules tell that apart from what the host does not tell.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

_BOT_SUFFIX = "[bot]"
_PEOPLE = frozenset({"User", "EnterpriseUserAccount"})
_COPILOT = frozenset({"copilot", "copilot-pull-request-reviewer"})
_SAYS_NOTHING = frozenset({"COMMENTED", "PENDING", "DISMISSED"})

APPROVED = "APPROVED"
CHANGES_REQUESTED = "CHANGES_REQUESTED"


@dataclass(frozen=True)
class Account:
    """An account as the host names it: its GraphQL type and its login. ``is_bot`` is the host's own word, if any."""

    typename: str
    login: str
    is_bot: bool = False


@dataclass(frozen=True)
class Requested:
    """Somebody who was asked for a review; of a team only the type is read, so ``login`` is absent."""

    typename: str
    login: str | None


@dataclass(frozen=True)
class Review:
    """One review: who wrote it (absent: a deleted account), its state in upper case, its commit, when it was submitted.

    ``commit`` is absent when the host has dropped the commit, ``submitted_at`` while the review is pending.
    """

    author: str | None
    state: str
    commit: str | None
    submitted_at: datetime | None


@dataclass(frozen=True)
class Thread:
    """One review thread: whether it is resolved, and who opened it (absent: a deleted account)."""

    resolved: bool
    opener: Account | None


@dataclass(frozen=True)
class PullState:
    """A pull request's state, read at one moment; words are the host's, in upper case and open-ended.

    ``rollup`` sums up the checks of ``head_sha`` and is absent when nothing reports there. ``reviews``, ``requested``
    and ``threads`` are each complete, or absent when they were not read to the end; an element of ``requested`` is
    absent when the host does not tell who it is. ``changed_files`` is the host's own count.
    """

    state: str
    is_draft: bool
    mergeable: str
    head_sha: str
    base_sha: str
    updated_at: datetime
    rollup: str | None
    changed_files: int
    reviews: tuple[Review, ...] | None
    requested: tuple[Requested | None, ...] | None
    threads: tuple[Thread, ...] | None


@dataclass(frozen=True)
class Diff:
    """The size of the diff that was read, and where the pull request stood once its last page had been read.

    ``patch_bytes`` counts the patches as the host gave them, before any of them is cut.
    """

    files: int
    patch_bytes: int
    head_sha: str
    base_sha: str


@dataclass(frozen=True)
class Candidate:
    """One pull request under selection; ``state`` and ``diff`` are absent until they are read."""

    repository: str
    number: int
    archived: bool
    author: Account | None
    state: PullState | None = None
    diff: Diff | None = None


def is_person(account: Account | None) -> bool:
    """Say whether an account is known to be a person's; a deleted one and one of an unknown type are not."""
    return (
        account is not None
        and not account.is_bot
        and account.typename in _PEOPLE
        and not account.login.casefold().endswith(_BOT_SUFFIX)
    )


def is_copilot(typename: str, login: str | None) -> bool:
    """Say whether an account is Copilot's reviewer, which the host's interfaces call by different logins."""
    return typename == "Bot" and login is not None and login.casefold().removesuffix(_BOT_SUFFIX) in _COPILOT


def standing_opinions(reviews: Iterable[Review]) -> tuple[Review, ...] | None:
    """Return each reviewer's latest review that approves or requests changes; ``None`` when that cannot be told.

    A comment, a pending and a dismissed review say nothing, so they lift nothing either. Reviews of deleted accounts
    may be by different people, so each of them stands. A state that is none of the known ones, and an opinion without
    a time, can be told nothing from.
    """
    latest: dict[object, tuple[datetime, Review]] = {}
    for index, review in enumerate(reviews):
        if review.state in _SAYS_NOTHING:
            continue
        if review.state not in {APPROVED, CHANGES_REQUESTED} or review.submitted_at is None:
            return None
        reviewer: object = index if review.author is None else review.author.casefold()
        if reviewer not in latest or latest[reviewer][0] <= review.submitted_at:
            latest[reviewer] = (review.submitted_at, review)
    return tuple(review for _, review in latest.values())
