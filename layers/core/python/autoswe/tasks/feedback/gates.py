"""The gates container: runs the repository's set-up and gates on the collected change and reports how they ended.

Gate results catch mistakes; they are no security boundary: the programs judged here come from the repository
(architecture §5).
"""

import hashlib
import logging
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Protocol

from autoswe.contracts.containers import Command
from autoswe.contracts.feedback.fixing import (
    MAX_CHANGE_BYTES,
    MAX_GATES_BYTES,
    Change,
    GateCommand,
    GatePlan,
    GateReport,
    GateResult,
    GatesManifest,
    GateStatus,
)
from autoswe.contracts.hostile_document import holds_too_many_values
from autoswe.tasks.container.documents import parse
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.container.watchdog import Ended
from autoswe.tasks.feedback.sandbox import Sandbox

MAX_SECONDS = 86_400.0

logger = logging.getLogger(__name__)


class Runner(Protocol):
    """What gates need of a copy of the source."""

    def run(self, name: str, command: Command, timeout_seconds: float) -> Ended:
        """Run one program in the copy."""


def run_gates(manifest: GatesManifest, _scratch: Path, transfer: Transfer) -> None:
    """Judge the change that the collect container uploaded, and upload the report that is bound to its bytes.

    Nothing runs where there is nothing to judge: no gate, or no changed file. The scratch folder is left alone: an
    agent wrote there. ``TaskFailed`` says why there is no report.
    """
    source = transfer.download(manifest.source, "the source archive")
    body = transfer.fetch(manifest.change_url, "the change", MAX_CHANGE_BYTES)
    if holds_too_many_values(body):
        raise TaskFailed("the change holds more values than it may")
    change = parse(Change, body, "the change")
    results: tuple[GateResult, ...] = ()
    with tempfile.TemporaryDirectory(prefix="gates-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        if manifest.plan.gates and change.files:
            results = judge(
                manifest.plan,
                Sandbox.prepare(folder / "candidate", source, change),
                lambda: Sandbox.prepare(folder / "pristine", source, None),
            )
    report = GateReport(change_sha256=hashlib.sha256(body).hexdigest(), gates=results).model_dump_json().encode()
    if len(report) > MAX_GATES_BYTES:
        raise TaskFailed(f"the report is larger than {MAX_GATES_BYTES} bytes")
    transfer.upload(manifest.report, report, "the report")


def judge(
    plan: GatePlan,
    candidate: Runner,
    make_pristine: Callable[[], Runner],
    clock: Callable[[], float] = monotonic,
) -> tuple[GateResult, ...]:
    """Run the plan on ``candidate``; what fails there is tried once on the pristine source, when all else is over.

    So no program of the candidate is alive, or still to come, that could spoil the pristine copy.
    The set-up commands share one time-out. A set-up that fails leaves no gate to run: each is ``setup_failed``, or
    ``already_failing`` where the set-up fails on the pristine source as well. A gate that fails or times out is
    ``already_failing`` where it does not pass on the pristine source either. Where only the pristine source cannot be
    set up, nothing excuses the gate.
    """

    @cache
    def reference() -> Runner | None:
        pristine = make_pristine()
        return pristine if _set_up(plan, pristine, clock) else None

    if not _set_up(plan, candidate, clock):
        status = GateStatus.SETUP_FAILED if reference() is not None else GateStatus.ALREADY_FAILING
        return tuple(GateResult(name=gate.name, status=status, exit_code=None, seconds=0.0) for gate in plan.gates)
    ends = [(gate, candidate.run(gate.name, gate.command, gate.timeout_seconds)) for gate in plan.gates]
    return tuple(_judge_gate(gate, ended, reference) for gate, ended in ends)


def _set_up(plan: GatePlan, runner: Runner, clock: Callable[[], float]) -> bool:
    deadline = clock() + plan.setup_timeout_seconds
    return all(runner.run("set-up", command, max(deadline - clock(), 0.0)).succeeded for command in plan.setup)


def _judge_gate(gate: GateCommand, ended: Ended, reference: Callable[[], Runner | None]) -> GateResult:
    if ended.succeeded:
        status = GateStatus.PASSED
    elif _fails_too(gate, reference()):
        status = GateStatus.ALREADY_FAILING
    else:
        status = GateStatus.TIMED_OUT if ended.timed_out else GateStatus.FAILED
    logger.info("gate %s: %s", gate.name, status)
    return GateResult(
        name=gate.name, status=status, exit_code=ended.exit_code, seconds=min(round(ended.seconds, 3), MAX_SECONDS)
    )


def _fails_too(gate: GateCommand, pristine: Runner | None) -> bool:
    if pristine is None:
        return False
    return not pristine.run(f"pristine {gate.name}", gate.command, gate.timeout_seconds).succeeded
