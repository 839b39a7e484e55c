"""``selection.json`` and ``matrix.json``: what a run selected, what it left out and why (review §18.1, §18.2)."""

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from autoswe.contracts.model import Contract, Path, Sha
from autoswe.contracts.review.words import (
    KIB,
    MIB,
    Address,
    Count,
    Document,
    EntryKey,
    HostWord,
    KibText4,
    KibText64,
    Login,
    Moment,
    Org,
    PullLabel,
    PullNumber,
    Ref,
    RepoName,
    Repository,
    Title,
)
from autoswe.rules.review.pulls.selection import MATRIX_LIMIT, MAX_FILES, MAX_PATCH_BYTES, SkipReason
from autoswe.rules.review.verdict.tiers import Tier

MAX_ENTRY_BYTES = 8 * MIB
MAX_SELECTION_BYTES = 256 * MIB
MAX_MATRIX_BYTES = 256 * KIB
MAX_REVIEWS = 1_000
MAX_CHECKS = 2_000
MAX_COMMITS = 250


class SkippedPull(Contract):
    """One pull request that is not reviewed; ``title`` is absent when it was left out before its title was read."""

    repository: Repository
    number: PullNumber
    url: Address
    title: Title | None
    reason: SkipReason


class CheckSeen(Contract):
    """One check on the head, in the host's words; ``conclusion`` is absent while it runs."""

    name: Title
    status: HostWord
    conclusion: HostWord | None


class ReviewSeen(Contract):
    """One review; ``author`` is absent when the account was deleted, ``commit`` when the host has dropped it."""

    author: Login | None
    is_bot: bool
    state: HostWord
    commit: Sha | None
    submitted_at: Moment | None


class CommitSeen(Contract):
    """One commit of the pull request; ``message`` has at most 4 KiB, ``author`` is absent when no account has it."""

    sha: Sha
    message: KibText4
    verified: bool
    author: Login | None


class ChangedFile(Contract):
    """One changed file.

    ``patch`` is the unified diff, at most 64 KiB of it (``patch_truncated`` says that it was cut); it is absent when
    the host gives none. ``previous_path`` is set for a rename.
    """

    path: Path
    status: HostWord
    additions: Count
    deletions: Count
    previous_path: Path | None
    patch: KibText64 | None
    patch_truncated: bool


class SelectedPull(Contract):
    """One pull request to review: the head that is reviewed, what apply verifies again, and the diff the agent reads.

    ``head_repository`` is absent when the fork was deleted. ``diff_bytes`` counts the patches before any was cut.
    """

    key: EntryKey
    repository: Repository
    repo_name: RepoName
    number: PullNumber
    url: Address
    title: Title
    body: KibText64
    author: Login
    author_association: HostWord
    head_sha: Sha
    head_repository: Repository | None
    head_ref: Ref
    base_ref: Ref
    base_sha: Sha
    is_fork: bool
    labels: Annotated[tuple[Title, ...], Field(max_length=100)]
    created_at: Moment
    updated_at: Moment
    ci: Literal["success"]
    checks: Annotated[tuple[CheckSeen, ...], Field(max_length=MAX_CHECKS)]
    reviews: Annotated[tuple[ReviewSeen, ...], Field(max_length=MAX_REVIEWS)]
    commits: Annotated[tuple[CommitSeen, ...], Field(max_length=MAX_COMMITS)]
    files: Annotated[tuple[ChangedFile, ...], Field(max_length=MAX_FILES)]
    diff_bytes: Annotated[int, Field(ge=0, le=MAX_PATCH_BYTES)]

    @model_validator(mode="after")
    def _is_named_after_itself(self) -> Self:
        if self.repository.partition("/")[2] != self.repo_name:
            raise ValueError("repo_name should be the repository's name")
        if self.key != f"{self.repo_name}-{self.number}":
            raise ValueError("key should be the repository's name and the number")
        return self


class Selection(Document):
    """``selection.json``, written by a trusted step.

    ``bot_login`` is absent without an App. ``approve_tiers`` is sorted. ``skip_counts`` holds every reason, and as many
    as ``skipped`` has rows of it. ``pull_requests`` is sorted by repository and number, each key once.
    """

    org: Org
    generated_at: Moment
    dry_run: bool
    model: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]{0,99}$")]
    approve_tiers: Annotated[tuple[Literal[Tier.TRIVIAL, Tier.LOW_RISK], ...], Field(max_length=2)]
    bot_login: Login | None
    explicit_pull_requests: Annotated[tuple[PullLabel, ...], Field(max_length=MATRIX_LIMIT)]
    explicit_repositories: tuple[RepoName, ...]
    exclusions: tuple[RepoName, ...]
    candidates_seen: Count
    skip_counts: Annotated[
        dict[SkipReason, Count], Field(json_schema_extra={"required": [reason.value for reason in SkipReason]})
    ]
    skipped: tuple[SkippedPull, ...]
    pull_requests: Annotated[tuple[SelectedPull, ...], Field(max_length=MATRIX_LIMIT)]

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        rows = Counter(row.reason for row in self.skipped)
        if self.skip_counts != {reason: rows[reason] for reason in SkipReason}:
            raise ValueError("skip_counts should hold every reason, each as often as skipped has it")
        places = [(pull.repository.casefold(), pull.number) for pull in self.pull_requests]
        if places != sorted(set(places)):
            raise ValueError("pull_requests should be sorted by repository and number, each once")
        if list(self.approve_tiers) != sorted(set(self.approve_tiers)):
            raise ValueError("approve_tiers should be sorted, each once")
        if any(pull.repository.partition("/")[0].casefold() != self.org.casefold() for pull in self.pull_requests):
            raise ValueError("pull_requests should be the organisation's")
        return self


class MatrixEntry(Contract):
    """What the workflow's Map hands to one entry's steps."""

    key: EntryKey
    repository: Repository
    repo_name: RepoName
    number: PullNumber
    head_sha: Sha
    head_repository: Repository | None

    @classmethod
    def of(cls, pull: SelectedPull) -> Self:
        """Name one selected pull request."""
        return cls(
            key=pull.key,
            repository=pull.repository,
            repo_name=pull.repo_name,
            number=pull.number,
            head_sha=pull.head_sha,
            head_repository=pull.head_repository,
        )


class Matrix(Contract):
    """``matrix.json``: the entries in the order of ``selection.json``."""

    include: Annotated[tuple[MatrixEntry, ...], Field(max_length=MATRIX_LIMIT)]

    @classmethod
    def of(cls, selection: Selection) -> Self:
        """Fan a selection out."""
        return cls(include=tuple(map(MatrixEntry.of, selection.pull_requests)))
