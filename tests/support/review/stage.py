"""A review run on in-memory ports, step by step, as the workflow would call them."""

import json
from dataclasses import dataclass, field
from typing import Any

from autoswe.contracts.review.judgement import Check, Result
from autoswe.contracts.review.run import (
    Applied,
    EntryEvidence,
    EntryOutcome,
    EntryReference,
    EntryRequest,
    EntryState,
    Preflighted,
    ReviewPrepared,
    ReviewReported,
    ReviewRequest,
    ReviewState,
    Selected,
)
from autoswe.contracts.workflow import Failure, Returned
from autoswe.rules.review.run.naming import namespace_of, result_key, session_key
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.steps.review import apply_review as applying
from autoswe.steps.review import preflight as checking
from autoswe.steps.review import prepare_review as preparing
from autoswe.steps.review import report_run as reporting
from autoswe.steps.review import select_pulls as selecting
from tests.support.fake_clock import FakeClock
from tests.support.feedback.fakes import FakeArtifacts, FakeSigner
from tests.support.review.fakes import (
    EXECUTION,
    MACHINE,
    ORG,
    RELEASE,
    ApprovingHost,
    FakeApprovals,
    FakeAssessments,
    FakeLeases,
    FakeOurCommits,
    FakeReviewHost,
    FakeReviewRecords,
    FakeReviewRuns,
)
from tests.support.review.pulls import HEAD


def pem(body: str) -> str:
    """Put a text where a private key's would be."""
    label = "PRIVATE " + "KEY"
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----\n"


PRIVATE_KEY = pem("A" * 1_600)


@dataclass
class ReviewStage:
    """One platform with its host; ``execution`` is who runs now, ``inputs`` what was asked for."""

    inputs: dict[str, Any] = field(default_factory=lambda: {"org": ORG, "dry_run": False})
    given: dict[str, Any] = field(default_factory=dict)
    execution: str = EXECUTION
    host: FakeReviewHost = field(default_factory=FakeReviewHost)
    clock: FakeClock = field(default_factory=FakeClock)
    records: FakeReviewRecords = field(default_factory=FakeReviewRecords)
    runs: FakeReviewRuns = field(default_factory=FakeReviewRuns)
    assessments: FakeAssessments = field(default_factory=FakeAssessments)
    artifacts: FakeArtifacts = field(default_factory=FakeArtifacts)
    commits: FakeOurCommits = field(default_factory=FakeOurCommits)
    signer: FakeSigner = field(default_factory=FakeSigner)
    exclusions: tuple[str, ...] = ()
    agent: str = "rules"
    private_key: str | None = PRIVATE_KEY
    model_credential: str | None = None
    release: str = RELEASE
    opened: list[tuple[str, ...]] = field(default_factory=list)
    minted_to_approve: int = 0

    def __post_init__(self) -> None:
        self.leases = FakeLeases(self.clock)
        self.approvals = FakeApprovals(self.clock)
        self.state: dict[str, Any] = {}

    @property
    def namespace(self) -> str:
        return namespace_of(self.given.get("replay_of", self.execution))

    def request(self, **changes: Any) -> ReviewRequest:
        state = {"inputs": self.inputs, **self.given, "release": RELEASE, **self.state, **changes}
        return ReviewRequest(execution=self.execution, machine=MACHINE, state=ReviewState(**state))

    def preflight(self) -> Preflighted:
        ports = checking.Ports(
            clock=self.clock,
            records=self.records,
            runs=self.runs,
            leases=self.leases,
            artifacts=self.artifacts,
            release=self.release,
            agent=self.agent,
            private_key=lambda _: self.private_key,
            model_credential=lambda _: self.model_credential,
        )
        answer = checking.preflight(self.request(), ports)
        self.state["preflight"] = Returned(value=answer)
        return answer

    def select(self) -> Selected:
        def open_host(_connection: object, names: Any) -> FakeReviewHost:
            self.opened.append(tuple(names))
            return self.host

        ports = selecting.Ports(
            clock=self.clock,
            records=self.records,
            runs=self.runs,
            leases=self.leases,
            assessments=self.assessments,
            artifacts=self.artifacts,
            exclusions=self.exclusions,
            open_host=open_host,
        )
        answer = selecting.select_pulls(self.request(), ports)
        self.state["select"] = Returned(value=answer)
        return answer

    def entry_request(self, entry: EntryReference, **changes: Any) -> EntryRequest:
        run = self.state["preflight"].value.run
        state = EntryState(release=RELEASE, run=run, entry=entry, **changes)
        return EntryRequest(execution=self.execution, machine=MACHINE, state=state)

    def prepare(self, entry: EntryReference) -> ReviewPrepared:
        ports = preparing.Ports(
            records=self.records,
            runs=self.runs,
            leases=self.leases,
            artifacts=self.artifacts,
            signer=self.signer,
            reviewer="rules",
            open_host=lambda _connection, _repository: self.host,
        )
        return preparing.prepare_review(self.entry_request(entry), ports)

    def leave_session(self, key: str, tier: Tier = Tier.TRIVIAL, **changes: Any) -> None:
        """Leave what a session concludes of the entry's head."""
        repository, _, number = key.rpartition("-")
        verdict = {
            "schema": 1,
            "repository": f"{ORG}/{repository}",
            "pull_request": int(number),
            "head_sha": HEAD,
            "tier": tier.value,
            "summary": "It adds a sentence.",
            "findings": [],
            "injection_attempts": [],
            **changes,
        }
        self.leave(key, f"Done.\n\n```json\n{json.dumps(verdict)}\n```\n".encode())

    def leave(self, key: str, summary: bytes, name: str = "session-summary.md") -> None:
        """Leave a session's file."""
        attempt = self.runs.kept[self.namespace].attempt
        self.artifacts.put(session_key(self.namespace, key, attempt, name), summary)

    def apply(self, entry: EntryReference, **changes: Any) -> Applied:
        def open_approve(_: object) -> ApprovingHost:
            self.minted_to_approve += 1
            return ApprovingHost(self.host)

        ports = applying.Ports(
            clock=self.clock,
            records=self.records,
            runs=self.runs,
            leases=self.leases,
            approvals=self.approvals,
            commits=self.commits,
            artifacts=self.artifacts,
            open_reread=lambda _: self.host,
            open_approve=open_approve,
        )
        return applying.apply_review(self.entry_request(entry, **changes), ports)

    def report(self, *reviews: EntryOutcome, error: str | None = None) -> ReviewReported:
        ports = reporting.Ports(
            release=self.release,
            clock=self.clock,
            runs=self.runs,
            leases=self.leases,
            assessments=self.assessments,
            artifacts=self.artifacts,
        )
        failure = Failure(error=error) if error else None
        return reporting.report_run(self.request(reviews=reviews, error=failure), ports)

    def evidence(self, entry: EntryReference) -> EntryEvidence:
        """Read what was kept of an entry."""
        return EntryEvidence.model_validate_json(self.artifacts.get(entry.evidence))

    def begin(self) -> Selected:
        """Let the run proceed and select."""
        assert self.preflight().run is not None
        return self.select()

    def result(self, key: str = "tool-7", attempt: int = 1) -> Result:
        stored = self.artifacts.fetch(result_key(self.namespace, key, attempt, "result.json"), 10**7)
        return Result.model_validate_json(stored)

    def check(self, key: str = "tool-7", attempt: int = 1) -> Check:
        stored = self.artifacts.fetch(result_key(self.namespace, key, attempt, "check.json"), 10**7)
        return Check.model_validate_json(stored)
