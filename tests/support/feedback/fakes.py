"""In-memory stand-ins for the ports of a round's steps, with one pull request in them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, BinaryIO, TypeVar

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.containers import Upload
from autoswe.contracts.feedback.round import RoundRequest, RoundState
from autoswe.contracts.records.platform import (
    Automation,
    Connection,
    Decision,
    Fire,
    FireOutcome,
    GateSettings,
    Member,
    Origin,
    RepositoryRecord,
)
from autoswe.ports.artifacts import ArtifactRefused
from autoswe.ports.feedback.rounds import Written
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import Run
from autoswe.rules.records.triggers import TriggerKind
from autoswe.rules.settings.registry import AGENT_RUNS, KILL_SWITCH, Setting
from autoswe.rules.settings.resolution import PLATFORM, Place, StoredSettings

R = TypeVar("R")

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
EXECUTION = "arn:execution:one"
MACHINE = "arn:machine"
HEAD = "a" * 40
REPOSITORY = "octo/widgets"

DECISION = Decision(
    decision_id="DECISION#main#octo/widgets#pr-7@review-42#default",
    connection="main",
    repository=REPOSITORY,
    repository_id=10,
    pull_number=7,
    automation_id="default",
    trigger=TriggerKind.CHANGES_REQUESTED,
    source="review",
    trigger_id=42,
    sender_id=5,
    delivery="guid-1",
    decided_at="2026-11-30T11:59:00Z",
)
CONNECTION = Connection(
    name="main",
    api_url="http://host/api/v3",
    graphql_url="http://host/api/graphql",
    app_id=1,
    app_slug="auto-swe",
    bot_id=77,
    installation_id=3,
)


def request(**answers: Any) -> RoundRequest:
    """Build a step's request for the decision; each answer is kept under its step's key."""
    state = RoundState(
        connection="main", repository=REPOSITORY, pull_number=7, decision_id=DECISION.decision_id, **answers
    )
    return RoundRequest(execution=EXECUTION, machine=MACHINE, state=state)


@dataclass
class FakeRecords:
    """The platform's records of one pull request; tests change them freely."""

    decisions: dict[str, Decision] = field(default_factory=lambda: {DECISION.decision_id: DECISION})
    connections: dict[str, Connection] = field(default_factory=lambda: {"main": CONNECTION})
    repository_record: RepositoryRecord | None = field(
        default_factory=lambda: RepositoryRecord(repository_id=10, gates=GateSettings())
    )
    members: dict[int, Member] = field(default_factory=lambda: {5: Member(account_id=5, login="reviewer", active=True)})
    automation_record: Automation | None = field(
        default_factory=lambda: Automation(automation_id="default", enabled=True)
    )
    origin_record: Origin | None = field(
        default_factory=lambda: Origin(
            kind=OriginKind.TRACKED_WORKFLOW,
            run_status=RunStatus.AWAITING_HUMAN_MERGE,
            author_id=99,
            branch="feature",
        )
    )
    stored: dict[str, dict[Place, object]] = field(
        default_factory=lambda: {KILL_SWITCH.name: {PLATFORM: True}, AGENT_RUNS.name: {PLATFORM: True}}
    )
    spending: dict[tuple[str | None, str], int] = field(default_factory=dict)
    run: Run | None = None
    started: dict[tuple[str | None, str], list[str]] = field(default_factory=dict)

    def of_round(
        self, decision_id: str, connection: str, repository: str
    ) -> tuple[Decision | None, Connection | None, RepositoryRecord | None]:
        return self.decisions.get(decision_id), self.connections.get(connection), self.repository_record

    def member(self, connection: str, repository: str, account_id: int) -> Member | None:
        return self.members.get(account_id)

    def automation(self, connection: str, automation_id: str) -> Automation | None:
        return self.automation_record

    def origin(self, connection: str, repository: str, pull_number: int) -> Origin | None:
        return self.origin_record

    def run_of(self, connection: str, repository: str, pull_number: int) -> Run | None:
        return self.run

    def start_follow_up(
        self, decision_id: str, organization: str | None, at: datetime, judge: Callable[[int], R | None]
    ) -> R | None:
        started = self.started.setdefault((organization, f"{at:%Y-%m-%d}"), [])
        reason = None if decision_id in started else judge(len(started))
        if reason is None and decision_id not in started:
            started.append(decision_id)
        return reason

    def store(self, setting: Setting[Any], value: object, place: Place = PLATFORM) -> None:
        self.stored.setdefault(setting.name, {})[place] = value

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        return StoredSettings(place, {setting.name: self.stored.get(setting.name, {}) for setting in settings})

    def spent_usd(self, organization: str | None, month: str) -> int:
        return self.spending.get((organization, month), 0)


@dataclass
class FakeRounds:
    """The ledger of one pull request's rounds; ``held_by`` is the execution that has the slot."""

    current: Fire | None = None
    held_by: str | None = None
    slot_taken: bool = False
    lost_after_commit: bool = False
    earlier: tuple[str, ...] = ()
    suppressed: tuple[str, ...] = ()
    suppressed_at_close: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    written_now: dict[str, Written] = field(default_factory=dict)
    doubts: dict[str, datetime] = field(default_factory=dict)
    now: datetime = NOW
    offered: list[str] = field(default_factory=list)
    taken_up: list[int] = field(default_factory=list)
    closed: list[tuple[FireOutcome, str | None]] = field(default_factory=list)

    @classmethod
    def holding(cls, **recorded: Any) -> "FakeRounds":
        """Start in the middle of a round that this execution runs."""
        fire = Fire(
            execution=EXECUTION,
            fence=1,
            outcome=FireOutcome.RUNNING,
            started_at="2026-11-30T12:00:00Z",
            **{"head_sha": HEAD, "head_ref": "feature", **recorded},
        )
        return cls(current=fire, held_by=EXECUTION)

    def fire(self, decision: Decision) -> Fire | None:
        return self.current

    def claim(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        if self.slot_taken:
            return None
        self.held_by = execution
        fire = self.current or Fire(
            execution=execution, fence=1, outcome=FireOutcome.RUNNING, started_at="2026-11-30T12:00:00Z"
        )
        self.current = fire.model_copy(update={"execution": execution})
        return self.current

    def held(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        return self.current if self.held_by == execution else None

    def record_head(self, decision: Decision, execution: str, head_sha: str, head_ref: str) -> None:
        self._update(head_sha=head_sha, head_ref=head_ref)

    def record_commit(self, decision: Decision, execution: str, commit_sha: str, instead_of: str | None) -> str | None:
        if self.held_by != execution:
            return None
        assert self.current is not None
        if self.current.commit_sha not in {commit_sha, instead_of}:
            return self.current.commit_sha
        if self.current.commit_sha != commit_sha:
            self._update(commit_sha=commit_sha, pushed=False, commit_pushed_at=None)
        if self.lost_after_commit:
            self.held_by = None
        return commit_sha

    def record_pushed(self, decision: Decision, commit_sha: str) -> None:
        at = "2026-11-30T12:05:00+00:00"
        self._update(pushed=True, pushed_sha=commit_sha, pushed_at=at, commit_pushed_at=at)

    def earlier_commits(self, decision: Decision) -> tuple[str, ...]:
        return self.earlier

    @property
    def writes(self) -> dict[str, str | None]:
        """The effect of each write that was announced."""
        return {write: record.effect for write, record in self.written_now.items()}

    def intend(self, decision: Decision, write: str) -> None:
        self.written_now.setdefault(write, Written(decision.decision_id, self.now.isoformat()))

    def effect(self, decision: Decision, write: str, effect: str) -> None:
        assert write in self.written_now, "an effect without an intent"
        self.written_now[write] = replace(self.written_now[write], effect=effect)

    def intended(self, decision: Decision, write: str) -> str | None:
        return decision.decision_id if write in self.written_now else None

    def written(self, decision: Decision, write: str) -> Written | None:
        return self.written_now.get(write)

    def announce(self, decision: Decision, write: str, seen: Written | None) -> Written | None:
        if self.written_now.get(write) != seen:
            return None
        self.written_now[write] = Written(decision.decision_id, self.now.isoformat())
        return self.written_now[write]

    def settle(self, decision: Decision, write: str, seen: Written, effect: str, content: str | None) -> None:
        if self.written_now.get(write) == seen:
            self.written_now[write] = Written(decision.decision_id, seen.intended_at, effect, content)

    def doubted_seconds(self, decision: Decision, what: str) -> float:
        return (self.now - self.doubts.setdefault(what, self.now)).total_seconds()

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        if self.current is None or self.current.execution != execution:
            return False
        self.closed.append((outcome, reason))
        self.suppressed += self.suppressed_at_close
        self.held_by = None
        return True

    def take_up(self, decision: Decision, attempt: int) -> None:
        self.taken_up.append(attempt)

    def suppressed_during(self, decision: Decision) -> tuple[str, ...]:
        return self.suppressed

    def offer_again(self, decision: Decision, delivery: str) -> None:
        self.offered.append(delivery)

    def note(self, decision: Decision, event: str) -> None:
        self.notes.append(event)

    def _update(self, **recorded: Any) -> None:
        assert self.current is not None
        self.current = self.current.model_copy(update=recorded)


@dataclass
class FakeArtifacts:
    """A versioned bucket in memory."""

    stored: dict[str, list[bytes]] = field(default_factory=dict)

    def put(self, key: str, content: bytes) -> ArtifactReference:
        versions = self.stored.setdefault(key, [])
        versions.append(content)
        return ArtifactReference(
            key=key, version_id=str(len(versions)), sha256=sha256(content).hexdigest(), bytes=len(content)
        )

    def put_file(self, key: str, content: BinaryIO) -> ArtifactReference:
        content.seek(0)
        return self.put(key, content.read())

    def get(self, reference: ArtifactReference) -> bytes:
        return self.stored[reference.key][int(reference.version_id) - 1]

    def fetch(self, key: str, max_bytes: int) -> bytes:
        versions = self.stored.get(key)
        if not versions or len(versions[-1]) > max_bytes:
            raise ArtifactRefused(f"{key} is missing or too large")
        return versions[-1]


@dataclass
class FakeSigner:
    """Opens grants that remember what they were opened for; an address tells what it signs."""

    opened: list[tuple[frozenset[str], frozenset[str], int]] = field(default_factory=list)

    def open(self, *, reads: Any, writes: Any, seconds: int) -> "FakeGrant":
        self.opened.append((frozenset(reads), frozenset(writes), seconds))
        return FakeGrant(frozenset(reads), frozenset(writes))


@dataclass
class FakeGrant:
    reads: frozenset[str]
    writes: frozenset[str]

    def download(self, reference: ArtifactReference) -> str:
        assert reference.key in self.reads
        return f"get:{reference.key}@{reference.version_id}"

    def download_later(self, key: str) -> str:
        assert key in self.reads
        return f"get:{key}"

    def upload(self, key: str, max_bytes: int) -> Upload:
        assert key in self.writes
        return Upload(url=f"put:{key}", headers={"If-None-Match": "*"}, max_bytes=max_bytes)
