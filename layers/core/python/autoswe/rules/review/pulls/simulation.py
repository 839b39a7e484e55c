"""Decides a recorded run again under the rules of today, and says what would differ (review §5, §8.2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autoswe.rules.review.pulls.candidate import Candidate
from autoswe.rules.review.pulls.selection import (
    Policy,
    Selected,
    Skip,
    SkipReason,
    effective_cap,
    in_order_of_age,
    judge_brief,
    judge_full,
)
from autoswe.rules.review.run.ledger import Ledger
from autoswe.rules.review.verdict.tiers import Tier

SELECTED = "selected"
NOT_RECORDED = "more would have to be read"
"""What is said of a pull request when the rules of today ask what the run did not read."""


@dataclass(frozen=True)
class Judgement:
    """What a check said of one entry."""

    tier: Tier
    approvable: bool
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        verdict = f"{self.tier}, {'approvable' if self.approvable else 'not approvable'}"
        return f"{verdict}: {'; '.join(self.reasons)}" if self.reasons else verdict


@dataclass(frozen=True)
class Difference:
    """One pull request that would be decided differently; ``was`` or ``now`` is absent where there is no decision."""

    subject: str
    was: str | None
    now: str | None

    @property
    def sentence(self) -> str:
        """Say it in one line."""
        return f"{self.subject}: was {self.was or 'not decided'}; now {self.now or 'not decided'}"


def explain(policy: Policy, ledger: Ledger, candidate: Candidate) -> str:
    """Name the first reason to leave a pull request out, or say that it is selected."""
    judged = judge_full(policy, ledger, candidate)
    return judged.reason if isinstance(judged, Skip) else SELECTED


def select_again(
    policy: Policy, ledger: Ledger, candidates: Iterable[Candidate], max_pull_requests: int
) -> Mapping[str, str]:
    """Decide every candidate of a run again, the cap included; each is named ``owner/repo#N``."""
    decided: dict[str, str] = {}
    survivors: list[Candidate] = []
    for candidate in candidates:
        brief = judge_brief(policy, ledger, candidate)
        if isinstance(brief, Skip):
            decided[_name(candidate)] = brief.reason
        elif candidate.state is None:
            decided[_name(candidate)] = NOT_RECORDED
        else:
            survivors.append(candidate)
    room = effective_cap(max_pull_requests)
    for candidate in in_order_of_age(survivors):
        decided[_name(candidate)] = _decide(policy, ledger, candidate) if room else SkipReason.CAP
        room -= decided[_name(candidate)] == SELECTED
    return decided


def _decide(policy: Policy, ledger: Ledger, candidate: Candidate) -> str:
    if candidate.diff is None:
        return NOT_RECORDED
    full = judge_full(policy, ledger, candidate)
    return SELECTED if isinstance(full, Selected) else full.reason


def differences(was: Mapping[str, object], now: Mapping[str, object]) -> tuple[Difference, ...]:
    """Compare two decisions of the same things, in the order of their names."""
    return tuple(
        Difference(subject, _told(was.get(subject)), _told(now.get(subject)))
        for subject in sorted(was.keys() | now.keys())
        if was.get(subject) != now.get(subject)
    )


def _name(candidate: Candidate) -> str:
    return f"{candidate.repository}#{candidate.number}"


def _told(decision: object) -> str | None:
    return None if decision is None else str(decision)
