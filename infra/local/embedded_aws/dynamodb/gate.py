"""DynamoDB's own part of the way to it: what it refuses, what it has done already, what its indexes do not show yet."""

from collections.abc import Callable, Mapping
from typing import Any

from moto.core.responses import ActionResult

from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.dynamodb.index_lag import IndexLag
from infra.local.embedded_aws.dynamodb.requests import RequestRules
from infra.local.embedded_aws.dynamodb.transaction_tokens import TransactionTokens

WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})
_SUCCESS = 200


class DynamoDbGate:
    """Stands between a request and moto's answer; the caller lets one request through at a time."""

    def __init__(self, rules: RequestRules, tokens: TransactionTokens, lag: IndexLag) -> None:
        self._rules = rules
        self._tokens = tokens
        self._lag = lag

    def serve(self, handler: Any, operation: str, original: Callable[[Any], Any]) -> Any:
        """Answer a request; raises ``ServiceFault`` for what DynamoDB refuses and moto would take."""
        request: Mapping[str, Any] = handler.body
        if reason := self._rules.refusal(operation, request):
            raise ServiceFault("ValidationException", reason)
        if operation == "TransactWriteItems":
            return self._make_once(handler, request, original)
        if "IndexName" in request:
            with self._lag.behind(handler.dynamodb_backend.get_table(request["TableName"])):
                return original(handler)
        return original(handler)

    def _make_once(self, handler: Any, request: Mapping[str, Any], original: Callable[[Any], Any]) -> Any:
        if self._tokens.repeats(request):
            return handler.serialized(ActionResult({}))
        answer = original(handler)
        if answer[0] == _SUCCESS:
            self._tokens.note_made(request)
        return answer
