"""What a run tells when it is over: which results count, what they add up to, and what is odd (review §18.7)."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from autoswe.rules.review.pulls.selection import SkipReason
from autoswe.rules.review.run.ledger import Assessable
from autoswe.rules.review.verdict.tiers import Verdict


class Resulting(Assessable, Protocol):
    """What the report asks of a result; amounts are absent when the session did not tell them."""

    @property
    def key(self) -> str:
        """The entry's key."""

    @property
    def run_attempt(self) -> int:
        """1 for a run, and one more for each replay."""

    @property
    def reasons(self) -> Sequence[str]:
        """Why it came out so."""

    @property
    def review_url(self) -> str | None:
        """The approval's page."""

    @property
    def premium_requests(self) -> float | None:
        """What the session cost, in premium requests."""

    @property
    def agent_seconds(self) -> float | None:
        """How long the model worked, in seconds."""


class Skipped(Protocol):
    """What the report asks of a pull request that was left out."""

    @property
    def repository(self) -> str:
        """The full name."""

    @property
    def number(self) -> int:
        """The pull request's number."""

    @property
    def title(self) -> str | None:
        """The title, absent when it was not read."""

    @property
    def reason(self) -> SkipReason:
        """Why it was left out."""


R = TypeVar("R", bound=Resulting)


@dataclass(frozen=True)
class Selected:
    """What selection says of one entry; ``url`` is its page."""

    key: str
    repository: str
    number: int
    head_sha: str
    title: str
    author: str
    url: str


@dataclass(frozen=True)
class Outcome(Generic[R]):
    """What a run came to.

    ``results`` are sorted by key. ``silent`` are the keys of entries that left no result, ``unreadable`` of those whose
    result could not be read, ``foreign`` of results that are about nothing that was selected.
    """

    results: tuple[R, ...]
    unreadable: tuple[str, ...]
    silent: tuple[str, ...]
    foreign: tuple[str, ...]

    def count(self, verdict: Verdict) -> int:
        """Count the results of one verdict."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def premium_requests(self) -> float:
        """What all sessions cost together, as far as they told."""
        return _total(result.premium_requests for result in self.results)

    @property
    def agent_seconds(self) -> float:
        """How long the model worked in all sessions together, as far as they told."""
        return _total(result.agent_seconds for result in self.results)


def settle(selected: Mapping[str, Selected], results: Iterable[R], unreadable: Collection[str]) -> Outcome[R]:
    """Keep the highest attempt of each entry; a result about another pull request or head than its entry is foreign.

    ``unreadable`` are the keys of which a result was found that cannot be read. It is told of even when another attempt
    of the entry could be read.
    """
    newest: dict[str, R] = {}
    foreign: set[str] = set()
    for result in results:
        if not _is_about(result, selected.get(result.key)):
            foreign.add(result.key)
        elif result.key not in newest or newest[result.key].run_attempt < result.run_attempt:
            newest[result.key] = result
    return Outcome(
        results=tuple(newest[key] for key in sorted(newest)),
        unreadable=tuple(sorted(set(unreadable))),
        silent=tuple(sorted(set(selected) - set(newest) - set(unreadable))),
        foreign=tuple(sorted(foreign)),
    )


def by_reason(skipped: Iterable[Skipped]) -> Mapping[SkipReason, int]:
    """Count what was left out, the reasons that caught something only, in the order of the rules."""
    counted = Counter(row.reason for row in skipped)
    return {reason: counted[reason] for reason in SkipReason if counted[reason]}


def _is_about(result: Resulting, entry: Selected | None) -> bool:
    return entry is not None and (result.repository, result.number, result.head_sha) == (
        entry.repository,
        entry.number,
        entry.head_sha,
    )


def _total(amounts: Iterable[float | None]) -> float:
    """Add up exactly, so that the order makes no difference; a whole sum is a whole number."""
    total = math.fsum(amount for amount in amounts if amount is not None)
    return int(total) if total.is_integer() else total
