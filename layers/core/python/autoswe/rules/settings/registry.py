"""Every setting: its name, what it may be, what it is until it is set, and for whom it may be set (feedback §6).

This module is on the webhook's path: it imports the standard library only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from autoswe.rules.settings.kinds import AccountIds, BranchPatterns, Choice, Kind, OnOff, Whole

V = TypeVar("V")


class Scope(StrEnum):
    """Whom a value is for: ``admin`` is the whole platform, then one organisation, then one team of it."""

    ADMIN = "admin"
    ORGANIZATION = "organization"
    TEAM = "team"


class Override(StrEnum):
    """What a more specific scope's value does to the less specific ones.

    ``replaces``: it counts instead of them. ``adds``: all of them count together, so that no team can lift what its
    organisation or the platform has ruled out.
    """

    REPLACES = "replaces"
    ADDS = "adds"


PLATFORM_WIDE = (Scope.ADMIN,)
BY_ORGANIZATION = (Scope.ADMIN, Scope.ORGANIZATION)
BY_TEAM = (Scope.ADMIN, Scope.ORGANIZATION, Scope.TEAM)


@dataclass(frozen=True)
class Setting(Generic[V]):
    """One setting.

    ``default`` is its value where none is stored. ``scopes`` are those that may have a value of their own.
    """

    name: str
    kind: Kind[V]
    default: V
    scopes: tuple[Scope, ...]
    effect: str
    override: Override = Override.REPLACES


KILL_SWITCH = Setting(
    "github.prFeedbackAutomationsEnabled",
    OnOff(),
    default=False,
    scopes=BY_TEAM,
    effect="The kill switch of feedback rounds. Off, no round starts and nothing is pushed; a round that runs still "
    "reports and watches CI.",
)
OTHER_PULL_REQUESTS = Setting(
    "github.prFeedbackOtherPullRequestsEnabled",
    OnOff(),
    default=False,
    scopes=BY_TEAM,
    effect="Whether an automation may take pull requests that the platform did not open, and push to them.",
)
NEVER_PUSH_BRANCHES: Setting[tuple[str, ...]] = Setting(
    "github.ciFixNeverPushBranches",
    BranchPatterns(),
    default=(),
    scopes=BY_TEAM,
    effect="Branches that no fix is ever pushed to, beside those that the repository's own record names.",
    override=Override.ADDS,
)
QODO = Setting(
    "qodo.enabled",
    OnOff(),
    default=False,
    scopes=BY_TEAM,
    effect="Whether Qodo's review may be read at all. Off, a comment of its bot starts nothing.",
)
QODO_BOT_ACCOUNT_IDS: Setting[tuple[int, ...]] = Setting(
    "qodo.prFeedbackBotAccountIds",
    AccountIds(10),
    default=(),
    scopes=PLATFORM_WIDE,
    effect="The numeric accounts of Qodo's review bot on the host. Without any, its comments start nothing.",
)
QODO_MIN_ACTION_LEVEL = Setting(
    "qodo.prFeedbackMinActionLevel",
    Choice(("action_required", "remediation_recommended", "informational")),
    default="remediation_recommended",
    scopes=BY_TEAM,
    effect="The lowest action level at which one of Qodo's findings is worked on.",
)
QODO_INCLUDE_ON_COMMAND = Setting(
    "qodo.prFeedbackIncludeOnCommand",
    OnOff(),
    default=False,
    scopes=BY_TEAM,
    effect="Whether a round that a command started reads Qodo's open findings as well.",
)
QODO_MAX_ROUNDS = Setting(
    "qodo.prFeedbackMaxRounds",
    Whole(1, 10),
    default=2,
    scopes=BY_TEAM,
    effect="How many pushed rounds Qodo's findings alone may cause on one pull request, within the automation's own "
    "limit.",
)
QODO_RUN_WAIT_SECONDS = Setting(
    "qodo.prFeedbackRunWaitSeconds",
    Whole(0, 900),
    default=900,
    scopes=PLATFORM_WIDE,
    effect="How many seconds a round for Qodo waits for the run that opened the pull request to park. With 0 it is "
    "skipped at once.",
)
QODO_WAIT_SECONDS = Setting(
    "qodo.prFeedbackWaitSeconds",
    Whole(0, 600),
    default=120,
    scopes=PLATFORM_WIDE,
    effect="How many seconds a round for Qodo waits for Qodo to finish reviewing the head commit.",
)
AGENT_RUNS = Setting(
    "agentRuns.enabled",
    OnOff(),
    default=False,
    scopes=BY_TEAM,
    effect="The kill switch of agent runs. Off, no round follows up a pull request that an agent run opened.",
)
AGENT_RUNS_MAX_CONCURRENT = Setting(
    "agentRuns.maxConcurrent",
    Whole(1, 50),
    default=5,
    scopes=BY_TEAM,
    effect="How many agent runs may work at once. A round that follows one up takes no place of its own.",
)
AGENT_RUNS_MAX_PER_DAY = Setting(
    "agentRuns.maxPerDay",
    Whole(1, 1_000),
    default=50,
    scopes=BY_TEAM,
    effect="How many agent runs and rounds that follow one up may start on one day, in UTC.",
)
BUDGET: Setting[int | None] = Setting(
    "budget.monthlyUsd",
    Whole(0, 1_000_000),
    default=None,
    scopes=BY_ORGANIZATION,
    effect="How many US dollars an organisation may spend in a month, in UTC. Once its recorded spending is as high, "
    "no round starts, requested or not. Without a value nothing is compared.",
)
REVIEWS = Setting(
    "review.enabled",
    OnOff(),
    default=False,
    scopes=PLATFORM_WIDE,
    effect="The kill switch of scheduled reviews. Off, no run starts, whoever asks for it, and one that runs approves "
    "nothing any more.",
)
LIVE_REVIEWS = Setting(
    "review.live",
    OnOff(),
    default=False,
    scopes=PLATFORM_WIDE,
    effect="Whether the runs that a schedule starts approve pull requests. Off, they are dry runs; a person's run is "
    "what the person asks for.",
)

REGISTRY: Mapping[str, Setting[Any]] = {
    setting.name: setting
    for setting in (
        KILL_SWITCH,
        OTHER_PULL_REQUESTS,
        NEVER_PUSH_BRANCHES,
        QODO,
        QODO_BOT_ACCOUNT_IDS,
        QODO_MIN_ACTION_LEVEL,
        QODO_INCLUDE_ON_COMMAND,
        QODO_MAX_ROUNDS,
        QODO_RUN_WAIT_SECONDS,
        QODO_WAIT_SECONDS,
        AGENT_RUNS,
        AGENT_RUNS_MAX_CONCURRENT,
        AGENT_RUNS_MAX_PER_DAY,
        BUDGET,
        REVIEWS,
        LIVE_REVIEWS,
    )
}
"""Every setting by its name."""
