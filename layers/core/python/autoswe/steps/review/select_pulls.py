"""Selects the pull requests of a review run, and keeps what every later step reads (review §5, §12, §18).

A replay, and a retry whose first answer was lost, go on with what the run has selected.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.records.platform import Connection
from autoswe.contracts.review.candidates import Candidates, SelectionPolicy
from autoswe.contracts.review.judgement import MAX_RESULT_BYTES, Result
from autoswe.contracts.review.ledger import LedgerDocument
from autoswe.contracts.review.reading import DocumentRefused, read_document
from autoswe.contracts.review.rows import ReviewRun
from autoswe.contracts.review.run import (
    EntryEvidence,
    EntryReference,
    ReviewRequest,
    RunInputs,
    Selected,
    SelectOutcome,
)
from autoswe.contracts.review.selection import Matrix, SelectedPull, Selection
from autoswe.ports.artifacts import ArtifactRefused, Artifacts
from autoswe.ports.clock import Clock
from autoswe.ports.review.hosts import ListedPull, ScanHost
from autoswe.ports.review.runs import Assessments, Leases, ReviewRecords, ReviewRuns
from autoswe.rules.review.pulls.selection import count_reasons, effective_cap
from autoswe.rules.review.run.inputs import ReviewInputs
from autoswe.rules.review.run.ledger import Ledger, merge
from autoswe.rules.review.run.naming import entry_key, evidence_key, result_key
from autoswe.rules.review.run.preflight import judge_read_token
from autoswe.rules.review.verdict.tiers import Verdict
from autoswe.steps.review.review_run import PreflightRefused, RunSuperseded, keep_lease, read_run, run_facts
from autoswe.steps.review.scan_pulls import Scan, scan_pulls
from autoswe.steps.review.selected_entry import read_sides


@dataclass(frozen=True)
class Ports:
    """What selecting reads and writes.

    ``exclusions`` are the deployment's own. ``open_host`` opens the host with a token for the repositories that are
    named (without owner), or for all of the installation's when none is.
    """

    clock: Clock
    records: ReviewRecords
    runs: ReviewRuns
    leases: Leases
    assessments: Assessments
    artifacts: Artifacts
    exclusions: tuple[str, ...]
    open_host: Callable[[Connection, Sequence[str]], ScanHost]


def select_pulls(request: ReviewRequest, ports: Ports) -> Selected:
    """Select and keep it all, or go on with what was selected before.

    Raises ``PreflightRefused`` when the token for reading is not what it should be, and the host's errors when the
    listing cannot be read to its end or a named pull request cannot be read: a part of a scan is none.
    """
    run = read_run(request.execution, run_facts(request).namespace, ports.runs)
    keep_lease(run, ports.leases)
    if run.selected is not None:
        return _still_to_do(run, Selected.model_validate_json(ports.artifacts.get(run.selected)), ports.artifacts)
    connection = ports.records.connection(run.connection)
    if connection is None:
        raise RunSuperseded("the run's connection has no record any more")
    inputs = RunInputs.model_validate_json(ports.artifacts.get(run.inputs)).typed()
    selected = _Selecting(run, connection, inputs, ports).select()
    kept = ports.artifacts.put(evidence_key(run.namespace, "selected.json"), selected.dump())
    if not ports.runs.go_on(run, run.model_copy(update={"selected": kept})):
        raise RunSuperseded("another execution has gone on with this run")
    return selected


def _still_to_do(run: ReviewRun, selected: Selected, artifacts: Artifacts) -> Selected:
    """Leave out what an earlier attempt has brought to an end that is not a failure."""
    left = tuple(entry for entry in selected.entries if not _is_settled(run, entry.key, artifacts))
    outcome = SelectOutcome.REVIEW if left else SelectOutcome.NOTHING
    return selected.model_copy(update={"entries": left, "outcome": outcome})


def _is_settled(run: ReviewRun, key: str, artifacts: Artifacts) -> bool:
    for attempt in range(1, run.attempt):
        try:
            stored = artifacts.fetch(result_key(run.namespace, key, attempt, "result.json"), MAX_RESULT_BYTES)
            result = read_document(Result, stored, name="result.json", max_bytes=MAX_RESULT_BYTES)
        except (ArtifactRefused, DocumentRefused):
            continue
        if result.verdict is not Verdict.FAILED:
            return True
    return False


@dataclass(frozen=True)
class _Selecting:
    """One selection: who is asked, for what, and where it is kept."""

    run: ReviewRun
    connection: Connection
    inputs: ReviewInputs
    ports: Ports

    def select(self) -> Selected:
        """Read, judge and keep everything."""
        host = self.ports.open_host(self.connection, self.inputs.read_scope())
        listed = self._list(host)
        remembered = self.ports.assessments.remembered(self.run.org)
        ledger = merge(remembered.assessments, now=self.ports.clock())
        policy = self.inputs.policy(self.ports.exclusions)
        scan = scan_pulls(host, listed, policy, ledger, effective_cap(self.inputs.max_pull_requests))
        return Selected(
            outcome=SelectOutcome.REVIEW if scan.entries and not self.inputs.skip_agent else SelectOutcome.NOTHING,
            selection=self._keep_selection(scan, ledger),
            ledger=self._put("ledger.json", LedgerDocument.of(ledger.values()).dump()),
            entries=() if self.inputs.skip_agent else tuple(self._keep_entry(host, entry) for entry in scan.entries),
            candidates_seen=len(scan.candidates),
            skipped=len(scan.skipped),
            forgotten=remembered.forgotten,
        )

    def _list(self, host: ScanHost) -> tuple[ListedPull, ...]:
        if self.inputs.pull_requests:
            named = [(pull.repository, pull.number) for pull in self.inputs.pull_requests]
            self._judge_token(host, named[0][0])
            return host.named_pulls(named)
        repositories = [f"{self.run.org}/{name}" for name in self.inputs.repositories]
        if not repositories:
            repositories = [repository.full_name for repository in host.repositories(self.run.org)]
        if not repositories:
            return ()
        self._judge_token(host, repositories[0])
        return host.open_pulls(repositories)

    def _judge_token(self, host: ScanHost, repository: str) -> None:
        refusals = judge_read_token(self.connection.app_slug, host.app_slug(), host.powers(repository))
        if refusals:
            raise PreflightRefused(*refusals)

    def _keep_selection(self, scan: Scan, ledger: Ledger) -> ArtifactReference:
        inputs, exclusions = self.inputs, self.inputs.exclude_repos or self.ports.exclusions
        named = tuple(map(str, inputs.pull_requests))
        selection = Selection(
            schema=1,
            org=self.run.org,
            generated_at=self.ports.clock(),
            dry_run=self.run.dry_run,
            model=inputs.model,
            approve_tiers=RunInputs.of(inputs).approve_tiers,
            bot_login=f"{self.connection.app_slug}[bot]",
            explicit_pull_requests=named,
            explicit_repositories=inputs.repositories,
            exclusions=exclusions,
            candidates_seen=len(scan.candidates),
            skip_counts=dict(count_reasons(row.reason for row in scan.skipped)),
            skipped=scan.skipped,
            pull_requests=scan.entries,
        )
        policy = SelectionPolicy(
            org=self.run.org,
            exclusions=exclusions,
            explicit_pull_requests=named,
            dry_run=self.run.dry_run,
            reassess=inputs.reassess,
            max_pull_requests=inputs.max_pull_requests,
            ledger=LedgerDocument.of(ledger.values()).entries,
        )
        self._put("candidates.json", Candidates(schema=1, policy=policy, candidates=scan.candidates).dump())
        self._put("matrix.json", Matrix.of(selection).dump())
        return self._put("selection.json", selection.dump())

    def _keep_entry(self, host: ScanHost, pull: SelectedPull) -> EntryReference:
        def put(name: str, content: bytes) -> ArtifactReference:
            return self.ports.artifacts.put(entry_key(self.run.namespace, pull.key, name), content)

        files = None if self.run.dry_run else put("files.json", read_sides(host, pull).dump())
        evidence = EntryEvidence(entry=put("entry.json", pull.dump()), files=files)
        return EntryReference(key=pull.key, evidence=put("evidence.json", evidence.dump()))

    def _put(self, name: str, content: bytes) -> ArtifactReference:
        return self.ports.artifacts.put(evidence_key(self.run.namespace, name), content)
