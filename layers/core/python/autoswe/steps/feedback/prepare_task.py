"""Hands the fixer's containers their input: one manifest each, with addresses that can touch nothing else (§5)."""

from dataclasses import dataclass

from autoswe.contracts.containers import AgentName, Download
from autoswe.contracts.feedback.fixing import (
    MAX_CHANGE_BYTES,
    MAX_GATES_BYTES,
    MAX_OUTCOME_BYTES,
    AgentManifest,
    CollectManifest,
    GatePlan,
    GatesManifest,
)
from autoswe.contracts.feedback.round import Prepared, RoundRequest
from autoswe.ports.artifacts import Artifacts, Signer
from autoswe.ports.feedback.rounds import Rounds
from autoswe.ports.records import Records
from autoswe.steps.feedback.round_records import LEASE_SECONDS, RoundRecords, SlotLost, gathered_artifacts, keep_at

URL_SECONDS = 3_600
"""How long the addresses live: longer than the task's time-out of 2,400 seconds in the workflow."""

AGENT_TIMEOUT_SECONDS = 1_200


@dataclass(frozen=True)
class Ports:
    """What preparing reads and writes; ``agent`` is the adapter that this deployment names."""

    records: Records
    rounds: Rounds
    artifacts: Artifacts
    signer: Signer
    agent: AgentName


def prepare_task(request: RoundRequest, ports: Ports) -> Prepared:
    """Store three manifests and sign their addresses, in a session limited to exactly the keys they name."""
    decision = RoundRecords.read(request, ports.records).decision
    if ports.rounds.held(decision, request.execution, LEASE_SECONDS) is None:
        raise SlotLost("another execution holds this pull request")
    gathered = gathered_artifacts(request)

    outcome, change, gates = (keep_at(request, f"{name}.json") for name in ("outcome", "change", "gates"))
    manifest_keys = [keep_at(request, f"{name}-manifest.json") for name in ("agent", "collect", "gates")]
    grant = ports.signer.open(
        reads=(gathered.source.key, gathered.brief.key, change, *manifest_keys),
        writes=(outcome, change, gates),
        seconds=URL_SECONDS,
    )
    source = Download(url=grant.download(gathered.source), reference=gathered.source)
    agent = AgentManifest(
        agent=ports.agent,
        source=source,
        brief=Download(url=grant.download(gathered.brief), reference=gathered.brief),
        outcome=grant.upload(outcome, MAX_OUTCOME_BYTES),
        timeout_seconds=AGENT_TIMEOUT_SECONDS,
    )
    collect = CollectManifest(head_sha=gathered.head_sha, source=source, change=grant.upload(change, MAX_CHANGE_BYTES))
    checks = GatesManifest(
        source=source,
        change_url=grant.download_later(change),
        plan=GatePlan.model_validate_json(ports.artifacts.get(gathered.plan)),
        report=grant.upload(gates, MAX_GATES_BYTES),
    )
    agent_url, collect_url, gates_url = (
        grant.download(ports.artifacts.put(manifest_key, manifest.dump()))
        for manifest_key, manifest in zip(manifest_keys, (agent, collect, checks), strict=True)
    )
    return Prepared(
        agent_manifest_url=agent_url,
        collect_manifest_url=collect_url,
        gates_manifest_url=gates_url,
        outcome_key=outcome,
        change_key=change,
        gates_key=gates,
    )
