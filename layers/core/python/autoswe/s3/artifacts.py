"""The bucket of artifacts: what is written gets a reference to exactly that version, what is read is verified."""

from base64 import b64encode
from hashlib import sha256
from io import BytesIO
from typing import Any, BinaryIO

from botocore.exceptions import ClientError, IncompleteReadError

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.ports.artifacts import ArtifactRefused

CONTENT_TYPE = "application/octet-stream"
"""The type of every object, so that a browser shows none of them as a page of ours."""

_PIECE = 1024 * 1024

_NOT_THERE = frozenset({"NoSuchKey", "NoSuchVersion", "MethodNotAllowed", "AccessDenied"})
"""What S3 answers for an object that is not there: a deletion marker allows no GET, and who may not list the bucket is
told nothing (documentation page "GetObject", "Permissions")."""


class BucketNotVersioned(Exception):
    """The bucket keeps no versions, so that no reference could promise what it will read."""


class VersionedBucket:
    """The artifacts of one versioned bucket."""

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def put(self, key: str, content: bytes) -> ArtifactReference:
        """Store content and return the reference to exactly this version."""
        return self.put_file(key, BytesIO(content))

    def put_file(self, key: str, content: BinaryIO) -> ArtifactReference:
        """Store a seekable file, read from its start, without holding it in memory.

        It is read twice: the digest goes ahead, so that S3 refuses what did not arrive whole.
        Raises ``BucketNotVersioned`` when the store gives no version id.
        """
        content.seek(0)
        digest = sha256()
        while piece := content.read(_PIECE):
            digest.update(piece)
        size = content.tell()
        content.seek(0)
        stored = self._client.put_object(
            Bucket=self._bucket,
            Key=key,
            Body=content,
            ContentLength=size,
            ContentType=CONTENT_TYPE,
            ChecksumSHA256=b64encode(digest.digest()).decode(),
        )
        version_id = stored.get("VersionId")
        if not version_id:
            raise BucketNotVersioned(f"the bucket {self._bucket} gave {key} no version id")
        return ArtifactReference(key=key, version_id=version_id, sha256=digest.hexdigest(), bytes=size)

    def get(self, reference: ArtifactReference) -> bytes:
        """Read the named version; raises ``ArtifactRefused`` unless it is there and size and digest agree."""
        content = self._read(reference.key, reference.bytes, VersionId=reference.version_id)
        if len(content) != reference.bytes:
            raise ArtifactRefused(f"{reference.key} holds {len(content)} bytes, not {reference.bytes}")
        if sha256(content).hexdigest() != reference.sha256:
            raise ArtifactRefused(f"{reference.key} does not hash to what its reference says")
        return content

    def fetch(self, key: str, max_bytes: int) -> bytes:
        """Read what a container left at ``key``; raises ``ArtifactRefused`` when missing or over the cap."""
        return self._read(key, max_bytes)

    def _read(self, key: str, max_bytes: int, **version: str) -> bytes:
        """Read at most ``max_bytes``; the announced length is judged first, and never trusted for what is read.

        Raises botocore's ``IncompleteReadError`` when the answer broke off: that says nothing about the object.
        """
        try:
            answer = self._client.get_object(Bucket=self._bucket, Key=key, **version)
        except ClientError as error:
            if error.response["Error"]["Code"] in _NOT_THERE:
                raise ArtifactRefused(f"{key} is missing, or not ours to read") from error
            raise
        with answer["Body"] as body:
            if answer["ContentLength"] > max_bytes:
                raise ArtifactRefused(f"{key} announces {answer['ContentLength']} bytes, the cap is {max_bytes}")
            content: bytes = body.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise ArtifactRefused(f"{key} holds more than the {max_bytes} bytes it may")
        if len(content) < answer["ContentLength"]:
            # Only reading to the very end would have botocore notice, and more than the cap is not read.
            raise IncompleteReadError(actual_bytes=len(content), expected_bytes=answer["ContentLength"])
        return content
