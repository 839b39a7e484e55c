"""What travels through the review workflow: identifiers, verdicts and artifact references, nothing big (review §4).

Each step is called with who is running (``$$.Execution.Id``, ``$$.StateMachine.Id``) and the state as it stands: of the
run, or within the Map of one entry. Each step's answer is kept under the step's own key as ``{"value": …}``.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.model import Contract, Count, PositiveInt, Sha256
from autoswe.contracts.records.platform import Name
from autoswe.contracts.review.words import EntryKey, Org
from autoswe.contracts.workflow import Failure, Returned
from autoswe.rules.review.pulls.pull_names import PullName
from autoswe.rules.review.pulls.selection import MATRIX_LIMIT
from autoswe.rules.review.run.inputs import ReviewInputs
from autoswe.rules.review.run.naming import NAMESPACE
from autoswe.rules.review.verdict.tiers import Tier, Verdict

Namespace = Annotated[str, StringConstraints(pattern=rf"^{NAMESPACE.pattern}$")]
"""What names everything of a run (``rules.review.run.naming``)."""


class StartedBy(StrEnum):
    """Who started a run: a ``schedule``, whose mode is a setting's, or a ``person``, who says it (review §9.2)."""

    SCHEDULE = "schedule"
    PERSON = "person"


class ReviewInput(Contract):
    """An execution's input.

    ``inputs`` are those of review §9.1, untyped still: what is wrong with them is told in sentences. ``replay_of`` is
    the ARN of the execution whose run is to be gone on with.
    """

    connection: Name = "review"
    inputs: dict[str, JsonValue] = Field(default_factory=dict)
    started_by: StartedBy = StartedBy.PERSON
    replay_of: Annotated[str, StringConstraints(pattern=r"^arn:[^\s]{1,2000}$")] | None = None


class RunInputs(Contract):
    """``inputs.json``: the inputs of a run, typed, with defaults; bounds as ``rules.review.run.inputs`` has them."""

    org: Org
    dry_run: bool
    model: str
    approve_tiers: tuple[Literal[Tier.TRIVIAL, Tier.LOW_RISK], ...]
    pull_requests: tuple[tuple[str, PositiveInt], ...]
    repositories: tuple[str, ...]
    exclude_repos: tuple[str, ...] | None
    max_pull_requests: Count
    max_concurrent_agents: PositiveInt
    max_runtime_minutes: PositiveInt
    reassess: bool
    skip_agent: bool

    @classmethod
    def of(cls, inputs: ReviewInputs) -> "RunInputs":
        """Write inputs down."""
        return cls(
            **{
                **vars(inputs),
                "approve_tiers": tuple(sorted(inputs.approve_tiers)),
                "pull_requests": tuple((pull.repo_name, pull.number) for pull in inputs.pull_requests),
            }
        )

    def typed(self) -> ReviewInputs:
        """Return them as the rules know them."""
        return ReviewInputs(
            **{
                **dict(self),
                "approve_tiers": frozenset(self.approve_tiers),
                "pull_requests": tuple(PullName(self.org, name, number) for name, number in self.pull_requests),
            }
        )


class RunFacts(Contract):
    """What later states need of a run.

    ``attempt`` is 1, and one more for each replay. ``task_seconds`` is how long a session's task may take in all.
    """

    namespace: Namespace
    attempt: PositiveInt
    run_id: PositiveInt
    org: Org
    dry_run: bool
    max_concurrent_agents: PositiveInt
    task_seconds: PositiveInt


class PreflightOutcome(StrEnum):
    """What the run does next.

    ``proceed``; ``wait``: an earlier live run has the organisation; ``replaced``: a later one has taken the place in
    the queue; ``off``: the kill switch; ``refused``: the run must not go on.
    """

    PROCEED = "proceed"
    WAIT = "wait"
    REPLACED = "replaced"
    OFF = "off"
    REFUSED = "refused"


class Preflighted(Contract):
    """What preflight found.

    ``seconds`` is how long to wait before it is asked again. ``reason`` names the first check or input that refuses,
    ``sentences`` say all of them. ``run`` is there when the run proceeds.
    """

    outcome: PreflightOutcome
    reason: str | None = None
    sentences: tuple[str, ...] = ()
    seconds: Count = 0
    run: RunFacts | None = None


class EntryReference(Contract):
    """One entry to review: its key, and what is known of it (``EntryEvidence``)."""

    key: EntryKey
    evidence: ArtifactReference


class EntryEvidence(Contract):
    """``evidence.json``: the entry, and both sides of its files, which a dry run does not read.

    It is an object of its own, because the references of 256 entries would not fit into the workflow's state.
    """

    entry: ArtifactReference
    files: ArtifactReference | None = None


class SelectOutcome(StrEnum):
    """``review`` the entries, or ``nothing``: there are none, or no session is wanted."""

    REVIEW = "review"
    NOTHING = "nothing"


class Selected(Contract):
    """What select_pulls chose, in the order of ``selection.json``.

    ``forgotten`` counts the assessments that could not be read and were left out of the ledger (review §6.6).
    """

    outcome: SelectOutcome
    selection: ArtifactReference
    ledger: ArtifactReference
    entries: Annotated[tuple[EntryReference, ...], Field(max_length=MATRIX_LIMIT)]
    candidates_seen: Count
    skipped: Count
    forgotten: Count = 0


class ReviewPrepared(Contract):
    """What prepare_review made: the address of the session's manifest."""

    manifest_url: str


class Applied(Contract):
    """What became of one entry; ``reason`` is the first of its result."""

    outcome: Verdict
    reason: str | None = None


class EntryOutcome(Contract):
    """How the Map left one entry: ``step`` and ``error`` name what failed, if anything did."""

    key: EntryKey
    step: str | None = None
    error: str | None = None


class ReportOutcome(StrEnum):
    """``reported``, or ``failed``: there is nothing to report on, and the error says why."""

    REPORTED = "reported"
    FAILED = "failed"


class ReviewReported(Contract):
    """How a run ended; ``report`` and ``page`` are the keys of ``report.json`` and ``report.md``."""

    outcome: ReportOutcome
    reason: str | None = None
    report: str | None = None
    page: str | None = None
    counts: dict[str, Count] = Field(default_factory=dict)


class ReviewState(ReviewInput):
    """The workflow's state as a step sees it; ``release`` is the digest that the workflow was deployed with."""

    release: Sha256 | None = None
    preflight: Returned[Preflighted] | None = None
    select: Returned[Selected] | None = None
    reviews: tuple[EntryOutcome, ...] | None = None
    report: Returned[ReviewReported] | None = None
    error: Failure | None = None


class ReviewRequest(Contract):
    """What each step of the run is called with."""

    execution: str
    machine: str
    state: ReviewState


class EntryState(Contract):
    """One entry within the Map; ``session_error`` is what ended its session other than well."""

    release: Sha256
    run: RunFacts
    entry: EntryReference
    prepare: Returned[ReviewPrepared] | None = None
    session_error: Failure | None = None


class EntryRequest(Contract):
    """What each step of an entry is called with."""

    execution: str
    machine: str
    state: EntryState
