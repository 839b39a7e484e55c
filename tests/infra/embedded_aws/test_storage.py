"""The table and the bucket keep the promises that the product builds on."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any

import boto3
import httpx
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from moto.dynamodb.models import DynamoDBBackend

from infra.local.embedded_aws.calls import Call
from infra.local.embedded_aws.storage import DEFINITION_FILE, TableDefinition
from tests.infra.conftest import Account

CREATE_ONLY = {"If-None-Match": "*"}


@pytest.fixture
def dynamodb(account: Account) -> Any:
    return boto3.client("dynamodb")


@dataclass(frozen=True)
class Objects:
    """The bucket seen through one S3 client, and presigned addresses used as a container would."""

    client: Any
    bucket: str

    def sign(self, operation: str, key: str, seconds: int = 60, **parameters: str) -> str:
        parameters |= {"Bucket": self.bucket, "Key": key}
        return str(self.client.generate_presigned_url(operation, Params=parameters, ExpiresIn=seconds))

    def code(self, response: httpx.Response) -> str:
        return response.text.partition("<Code>")[2].partition("</Code>")[0]


def s3_client(**credentials: str) -> Any:
    return boto3.client("s3", config=Config(signature_version="s3v4"), **credentials)


@pytest.fixture
def objects(account: Account) -> Objects:
    return Objects(s3_client(), account.aws.bucket_name)


@pytest.fixture
def session(account: Account) -> Callable[..., Objects]:
    def assume(*actions: str, key: str) -> Objects:
        resource = f"arn:aws:s3:::{account.aws.bucket_name}/{key}"
        policy = {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": actions, "Resource": [resource]}],
        }
        granted = boto3.client("sts").assume_role(
            RoleArn="arn:aws:iam::123456789012:role/signer", RoleSessionName="test", Policy=json.dumps(policy)
        )["Credentials"]
        client = s3_client(
            aws_access_key_id=granted["AccessKeyId"],
            aws_secret_access_key=granted["SecretAccessKey"],
            aws_session_token=granted["SessionToken"],
        )
        return Objects(client, account.aws.bucket_name)

    return assume


def test_the_table_is_as_the_shared_definition_says(account: Account, dynamodb: Any) -> None:
    shared = json.loads(DEFINITION_FILE.read_text())
    table = dynamodb.describe_table(TableName=account.aws.table_name)["Table"]
    keys = {key["KeyType"]: key["AttributeName"] for key in table["KeySchema"]}
    assert keys == {"HASH": shared["partition_key"], "RANGE": shared["sort_key"]}
    assert table["StreamSpecification"]["StreamViewType"] == shared["stream"]
    indexes = {index["IndexName"]: index for index in table["GlobalSecondaryIndexes"]}
    assert set(indexes) == {index["name"] for index in shared["indexes"]}
    assert indexes["unstarted"]["Projection"]["ProjectionType"] == "KEYS_ONLY"
    ttl = dynamodb.describe_time_to_live(TableName=account.aws.table_name)["TimeToLiveDescription"]
    assert ttl == {"TimeToLiveStatus": "ENABLED", "AttributeName": shared["ttl"]}


def test_a_definition_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="surprise"):
        TableDefinition.model_validate({**json.loads(DEFINITION_FILE.read_text()), "surprise": 1})


def test_only_items_with_the_index_key_are_in_the_sparse_index(account: Account, dynamodb: Any) -> None:
    def put(sort_key: str, **attributes: Any) -> None:
        item = {"pk": {"S": "sparse"}, "sk": {"S": sort_key}, **attributes}
        dynamodb.put_item(TableName=account.aws.table_name, Item=item)

    put("started")
    put("unstarted", unstarted={"S": "yes"}, decided_at={"S": "2026-01-01"}, big={"S": "x"})
    found = dynamodb.query(
        TableName=account.aws.table_name,
        IndexName="unstarted",
        KeyConditionExpression="unstarted = :yes",
        ExpressionAttributeValues={":yes": {"S": "yes"}},
    )["Items"]
    assert [item["sk"]["S"] for item in found] == ["unstarted"]
    assert set(found[0]) == {"pk", "sk", "unstarted", "decided_at"}


def test_of_fifty_threads_that_put_the_same_item_conditionally_one_wins(account: Account, dynamodb: Any) -> None:
    def put(number: int) -> str:
        item = {"pk": {"S": "race"}, "sk": {"S": "race"}, "winner": {"N": str(number)}}
        try:
            dynamodb.put_item(
                TableName=account.aws.table_name, Item=item, ConditionExpression="attribute_not_exists(pk)"
            )
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        return "won"

    with ThreadPoolExecutor(50) as threads:
        results = list(threads.map(put, range(50)))
    assert sorted(results) == ["ConditionalCheckFailedException"] * 49 + ["won"]


def test_dynamodb_serves_one_request_at_a_time(
    account: Account, dynamodb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[int] = []
    most: list[int] = []
    original = DynamoDBBackend.put_item

    def dawdle(*arguments: Any, **named: Any) -> Any:
        inside.append(1)
        Event().wait(0.01)
        most.append(len(inside))
        inside.pop()
        return original(*arguments, **named)

    monkeypatch.setattr(DynamoDBBackend, "put_item", dawdle)

    def put(number: int) -> None:
        dynamodb.put_item(TableName=account.aws.table_name, Item={"pk": {"S": "crowd"}, "sk": {"S": str(number)}})

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(put, range(8)))
    assert most == [1] * 8


def test_a_cancelled_transaction_leaves_every_item_as_it_was(account: Account, dynamodb: Any) -> None:
    table = account.aws.table_name

    def row(sort_key: str) -> dict[str, Any]:
        return {"pk": {"S": "cancelled"}, "sk": {"S": sort_key}}

    def rows() -> list[Any]:
        values = {":p": {"S": "cancelled"}}
        return list(
            dynamodb.query(TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues=values)["Items"]
        )

    for sort_key in ("changed", "deleted", "untouched"):
        dynamodb.put_item(TableName=table, Item=row(sort_key) | {"n": {"N": "1"}, "m": {"M": {"deep": {"S": "x"}}}})
    before = rows()
    change = {
        "TableName": table,
        "Key": row("changed"),
        "UpdateExpression": "SET m.deep = :y ADD n :y2",
        "ExpressionAttributeValues": {":y": {"S": "y"}, ":y2": {"N": "1"}},
    }
    operations: list[dict[str, Any]] = [
        {"Update": change},
        {"Delete": {"TableName": table, "Key": row("deleted")}},
        {"Put": {"TableName": table, "Item": row("new")}},
    ]
    condition = {"TableName": table, "Key": row("untouched"), "ConditionExpression": "attribute_not_exists(pk)"}
    with pytest.raises(ClientError) as cancelled:
        dynamodb.transact_write_items(TransactItems=[*operations, {"ConditionCheck": condition}])
    reasons = cancelled.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "None", "None", "ConditionalCheckFailed"]
    assert rows() == before
    dynamodb.transact_write_items(TransactItems=operations)
    assert {item["sk"]["S"]: item.get("n", {}).get("N") for item in rows()} == {
        "changed": "2",
        "new": None,
        "untouched": "1",
    }


def test_counters_that_many_threads_add_to_lose_nothing(account: Account, dynamodb: Any) -> None:
    def add(_number: int) -> None:
        dynamodb.update_item(
            TableName=account.aws.table_name,
            Key={"pk": {"S": "counter"}, "sk": {"S": "counter"}},
            UpdateExpression="ADD n :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(add, range(100)))
    key = {"pk": {"S": "counter"}, "sk": {"S": "counter"}}
    assert dynamodb.get_item(TableName=account.aws.table_name, Key=key)["Item"]["n"] == {"N": "100"}


def test_a_presigned_put_that_may_only_create_succeeds_once(account: Account, objects: Objects) -> None:
    url = objects.sign("put_object", "tasks/change.json", IfNoneMatch="*")
    assert httpx.put(url, content=b"first", headers=CREATE_ONLY).status_code == 200
    again = httpx.put(url, content=b"second", headers=CREATE_ONLY)
    assert (again.status_code, objects.code(again)) == (412, "PreconditionFailed")
    assert objects.client.get_object(Bucket=objects.bucket, Key="tasks/change.json")["Body"].read() == b"first"


def test_of_many_presigned_puts_that_may_only_create_one_wins(objects: Objects) -> None:
    url = objects.sign("put_object", "tasks/race.json", IfNoneMatch="*")
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: httpx.put(url, content=b"%d" % n, headers=CREATE_ONLY), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 7


def test_the_condition_of_a_presigned_put_cannot_be_left_out(objects: Objects) -> None:
    url = objects.sign("put_object", "tasks/unconditional.json", IfNoneMatch="*")
    answer = httpx.put(url, content=b"x")
    assert (answer.status_code, objects.code(answer)) == (403, "SignatureDoesNotMatch")


def test_a_presigned_get_reads_exactly_the_version_it_names(objects: Objects) -> None:
    first = objects.client.put_object(Bucket=objects.bucket, Key="brief", Body=b"first")["VersionId"]
    objects.client.put_object(Bucket=objects.bucket, Key="brief", Body=b"second")
    assert httpx.get(objects.sign("get_object", "brief", VersionId=first)).content == b"first"
    assert httpx.get(objects.sign("get_object", "brief")).content == b"second"


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace("/mine?", "/other?"),
        lambda url: url + "&versionId=null",
        lambda url: url.replace("X-Amz-Expires=60", "X-Amz-Expires=6000"),
        lambda url: url.partition("X-Amz-Signature=")[0] + "X-Amz-Signature=" + "0" * 64,
    ],
    ids=["another object", "another version", "a longer life", "another signature"],
)
def test_a_presigned_address_works_only_as_it_was_signed(objects: Objects, change: Callable[[str], str]) -> None:
    for key in ("mine", "other"):
        objects.client.put_object(Bucket=objects.bucket, Key=key, Body=b"x")
    url = objects.sign("get_object", "mine")
    assert httpx.get(url).status_code == 200
    answer = httpx.get(change(url))
    assert (answer.status_code, objects.code(answer)) == (403, "SignatureDoesNotMatch")


def test_a_presigned_address_works_with_one_method_only(objects: Objects) -> None:
    objects.client.put_object(Bucket=objects.bucket, Key="mine", Body=b"x")
    assert httpx.put(objects.sign("get_object", "mine"), content=b"y").status_code == 403


@pytest.mark.parametrize("path", ["/{bucket}/mine", "/{bucket}", "/"])
def test_a_request_without_a_signature_is_denied(account: Account, objects: Objects, path: str) -> None:
    objects.client.put_object(Bucket=objects.bucket, Key="mine", Body=b"x")
    answer = httpx.get(account.aws.endpoint_url + path.format(bucket=objects.bucket))
    assert (answer.status_code, objects.code(answer)) == (403, "AccessDenied")


def test_a_session_can_do_only_what_its_policy_names(session: Callable[..., Objects], objects: Objects) -> None:
    version = objects.client.put_object(Bucket=objects.bucket, Key="granted", Body=b"x")["VersionId"]
    objects.client.put_object(Bucket=objects.bucket, Key="other", Body=b"x")
    reader = session("s3:GetObject", key="granted")
    assert httpx.get(reader.sign("get_object", "granted")).status_code == 200
    for refused in (
        httpx.get(reader.sign("get_object", "other")),
        httpx.get(reader.sign("get_object", "granted", VersionId=version)),
        httpx.put(reader.sign("put_object", "granted"), content=b"y"),
    ):
        assert (refused.status_code, objects.code(refused)) == (403, "AccessDenied")
    versions = session("s3:GetObjectVersion", key="granted")
    assert httpx.get(versions.sign("get_object", "granted", VersionId=version)).status_code == 200


def test_an_address_signed_by_a_session_needs_its_token(session: Callable[..., Objects], objects: Objects) -> None:
    objects.client.put_object(Bucket=objects.bucket, Key="granted", Body=b"x")
    granted = session("s3:GetObject", key="granted")
    credentials = granted.client._request_signer._credentials
    tokenless = Objects(
        s3_client(aws_access_key_id=credentials.access_key, aws_secret_access_key=credentials.secret_key),
        objects.bucket,
    )
    assert httpx.get(granted.sign("get_object", "granted")).status_code == 200
    answer = httpx.get(tokenless.sign("get_object", "granted"))
    assert (answer.status_code, objects.code(answer)) == (403, "InvalidToken")


def test_requests_are_recorded_by_service_and_operation_in_order(
    account: Account, dynamodb: Any, objects: Objects
) -> None:
    account.aws.calls.clear()
    dynamodb.put_item(TableName=account.aws.table_name, Item={"pk": {"S": "a"}, "sk": {"S": "a"}})
    objects.client.put_object(Bucket=objects.bucket, Key="recorded", Body=b"x")
    httpx.get(objects.sign("get_object", "recorded"))
    objects.client.list_objects_v2(Bucket=objects.bucket)
    assert account.aws.calls == [
        Call("dynamodb", "PutItem"),
        Call("s3", "PutObject"),
        Call("s3", "GetObject"),
        Call("s3", "ListObjectsV2"),
    ]
