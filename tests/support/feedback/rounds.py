"""A round at each of its stages: what gathering, preparing and the fixer leave for the next step."""

import base64
from dataclasses import dataclass, field
from hashlib import sha256

from autoswe.contracts.feedback.fixing import (
    Change,
    ChangeOperation,
    FileChange,
    FileMode,
    FixerBrief,
    GateCommand,
    GateName,
    GatePlan,
    GateReport,
    GateResult,
    GateStatus,
    Outcome,
    ThreadOutcome,
    ThreadOutcomeKind,
)
from autoswe.contracts.feedback.round import (
    Gathered,
    GatherOutcome,
    Prepared,
    RoundRequest,
    ThreadIndex,
    ThreadReference,
)
from autoswe.contracts.workflow import Returned
from autoswe.rules.source.archive import git_blob_id
from tests.support.feedback.fake_host import FILE, HEAD, FakeHost
from tests.support.feedback.fakes import FakeArtifacts, FakeRecords, FakeRounds, request

FIXED = b"A\nX\nC\n"
PLAN = GatePlan(
    setup=(),
    setup_timeout_seconds=60,
    gates=(GateCommand(name=GateName.LINT, command=("true",), timeout_seconds=60),),
)
INDEX = ThreadIndex(
    threads=(ThreadReference(label="T1", root_comment_id=11, path="a.py", start_line=None, end_line=2),)
)
OUTCOME = Outcome(
    agent="suggestions",
    threads=(ThreadOutcome(label="T1", outcome=ThreadOutcomeKind.ADDRESSED, note="Done.", places=("a.py",)),),
)


def changed(
    path: str = "a.py", before: bytes | None = FILE, after: bytes | None = FIXED, mode: FileMode = FileMode.REGULAR
) -> FileChange:
    """Describe one changed file as the collect container does."""
    operation = ChangeOperation.MODIFY if before and after else ChangeOperation.ADD if after else ChangeOperation.DELETE
    return FileChange(
        path=path,
        mode=mode,
        op=operation,
        base_blob=git_blob_id(before) if before is not None else None,
        content_base64=base64.b64encode(after).decode() if after is not None else None,
    )


@dataclass
class Stage:
    """A round whose fixer has run; tests change any part before they call the step."""

    host: FakeHost = field(default_factory=FakeHost)
    rounds: FakeRounds = field(default_factory=FakeRounds.holding)
    records: FakeRecords = field(default_factory=FakeRecords)
    artifacts: FakeArtifacts = field(default_factory=FakeArtifacts)

    def gathered(self) -> Returned[Gathered]:
        """Store what gathering stores."""
        brief = FixerBrief(head_sha=HEAD, trigger_notes=None, threads=(), suggestions=())
        return Returned(
            value=Gathered(
                outcome=GatherOutcome.PROCEED,
                head_sha=HEAD,
                source=self.artifacts.put("source", b"source"),
                brief=self.artifacts.put("brief", brief.dump()),
                threads=self.artifacts.put("threads", INDEX.dump()),
                plan=self.artifacts.put("plan", PLAN.dump()),
            )
        )

    def fixed(
        self,
        *files: FileChange,
        gates: GateStatus = GateStatus.PASSED,
        outcome: Outcome = OUTCOME,
        head_sha: str = HEAD,
        change_sha256: str | None = None,
        gate: GateName = GateName.LINT,
    ) -> None:
        """Store what the containers leave behind."""
        change = Change(head_sha=head_sha, files=files).dump()
        report = GateReport(
            change_sha256=change_sha256 or sha256(change).hexdigest(),
            gates=(GateResult(name=gate, status=gates, exit_code=0, seconds=1.0),) if files else (),
        )
        self.artifacts.put("change", change)
        self.artifacts.put("outcome", outcome.dump())
        self.artifacts.put("gates", report.dump())

    def request(self, **answers: object) -> RoundRequest:
        """Build the request of the step after the fixer."""
        prepared = Prepared(
            agent_manifest_url="a",
            collect_manifest_url="c",
            gates_manifest_url="g",
            outcome_key="outcome",
            change_key="change",
            gates_key="gates",
        )
        return request(**{"gather": self.gathered(), "prepare": Returned(value=prepared), **answers})
