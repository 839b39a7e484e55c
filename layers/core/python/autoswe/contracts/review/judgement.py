"""``check.json`` and ``result.json``: what was judged of one entry, and what became of it (review §18.5, §18.6)."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from autoswe.contracts.model import Contract, Path, Sha
from autoswe.contracts.review.words import MIB, Address, Amount, Document, EntryKey, PullNumber, Repository, Title
from autoswe.rules.review.pulls.selection import MAX_FILES
from autoswe.rules.review.verdict.agent_verdict import MAX_FINDINGS, MAX_INJECTION_ATTEMPTS, Area
from autoswe.rules.review.verdict.check import MAX_REASON_CHARACTERS, MAX_REASONS, MAX_VETO_REASONS
from autoswe.rules.review.verdict.one_line import MAX_SUMMARY_CHARACTERS
from autoswe.rules.review.verdict.tiers import Tier, Verdict

MAX_CHECK_BYTES = 2 * MIB
MAX_RESULT_BYTES = 2 * MIB

MAX_RESULT_REASONS = MAX_REASONS + 50
"""A result adds what was found after the check."""

_NO_CONTROL = r"^[^\x00-\x1f\x7f-\x9f]*$"
Line = Annotated[str, StringConstraints(max_length=MAX_REASON_CHARACTERS, pattern=_NO_CONTROL)]
"""One sanitised line, of anybody's words."""

Summary = Annotated[str, StringConstraints(max_length=MAX_SUMMARY_CHARACTERS, pattern=_NO_CONTROL)]


class Finding(Contract):
    """One thing that the agent found, in its own words."""

    area: Area
    note: Line


class Classification(Contract):
    """What the classifier says of the diff; a trivial one has no path that is not."""

    trivial: bool
    non_trivial_paths: Annotated[tuple[Path, ...], Field(max_length=MAX_FILES)]

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.trivial and self.non_trivial_paths:
            raise ValueError("non_trivial_paths should be empty when trivial is true")
        return self


class Entry(Document):
    """Which pull request a file is about, and what the agent said of it, sanitised.

    ``premium_requests`` and ``agent_seconds`` are absent when the session did not tell them.
    """

    key: EntryKey
    repository: Repository
    number: PullNumber
    head_sha: Sha
    url: Address
    title: Title
    reasons: Annotated[tuple[Line, ...], Field(max_length=MAX_RESULT_REASONS)]
    summary: Summary
    findings: Annotated[tuple[Finding, ...], Field(max_length=MAX_FINDINGS)]
    injection_attempts: Annotated[tuple[Line, ...], Field(max_length=MAX_INJECTION_ATTEMPTS)]
    premium_requests: Amount | None
    agent_seconds: Amount | None


class Check(Entry):
    """``check.json``: the offline judgement.

    ``agent_tier`` is what the agent claimed, absent when no verdict could be read: then ``tier`` is ``needs-human`` and
    ``reasons`` says why. ``tier`` is what is left of it after corroboration and vetoes; ``approvable`` says that the
    run may approve that tier.
    """

    agent_tier: Tier | None
    tier: Tier
    approvable: bool
    classifier: Classification
    vetoes: Annotated[tuple[Line, ...], Field(max_length=MAX_VETO_REASONS)]

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.agent_tier is None and (self.tier is not Tier.NEEDS_HUMAN or not self.reasons):
            raise ValueError("tier should be needs-human, with a reason, when agent_tier is absent")
        if self.approvable and (self.tier is Tier.NEEDS_HUMAN or self.vetoes):
            raise ValueError("approvable should be false when a person is needed or a veto stands")
        return self


class Result(Entry):
    """``result.json``: what became of one entry.

    ``tier`` is absent of a failed result, whose ``reasons`` name what failed. ``review_url`` is the approval's page.
    ``run_attempt`` is 1 for a run and one more for each replay.
    """

    verdict: Verdict
    tier: Tier | None
    review_url: Address | None
    dry_run: bool
    run_attempt: Annotated[int, Field(ge=1, le=1_000_000)]

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if (self.verdict is Verdict.FAILED) != (self.tier is None):
            raise ValueError("tier should be absent of a failed result and of no other")
        if self.verdict is Verdict.FAILED and not self.reasons:
            raise ValueError("reasons should say what failed")
        if self.verdict in {Verdict.APPROVED, Verdict.WOULD_APPROVE} and self.tier is Tier.NEEDS_HUMAN:
            raise ValueError("tier should be one that can be approved")
        if self.dry_run and (self.verdict is Verdict.APPROVED or self.review_url is not None):
            raise ValueError("a dry run should have approved nothing")
        if not self.dry_run and self.verdict is Verdict.WOULD_APPROVE:
            raise ValueError("verdict should be would-approve in a dry run only")
        if self.verdict is Verdict.APPROVED and self.review_url is None:
            raise ValueError("review_url should be there when the verdict is approved")
        return self
