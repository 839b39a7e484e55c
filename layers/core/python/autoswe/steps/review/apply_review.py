"""Judges what a session left of one entry, and approves what may be approved (review §8).

Every way through it ends in a ``result.json``. What it raises costs this entry alone, and the report says so.
"""

from collections.abc import Callable
from dataclasses import dataclass

from autoswe.contracts.records.platform import Connection
from autoswe.contracts.review.checking import MAX_SUMMARY_BYTES, check_pull
from autoswe.contracts.review.judgement import Check, Result
from autoswe.contracts.review.reading import read_document
from autoswe.contracts.review.rows import ReviewRun
from autoswe.contracts.review.run import Applied, EntryEvidence, EntryRequest, EntryState, RunInputs
from autoswe.contracts.review.selection import SelectedPull
from autoswe.contracts.review.sides import MAX_SIDES_BYTES, Sides
from autoswe.ports.artifacts import ArtifactRefused, Artifacts
from autoswe.ports.clock import Clock
from autoswe.ports.review.hosts import ApproveHost, RereadHost
from autoswe.ports.review.runs import Approvals, Leases, OurCommits, ReviewedHead, ReviewRecords, ReviewRuns
from autoswe.rules.agents.usage import MAX_USAGE_BYTES
from autoswe.rules.review.pulls.reread import SENTENCES, Reviewed, judge_reread
from autoswe.rules.review.run.naming import result_key, run_address, session_key
from autoswe.rules.review.verdict.approval_body import compose_approval
from autoswe.rules.review.verdict.check import MAX_REASON_CHARACTERS, Missing
from autoswe.rules.review.verdict.one_line import one_line
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from autoswe.rules.settings.registry import REVIEWS
from autoswe.rules.settings.resolution import PLATFORM
from autoswe.steps.review.approve_once import Approval, ApproveOnce, NotApproved
from autoswe.steps.review.review_run import LEASE_SECONDS, RunSuperseded, read_entry, read_evidence, read_run


@dataclass(frozen=True)
class Ports:
    """What applying reads and writes; ``open_approve`` is asked for a live run's accepted entry alone."""

    clock: Clock
    records: ReviewRecords
    runs: ReviewRuns
    leases: Leases
    approvals: Approvals
    commits: OurCommits
    artifacts: Artifacts
    open_reread: Callable[[Connection], RereadHost]
    open_approve: Callable[[Connection], ApproveHost]


@dataclass(frozen=True)
class _Ending:
    """How an entry ends: the verdict, its reasons beside those of the check, and the approval."""

    verdict: Verdict
    reasons: tuple[str, ...] = ()
    approval: Approval | None = None


def apply_review(request: EntryRequest, ports: Ports) -> Applied:
    """Check the session, read the pull request again, and approve it once if nothing stands against it.

    Raises the host's errors, ``PreflightRefused`` when the token for writing is another App's, and ``RunSuperseded``.
    """
    run = read_run(request.execution, request.state.run.namespace, ports.runs)
    inputs = RunInputs.model_validate_json(ports.artifacts.get(run.inputs))
    state, artifacts = request.state, ports.artifacts
    evidence = read_evidence(request, artifacts)
    entry = read_entry(evidence, artifacts)
    check = check_pull(
        entry,
        _summary(run, state, artifacts),
        _usage(run, state, artifacts),
        _sides(evidence, artifacts),
        inputs.approve_tiers,
        sides_required=not run.dry_run,
    )
    artifacts.put(result_key(run.namespace, entry.key, run.attempt, "check.json"), check.dump())
    result = _result(run, check, _Applying(run, inputs.model, entry, check, ports).end())
    artifacts.put(result_key(run.namespace, entry.key, run.attempt, "result.json"), result.dump())
    return Applied(outcome=result.verdict, reason=result.reasons[0] if result.reasons else None)


def _summary(run: ReviewRun, state: EntryState, artifacts: Artifacts) -> bytes | Missing:
    """Fetch the summary; one that is missing or refused becomes the reason why there is no verdict (review §8.1)."""
    key = session_key(run.namespace, state.entry.key, run.attempt, "session-summary.md")
    try:
        return artifacts.fetch(key, MAX_SUMMARY_BYTES)
    except ArtifactRefused as refused:
        ended = f"; the session ended with {state.session_error.error}" if state.session_error else ""
        return Missing(f"{refused}{ended}".replace(key, "session-summary.md"))


def _usage(run: ReviewRun, state: EntryState, artifacts: Artifacts) -> bytes | None:
    try:
        return artifacts.fetch(session_key(run.namespace, state.entry.key, run.attempt, "usage.json"), MAX_USAGE_BYTES)
    except ArtifactRefused:
        return None


def _sides(evidence: EntryEvidence, artifacts: Artifacts) -> Sides | None:
    if evidence.files is None:
        return None
    return read_document(Sides, artifacts.get(evidence.files), name="files.json", max_bytes=MAX_SIDES_BYTES)


@dataclass(frozen=True)
class _Applying:
    """One entry that was checked."""

    run: ReviewRun
    model: str
    entry: SelectedPull
    check: Check
    ports: Ports

    def end(self) -> _Ending:
        """Find the way this entry ends: an approval that is there already, a refusal, or an approval to write."""
        connection = self.ports.records.connection(self.run.connection)
        if connection is None:
            raise RunSuperseded("the run's connection has no record any more")
        reread = self.ports.open_reread(connection)
        once = self._approve_once(connection, reread)
        found = once.find()
        if found is not None:
            return _Ending(Verdict.APPROVED, approval=found)
        if not self.check.approvable:
            return _Ending(Verdict.NEEDS_HUMAN)
        against = self._reread(reread)
        if against:
            return _Ending(Verdict.NEEDS_HUMAN, against)
        return _Ending(Verdict.WOULD_APPROVE) if self.run.dry_run else self._approve(connection, once)

    def _approve_once(self, connection: Connection, reread: RereadHost) -> ApproveOnce:
        return ApproveOnce(
            head=ReviewedHead(self.entry.repository, self.entry.number, self.entry.head_sha),
            namespace=self.run.namespace,
            connection=connection,
            approvals=self.ports.approvals,
            clock=self.ports.clock,
            reread=reread,
            open_host=self.ports.open_approve,
        )

    def _reread(self, reread: RereadHost) -> tuple[str, ...]:
        live = reread.live(self.entry.repository, self.entry.number)
        ours = self.ports.commits.pushed_by_us(self.entry.repository, live.commits or ())
        refused = judge_reread(Reviewed(self.entry.head_sha, self.entry.base_ref), live, ours)
        return tuple(SENTENCES[reason] for reason in refused)

    def _approve(self, connection: Connection, once: ApproveOnce) -> _Ending:
        """Write the approval; what is no longer allowed, though nothing is wrong with the entry, is a failure."""
        if not self.ports.records.settings(PLATFORM, REVIEWS).is_on(REVIEWS):
            return _Ending(Verdict.FAILED, ("reviews were switched off",))
        if not self.ports.leases.held(self.run.org, self.run.execution, LEASE_SECONDS):
            return _Ending(Verdict.FAILED, ("another live run has this organisation",))
        body = compose_approval(
            self.check.tier,
            self.check.summary,
            reviewer=f"{connection.app_slug}[bot]",
            model=self.model,
            run_url=run_address(self.run.execution),
        )
        written = once.write(self.check.tier, body)
        if isinstance(written, NotApproved):
            return _Ending(Verdict.FAILED if written.by_host else Verdict.NEEDS_HUMAN, (written.reason,))
        return _Ending(Verdict.APPROVED, approval=written)


def _result(run: ReviewRun, check: Check, ending: _Ending) -> Result:
    reasons = tuple(one_line(reason, MAX_REASON_CHARACTERS) for reason in ending.reasons)
    return Result(
        schema=1,
        key=check.key,
        repository=check.repository,
        number=check.number,
        head_sha=check.head_sha,
        url=check.url,
        title=check.title,
        reasons=() if ending.approval else check.reasons + reasons,
        summary=check.summary,
        findings=check.findings,
        injection_attempts=check.injection_attempts,
        premium_requests=check.premium_requests,
        agent_seconds=check.agent_seconds,
        verdict=ending.verdict,
        tier=_tier(check, ending),
        review_url=ending.approval.review_url if ending.approval else None,
        dry_run=run.dry_run,
        run_attempt=run.attempt,
    )


def _tier(check: Check, ending: _Ending) -> Tier | None:
    if ending.verdict is Verdict.FAILED:
        return None
    return ending.approval.tier if ending.approval else check.tier
