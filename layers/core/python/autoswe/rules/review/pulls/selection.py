"""Which pull requests a run reviews, and why it leaves out each of the others (review §5).

The rules stand in one order, and the first that catches a pull request names the reason. Each is asked as soon as its
facts are there and never sooner, so that little is read of a pull request that is left out early, and still the reason
is the one that the whole order gives.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from autoswe.rules.review.pulls.candidate import (
    APPROVED,
    CHANGES_REQUESTED,
    Candidate,
    PullState,
    is_copilot,
    is_person,
    standing_opinions,
)
from autoswe.rules.review.run.ledger import Ledger, is_assessed

MAX_FILES = 200
MAX_PATCH_BYTES = 512 * 1024
MATRIX_LIMIT = 256
"""How many pull requests a run reviews when its cap is lifted."""


class SkipReason(StrEnum):
    """Why a pull request is not reviewed, in the order in which the reasons are asked.

    ``repository``: outside the organisation, archived, or excluded. ``bot_author``: not known to be by a person.
    ``closed``; ``draft``; ``conflicting``. ``changes_requested``: some reviewer's standing review requests changes.
    ``already_approved``: some reviewer's standing review approves this head. ``copilot_pending``: Copilot was asked
    and has not answered. ``copilot_feedback``: Copilot opened a thread that is unresolved. ``ci_pending``;
    ``ci_failing``; ``ci_none``. ``already_assessed``: the ledger holds this head. ``head_moved``: head or base moved
    while the diff was read. ``too_large``: more than 200 files or 512 KiB of patches. ``cap``: more than the run takes.
    ``unreadable``: the host did not tell what one of these rules asks, or told it in words that are not known.
    """

    REPOSITORY = "repository"
    BOT_AUTHOR = "bot_author"
    CLOSED = "closed"
    DRAFT = "draft"
    CONFLICTING = "conflicting"
    CHANGES_REQUESTED = "changes_requested"
    ALREADY_APPROVED = "already_approved"
    COPILOT_PENDING = "copilot_pending"
    COPILOT_FEEDBACK = "copilot_feedback"
    CI_PENDING = "ci_pending"
    CI_FAILING = "ci_failing"
    CI_NONE = "ci_none"
    ALREADY_ASSESSED = "already_assessed"
    HEAD_MOVED = "head_moved"
    TOO_LARGE = "too_large"
    CAP = "cap"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Policy:
    """What a run selects by.

    ``excluded`` holds names of repositories without their owner. ``named`` holds the pull requests that were asked
    for, as (full name, number); they bypass the exclusions and nothing else. All of these are in lower case.
    """

    org: str
    excluded: frozenset[str] = frozenset()
    named: frozenset[tuple[str, int]] = frozenset()
    dry_run: bool = True
    reassess: bool = False


@dataclass(frozen=True)
class Skip:
    """A pull request is left out; of ``unreadable``, ``asked`` is the rule that could not be answered."""

    reason: SkipReason
    asked: SkipReason


@dataclass(frozen=True)
class Survives:
    """Nothing that was read so far catches the pull request: read on."""


@dataclass(frozen=True)
class Selected:
    """Every rule was answered, and none catches the pull request; the cap is the run's, and comes after."""


class _Finding(Enum):
    CLEAR = auto()
    CAUGHT = auto()
    NOT_READ = auto()
    NOT_TOLD = auto()


_Rule = Callable[[Policy, Ledger, Candidate], _Finding]
_StateRule = Callable[[PullState], _Finding]


def judge_brief(policy: Policy, ledger: Ledger, candidate: Candidate) -> Skip | Survives:
    """Judge what has been read of a pull request so far, up to the first rule whose facts are missing."""
    for reason, rule in _ORDER:
        finding = rule(policy, ledger, candidate)
        if finding is _Finding.NOT_READ:
            break
        if finding is not _Finding.CLEAR:
            return _skip(reason, finding)
    return Survives()


def judge_full(policy: Policy, ledger: Ledger, candidate: Candidate) -> Skip | Selected:
    """Judge a pull request of which everything was read; what is missing now is unreadable."""
    for reason, rule in _ORDER:
        finding = rule(policy, ledger, candidate)
        if finding is not _Finding.CLEAR:
            return _skip(reason, finding)
    return Selected()


def caught_by_state(state: PullState, rules: Collection[SkipReason]) -> tuple[Skip, ...]:
    """Ask some of the rules that look at the state alone, each for itself; what was not read is unreadable."""
    asked = ((reason, rule(state)) for reason, rule in _STATE_RULES if reason in rules)
    return tuple(_skip(reason, finding) for reason, finding in asked if finding is not _Finding.CLEAR)


def in_order_of_age(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Put pull requests whose state was read in the order in which the cap takes them: longest untouched first."""
    aged = ((candidate.state.updated_at, candidate) for candidate in candidates if candidate.state is not None)
    return tuple(
        candidate
        for _, candidate in sorted(aged, key=lambda pair: (pair[0], pair[1].repository.casefold(), pair[1].number))
    )


def effective_cap(max_pull_requests: int) -> int:
    """Return how many pull requests a run takes; 0 lifts the cap to what the workflow can hold."""
    return max_pull_requests or MATRIX_LIMIT


def count_reasons(reasons: Iterable[SkipReason]) -> Mapping[SkipReason, int]:
    """Count every reason, in their order; one that caught nothing counts 0."""
    counted = Counter(reasons)
    return {reason: counted[reason] for reason in SkipReason}


def _skip(reason: SkipReason, finding: _Finding) -> Skip:
    return Skip(reason if finding is _Finding.CAUGHT else SkipReason.UNREADABLE, reason)


def _caught(caught: bool) -> _Finding:
    return _Finding.CAUGHT if caught else _Finding.CLEAR


def _repository(policy: Policy, _: Ledger, candidate: Candidate) -> _Finding:
    repository = candidate.repository.casefold()
    owner, name = repository.split("/", 1)
    excluded = name in policy.excluded and (repository, candidate.number) not in policy.named
    return _caught(owner != policy.org.casefold() or candidate.archived or excluded)


def _bot_author(_: Policy, __: Ledger, candidate: Candidate) -> _Finding:
    return _caught(not is_person(candidate.author))


def _of_state(rule: _StateRule) -> _Rule:
    def judge(_: Policy, __: Ledger, candidate: Candidate) -> _Finding:
        return _Finding.NOT_READ if candidate.state is None else rule(candidate.state)

    return judge


def _conflicting(state: PullState) -> _Finding:
    if state.mergeable not in {"MERGEABLE", "CONFLICTING", "UNKNOWN"}:
        return _Finding.NOT_TOLD
    return _caught(state.mergeable == "CONFLICTING")


def _changes_requested(state: PullState) -> _Finding:
    if state.reviews is None:
        return _Finding.NOT_READ
    opinions = standing_opinions(state.reviews)
    if opinions is None:
        return _Finding.NOT_TOLD
    return _caught(any(review.state == CHANGES_REQUESTED for review in opinions))


def _already_approved(state: PullState) -> _Finding:
    if state.reviews is None:
        return _Finding.NOT_READ
    opinions = standing_opinions(state.reviews)
    if opinions is None:
        return _Finding.NOT_TOLD
    # An approval of a commit that the host has dropped may have been of this very head.
    return _caught(any(review.state == APPROVED and review.commit in {state.head_sha, None} for review in opinions))


def _copilot_pending(state: PullState) -> _Finding:
    if state.requested is None:
        return _Finding.NOT_READ
    if any(asked is not None and is_copilot(asked.typename, asked.login) for asked in state.requested):
        return _Finding.CAUGHT
    return _Finding.NOT_TOLD if None in state.requested else _Finding.CLEAR


def _copilot_feedback(state: PullState) -> _Finding:
    if state.threads is None:
        return _Finding.NOT_READ
    openers = [thread.opener for thread in state.threads if not thread.resolved]
    if any(opener is not None and is_copilot(opener.typename, opener.login) for opener in openers):
        return _Finding.CAUGHT
    return _Finding.NOT_TOLD if None in openers else _Finding.CLEAR


def _ci_none(state: PullState) -> _Finding:
    if state.rollup is None:
        return _Finding.CAUGHT
    return _Finding.CLEAR if state.rollup == "SUCCESS" else _Finding.NOT_TOLD


def _already_assessed(policy: Policy, ledger: Ledger, candidate: Candidate) -> _Finding:
    if candidate.state is None:
        return _Finding.NOT_READ
    key = (candidate.repository.casefold(), candidate.number, candidate.state.head_sha)
    return _caught(not policy.reassess and is_assessed(ledger, key, dry_run=policy.dry_run))


def _too_many_files(_: Policy, __: Ledger, candidate: Candidate) -> _Finding:
    if candidate.state is None:
        return _Finding.NOT_READ
    return _caught(candidate.state.changed_files > MAX_FILES)


def _head_moved(_: Policy, __: Ledger, candidate: Candidate) -> _Finding:
    state, diff = candidate.state, candidate.diff
    if state is None or diff is None:
        return _Finding.NOT_READ
    return _caught((diff.head_sha, diff.base_sha) != (state.head_sha, state.base_sha))


def _too_large(_: Policy, __: Ledger, candidate: Candidate) -> _Finding:
    state, diff = candidate.state, candidate.diff
    if state is None or diff is None:
        return _Finding.NOT_READ
    if diff.files > MAX_FILES or diff.patch_bytes > MAX_PATCH_BYTES:
        return _Finding.CAUGHT
    return _Finding.CLEAR if diff.files == state.changed_files else _Finding.NOT_TOLD


_STATE_RULES: Sequence[tuple[SkipReason, _StateRule]] = (
    (SkipReason.CLOSED, lambda state: _caught(state.state != "OPEN")),
    (SkipReason.DRAFT, lambda state: _caught(state.is_draft)),
    (SkipReason.CONFLICTING, _conflicting),
    (SkipReason.CHANGES_REQUESTED, _changes_requested),
    (SkipReason.ALREADY_APPROVED, _already_approved),
    (SkipReason.COPILOT_PENDING, _copilot_pending),
    (SkipReason.COPILOT_FEEDBACK, _copilot_feedback),
    (SkipReason.CI_PENDING, lambda state: _caught(state.rollup in {"PENDING", "EXPECTED"})),
    (SkipReason.CI_FAILING, lambda state: _caught(state.rollup in {"FAILURE", "ERROR"})),
    (SkipReason.CI_NONE, _ci_none),
)

_ORDER: Sequence[tuple[SkipReason, _Rule]] = (
    (SkipReason.REPOSITORY, _repository),
    (SkipReason.BOT_AUTHOR, _bot_author),
    *((reason, _of_state(rule)) for reason, rule in _STATE_RULES),
    (SkipReason.ALREADY_ASSESSED, _already_assessed),
    # By the host's own count no diff is read of what is too large anyway.
    (SkipReason.TOO_LARGE, _too_many_files),
    (SkipReason.HEAD_MOVED, _head_moved),
    (SkipReason.TOO_LARGE, _too_large),
)
