"""The platform's own records, as the table holds them.

The webhook path reads and writes the same attributes without these models, because it does not import pydantic.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from autoswe.contracts.model import Contract, Count, PositiveInt, Sha
from autoswe.rules.feedback.origin import OriginKind, RunStatus
from autoswe.rules.feedback.triggers import PullRequestScope, TriggerKind


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
    """

    repository_id: PositiveInt
    gates: GateSettings | None = None
    never_push_branches: tuple[str, ...] = ()


class Member(Contract):
    """A person linked to a numeric GitHub account who may work on a repository (feedback §2)."""

    account_id: PositiveInt
    login: str
    active: bool


class Automation(Contract):
    """One event automation on a connection (feedback §1).

    ``repositories`` are full names, empty meaning all; ``max_rounds`` counts pushed rounds, 1 to 20.
    """

    automation_id: str
    enabled: bool
    repositories: tuple[str, ...] = ()
    triggers: tuple[TriggerKind, ...] = (TriggerKind.CHANGES_REQUESTED, TriggerKind.COMMAND)
    pull_requests: tuple[PullRequestScope, ...] = (PullRequestScope.PLATFORM,)
    max_rounds: Annotated[int, Field(ge=1, le=20)] = 5


class Decision(Contract):
    """A recorded decision to act on one trigger: made once per subject and automation, ever.

    ``decision_id`` names it everywhere else; ``trigger_id`` is the review's or comment's numeric id.
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


class Origin(Contract):
    """Who opened a pull request, by the platform's own records (feedback §2).

    ``author_id`` and ``branch`` are what the host must say of the pull request before its first round.
    """

    kind: OriginKind
    run_status: RunStatus
    author_id: PositiveInt
    branch: str


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
    ``pushed`` says that the branch moved to it.
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
