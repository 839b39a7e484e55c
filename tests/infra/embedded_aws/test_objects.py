"""The bucket refuses what S3 refuses, by the local time, and gives nothing away."""

from collections.abc import Iterator
from typing import Any

import boto3
import httpx
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from infra.local.embedded_aws.calls import Call, Effect, undisturbed
from infra.local.embedded_aws.faults import conditional_request_conflict
from tests.infra.conftest import Account

HOUR = 3600


class Bucket:
    """The bucket, and addresses into it signed with the process's credentials or with a session's."""

    def __init__(self, account: Account) -> None:
        self.name = account.aws.bucket_name
        self.config = Config(signature_version="s3v4", request_checksum_calculation="when_required")
        self.client: Any = boto3.client("s3", config=self.config)

    def put(self, key: str) -> None:
        self.client.put_object(Bucket=self.name, Key=key, Body=b"x")

    def sign(self, operation: str, key: str, seconds: int = 60, **parameters: Any) -> str:
        parameters |= {"Bucket": self.name, "Key": key}
        return str(self.client.generate_presigned_url(operation, Params=parameters, ExpiresIn=seconds))

    def session(self, key: str, account: Account, seconds: int = 900) -> "Bucket":
        """Sign with a session that may read one object."""
        statement = f'{{"Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::{self.name}/{key}"]}}'
        granted = boto3.client("sts").assume_role(
            RoleArn="arn:aws:iam::123456789012:role/signer",
            RoleSessionName="test",
            DurationSeconds=seconds,
            Policy=f'{{"Version":"2012-10-17","Statement":[{statement}]}}',
        )["Credentials"]
        bucket = Bucket(account)
        bucket.client = boto3.client(
            "s3",
            config=self.config,
            aws_access_key_id=granted["AccessKeyId"],
            aws_secret_access_key=granted["SecretAccessKey"],
            aws_session_token=granted["SessionToken"],
        )
        return bucket


@pytest.fixture
def bucket(account: Account) -> Iterator[Bucket]:
    yield Bucket(account)
    account.aws.around_calls(undisturbed)


def said(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.text.partition("<Code>")[2].partition("</Code>")[0]


def test_a_presigned_address_dies_when_its_seconds_are_over_by_the_local_time(account: Account, bucket: Bucket) -> None:
    """Documentation page "Sharing objects with presigned URLs"."""
    bucket.put("mine")
    account.aws.clock.advance(5 * HOUR)
    url = bucket.sign("get_object", "mine", seconds=60)
    account.aws.clock.advance(50)
    assert httpx.get(url).status_code == 200
    account.aws.clock.advance(20)
    assert said(httpx.get(url)) == (403, "AccessDenied")


def test_a_presigned_address_dies_with_the_session_that_signed_it(account: Account, bucket: Bucket) -> None:
    """Documentation page "Sharing objects with presigned URLs": it expires with the credentials that made it."""
    bucket.put("mine")
    url = bucket.session("mine", account, seconds=900).sign("get_object", "mine", seconds=HOUR)
    account.aws.clock.advance(890)
    assert httpx.get(url).status_code == 200
    account.aws.clock.advance(20)
    assert said(httpx.get(url)) == (403, "ExpiredToken")


def test_a_presigned_address_lives_seven_days_at_most(bucket: Bucket) -> None:
    """Documentation page "Authenticating Requests: Using Query Parameters", X-Amz-Expires."""
    bucket.put("mine")
    week = 7 * 24 * HOUR
    assert httpx.get(bucket.sign("get_object", "mine", seconds=week)).status_code == 200
    refused = httpx.get(bucket.sign("get_object", "mine", seconds=week + 1))
    assert said(refused) == (400, "AuthorizationQueryParametersError")


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"abc", {}, 200),
        (b"abcd", {}, 403),
        (b"abc", {"Content-Type": "text/html"}, 403),
        (b"abc", {"x-amz-acl": "public-read"}, 403),
        (b"abc", {"x-amz-meta-note": "x"}, 403),
    ],
    ids=["as signed", "another length", "another type", "an unsigned ACL", "unsigned metadata"],
)
def test_a_presigned_put_bears_the_signed_length_and_headers_and_no_other_amz_header(
    bucket: Bucket, content: bytes, headers: dict[str, str], status: int
) -> None:
    """Documentation page "Authenticating Requests: Using Query Parameters", X-Amz-SignedHeaders."""
    url = bucket.sign("put_object", "length", ContentLength=3, ContentType="text/plain")
    assert httpx.put(url, content=content, headers={"Content-Type": "text/plain"} | headers).status_code == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "HEAD"])
def test_an_address_signed_for_reading_does_nothing_else(bucket: Bucket, method: str) -> None:
    """Documentation page "Authenticating Requests: Using Query Parameters"."""
    bucket.put("read-only")
    assert httpx.request(method, bucket.sign("get_object", "read-only"), content=b"y").status_code == 403
    assert bucket.client.get_object(Bucket=bucket.name, Key="read-only")["Body"].read() == b"x"


def test_who_may_not_list_the_bucket_is_not_told_whether_an_object_exists(account: Account, bucket: Bucket) -> None:
    """Documentation page "GetObject", "Permissions": 403 instead of 404 without s3:ListBucket."""
    assert said(httpx.get(bucket.session("missing", account).sign("get_object", "missing"))) == (403, "AccessDenied")
    for ask in (bucket.client.get_object, bucket.client.head_object):
        with pytest.raises(ClientError) as refused:
            ask(Bucket=bucket.name, Key="missing")
        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403


def test_a_deleted_object_is_as_hidden_as_a_missing_one_while_its_versions_stay(bucket: Bucket) -> None:
    """Documentation page "Working with delete markers"."""
    version = bucket.client.put_object(Bucket=bucket.name, Key="deleted", Body=b"x")["VersionId"]
    bucket.client.delete_object(Bucket=bucket.name, Key="deleted")
    with pytest.raises(ClientError, match="AccessDenied"):
        bucket.client.get_object(Bucket=bucket.name, Key="deleted")
    answer = bucket.client.get_object(Bucket=bucket.name, Key="deleted", VersionId=version)
    assert answer["Body"].read() == b"x"


def test_a_create_only_put_after_a_deletion_succeeds_with_a_new_version(bucket: Bucket) -> None:
    """Documentation page "How to prevent object overwrites with conditional writes"."""

    def create() -> str:
        return str(bucket.client.put_object(Bucket=bucket.name, Key="again", Body=b"x", IfNoneMatch="*")["VersionId"])

    first = create()
    with pytest.raises(ClientError, match="PreconditionFailed"):
        create()
    bucket.client.delete_object(Bucket=bucket.name, Key="again")
    assert create() != first


@pytest.mark.parametrize(
    ("key", "accepted"), [("k" * 1_024, True), ("é" * 512, True), ("k" * 1_025, False), ("é" * 513, False)]
)
def test_a_key_has_1024_bytes_at_most(bucket: Bucket, key: str, accepted: bool) -> None:
    """Documentation page "Naming Amazon S3 objects"."""
    if accepted:
        bucket.put(key)
        return
    with pytest.raises(ClientError) as refused:
        bucket.put(key)
    assert refused.value.response["Error"]["Code"] == "KeyTooLongError"


def test_two_conditional_puts_at_once_can_conflict(account: Account, bucket: Bucket) -> None:
    """Documentation page "Add preconditions to S3 operations with conditional requests": 409."""

    def conflict(_call: Call, _effect: Effect) -> None:
        raise conditional_request_conflict()

    account.aws.around_calls(conflict)
    with pytest.raises(ClientError) as refused:
        bucket.client.put_object(Bucket=bucket.name, Key="conflict", Body=b"x", IfNoneMatch="*")
    assert refused.value.response["Error"]["Code"] == "ConditionalRequestConflict"
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 409
