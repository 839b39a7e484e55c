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

from infra.local.embedded_aws.calls import ServiceCalls, ServiceFault
from infra.local.embedded_aws.dynamodb.gate import WRITES, DynamoDbGate
from infra.local.embedded_aws.patches import Patches
from infra.local.embedded_aws.s3.object_requests import ObjectGate

_POLLED = "dynamodbstreams"


class RequestGate:
    """The way to every service; ``written`` is called after each write to DynamoDB."""

    def __init__(
        self,
        calls: ServiceCalls,
        lock: AbstractContextManager[object],
        written: Callable[[], object],
        dynamodb: DynamoDbGate,
        objects: ObjectGate,
    ) -> None:
        self._calls = calls
        self._lock = lock
        self._written = written
        self._dynamodb = dynamodb
        self._objects = objects

    def install(self, patches: Patches) -> None:
        """Put the gate in front of every service."""
        self._guard_actions(patches)
        self._guard_s3(patches)

    def _guard_actions(self, patches: Patches) -> None:
        """Guard every service but S3.

        Reading a stream is no request of the product's but what Lambda does for it: it passes unrecorded.
        """

        def call_action(handler: Any) -> Any:
            if handler.service_name == _POLLED:
                with self._lock:
                    return original(handler)
            operation = handler._get_action()  # noqa: SLF001 - how moto's own call_action finds it
            if handler.service_name != "dynamodb":
                return self._admit(handler, handler.boto3_service_name, operation, lambda: original(handler))
            try:
                return self._admit(
                    handler, "dynamodb", operation, lambda: self._dynamodb.serve(handler, operation, original)
                )
            finally:  # a lost reply is a write all the same
                if operation in WRITES:
                    self._written()

        original = patches.method(BaseResponse, "call_action", call_action)

    def _guard_s3(self, patches: Patches) -> None:
        def key_response(handler: Any, request: Any, full_url: str) -> Any:
            key = handler.parse_key_name()
            return self._admit(
                handler,
                "s3",
                s3_operation(request),
                lambda: self._objects.serve(
                    handler, request, key, lambda: original_key_response(handler, request, full_url)
                ),
            )

        def bucket_response(handler: Any, request: Any, full_url: str) -> Any:
            return self._admit(
                handler,
                "s3",
                s3_operation(request),
                lambda: self._objects.serve(
                    handler, request, "", lambda: original_bucket_response(handler, request, full_url)
                ),
            )

        original_key_response = patches.method(S3Response, "_key_response", key_response)
        original_bucket_response = patches.method(S3Response, "_bucket_response", bucket_response)

    def _admit(self, handler: Any, service: str, operation: str, serve: Callable[[], Any]) -> Any:
        def effect() -> Any:
            with self._lock:
                return serve()

        try:
            return self._calls.perform(service, operation, effect)
        except ServiceFault as fault:
            _, headers, body = handler.serialized(ActionResult(fault))
            return fault.status, headers, body
        except ConnectionError as broken:
            if handler.is_werkzeug_request:  # the server closes the connection without an answer
                raise
            raise ConnectionClosedError(endpoint_url=handler.uri) from broken


def s3_operation(request: Any) -> str:
    """Name the S3 operation that an HTTP request asks for."""
    operation, _ = get_service_router("s3").match(request)
    return str(operation.name)
