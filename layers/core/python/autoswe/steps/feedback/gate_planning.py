"""Chooses a round's gates: from the repository's record, else from the base commit's manifests (feedback §3)."""

from autoswe.contracts.feedback.fixing import GateCommand, GateName, GatePlan
from autoswe.contracts.records.platform import GateSettings
from autoswe.ports.feedback.hosts import GatherHost
from autoswe.ports.github import PartialAnswer
from autoswe.rules.feedback.gate_plan import MANIFESTS, MAX_MANIFEST_BYTES, DetectedGates, detect_gates

SETUP_TIMEOUT_SECONDS = 600
GATE_TIMEOUT_SECONDS = 420


def plan_gates(host: GatherHost, recorded: GateSettings | None, base_sha: str) -> GatePlan:
    """Return the plan; the base commit is read only when the repository's record names no gates.

    Raises ``PartialAnswer`` for a truncated tree and ``Refused`` for a manifest over the bound: gates that cannot be
    read are not gates that are not there.
    """
    chosen = recorded if recorded is not None else _detect(host, base_sha)
    commands = ((GateName.LINT, chosen.lint), (GateName.TYPECHECK, chosen.typecheck), (GateName.TESTS, chosen.tests))
    return GatePlan(
        setup=chosen.setup,
        setup_timeout_seconds=SETUP_TIMEOUT_SECONDS,
        gates=tuple(
            GateCommand(name=name, command=command, timeout_seconds=GATE_TIMEOUT_SECONDS)
            for name, command in commands
            if command is not None
        ),
    )


def _detect(host: GatherHost, base_sha: str) -> DetectedGates:
    tree = host.tree(base_sha)
    if tree.truncated:
        raise PartialAnswer("the tree of the base commit was truncated")
    found = (entry for entry in tree.entries if entry.path in MANIFESTS)
    return detect_gates({entry.path: host.blob(entry.sha, MAX_MANIFEST_BYTES) for entry in found})
