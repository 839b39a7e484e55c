"""Reads what selection asks, as late as the rules allow, and says of every candidate what becomes of it (review §5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from autoswe.contracts.review.selection import MAX_ENTRY_BYTES, SelectedPull, SkippedPull
from autoswe.contracts.review.words import MAX_TITLE_CHARACTERS
from autoswe.ports.github import PartialAnswer
from autoswe.ports.review.hosts import Changes, ListedPull, ScanHost
from autoswe.rules.review.pulls.candidate import Candidate
from autoswe.rules.review.pulls.selection import Policy, Skip, SkipReason, in_order_of_age, judge_brief, judge_full
from autoswe.rules.review.run.ledger import Ledger
from autoswe.steps.review.selected_entry import select_entry


@dataclass(frozen=True)
class Scan:
    """What became of every candidate: its facts as far as they were read, the entries, and the rows of the others."""

    candidates: tuple[Candidate, ...]
    entries: tuple[SelectedPull, ...]
    skipped: tuple[SkippedPull, ...]


@dataclass(frozen=True)
class _Decided:
    candidate: Candidate
    outcome: SelectedPull | SkipReason


def scan_pulls(host: ScanHost, listed: Sequence[ListedPull], policy: Policy, ledger: Ledger, cap: int) -> Scan:
    """Judge the listing, then the states of what survives, then their diffs; read the rest of what is selected.

    Once the cap is full, nothing more is read: whatever is left is left out by it.
    """
    decided = dict(_judge(host, listed, policy, ledger, cap))
    pulls = sorted(listed, key=lambda pull: _place(pull.candidate))
    of_pull = [(pull, decided[_place(pull.candidate)]) for pull in pulls]
    return Scan(
        candidates=tuple(one.candidate for _, one in of_pull),
        entries=tuple(one.outcome for _, one in of_pull if isinstance(one.outcome, SelectedPull)),
        skipped=tuple(_row(pull, one.outcome) for pull, one in of_pull if isinstance(one.outcome, SkipReason)),
    )


def _judge(
    host: ScanHost, listed: Sequence[ListedPull], policy: Policy, ledger: Ledger, cap: int
) -> Iterator[tuple[tuple[str, int], _Decided]]:
    read: list[Candidate] = []
    for candidate in (pull.candidate for pull in listed):
        skip = judge_brief(policy, ledger, candidate)
        if isinstance(skip, Skip):
            yield _place(candidate), _Decided(candidate, skip.reason)
        else:
            read.append(candidate)
    survivors: list[Candidate] = []
    states = host.states([(one.repository, one.number) for one in read])
    for candidate in (replace(one, state=state) for one, state in zip(read, states, strict=True)):
        judged = judge_brief(policy, ledger, candidate)
        if candidate.state is None:
            # What the host does not tell whole now would be no more readable with the diff.
            yield _place(candidate), _judged(policy, ledger, candidate)
        elif isinstance(judged, Skip):
            yield _place(candidate), _Decided(candidate, judged.reason)
        else:
            survivors.append(candidate)
    taken = 0
    row_of = {_place(pull.candidate): pull for pull in listed}
    for candidate in in_order_of_age(survivors):
        if taken >= cap:
            yield _place(candidate), _Decided(candidate, SkipReason.CAP)
            continue
        decided = _decide(host, row_of[_place(candidate)], candidate, policy, ledger)
        taken += isinstance(decided.outcome, SelectedPull)
        yield _place(candidate), decided


def _decide(host: ScanHost, listed: ListedPull, candidate: Candidate, policy: Policy, ledger: Ledger) -> _Decided:
    """Read the diff, and then what else an entry holds; what cannot be read whole is no entry."""
    try:
        changes = host.changes(candidate.repository, candidate.number)
    except PartialAnswer:
        return _judged(policy, ledger, candidate)
    whole = replace(candidate, diff=changes.diff)
    if isinstance(judge_full(policy, ledger, whole), Skip):
        return _judged(policy, ledger, whole)
    return _read_entry(host, listed, whole, changes, policy, ledger)


def _read_entry(
    host: ScanHost, listed: ListedPull, candidate: Candidate, changes: Changes, policy: Policy, ledger: Ledger
) -> _Decided:
    try:
        details = host.details(candidate.repository, candidate.number)
        commits = host.commits(candidate.repository, candidate.number)
        head_sha = details.head_sha
        if head_sha == changes.diff.head_sha and commits:
            head_sha = commits[-1].sha
        if head_sha != changes.diff.head_sha:
            return _judged(policy, ledger, replace(candidate, diff=replace(changes.diff, head_sha=head_sha)))
        entry = select_entry(listed, candidate, changes, details, commits)
    except (PartialAnswer, ValidationError):
        # Without its diff a candidate is judged as what it is: something that cannot be read.
        return _judged(policy, ledger, replace(candidate, diff=None))
    if len(entry.dump()) > MAX_ENTRY_BYTES:
        return _judged(policy, ledger, replace(candidate, diff=None))
    return _Decided(candidate, entry)


def _judged(policy: Policy, ledger: Ledger, candidate: Candidate) -> _Decided:
    skip = judge_full(policy, ledger, candidate)
    return _Decided(candidate, skip.reason if isinstance(skip, Skip) else SkipReason.UNREADABLE)


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.repository.casefold(), candidate.number


def _row(listed: ListedPull, reason: SkipReason) -> SkippedPull:
    candidate = listed.candidate
    return SkippedPull(
        repository=candidate.repository,
        number=candidate.number,
        url=listed.url,
        title=listed.title[:MAX_TITLE_CHARACTERS],
        reason=reason,
    )
