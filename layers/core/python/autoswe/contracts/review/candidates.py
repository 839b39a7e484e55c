"""``candidates.json``: what a run's selection was decided on, kept so that today's rules can decide it again.

A state file, which a person may write, holds one candidate in the same shape (review §5).
"""

import re
from typing import Annotated

from pydantic import AfterValidator

from autoswe.contracts.model import Contract
from autoswe.contracts.review.ledger import LedgerEntry
from autoswe.contracts.review.words import MIB, Count, Document, Org, PullLabel, RepoName
from autoswe.rules.review.pulls.candidate import Candidate
from autoswe.rules.review.pulls.selection import Policy
from autoswe.rules.review.run.ledger import Ledger

MAX_CANDIDATES_BYTES = 256 * MIB
MAX_STATE_BYTES = 8 * MIB

_FULL_NAME = re.compile(r"[^/\s]+/[^/\s]+")


def _sound(candidate: Candidate) -> Candidate:
    if not _FULL_NAME.fullmatch(candidate.repository):
        raise ValueError("repository should be a full name, owner/name")
    state = candidate.state
    reviews = () if state is None else state.reviews or ()
    moments = [review.submitted_at for review in reviews] + ([] if state is None else [state.updated_at])
    if any(moment is not None and moment.utcoffset() is None for moment in moments):
        raise ValueError("every time should say how far it is from UTC")
    return candidate


SoundCandidate = Annotated[Candidate, AfterValidator(_sound)]
"""A candidate whose facts can be compared with other facts."""


class SelectionPolicy(Contract):
    """What a run selected by; ``max_pull_requests`` is the cap as it was given, ``ledger`` what was remembered."""

    org: Org
    exclusions: tuple[RepoName, ...] = ()
    explicit_pull_requests: tuple[PullLabel, ...] = ()
    dry_run: bool = True
    reassess: bool = False
    max_pull_requests: Count = 20
    ledger: tuple[LedgerEntry, ...] = ()

    def policy(self) -> Policy:
        """Return it as the rules know it."""
        named = (label.casefold().rsplit("#", 1) for label in self.explicit_pull_requests)
        return Policy(
            org=self.org,
            excluded=frozenset(name.casefold() for name in self.exclusions),
            named=frozenset((repository, int(number)) for repository, number in named),
            dry_run=self.dry_run,
            reassess=self.reassess,
        )

    def remembered(self) -> Ledger:
        """Return what the run remembered."""
        assessments = (entry.assessment() for entry in self.ledger)
        return {assessment.key: assessment for assessment in assessments}


class Candidates(Document):
    """Every pull request that selection looked at, as far as it was read."""

    policy: SelectionPolicy
    candidates: tuple[SoundCandidate, ...]


class StateFile(Document):
    """One pull request to explain, all of it read."""

    policy: SelectionPolicy
    candidate: SoundCandidate
