"""Tells what a review run did, remembers it, and gives the organisation back, whatever happened before (review §18.7).

It is also called for an execution that ended without it: then there is nothing but to give back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from autoswe.contracts.review.judgement import MAX_RESULT_BYTES, Result
from autoswe.contracts.review.ledger import MAX_LEDGER_BYTES, LedgerDocument
from autoswe.contracts.review.reading import DocumentRefused, read_document
from autoswe.contracts.review.report import MAX_REPORT_BYTES, ReportDocument, selected_entries
from autoswe.contracts.review.rows import ReviewRun, RunOutcome
from autoswe.contracts.review.run import (
    ReportOutcome,
    ReviewReported,
    ReviewRequest,
    ReviewState,
    Selected,
    SelectOutcome,
)
from autoswe.contracts.review.selection import MAX_SELECTION_BYTES, SelectedPull, Selection
from autoswe.ports.artifacts import ArtifactRefused, Artifacts
from autoswe.ports.clock import Clock
from autoswe.ports.review.runs import Assessments, Leases, ReviewRuns
from autoswe.rules.review.run.ledger import Ledger, assess, merge
from autoswe.rules.review.run.naming import namespace_of, report_key, result_key, run_number
from autoswe.rules.review.run.preflight import Refusal, judge_release
from autoswe.rules.review.run.report import Outcome, settle
from autoswe.rules.review.run.report_page import ReportPage, write_report
from autoswe.rules.review.verdict.check import MAX_REASON_CHARACTERS
from autoswe.rules.review.verdict.one_line import one_line
from autoswe.rules.review.verdict.tiers import Verdict
from autoswe.steps.review.review_run import RunSuperseded

NO_RESULT = "the entry was left without a result"
INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Ports:
    """What reporting reads and writes: no token, and nothing that could reach the host.

    ``release`` is the digest of the installed program.
    """

    release: str
    clock: Clock
    runs: ReviewRuns
    leases: Leases
    assessments: Assessments
    artifacts: Artifacts


def report_run(request: ReviewRequest, ports: Ports) -> ReviewReported:
    """Write the report and the ledger, remember what was assessed, end the run and free the organisation.

    A run that selected nothing is only ended. Called again it tells the same. Raises ``RunSuperseded`` when another
    execution acts for the run by now; that one may be waiting for the organisation, so it is freed first.
    """
    state = request.state
    run = ports.runs.run(namespace_of(state.replay_of or request.execution))
    if run is None:
        return ReviewReported(outcome=ReportOutcome.FAILED, reason=_reason(state))
    if run.execution != request.execution:
        ports.leases.release(run.org, request.execution)
        raise RunSuperseded("another execution acts for this run")
    if run.outcome is not RunOutcome.RUNNING:
        return _told(run, state, ports.artifacts)
    refusal = judge_release(ports.release, state.release or "")
    if state.select is None or refusal is not None:
        # Another program than the run began with may still free the organisation, and nothing else.
        _end(run, RunOutcome.FAILED, ports)
        return ReviewReported(outcome=ReportOutcome.FAILED, reason=_reason(state, refusal))
    reported = _Reporting(run, state, state.select.value, ports).report()
    _end(run, RunOutcome.REPORTED, ports)
    return _answer(run, state, reported)


def _reason(state: ReviewState, refusal: Refusal | None = None) -> str:
    if state.error is not None:
        return state.error.error
    if refusal is not None:
        return refusal.check
    preflighted = state.preflight.value if state.preflight else None
    return (preflighted.reason if preflighted else None) or INTERRUPTED


def _end(run: ReviewRun, outcome: RunOutcome, ports: Ports) -> None:
    ports.leases.release(run.org, run.execution)
    if not ports.runs.go_on(run, run.model_copy(update={"outcome": outcome})):
        raise RunSuperseded("another execution has gone on with this run")


def _told(run: ReviewRun, state: ReviewState, artifacts: Artifacts) -> ReviewReported:
    if run.outcome is RunOutcome.FAILED:
        return ReviewReported(outcome=ReportOutcome.FAILED, reason=_reason(state))
    stored = artifacts.fetch(report_key(run.namespace, run.attempt, "report.json"), MAX_REPORT_BYTES)
    return _answer(run, state, read_document(ReportDocument, stored, name="report.json", max_bytes=MAX_REPORT_BYTES))


def _answer(run: ReviewRun, state: ReviewState, reported: ReportDocument) -> ReviewReported:
    """Name the report; a run that was cut short has failed, and is reported as far as it came."""
    return ReviewReported(
        outcome=ReportOutcome.REPORTED if state.error is None else ReportOutcome.FAILED,
        reason=None if state.error is None else state.error.error,
        report=report_key(run.namespace, run.attempt, "report.json"),
        page=report_key(run.namespace, run.attempt, "report.md"),
        counts=reported.counts.model_dump(by_alias=True),
    )


@dataclass
class _Reporting:
    """One report in the making; ``unreadable`` are the keys of entries with a result that cannot be read."""

    run: ReviewRun
    state: ReviewState
    selected: Selected
    ports: Ports
    unreadable: set[str] = field(default_factory=set)

    def report(self) -> ReportDocument:
        """Gather the results, remember them, and write it all down."""
        stored = self.ports.artifacts.get(self.selected.selection)
        selection = read_document(Selection, stored, name="selection.json", max_bytes=MAX_SELECTION_BYTES)
        entries = selected_entries(selection)
        results = [result for pull in selection.pull_requests for result in self._results(pull)]
        outcome = settle(entries, results, self.unreadable)
        ledger = self._remember(outcome)
        document = ReportDocument.of(selection, outcome, ledger_entries=len(ledger))
        page = ReportPage(
            org=selection.org,
            dry_run=selection.dry_run,
            candidates_seen=selection.candidates_seen,
            ledger_entries=len(ledger),
            forgotten=self.selected.forgotten,
            sessions=self.selected.outcome is SelectOutcome.REVIEW,
        )
        self._put("ledger.json", LedgerDocument.of(ledger.values()).dump())
        self._put("report.md", write_report(page, entries, outcome, selection.skipped).encode())
        self._put("report.json", document.dump())
        return document

    def _results(self, pull: SelectedPull) -> Iterator[Result]:
        """Read what every attempt left of an entry; of one that was due now and left nothing, write that it failed."""
        due = any(entry.key == pull.key for entry in self.selected.entries)
        for attempt in range(1, self.run.attempt + 1):
            key = result_key(self.run.namespace, pull.key, attempt, "result.json")
            try:
                stored = self.ports.artifacts.fetch(key, MAX_RESULT_BYTES)
                yield read_document(Result, stored, name="result.json", max_bytes=MAX_RESULT_BYTES)
            except ArtifactRefused:
                if due and attempt == self.run.attempt:
                    failed = self._failed(pull)
                    self.ports.artifacts.put(key, failed.dump())
                    yield failed
            except DocumentRefused:
                self.unreadable.add(pull.key)

    def _failed(self, pull: SelectedPull) -> Result:
        return Result(
            schema=1,
            key=pull.key,
            repository=pull.repository,
            number=pull.number,
            head_sha=pull.head_sha,
            url=pull.url,
            title=pull.title,
            reasons=(one_line(self._what_failed(pull.key), MAX_REASON_CHARACTERS),),
            summary="",
            findings=(),
            injection_attempts=(),
            premium_requests=None,
            agent_seconds=None,
            verdict=Verdict.FAILED,
            tier=None,
            review_url=None,
            dry_run=self.run.dry_run,
            run_attempt=self.run.attempt,
        )

    def _what_failed(self, key: str) -> str:
        for left in self.state.reviews or ():
            if left.key == key and left.step is not None:
                return f"{left.step} failed: {left.error}"
        return f"the reviews failed: {self.state.error.error}" if self.state.error else NO_RESULT

    def _remember(self, outcome: Outcome[Result]) -> Ledger:
        """Record what was assessed, and return the ledger that the run began with, extended by it."""
        now = self.ports.clock()
        new = assess(outcome.results, run_id=run_number(self.run.namespace), now=now)
        self.ports.assessments.record(self.run.org, new)
        stored = self.ports.artifacts.get(self.selected.ledger)
        prior = read_document(LedgerDocument, stored, name="ledger.json", max_bytes=MAX_LEDGER_BYTES)
        return merge((entry.assessment() for entry in prior.entries), new, now=now)

    def _put(self, name: str, content: bytes) -> None:
        self.ports.artifacts.put(report_key(self.run.namespace, self.run.attempt, name), content)
