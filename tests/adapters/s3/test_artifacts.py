"""Artifacts: a reference reads back exactly what was stored under it, or nothing at all."""

from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from botocore.exceptions import ClientError, IncompleteReadError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.ports.artifacts import ArtifactRefused, Artifacts
from autoswe.s3.artifacts import BucketNotVersioned, VersionedBucket
from tests.support.bucket import BUCKET, mock_bucket

KEY = "rounds/one/brief.json"


@pytest.fixture
def client() -> Iterator[Any]:
    with mock_bucket() as mocked:
        yield mocked


@pytest.fixture
def bucket(client: Any) -> VersionedBucket:
    return VersionedBucket(client, BUCKET)


def test_steps_use_the_bucket_through_their_port(bucket: VersionedBucket) -> None:
    artifacts: Artifacts = bucket
    reference = artifacts.put(KEY, b"content")
    assert reference == ArtifactReference(
        key=KEY, version_id=reference.version_id, sha256=sha256(b"content").hexdigest(), bytes=7
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=2000), later=st.binary(max_size=20))
def test_a_reference_reads_its_own_version_whatever_was_stored_later(
    bucket: VersionedBucket, content: bytes, later: bytes
) -> None:
    reference = bucket.put(KEY, content)
    bucket.put(KEY, later)
    assert bucket.get(reference) == content


def test_a_file_is_stored_from_its_start_wherever_it_stands(bucket: VersionedBucket) -> None:
    content = bytes(range(256)) * 10_000
    file = BytesIO(content)
    file.seek(1000)
    reference = bucket.put_file(KEY, file)
    assert (reference.bytes, reference.sha256) == (len(content), sha256(content).hexdigest())
    assert bucket.get(reference) == content


def test_a_file_is_never_read_whole() -> None:
    class Pieces(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 <= size <= 1024 * 1024
            return super().read(size)

    class StreamingClient:
        def put_object(self, *, Body: Pieces, **_: Any) -> dict[str, str]:  # noqa: N803 - boto3 spells it so
            assert Body.tell() == 0
            return {"VersionId": "1"}

    content = b"x" * 3_000_000
    assert VersionedBucket(StreamingClient(), BUCKET).put_file(KEY, Pieces(content)).bytes == len(content)


def test_what_is_stored_carries_its_digest_for_the_store_to_verify(client: Any, bucket: VersionedBucket) -> None:
    """The store refuses content that did not arrive as it was sent."""
    sent: list[dict[str, Any]] = []
    client.meta.events.register("provide-client-params.s3.PutObject", lambda params, **_: sent.append(dict(params)))
    bucket.put(KEY, b"")
    assert sent[0]["ChecksumSHA256"] == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_what_is_stored_is_no_page_for_a_browser(client: Any, bucket: VersionedBucket) -> None:
    bucket.put(KEY, b"<script>")
    assert client.head_object(Bucket=BUCKET, Key=KEY)["ContentType"] == "application/octet-stream"


def test_a_bucket_without_versions_gives_no_reference() -> None:
    with mock_bucket(versioned=False) as client, pytest.raises(BucketNotVersioned, match=BUCKET):
        VersionedBucket(client, BUCKET).put(KEY, b"content")


@pytest.mark.parametrize(
    "change",
    [
        {"bytes": 6},
        {"bytes": 8},
        {"sha256": "0" * 64},
        {"key": "rounds/one/other.json"},
        {"version_id": "no-such-version"},
    ],
    ids=["shorter", "longer", "other digest", "other key", "other version"],
)
def test_an_artifact_that_is_not_what_its_reference_says_is_refused(
    bucket: VersionedBucket, change: dict[str, Any]
) -> None:
    reference = bucket.put(KEY, b"content")
    with pytest.raises(ArtifactRefused, match=change.get("key", KEY)):
        bucket.get(reference.model_copy(update=change))


def test_a_version_that_was_removed_is_refused(client: Any, bucket: VersionedBucket) -> None:
    reference = bucket.put(KEY, b"content")
    client.delete_object(Bucket=BUCKET, Key=KEY, VersionId=reference.version_id)
    with pytest.raises(ArtifactRefused):
        bucket.get(reference)


def test_what_a_container_left_is_fetched_up_to_the_cap(client: Any, bucket: VersionedBucket) -> None:
    client.put_object(Bucket=BUCKET, Key=KEY, Body=b"12345678")
    assert bucket.fetch(KEY, 8) == b"12345678"
    with pytest.raises(ArtifactRefused, match="8 bytes, the cap is 7"):
        bucket.fetch(KEY, 7)


def test_what_a_container_did_not_leave_is_refused(bucket: VersionedBucket) -> None:
    with pytest.raises(ArtifactRefused, match=f"{KEY} is missing"):
        bucket.fetch(KEY, 100)


class ScriptedClient:
    """Answers every read as it was told to."""

    def __init__(self, announced: int, content: bytes) -> None:
        self.body = BytesIO(content)
        self._announced = announced

    def get_object(self, **_: str) -> dict[str, Any]:
        return {"ContentLength": self._announced, "Body": self.body}


def test_content_over_the_cap_is_refused_before_any_of_it_is_read() -> None:
    class Unread(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise AssertionError("read")

    client = ScriptedClient(101, b"")
    client.body = Unread()
    with pytest.raises(ArtifactRefused):
        VersionedBucket(client, BUCKET).fetch(KEY, 100)
    assert client.body.closed


def test_content_longer_than_announced_is_refused_after_one_byte_too_many() -> None:
    class Endless(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            assert size == 101
            return b"x" * size

    client = ScriptedClient(3, b"")
    client.body = Endless()
    with pytest.raises(ArtifactRefused):
        VersionedBucket(client, BUCKET).fetch(KEY, 100)


def test_an_answer_that_broke_off_says_nothing_about_the_artifact_and_may_be_asked_for_again() -> None:
    client = ScriptedClient(announced=10, content=b"half")
    with pytest.raises(IncompleteReadError):
        VersionedBucket(client, BUCKET).fetch(KEY, 100)


@pytest.mark.parametrize("code", ["NoSuchKey", "NoSuchVersion", "AccessDenied", "MethodNotAllowed"])
def test_every_way_the_store_says_that_nothing_is_there_is_a_refusal(code: str) -> None:
    """Who may not list a bucket is told 403 for a missing object; a deletion marker answers 405."""
    with pytest.raises(ArtifactRefused):
        VersionedBucket(failing(code), BUCKET).fetch(KEY, 100)


@pytest.mark.parametrize("code", ["SlowDown", "InternalError", "ExpiredToken", "NoSuchBucket"])
def test_a_failing_store_is_not_taken_for_a_missing_artifact(code: str) -> None:
    with pytest.raises(ClientError, match=code):
        VersionedBucket(failing(code), BUCKET).fetch(KEY, 100)


def failing(code: str) -> Any:
    class FailingClient:
        def get_object(self, **_: str) -> None:
            raise ClientError({"Error": {"Code": code, "Message": ""}}, "GetObject")

    return FailingClient()
