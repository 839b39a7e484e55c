"""What tells of a run that works elsewhere: the detail of an event on the bus, and the row that it leaves."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints, ValidationError, model_validator

from autoswe.contracts.model import Contract
from autoswe.contracts.records.platform import FullName, Name, RunId
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import AgentTask, Run, RunRefusal, RunScope

MAX_TASK_CHARACTERS = 16_000
"""How long an agent run's task may be; it is kept and shown as it was written, so a longer one is refused."""

Branch = Annotated[str, StringConstraints(pattern=r"^[^\s\x00-\x1f\x7f]{1,255}$")]
Task = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TASK_CHARACTERS, pattern=r"\S")]
Number = Annotated[int, Field(gt=0, lt=2**53)]
"""A host's number of an account or a pull request."""


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("the moment is beyond all calendars") from None


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""A moment with its offset from UTC, kept in UTC (ISO 8601)."""


class RunReport(Contract):
    """Where a run stands at a moment, said by the system that runs it.

    ``author_id`` is the numeric account that opens the run's pull request, ``branch`` its head branch. ``pull_number``
    is left out until the pull request is open. ``agent``, ``scope`` and ``task`` belong to an agent run, all three of
    them, and to no other; ``task`` is what the agent was asked to do, as it was written.
    """

    kind: Literal[OriginKind.TRACKED_WORKFLOW, OriginKind.AGENT_RUN]
    connection: Name
    repository: FullName
    run_id: RunId
    author_id: Number
    branch: Branch
    status: RunStatus
    reported_at: Moment
    pull_number: Number | None = None
    agent: Name | None = None
    scope: RunScope | None = None
    task: Task | None = None

    @model_validator(mode="after")
    def _agent_run_has_its_task(self) -> Self:
        wanted = self.kind is OriginKind.AGENT_RUN
        if any((value is not None) is not wanted for value in (self.agent, self.scope, self.task)):
            raise ValueError("agent, scope and task belong to an agent run, all three, and to no tracked workflow")
        return self

    @classmethod
    def of(cls, run: Run) -> Self:
        """Say of a run what its record keeps."""
        fields = vars(run) | (vars(run.agent_task) if run.agent_task else {})
        return cls.model_validate({name: value for name, value in fields.items() if name != "agent_task"})

    @property
    def run(self) -> Run:
        """The run as the rules judge it."""
        fields = dict(self)
        asked = {name: fields.pop(name) for name in ("agent", "scope", "task")}
        return Run(**fields, agent_task=AgentTask(**asked) if self.task is not None else None)


class RecordOutcome(StrEnum):
    """What became of a report.

    ``recorded``: the record has changed. ``unchanged``: it said so before, or says something newer. ``refused``:
    nothing of the report is recorded.
    """

    RECORDED = "recorded"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


class RecordedRun(Contract):
    """What record_run did with a report; ``status`` and ``pull_number`` are what is on record now.

    A refused report has a ``reason`` and a ``sentence`` instead, which says what is wrong with it.
    """

    outcome: RecordOutcome
    run_id: RunId
    status: RunStatus | None = None
    pull_number: Number | None = None
    reason: RunRefusal | None = None
    sentence: str | None = None


class ReportInvalid(ValueError):
    """What should be a report is none; the message says where and why, in a sentence."""


def read_report(text: str | bytes) -> RunReport:
    """Read a report from JSON; raises ``ReportInvalid`` for its first fault."""
    try:
        return RunReport.model_validate_json(text)
    except ValidationError as invalid:
        first = invalid.errors(include_input=False, include_url=False)[0]
        where = f" at {'.'.join(map(str, first['loc']))}" if first["loc"] else ""
        raise ReportInvalid(f"the report is wrong{where}: {first['msg']}") from None
