"""Presigned addresses: each opens one object for one purpose, and the session behind it could do no more."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.ports.artifacts import Grant, Signer
from autoswe.s3.artifacts import VersionedBucket
from autoswe.s3.client import SessionCredentials, s3_client
from autoswe.s3.presigned import LONGEST_POLICY, GrantRefused, SessionGrant, SessionSigner, session_policy
from tests.support.bucket import BUCKET, SESSION, bucket_client, mock_bucket, moto_endpoint
from tests.support.mock_aws import REGION

ROLE = "arn:aws:iam::123456789012:role/signer"
SOURCE, CHANGE = "rounds/one/source.tar.gz", "rounds/one/change.json"
SAFE_KEYS = st.text(st.sampled_from("abc019/-_. :é"), min_size=1, max_size=40)


class RecordingSts:
    """STS on moto, remembering what it was asked; moto does not enforce policies, so tests read them."""

    def __init__(self) -> None:
        self._client = SESSION.create_client("sts", region_name=REGION)
        self.asked: list[dict[str, Any]] = []

    def assume_role(self, **request: Any) -> Any:
        self.asked.append(request)
        return self._client.assume_role(**request)


@pytest.fixture
def sts() -> Iterator[RecordingSts]:
    with mock_bucket():
        yield RecordingSts()


@pytest.fixture
def signer(sts: RecordingSts) -> Signer:
    return signer_of(sts)


def signer_of(sts: RecordingSts) -> SessionSigner:
    return SessionSigner(sts, ROLE, BUCKET, bucket_client)


def signed(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


class TestSession:
    def test_the_policy_names_exactly_the_keys_and_what_may_be_done_with_them(self, sts: RecordingSts) -> None:
        signer_of(sts).open(reads=[SOURCE, CHANGE], writes=[CHANGE], seconds=600)
        assert json.loads(sts.asked[0]["Policy"]) == {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": ["s3:GetObject", "s3:GetObjectVersion"],
                    "Resource": [f"arn:aws:s3:::{BUCKET}/{SOURCE}", f"arn:aws:s3:::{BUCKET}/{CHANGE}"],
                },
                {"Effect": "Allow", "Action": ["s3:PutObject"], "Resource": [f"arn:aws:s3:::{BUCKET}/{CHANGE}"]},
            ],
        }
        assert sts.asked[0]["RoleArn"] == ROLE

    @pytest.mark.parametrize(("reads", "writes"), [([SOURCE], []), ([], [CHANGE])])
    def test_what_was_not_asked_for_is_not_in_the_policy(
        self, sts: RecordingSts, reads: list[str], writes: list[str]
    ) -> None:
        signer_of(sts).open(reads=reads, writes=writes, seconds=600)
        assert len(json.loads(sts.asked[0]["Policy"])["Statement"]) == 1

    @given(reads=st.lists(SAFE_KEYS, max_size=3), writes=st.lists(SAFE_KEYS, min_size=1, max_size=3))
    def test_no_key_beside_the_ones_asked_for_is_ever_granted(self, reads: list[str], writes: list[str]) -> None:
        prefix = f"arn:aws-cn:s3:::{BUCKET}/"
        granted: dict[str, set[str]] = {}
        for statement in json.loads(session_policy("aws-cn", BUCKET, reads, writes))["Statement"]:
            for action in statement["Action"]:
                granted[action] = set(statement["Resource"])
        assert granted.get("s3:GetObject", set()) == {prefix + key for key in reads}
        assert granted.get("s3:GetObjectVersion", set()) == {prefix + key for key in reads}
        assert granted["s3:PutObject"] == {prefix + key for key in writes}
        assert set(granted) <= {"s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"}

    @pytest.mark.parametrize("key", ["rounds/*", "rounds/?ne", "rounds/${aws:userid}"])
    def test_a_key_that_iam_would_take_for_a_pattern_is_refused(self, sts: RecordingSts, key: str) -> None:
        for reads, writes in (([key], []), ([], [key])):
            with pytest.raises(GrantRefused, match="pattern"):
                signer_of(sts).open(reads=reads, writes=writes, seconds=600)
        assert sts.asked == []

    def test_a_session_for_no_key_is_refused(self, signer: Signer) -> None:
        with pytest.raises(GrantRefused, match="at least one key"):
            signer.open(reads=[], writes=[], seconds=600)

    def test_a_session_for_more_keys_than_a_policy_can_name_is_refused(self) -> None:
        keys = [f"rounds/{number:064}" for number in range(30)]
        with pytest.raises(GrantRefused, match=str(LONGEST_POLICY)):
            session_policy("aws", BUCKET, keys, [])

    def test_a_policy_can_name_all_that_one_round_signs(self) -> None:
        """Source, brief, three manifests and the change to read; outcome, change and report to write."""
        keys = [f"rounds/{'0' * 64}/{'1' * 16}/manifest-{number}.json" for number in range(9)]
        assert len(session_policy("aws", "a-bucket-name-" + "x" * 49, keys[:6], keys[6:])) <= LONGEST_POLICY

    @pytest.mark.parametrize(("seconds", "session"), [(1, 900), (600, 900), (1800, 1860), (3600, 3600)])
    def test_a_session_outlives_its_addresses_within_what_sts_allows(
        self, sts: RecordingSts, seconds: int, session: int
    ) -> None:
        """STS opens sessions of 15 minutes at least, and of an hour at most to a role that assumes a role."""
        signer_of(sts).open(reads=[SOURCE], writes=[], seconds=seconds)
        assert sts.asked[0]["DurationSeconds"] == session

    @pytest.mark.parametrize("seconds", [0, -1, 3601])
    def test_a_life_out_of_bounds_is_refused(self, signer: Signer, seconds: int) -> None:
        with pytest.raises(GrantRefused, match=str(seconds)):
            signer.open(reads=[SOURCE], writes=[], seconds=seconds)


class TestAddresses:
    @pytest.mark.parametrize(
        "sign",
        [
            lambda grant, reference: grant.download(reference),
            lambda grant, _: grant.download_later(CHANGE),
            lambda grant, _: grant.upload("rounds/one/outcome.json", 100),
        ],
        ids=["download", "download_later", "upload"],
    )
    def test_nothing_is_signed_that_the_session_was_not_opened_for(
        self, sts: RecordingSts, sign: Callable[[Grant, Any], object]
    ) -> None:
        reference = VersionedBucket(bucket_client(), BUCKET).put(SOURCE, b"source")
        grant = signer_of(sts).open(reads=["rounds/one/outcome.json"], writes=[SOURCE, CHANGE], seconds=600)
        with pytest.raises(GrantRefused, match="rounds/one/"):
            sign(grant, reference)

    def test_an_address_lives_as_long_as_asked_and_is_signed_by_the_session(self, signer: Signer) -> None:
        parameters = signed(signer.open(reads=[CHANGE], writes=[], seconds=1234).download_later(CHANGE))
        assert parameters["X-Amz-Expires"] == "1234"
        assert parameters["X-Amz-Algorithm"] == "AWS4-HMAC-SHA256"
        assert parameters["X-Amz-Security-Token"]

    def test_on_aws_the_address_names_the_bucket_at_its_region(self, signer: Signer) -> None:
        """The global address answers with a redirect while a bucket is new, which a PUT does not follow."""
        url = signer.open(reads=[CHANGE], writes=[], seconds=600).download_later(CHANGE)
        assert url.startswith(f"https://{BUCKET}.s3.{REGION}.amazonaws.com/{CHANGE}?")

    @pytest.mark.parametrize("region", sorted(SESSION.get_available_regions("s3")))
    def test_in_every_region_the_address_is_the_one_that_the_name_firewall_lets_through(self, region: str) -> None:
        """The template lets the bucket's regional name through: GetAtt "RegionalDomainName" of AWS::S3::Bucket."""
        client = s3_client(SESSION, region, SessionCredentials("ASIA" + "A" * 16, "s" * 40, "token"))
        grant = SessionGrant(client, BUCKET, frozenset({CHANGE}), frozenset(), 600)
        assert urlsplit(grant.download_later(CHANGE)).netloc == f"{BUCKET}.s3.{region}.amazonaws.com"

    def test_an_upload_signs_the_headers_it_must_be_sent_with(self, signer: Signer) -> None:
        upload = signer.open(reads=[], writes=[CHANGE], seconds=600).upload(CHANGE, 4096)
        assert upload.max_bytes == 4096
        assert upload.headers == {"If-None-Match": "*", "Content-Type": "application/octet-stream"}
        assert set(signed(upload.url)["X-Amz-SignedHeaders"].split(";")) == {
            "host",
            *(name.lower() for name in upload.headers),
        }


class TestOverHttp:
    @pytest.fixture
    def grant(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Grant]:
        with mock_bucket(), moto_endpoint() as endpoint:
            monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
            yield signer_of(RecordingSts()).open(reads=[SOURCE, CHANGE], writes=[CHANGE], seconds=600)

    @pytest.fixture
    def bucket(self, grant: Grant) -> VersionedBucket:
        return VersionedBucket(bucket_client(), BUCKET)

    def test_a_download_gets_the_version_that_was_signed(self, grant: Grant, bucket: VersionedBucket) -> None:
        reference = bucket.put(SOURCE, b"the source")
        url = grant.download(reference)
        bucket.put(SOURCE, b"another source")
        assert httpx.get(url).content == b"the source"

    def test_an_upload_is_made_once_and_then_refused(self, grant: Grant, bucket: VersionedBucket) -> None:
        upload = grant.upload(CHANGE, 100)
        assert httpx.put(upload.url, headers=upload.headers, content=b"first").status_code == 200
        assert httpx.put(upload.url, headers=upload.headers, content=b"second").status_code == 412
        assert bucket.fetch(CHANGE, 100) == b"first"

    def test_a_download_that_was_signed_before_the_object_existed_gets_it_later(
        self, grant: Grant, bucket: VersionedBucket
    ) -> None:
        url = grant.download_later(CHANGE)
        assert httpx.get(url).status_code in {403, 404}
        bucket.put(CHANGE, b"the change")
        assert httpx.get(url).content == b"the change"
