"""The gate that every request to a moto service passes: recorded, open to faults, one at a time, judged if presigned.

The gate stands at the service, not at the client, because boto3 clients are made where nobody can reach them and
because a container's presigned requests come in over HTTP. moto is not thread-safe: without the lock a conditional
write can have two winners.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from botocore.exceptions import ConnectionClosedError
from moto.core.responses import ActionResult, BaseResponse, get_service_router
from moto.s3.responses import S3Response

from infra.local.embedded_aws import presigned_requests
from infra.local.embedded_aws.calls import ServiceCalls, ServiceFault
from infra.local.embedded_aws.patches import Patches

_POLLED = "dynamodbstreams"
_DYNAMODB_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})


def install(
    patches: Patches,
    calls: ServiceCalls,
    lock: AbstractContextManager[object],
    written: Callable[[], None],
) -> None:
    """Put the gate in front of every service; ``written`` is called after each write to DynamoDB.

    Reading a stream is no request of the product's but what Lambda does for it: it passes under the lock, unrecorded.
    """

    def pass_gate(handler: Any, service: str, operation: str, serve: Callable[[], Any]) -> Any:
        def effect() -> Any:
            with lock:
                return serve()

        try:
            return calls.perform(service, operation, effect)
        except ServiceFault as fault:
            _, headers, body = handler.serialized(ActionResult(fault))
            return fault.status, headers, body
        except ConnectionError as broken:
            if handler.is_werkzeug_request:  # the server closes the connection without an answer
                raise
            raise ConnectionClosedError(endpoint_url=handler.uri) from broken

    def call_action(self: Any) -> Any:
        if self.service_name == _POLLED:
            with lock:
                return stock_call_action(self)
        operation = self._get_action()
        answer = pass_gate(self, self.boto3_service_name, operation, lambda: stock_call_action(self))
        if self.service_name == "dynamodb" and operation in _DYNAMODB_WRITES:
            written()
        return answer

    def key_response(self: Any, request: Any, full_url: str) -> Any:
        def serve() -> Any:
            if self.is_werkzeug_request:
                presigned_requests.authorise(request, bucket=self.bucket_name, key=self.parse_key_name())
            return stock_key_response(self, request, full_url)

        return pass_gate(self, "s3", s3_operation(request), serve)

    def bucket_response(self: Any, request: Any, full_url: str) -> Any:
        def serve() -> Any:
            if self.is_werkzeug_request:
                presigned_requests.authorise(request, bucket=self.bucket_name, key="")
            return stock_bucket_response(self, request, full_url)

        return pass_gate(self, "s3", s3_operation(request), serve)

    stock_call_action = patches.method(BaseResponse, "call_action", call_action)
    stock_key_response = patches.method(S3Response, "_key_response", key_response)
    stock_bucket_response = patches.method(S3Response, "_bucket_response", bucket_response)


def s3_operation(request: Any) -> str:
    """Name the S3 operation that an HTTP request asks for."""
    operation, _ = get_service_router("s3").match(request)
    return str(operation.name)
