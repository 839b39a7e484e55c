"""What travels through the feedback workflow: identifiers, verdicts and artifact references, nothing big.

Each step is called with ``RoundRequest``: who is running (``$$.Execution.Id``, ``$$.StateMachine.Id``) and the state
as it stands. Each step's answer is kept under the step's own key as ``{"value": …}``.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.model import Contract, Count, PositiveInt, Sha
from autoswe.contracts.workflow import Failure, Returned, RoundInput


class GatherOutcome(StrEnum):
    """What the round does next.

    ``proceed`` to the fixer; ``resume`` at the report, because this decision's fix is on the branch already;
    ``report`` that CI failed, because nothing can follow it up; ``skip_silent`` posts nothing; ``skip_visible`` says a
    generic reason on the pull request.
    """

    PROCEED = "proceed"
    RESUME = "resume"
    REPORT = "report"
    SKIP_SILENT = "skip_silent"
    SKIP_VISIBLE = "skip_visible"


class Gathered(Contract):
    """What gather_feedback found; artifacts are there only when the round proceeds or resumes.

    ``source`` is the verified head archive, ``brief`` the fenced brief, ``threads`` which threads the labels mean,
    ``plan`` the gates to run. The counts say what was left out of the brief.
    """

    outcome: GatherOutcome
    reason: str | None = None
    head_sha: Sha | None = None
    source: ArtifactReference | None = None
    brief: ArtifactReference | None = None
    threads: ArtifactReference | None = None
    plan: ArtifactReference | None = None
    dropped_comments: Count = 0
    screened_comments: Count = 0


class Prepared(Contract):
    """What prepare_task made: one manifest address per container, and where the containers leave their results."""

    agent_manifest_url: str
    collect_manifest_url: str
    gates_manifest_url: str
    outcome_key: str
    change_key: str
    gates_key: str


class PushOutcome(StrEnum):
    """What became of the fix: on the branch, nothing to push, or refused by a gate."""

    PUSHED = "pushed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


class Pushed(Contract):
    """What push_fix did.

    ``reason`` names the gate that refused; ``report`` is the verified artifact that respond renders from.
    """

    outcome: PushOutcome
    reason: str | None = None
    commit_sha: Sha | None = None
    report: ArtifactReference | None = None


MOST_LATE = 100
"""How many late deliveries a report names: what it names no more counts as not told of."""


class Reported(Contract):
    """What respond left on the pull request.

    ``summary`` says whether the comment was made or edited, ``replies`` how many replies were. ``late`` are the GUIDs
    of the deliveries that the summary's line about late feedback stands for, oldest first.
    """

    summary: str
    replies: Count
    late: Annotated[tuple[str, ...], Field(max_length=MOST_LATE)] = ()


class CiOutcome(StrEnum):
    """How the pull request's CI stands on the pushed commit (feedback §1); ``wait`` means look again later."""

    WAIT = "wait"
    GREEN = "green"
    RED = "red"
    NONE = "none"
    UNKNOWN = "unknown"


class CiStatus(Contract):
    """One look at CI.

    ``seconds`` is how long to wait before the next look, ``waited_seconds`` how long the watch has lasted,
    ``looks`` how often it looked, ``green_since`` when an unbroken green was first seen (ISO 8601). ``follow_up`` says
    that the round may try once to repair what failed.
    """

    outcome: CiOutcome
    reason: str | None = None
    seconds: Count = 0
    waited_seconds: Count = 0
    looks: Count = 0
    green_since: str | None = None
    follow_up: bool = False


class Closed(Contract):
    """How the round ended: ``succeeded``, ``skipped`` or ``failed``, and whether a suppressed delivery was offered."""

    outcome: Annotated[str, Field(pattern="^(succeeded|skipped|failed)$")]
    reason: str | None = None
    offered_again: bool = False


class FirstFix(Contract):
    """What came of a round before its follow-up: what was gathered, the push, and the CI that failed on it."""

    gather: Returned[Gathered]
    push: Returned[Pushed]
    ci: Returned[CiStatus]


class RoundState(RoundInput):
    """The workflow's state as a step sees it: the input and what the steps before it answered.

    ``first`` is there once a CI follow-up has begun; gather, prepare, push and ci are the follow-up's from then on.
    """

    first: FirstFix | None = None
    gather: Returned[Gathered] | None = None
    prepare: Returned[Prepared] | None = None
    push: Returned[Pushed] | None = None
    report: Returned[Reported] | None = None
    ci: Returned[CiStatus] | None = None
    ci_report: Returned[Reported] | None = None
    close: Returned[Closed] | None = None
    error: Failure | None = None
    ci_error: Failure | None = None
    report_error: Failure | None = None


class RoundRequest(Contract):
    """What every step of the workflow is called with."""

    execution: str
    machine: str
    state: RoundState


class ThreadReference(Contract):
    """Which thread a label means: where a reply goes, and the place it is about."""

    label: str
    root_comment_id: PositiveInt
    path: str | None
    start_line: PositiveInt | None
    end_line: PositiveInt | None


class ThreadIndex(Contract):
    """``threads.json``: every label of the brief."""

    threads: tuple[ThreadReference, ...]


class ReportThread(Contract):
    """One thread as the report tells it; ``claims_addressed`` is true only where the pushed change bears it out."""

    label: str
    root_comment_id: PositiveInt
    path: str | None
    outcome: str
    claims_addressed: bool
    note: str


class RoundReport(Contract):
    """``report.json``: what push_fix verified and respond renders.

    ``execution`` made it; ``note`` fields are an agent's words, to be neutralised. ``follows_up`` is the round's first
    commit, whose threads and files the report of a CI follow-up tells as well.
    """

    execution: str
    threads: tuple[ReportThread, ...]
    changed_paths: tuple[str, ...]
    gates: tuple[tuple[str, str], ...]
    follows_up: Sha | None = None
