"""The platform's own records, as the table holds them.

The webhook path reads and writes the same attributes without these models, because it does not import pydantic.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from autoswe.contracts.model import Contract, Count, PositiveInt, Sha
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind
from autoswe.rules.settings.resolution import Place

Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
FullName = Annotated[str, StringConstraints(pattern=r"^[^/\s]+/[^/\s]+$", max_length=200)]
"""A repository's full name, ``owner/name``."""
RunId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$")]
"""A run's name in the system that runs it: unique in a repository, 1 to 128 letters, digits and ``._:/-``."""


class Connection(Contract):
    """One GitHub App on one host: where its API answers and who its bot is.

    ``bot_id`` is the numeric account id of the App's bot; a marker counts only in a comment of that author.
    """

    name: str
    api_url: str
    graphql_url: str
    app_id: PositiveInt
    app_slug: str
    bot_id: PositiveInt
    installation_id: PositiveInt


class GateSettings(Contract):
    """The commands of a repository's gates; each is a program with its arguments, none means the gate is not run."""

    setup: tuple[tuple[str, ...], ...] = ()
    lint: tuple[str, ...] | None = None
    typecheck: tuple[str, ...] | None = None
    tests: tuple[str, ...] | None = None


class RepositoryRecord(Contract):
    """What the platform knows of one repository.

    Without ``gates`` they are detected from the base commit; ``never_push_branches`` are never pushed to (feedback §5).
    ``organization`` and ``team`` say whose settings count for it (feedback §6); a team belongs to an organisation.
    """

    repository_id: PositiveInt
    gates: GateSettings | None = None
    never_push_branches: tuple[str, ...] = ()
    organization: Name | None = None
    team: Name | None = None

    @model_validator(mode="after")
    def _team_has_organization(self) -> Self:
        if self.team is not None and self.organization is None:
            raise ValueError("a team needs its organization")
        return self

    @property
    def place(self) -> Place:
        """Where the repository stands when settings are looked up."""
        return Place(self.organization, self.team)


class Member(Contract):
    """A person linked to a numeric GitHub account who may work on a repository (feedback §2)."""

    account_id: PositiveInt
    login: str
    active: bool


class Automation(Contract):
    """One event automation on a connection (feedback §1, §6).

    ``repositories`` are full names, empty meaning all; ``max_rounds`` counts pushed rounds, 1 to 20;
    ``max_ci_fix_attempts`` is how often a round may follow up a failed CI, 0 or 1.
    """

    automation_id: Name
    enabled: bool
    repositories: tuple[FullName, ...] = ()
    triggers: tuple[TriggerKind, ...] = (TriggerKind.CHANGES_REQUESTED, TriggerKind.COMMAND)
    pull_requests: tuple[PullRequestScope, ...] = (PullRequestScope.PLATFORM,)
    max_rounds: Annotated[int, Field(ge=1, le=20)] = 5
    max_ci_fix_attempts: Annotated[int, Field(ge=0, le=1)] = 1


class SavedSetting(Contract):
    """What a place has stored of a setting (feedback §6).

    ``value`` is absent when it was taken back; ``previous_value`` is absent when there was none before. ``changed_by``
    is the person who changed it, ``changed_at`` when (ISO 8601, UTC).
    """

    value: JsonValue = None
    previous_value: JsonValue = None
    changed_by: str
    changed_at: str


class Decision(Contract):
    """A recorded decision to act on one trigger: made once per subject and automation, ever.

    ``decision_id`` names it everywhere else; ``trigger_id`` is the review's or comment's numeric id. ``attempt`` counts
    how often its round is to be taken up again.
    """

    decision_id: str
    connection: str
    repository: str
    repository_id: PositiveInt
    pull_number: PositiveInt
    automation_id: str
    trigger: TriggerKind
    source: str
    trigger_id: PositiveInt
    sender_id: PositiveInt
    delivery: str
    decided_at: str
    attempt: Count = 0


class Origin(Contract):
    """Who opened a pull request, by the platform's own records (feedback §2).

    ``author_id`` and ``branch`` are what the host must say of the pull request before its first round. ``run_id`` names
    the run that reported it, absent where an operator recorded the origin by hand.
    """

    kind: OriginKind
    run_status: RunStatus
    author_id: PositiveInt
    branch: str
    run_id: RunId | None = None


class FireOutcome(StrEnum):
    """How a round ended, or that it has not."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    SKIPPED = "skipped"
    FAILED = "failed"


class Fire(Contract):
    """One round of one decision.

    ``execution`` is the only execution that may push, answer or close; ``fence`` is the slot's number when it claimed
    the pull request. ``head_sha`` is the commit the fix is cut from, ``commit_sha`` the fix, recorded before the push;
    ``pushed`` says that the branch moved to it, at ``commit_pushed_at``. ``pushed_sha`` is the last commit that the
    branch moved to, and ``pushed_at`` says when it first moved: the round counts from then on. ``attempt`` is which of
    the decision's attempts it is, from 0; ``ended_at`` says when it last ended.
    """

    execution: str
    fence: Count
    outcome: FireOutcome
    started_at: str
    head_sha: Sha | None = None
    head_ref: str | None = None
    commit_sha: Sha | None = None
    pushed: bool = False
    pushed_at: str | None = None
    pushed_sha: Sha | None = None
    commit_pushed_at: str | None = None
    attempt: Count = 0
    ended_at: str | None = None
