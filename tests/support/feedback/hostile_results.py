"""What the fixer's containers leave, before somebody harms it, and the store that its readers fetch it from."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import Any

from autoswe.contracts.feedback.round import Prepared
from autoswe.rules.source.archive import git_blob_id
from autoswe.s3.artifacts import VersionedBucket
from autoswe.steps.feedback.fixer_results import FixerResults, read_results
from autoswe.steps.feedback.round_records import gathered_artifacts
from tests.support.feedback.fake_host import FILE, HEAD
from tests.support.feedback.rounds import FIXED, Stage

LABELS = {"T1", "T2"}

OUTCOME: dict[str, Any] = {
    "schema_version": 1,
    "agent": "suggestions",
    "threads": [
        {"label": "T1", "outcome": "addressed", "note": "Done.", "places": ["a.py", "docs/é.md"]},
        {"label": "T2", "outcome": "needs_person", "note": "", "places": []},
    ],
    "usage": {"input_tokens": 10, "output_tokens": 2},
}

GATES: dict[str, Any] = {
    "schema_version": 1,
    "change_sha256": "",
    "gates": [{"name": "lint", "status": "passed", "exit_code": 0, "seconds": 1.5}],
}
"""The report on a change; the digest is put in once the change is known."""


def file_change(path: str, before: bytes | None, after: bytes | None, mode: str = "100644") -> dict[str, Any]:
    """Describe one changed file as a document does."""
    return {
        "path": path,
        "mode": mode,
        "op": "modify" if before and after else "add" if after else "delete",
        "base_blob": None if before is None else git_blob_id(before),
        "content_base64": None if after is None else base64.b64encode(after).decode(),
    }


def change_of(*files: dict[str, Any]) -> dict[str, Any]:
    """Describe a change of the head commit."""
    return {"schema_version": 1, "head_sha": HEAD, "files": list(files)}


CHANGE = change_of(
    file_change("a.py", FILE, FIXED),
    file_change("docs/é.md", None, b"\0\xff"),
    file_change("run.sh", b"true\n", None, mode="100755"),
)


@dataclass
class CountingStore:
    """An S3 client of what containers left; ``read`` counts the bytes that were taken of each object."""

    objects: Mapping[str, bytes]
    read: dict[str, int] = field(default_factory=dict)

    def get_object(self, *, Key: str, **_: str) -> dict[str, Any]:  # noqa: N803 - S3's name
        self.read[Key] = 0
        content = self.objects[Key]
        return {"ContentLength": len(content), "Body": _CountedBody(content, Key, self.read)}


class _CountedBody(BytesIO):
    def __init__(self, content: bytes, name: str, counts: dict[str, int]) -> None:
        super().__init__(content)
        self._name, self._counts = name, counts

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(size)
        self._counts[self._name] += len(piece)
        return piece


def read_documents(
    *, change: bytes | None = None, outcome: bytes | None = None, gates: bytes | None = None
) -> tuple[FixerResults, Mapping[str, int]]:
    """Read results as push_fix does, each as given or good; returns them with how many bytes of each were fetched.

    Unless gates are given they are bound to the change, so that it is judged by what it holds.
    """
    stage = Stage()
    gathered = gathered_artifacts(stage.request())
    changed = json.dumps(CHANGE).encode() if change is None else change
    report = {**GATES, "change_sha256": sha256(changed).hexdigest()}
    store = CountingStore({
        "plan": stage.artifacts.get(gathered.plan),
        "change": changed,
        "outcome": json.dumps(OUTCOME).encode() if outcome is None else outcome,
        "gates": json.dumps(report).encode() if gates is None else gates,
    })  # fmt: skip
    prepared = stage.request().state.prepare
    assert prepared is not None
    keys: Prepared = prepared.value
    return read_results(VersionedBucket(store, "bucket"), keys, gathered, LABELS), store.read
