"""Runs the entry points of containers as their task definitions do: real processes, addresses alone."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel

from autoswe.contracts.containers import AgentName, Command
from autoswe.contracts.feedback.fixing import (
    MAX_CHANGE_BYTES,
    MAX_GATES_BYTES,
    MAX_OUTCOME_BYTES,
    AgentManifest,
    BriefSuggestion,
    BriefThread,
    Change,
    CollectManifest,
    FixerBrief,
    GateCommand,
    GateName,
    GatePlan,
    GateReport,
    GatesManifest,
    Outcome,
)
from autoswe.rules.source.archive import SourceFile
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.collect import compare
from autoswe.tasks.feedback.pristine import index_source
from tests.support.places import ROOT
from tests.tasks.container.presigned_storage import SIGNATURE, PresignedStorage
from tests.tasks.source_trees import pack

REPOSITORY = ROOT
HEAD = "1" * 40

COLD = (sys.executable, "-m")
"""What runs a module as the images do: an interpreter of its own."""


@dataclass(frozen=True)
class ContainerEnd:
    """How a container ended: its exit code and its log."""

    exit_code: int
    log: str


def run_container(container: str, variables: dict[str, str], root: Path = REPOSITORY) -> ContainerEnd:
    """Run the entry point below ``root`` with these variables, whatever they are."""
    return end_of(start(f"fixer_task.{container}", variables, root))


def start(
    entry_point: str, variables: dict[str, str], root: Path = REPOSITORY, interpreter: Sequence[str] = COLD
) -> subprocess.Popen[str]:
    """Start an entry point of the functions below ``root``."""
    return subprocess.Popen(
        [*interpreter, f"functions.{entry_point}"],
        cwd=root,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end_of(process: subprocess.Popen[str]) -> ContainerEnd:
    """Wait for the end of a container."""
    output, log = process.communicate(timeout=60)
    assert output == "", "a container's log is its standard error"
    assert SIGNATURE not in log, "an address is a credential, and no log shows one"
    return ContainerEnd(process.returncode, log)


@dataclass
class Task:
    """One fixer task on a storage and a scratch folder; manifests are stored as it goes."""

    storage: PresignedStorage
    scratch: Path
    interpreter: Sequence[str] = COLD

    @property
    def workspace(self) -> Path:
        return self.scratch / "workspace"

    def run(
        self, container: str, manifest: BaseModel | bytes, variables: Mapping[str, str] = MappingProxyType({})
    ) -> ContainerEnd:
        """Run one container to its end: its manifest's address, the scratch folder, and ``variables`` of the task."""
        return end_of(self.begin(container, manifest, variables))

    def begin(
        self, container: str, manifest: BaseModel | bytes, variables: Mapping[str, str] = MappingProxyType({})
    ) -> subprocess.Popen[str]:
        """Start one container."""
        body = manifest if isinstance(manifest, bytes) else manifest.model_dump_json().encode()
        url = self.storage.store(f"{container}.manifest", body).url
        told = {"AUTOSWE_MANIFEST_URL": url, "AUTOSWE_SCRATCH": str(self.scratch), **variables}
        return start(f"fixer_task.{container}", told, interpreter=self.interpreter)

    def unpack(self, source: Sequence[SourceFile]) -> None:
        """Put a workspace where the agent container would have left it."""
        Workspace.unpack(BytesIO(pack(*source)), self.workspace)

    def store_change(self, source: Sequence[SourceFile], changed: Sequence[SourceFile]) -> None:
        """Store what the collect container would have uploaded for a workspace that holds ``changed``."""
        self.unpack(changed)
        change = compare(self.workspace, index_source(pack(*source)), HEAD)
        self.storage.objects["change.json"] = change.model_dump_json().encode()

    def agent_manifest(
        self,
        source: Sequence[SourceFile],
        *suggestions: BriefSuggestion,
        agent: AgentName = "suggestions",
        timeout_seconds: int = 60,
    ) -> AgentManifest:
        """Store the source and a brief that has one thread for each suggestion, and a remark."""
        labels = [suggestion.label for suggestion in suggestions]
        threads = [BriefThread(label=label, path=None, line=None, text="fenced") for label in (*labels, "T99")]
        brief = FixerBrief(head_sha=HEAD, trigger_notes=None, threads=tuple(threads), suggestions=suggestions)
        return AgentManifest(
            agent=agent,
            source=self.storage.store("source.tar.gz", pack(*source)),
            brief=self.storage.store("brief.json", brief.model_dump_json().encode()),
            outcome=self.storage.upload("outcome.json", MAX_OUTCOME_BYTES),
            timeout_seconds=timeout_seconds,
        )

    def collect_manifest(self, source: Sequence[SourceFile]) -> CollectManifest:
        return CollectManifest(
            head_sha=HEAD,
            source=self.storage.store("source.tar.gz", pack(*source)),
            change=self.storage.upload("change.json", MAX_CHANGE_BYTES),
        )

    def gates_manifest(
        self, source: Sequence[SourceFile], *gates: GateCommand, setup: tuple[Command, ...] = ()
    ) -> GatesManifest:
        return GatesManifest(
            source=self.storage.store("source.tar.gz", pack(*source)),
            change_url=self.storage.url("change.json"),
            plan=GatePlan(setup=setup, setup_timeout_seconds=60, gates=gates),
            report=self.storage.upload("gates.json", MAX_GATES_BYTES),
        )

    @property
    def outcome(self) -> Outcome:
        return Outcome.model_validate_json(self.storage.objects["outcome.json"])

    @property
    def change(self) -> Change:
        return Change.model_validate_json(self.storage.objects["change.json"])

    @property
    def report(self) -> GateReport:
        return GateReport.model_validate_json(self.storage.objects["gates.json"])


def shell_gate(script: str, name: GateName = GateName.TESTS, timeout_seconds: int = 60) -> GateCommand:
    """Make a gate of a shell script."""
    return GateCommand(name=name, command=("sh", "-c", script), timeout_seconds=timeout_seconds)
