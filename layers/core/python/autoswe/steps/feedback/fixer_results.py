"""Reads what the fixer's containers left, as the hostile input it is (architecture §5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TypeVar

from pydantic import ValidationError

from autoswe.contracts.feedback.fixing import (
    MAX_CHANGE_BYTES,
    MAX_GATES_BYTES,
    MAX_OUTCOME_BYTES,
    Change,
    ChangeOperation,
    ContentRefused,
    FileChange,
    GatePlan,
    GateReport,
    GateStatus,
    Outcome,
    ThreadOutcome,
)
from autoswe.contracts.feedback.round import Prepared
from autoswe.contracts.hostile_document import holds_too_many_values
from autoswe.contracts.model import Contract
from autoswe.ports.artifacts import ArtifactRefused, Artifacts
from autoswe.rules.feedback.push_gate import ChangedFile
from autoswe.rules.source.archive import git_blob_id
from autoswe.steps.feedback.round_records import GatheredArtifacts

D = TypeVar("D", bound=Contract)

HARMLESS_GATES = frozenset({GateStatus.PASSED, GateStatus.ALREADY_FAILING})


class ResultsRefused(Exception):
    """The results cannot be used; the message says which one and why."""


@dataclass(frozen=True)
class FixerResults:
    """The results after every cross-check: changed files, contents after the change by path, outcomes by label."""

    files: tuple[ChangedFile, ...]
    contents: Mapping[str, bytes]
    outcomes: Mapping[str, ThreadOutcome]
    gates: tuple[tuple[str, str], ...]
    gates_failed: bool


def read_results(
    artifacts: Artifacts, prepared: Prepared, gathered: GatheredArtifacts, labels: set[str]
) -> FixerResults:
    """Fetch, parse and cross-check ``change.json``, ``outcome.json`` and ``gates.json``.

    Raises ``ResultsRefused`` when one is missing, too large or malformed, when the change was made from another commit
    or has a file where it has a folder, when the gates judged other bytes or are not the planned ones, or when an
    outcome names a thread that is not there.
    """
    try:
        raw_change = artifacts.fetch(prepared.change_key, MAX_CHANGE_BYTES)
        change = _parse(Change, raw_change)
        outcome = _parse(Outcome, artifacts.fetch(prepared.outcome_key, MAX_OUTCOME_BYTES))
        report = _parse(GateReport, artifacts.fetch(prepared.gates_key, MAX_GATES_BYTES))
    except ArtifactRefused as refusal:
        raise ResultsRefused(str(refusal)) from refusal
    if change.head_sha != gathered.head_sha:
        raise ResultsRefused("the change was made from another commit")
    if report.change_sha256 != sha256(raw_change).hexdigest():
        raise ResultsRefused("the gates judged another change")
    plan = GatePlan.model_validate_json(artifacts.get(gathered.plan))
    if change.files and [gate.name for gate in report.gates] != [gate.name for gate in plan.gates]:
        raise ResultsRefused("the gates that ran are not the planned ones")
    outcomes = {each.label: each for each in outcome.threads}
    if len(outcomes) != len(outcome.threads) or not set(outcomes) <= labels:
        raise ResultsRefused("the outcome names a thread twice, or one that is not there")
    contents = {file.path: content for file in change.files if (content := _content(file)) is not None}
    if any(below.startswith(above) for above, below in pairwise(sorted(f"{path}/" for path in contents))):
        raise ResultsRefused("the change has a file where it has a folder")
    return FixerResults(
        files=tuple(_changed_file(file, contents.get(file.path)) for file in change.files),
        contents=contents,
        outcomes=outcomes,
        gates=tuple((gate.name, gate.status) for gate in report.gates),
        gates_failed=any(gate.status not in HARMLESS_GATES for gate in report.gates),
    )


def _parse(model: type[D], document: bytes) -> D:
    if holds_too_many_values(document):
        raise ResultsRefused("a result holds more values than it may")
    try:
        return model.model_validate_json(document)
    except ValidationError as error:
        raise ResultsRefused(
            f"a result does not have the agreed shape: {error.error_count()} fields are wrong"
        ) from None


def _content(file: FileChange) -> bytes | None:
    deleted = file.op is ChangeOperation.DELETE
    if deleted != (file.content_base64 is None) or (file.op is ChangeOperation.ADD) != (file.base_blob is None):
        raise ResultsRefused("a changed file's operation does not fit its blobs")
    try:
        return file.decode_content()
    except ContentRefused as refusal:
        raise ResultsRefused(f"a changed file's content {refusal}") from None


def _changed_file(file: FileChange, content: bytes | None) -> ChangedFile:
    return ChangedFile(file.path, file.mode, file.base_blob, None if content is None else git_blob_id(content))
