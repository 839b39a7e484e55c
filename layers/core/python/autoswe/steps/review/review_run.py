"""Reads the run that an execution acts for; the workflow's state says which, and is no fact beyond that (§12)."""

from autoswe.contracts.review.reading import read_document
from autoswe.contracts.review.rows import ReviewRun, RunOutcome
from autoswe.contracts.review.run import EntryEvidence, EntryRequest, ReviewRequest, RunFacts
from autoswe.contracts.review.selection import MAX_ENTRY_BYTES, SelectedPull
from autoswe.ports.artifacts import Artifacts
from autoswe.ports.review.runs import Leases, ReviewRuns
from autoswe.rules.review.run.preflight import Refusal

LEASE_SECONDS = 3 * 3600
"""How long a live run has its organisation without a renewal: longer than a session, and than what a step may wait."""


class RunSuperseded(Exception):
    """Another execution acts for this run by now, or the run was never begun: this one may do nothing more."""


class LeaseLost(Exception):
    """The organisation is another live run's by now."""


class PreflightRefused(Exception):
    """A check of preflight that is made on the way refuses; the message names it and quotes nothing (review §4.4)."""

    def __init__(self, *refusals: Refusal) -> None:
        super().__init__("; ".join(f"{refusal.check}: {refusal.sentence}" for refusal in refusals))


def run_facts(request: ReviewRequest) -> RunFacts:
    """Return what preflight said of the run; raises ``RunSuperseded`` when it did not let it go on."""
    preflighted = request.state.preflight
    if preflighted is None or preflighted.value.run is None:
        raise RunSuperseded("no run has begun")
    return preflighted.value.run


def read_run(execution: str, namespace: str, runs: ReviewRuns) -> ReviewRun:
    """Read the run; raises ``RunSuperseded`` unless this execution acts for it and has not ended it."""
    run = runs.run(namespace)
    if run is None or run.execution != execution or run.outcome is not RunOutcome.RUNNING:
        raise RunSuperseded("another execution acts for this run, or it has ended")
    return run


def keep_lease(run: ReviewRun, leases: Leases) -> None:
    """Renew a live run's lease; raises ``LeaseLost``. A dry run has none."""
    if not run.dry_run and not leases.held(run.org, run.execution, LEASE_SECONDS):
        raise LeaseLost("another live run has this organisation")


def read_evidence(request: EntryRequest, artifacts: Artifacts) -> EntryEvidence:
    """Read what is known of the entry."""
    return EntryEvidence.model_validate_json(artifacts.get(request.state.entry.evidence))


def read_entry(evidence: EntryEvidence, artifacts: Artifacts) -> SelectedPull:
    """Read the entry as selection wrote it."""
    return read_document(SelectedPull, artifacts.get(evidence.entry), name="entry.json", max_bytes=MAX_ENTRY_BYTES)
