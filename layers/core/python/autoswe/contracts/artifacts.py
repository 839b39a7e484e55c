"""References to objects in the bucket, as workflow state carries them (architecture: an artifact reference)."""

from autoswe.contracts.model import Contract, Count, Sha256


class ArtifactReference(Contract):
    """Names one version of one object and what it must hash to.

    A trusted producer records it; each reader verifies it. ``bytes`` is the object's size, ``sha256`` the digest of its
    content.
    """

    key: str
    version_id: str
    sha256: Sha256
    bytes: Count
