"""The table refuses the requests that DynamoDB refuses before it looks at any item."""

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from infra.local.embedded_aws.dynamodb.requests import RequestRules
from infra.local.embedded_aws.dynamodb.sizes import item_bytes, number_refusal
from infra.local.embedded_aws.storage import TableDefinition
from tests.infra.conftest import Account

RULES = RequestRules(TableDefinition.load())
KIB = 1024
ROW = {"pk": {"S": "p"}, "sk": {"S": "s"}}
ROW_BYTES = 6
CONDITION = {"TableName": "t", "Key": ROW, "ConditionExpression": "attribute_exists(pk)"}


def row(**attributes: Any) -> dict[str, Any]:
    return ROW | attributes


def put(**request: Any) -> str | None:
    return RULES.refusal("PutItem", {"TableName": "t", "Item": ROW, **request})


def transaction(*operations: dict[str, Any]) -> str | None:
    return RULES.refusal("TransactWriteItems", {"TransactItems": list(operations)})


def operation(number: int, **attributes: Any) -> dict[str, Any]:
    return {"Put": {"TableName": "t", "Item": row(sk={"S": f"{number:03}"}, **attributes)}}


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ({"é": {"S": "é"}}, 4),
        ({"a": {"BOOL": True}}, 2),
        ({"a": {"NULL": True}}, 2),
        ({"a": {"L": []}}, 4),
        ({"a": {"L": [{"S": "x"}, {"S": "y"}]}}, 1 + 3 + 2 * (1 + 1)),
        ({"a": {"M": {"k": {"S": "x"}}}}, 1 + 3 + 1 + 1 + 1),
        ({"a": {"N": "1234"}}, 1 + 2 + 1),
        ({"a": {"N": "1200000"}}, 1 + 1 + 1),
        ({"a": {"B": b"abc"}}, 4),
        ({"a": {"SS": ["x", "yz"]}}, 4),
    ],
)
def test_an_item_is_as_large_as_its_names_and_values(attributes: dict[str, Any], size: int) -> None:
    """Documentation page "DynamoDB item sizes and formats"."""
    assert item_bytes(attributes) == size


@given(st.dictionaries(st.text(min_size=1), st.text()))
def test_an_item_of_strings_has_the_bytes_of_their_utf_8(attributes: dict[str, str]) -> None:
    """Documentation page "DynamoDB item sizes and formats"."""
    expected = sum(len((name + value).encode()) for name, value in attributes.items())
    assert item_bytes({name: {"S": value} for name, value in attributes.items()}) == expected


def test_an_item_has_400_kb_at_most_names_included() -> None:
    """Documentation page "Quotas in Amazon DynamoDB"."""
    room = 400 * KIB - ROW_BYTES - len("name")
    assert put(Item=row(name={"S": "x" * room})) is None
    assert "Item size" in str(put(Item=row(name={"S": "x" * (room + 1)})))
    assert "Item size" in str(put(Item=row(longer={"S": "x" * room})))


@pytest.mark.parametrize("number", ["0", "-1.5", "1" * 38, "1" + "0" * 125, "9.99E125", "1E-130", "0.00"])
def test_a_number_of_38_digits_within_its_range_is_kept(number: str) -> None:
    """Documentation page "Supported data types and naming rules in Amazon DynamoDB"."""
    assert number_refusal({"N": number}) is None


@pytest.mark.parametrize(
    ("number", "complaint"),
    [
        ("1" * 39, "38 significant digits"),
        ("1E126", "overflow"),
        ("1E-131", "underflow"),
        ("NaN", "converted"),
        ("Infinity", "converted"),
        ("", "converted"),
        ("1,5", "converted"),
    ],
)
def test_a_number_that_would_lose_precision_is_refused_however_deep(number: str, complaint: str) -> None:
    """Documentation page "Supported data types and naming rules in Amazon DynamoDB"."""
    deep = {"L": [{"M": {"n": {"N": number}}}]}
    assert complaint in str(put(Item=row(a=deep)))
    values = {":n": {"N": number}}
    assert complaint in str(put(ConditionExpression="a = :n", ExpressionAttributeValues=values))


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ({"pk": {"S": "p"}}, "does not match the schema"),
        (ROW | {"more": {"S": "x"}}, "does not match the schema"),
        (ROW | {"pk": {"N": "1"}}, "Type mismatch"),
        (ROW | {"pk": {"S": ""}}, "empty string value. Key: pk"),
        (ROW | {"sk": {"S": ""}}, "empty string value. Key: sk"),
        (ROW | {"pk": {"S": "x" * 2_049}}, "larger than 2048 bytes"),
        (ROW | {"sk": {"S": "é" * 513}}, "larger than 1024 bytes"),
    ],
)
def test_a_key_is_two_strings_of_at_least_one_byte_in_every_operation(key: dict[str, Any], complaint: str) -> None:
    """Documentation pages "Quotas in Amazon DynamoDB" and "Core components of Amazon DynamoDB"."""
    one = {"TableName": "t", "Key": key}
    for refusal in (
        *(RULES.refusal(operation, one) for operation in ("GetItem", "UpdateItem", "DeleteItem")),
        RULES.refusal("BatchGetItem", {"RequestItems": {"t": {"Keys": [key]}}}),
        RULES.refusal("BatchWriteItem", {"RequestItems": {"t": [{"DeleteRequest": {"Key": key}}]}}),
        RULES.refusal("TransactGetItems", {"TransactItems": [{"Get": one}]}),
        *(transaction({verb: one}) for verb in ("Update", "Delete", "ConditionCheck")),
    ):
        assert complaint in str(refusal)
    assert put(Item=key) is None or complaint in str(put(Item=key)) or "Missing the key" in str(put(Item=key))


def test_a_put_needs_both_keys_and_gives_an_index_no_empty_one() -> None:
    """Documentation pages "PutItem" and "Using Global Secondary Indexes in DynamoDB"."""
    assert "Missing the key sk" in str(put(Item={"pk": {"S": "p"}}))
    assert "empty string" in str(put(Item=row(unstarted={"S": ""})))
    assert "Type mismatch" in str(put(Item=row(decided_at={"N": "1"})))
    assert put(Item=row(unstarted={"S": "yes"})) is None


def test_an_expression_has_4_kb_at_most() -> None:
    """Documentation page "Quotas in Amazon DynamoDB"."""
    frame = "attribute_exists()"
    for over in (0, 1):
        text = frame.replace("()", f"({'a' * (4 * KIB - len(frame) + over)})")
        assert ("Expression size" in str(put(ConditionExpression=text))) is bool(over)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"ConditionExpression": " "}, "can not be empty"),
        ({"ConditionExpression": "a = :a"}, "not defined in ExpressionAttributeValues: :a"),
        ({"ConditionExpression": "attribute_exists(#a)"}, "not defined in ExpressionAttributeNames: #a"),
        ({"ExpressionAttributeValues": {":a": {"S": "x"}}}, "unused in expressions: keys: {:a}"),
        ({"ExpressionAttributeNames": {"#a": "a"}}, "unused in expressions: keys: {#a}"),
        ({"ExpressionAttributeValues": {}}, "ExpressionAttributeValues must not be empty"),
        ({"ConditionExpression": "attribute_exists(status)"}, "reserved keyword: status"),
        ({"ConditionExpression": "attribute_exists(a.Connection)"}, "reserved keyword: Connection"),
    ],
)
def test_every_placeholder_is_defined_and_used_and_no_name_is_a_reserved_word(
    fields: dict[str, Any], complaint: str
) -> None:
    """Documentation pages "Expression attribute names (aliases)" and "Reserved words in DynamoDB"."""
    assert complaint in str(put(**fields))
    assert complaint in str(transaction({"Put": {"TableName": "t", "Item": ROW, **fields}}))


def test_functions_and_the_words_of_the_grammar_are_no_names() -> None:
    """Documentation page "Condition and filter expressions, operators, and functions in DynamoDB"."""
    text = "attribute_exists(a) AND NOT size (a) IN (:x) OR a BETWEEN :x AND :x AND #status = :x"
    assert (
        put(
            ConditionExpression=text,
            ExpressionAttributeValues={":x": {"S": "x"}},
            ExpressionAttributeNames={"#status": "status"},
        )
        is None
    )


@pytest.mark.parametrize(("count", "refused"), [(100, False), (101, True)])
def test_a_transaction_has_100_operations_at_most(count: int, refused: bool) -> None:
    """Documentation page "TransactWriteItems"."""
    assert (transaction(*map(operation, range(count))) is not None) is refused
    gets = [{"Get": {"TableName": "t", "Key": row(sk={"S": str(number)})}} for number in range(count)]
    assert (RULES.refusal("TransactGetItems", {"TransactItems": gets}) is not None) is refused


def test_the_items_of_a_transaction_have_4_mb_at_most() -> None:
    """Documentation page "TransactWriteItems"."""
    frame = item_bytes(row(sk={"S": "000"}, x={"S": ""}))
    tenth = 4 * KIB * KIB // 16 - frame
    operations = [operation(number, x={"S": "x" * tenth}) for number in range(16)]
    assert transaction(*operations) is None
    assert "4194304 bytes" in str(transaction(*operations, {"ConditionCheck": CONDITION}))


@pytest.mark.parametrize("second", ["Put", "Update", "Delete", "ConditionCheck"])
def test_two_operations_of_a_transaction_on_one_item_are_refused(second: str) -> None:
    """Documentation page "TransactWriteItems"."""
    other = {"TableName": "t", "Item" if second == "Put" else "Key": ROW}
    assert "multiple operations on one item" in str(
        transaction({"Put": {"TableName": "t", "Item": ROW}}, {second: other})
    )


def test_a_batch_writes_25_items_at_most_and_none_twice() -> None:
    """Documentation page "BatchWriteItem"."""

    def batch(*sort_keys: str) -> str | None:
        writes = [{"PutRequest": {"Item": row(sk={"S": sort_key})}} for sort_key in sort_keys]
        return RULES.refusal("BatchWriteItem", {"RequestItems": {"t": writes}})

    assert batch(*map(str, range(25))) is None
    assert "less than or equal to 25" in str(batch(*map(str, range(26))))
    assert "duplicates" in str(batch("a", "a"))


def test_a_refused_request_is_a_validation_exception_without_an_effect(account: Account) -> None:
    """Documentation page "Error handling with DynamoDB"."""
    client, table = boto3.client("dynamodb"), account.aws.table_name
    item = {"pk": {"S": "refused"}, "sk": {"S": "s"}}
    with pytest.raises(ClientError) as refused:
        client.put_item(TableName=table, Item=item | {"n": {"N": "1" * 39}})
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert "Item" not in client.get_item(TableName=table, Key=item)


def test_an_index_cannot_be_read_consistently(account: Account) -> None:
    """Documentation page "DynamoDB read consistency"."""
    with pytest.raises(ClientError, match="Consistent reads are not supported"):
        boto3.client("dynamodb").query(
            TableName=account.aws.table_name,
            IndexName="unstarted",
            KeyConditionExpression="unstarted = :yes",
            ExpressionAttributeValues={":yes": {"S": "yes"}},
            ConsistentRead=True,
        )
