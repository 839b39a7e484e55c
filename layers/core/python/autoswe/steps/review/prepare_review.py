"""Hands the reviewer's container its input: one manifest, with addresses that can touch nothing else (review §7.1)."""

from collections.abc import Callable
from dataclasses import dataclass

from autoswe.contracts.containers import Download, Upload
from autoswe.contracts.records.platform import Connection
from autoswe.contracts.review.checking import MAX_SUMMARY_BYTES
from autoswe.contracts.review.run import EntryRequest, ReviewPrepared, RunInputs
from autoswe.contracts.review.session import MAX_LOGS_BYTES, MAX_PROMPT_BYTES, Reviewer, ReviewManifest
from autoswe.ports.artifacts import Artifacts, Signer
from autoswe.ports.github import SourceHost
from autoswe.ports.review.runs import Leases, ReviewRecords, ReviewRuns
from autoswe.rules.agents.usage import MAX_USAGE_BYTES
from autoswe.rules.review.run.naming import attempt_key, entry_key, session_key
from autoswe.steps.review.review_run import RunSuperseded, keep_lease, read_entry, read_evidence, read_run
from autoswe.steps.source import store_source

URL_SECONDS = 3_600
"""How long the addresses live: longer than the longest task, which preflight sees to."""

UPLOADS = {
    "session-summary.md": MAX_SUMMARY_BYTES,
    "usage.json": MAX_USAGE_BYTES,
    "prompt.md": MAX_PROMPT_BYTES,
    "logs.txt": MAX_LOGS_BYTES,
}
"""What a session may leave, and how many bytes of it."""


@dataclass(frozen=True)
class Ports:
    """What preparing reads and writes; ``reviewer`` is the adapter that this deployment names."""

    records: ReviewRecords
    runs: ReviewRuns
    leases: Leases
    artifacts: Artifacts
    signer: Signer
    reviewer: Reviewer
    open_host: Callable[[Connection, str], SourceHost]


def prepare_review(request: EntryRequest, ports: Ports) -> ReviewPrepared:
    """Store the head's source and a manifest, and sign its address in a session limited to the keys that it names.

    The packet is the entry itself, as selection wrote it.
    """
    run = read_run(request.execution, request.state.run.namespace, ports.runs)
    keep_lease(run, ports.leases)
    connection = ports.records.connection(run.connection)
    if connection is None:
        raise RunSuperseded("the run's connection has no record any more")
    inputs = RunInputs.model_validate_json(ports.artifacts.get(run.inputs))
    evidence = read_evidence(request, ports.artifacts)
    packet, entry = evidence.entry, read_entry(evidence, ports.artifacts)
    source_key = entry_key(run.namespace, entry.key, "source.tar.gz")
    host = ports.open_host(connection, entry.repository)
    source, _ = store_source(host, ports.artifacts, source_key, entry.head_sha, set())

    manifest_key = attempt_key(run.namespace, entry.key, run.attempt, "manifest.json")
    left = {name: session_key(run.namespace, entry.key, run.attempt, name) for name in UPLOADS}
    grant = ports.signer.open(
        reads=(packet.key, source.key, manifest_key), writes=tuple(left.values()), seconds=URL_SECONDS
    )

    def upload(name: str) -> Upload:
        return grant.upload(left[name], UPLOADS[name])

    manifest = ReviewManifest(
        reviewer=ports.reviewer,
        model=inputs.model,
        head_sha=entry.head_sha,
        dry_run=run.dry_run,
        approve_tiers=inputs.approve_tiers,
        packet=Download(url=grant.download(packet), reference=packet),
        source=Download(url=grant.download(source), reference=source),
        summary=upload("session-summary.md"),
        usage=upload("usage.json"),
        prompt=upload("prompt.md"),
        logs=upload("logs.txt"),
        timeout_seconds=inputs.max_runtime_minutes * 60,
    )
    return ReviewPrepared(manifest_url=grant.download(ports.artifacts.put(manifest_key, manifest.dump())))
