"""The pristine source as an index: what every path held before the agent touched the workspace."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

from autoswe.rules.source.archive import SourceMode, read_source


@dataclass(frozen=True, slots=True)
class PristineFile:
    """One path of the pristine source; ``blob_id`` is git's name for its content, ``bytes`` the content's size."""

    mode: SourceMode
    blob_id: str
    bytes: int


Pristine = Mapping[str, PristineFile]


def index_source(archive: bytes) -> Pristine:
    """Index a source archive straight from its bytes: nothing of it lies on a disk where an agent could reach it.

    ``SourceRefused`` comes from the archive's own rules.
    """
    return {
        file.path: PristineFile(file.mode, file.blob_id, len(file.content)) for file in read_source(BytesIO(archive))
    }


def folders_of(paths: Pristine) -> frozenset[str]:
    """List every folder that some path of the source lies in, however far above."""
    return frozenset(path[:at] for path in paths for at, letter in enumerate(path) if letter == "/")
