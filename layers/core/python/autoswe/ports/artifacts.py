"""The roles that keep objects, and sign addresses of them."""

from collections.abc import Sequence
from typing import BinaryIO, Protocol

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.containers import Upload


class ArtifactRefused(Exception):
    """An artifact is missing, too large, or not what its reference says."""


class Artifacts(Protocol):
    """The bucket."""

    def put(self, key: str, content: bytes) -> ArtifactReference:
        """Store content and return the reference to exactly this version."""
        ...

    def put_file(self, key: str, content: BinaryIO) -> ArtifactReference:
        """Store a file, read from its start, without holding it in memory."""
        ...

    def get(self, reference: ArtifactReference) -> bytes:
        """Read the named version; raises ``ArtifactRefused`` unless size and digest agree."""
        ...

    def fetch(self, key: str, max_bytes: int) -> bytes:
        """Read what a container left at ``key``; raises ``ArtifactRefused`` when missing or over the cap."""
        ...


class Grant(Protocol):
    """A short-lived session that may touch exactly the keys it was opened for."""

    def download(self, reference: ArtifactReference) -> str:
        """Sign a GET of one object version."""
        ...

    def download_later(self, key: str) -> str:
        """Sign a GET of an object that does not exist yet."""
        ...

    def upload(self, key: str, max_bytes: int) -> Upload:
        """Sign a PUT that succeeds only while nothing is stored at ``key``."""
        ...


class Signer(Protocol):
    """Opens sessions for presigned addresses."""

    def open(self, *, reads: Sequence[str], writes: Sequence[str], seconds: int) -> Grant:
        """Open a session limited to these keys; its addresses live ``seconds`` (at most 3,600)."""
        ...
