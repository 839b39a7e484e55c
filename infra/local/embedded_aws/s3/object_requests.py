"""S3's own part of the way to it: who may ask, which keys there can be, and how much an answer gives away."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from moto.s3.exceptions import MissingKey

from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.s3.presigned_requests import authorise

MAX_KEY_BYTES = 1_024
_READS = frozenset({"GET", "HEAD"})
_NOT_FOUND = 404


class ObjectGate:
    """Stands between a request and moto's answer.

    Nobody here may list the bucket, as no function or container of the deployment may: an object that is not there is
    answered as one that must not be read (Amazon S3 API Reference: "GetObject", "Permissions").
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now

    def serve(self, handler: Any, request: Any, key: str, original: Callable[[], Any]) -> Any:
        """Answer a request for an object, or for the bucket when ``key`` is empty.

        Raises ``ServiceFault`` for what S3 refuses: no right to ask, or a key of more than 1,024 bytes (Amazon S3:
        "Naming Amazon S3 objects").
        """
        if handler.is_werkzeug_request:
            authorise(request, bucket=handler.bucket_name, key=key, now=self._now())
        if len(key.encode()) > MAX_KEY_BYTES:
            raise ServiceFault("KeyTooLongError", f"the key is longer than {MAX_KEY_BYTES} bytes")
        if not key or request.method not in _READS:
            return original()
        try:
            answer = original()
        except MissingKey:
            raise _hidden(key) from None
        if answer[0] == _NOT_FOUND and "versionId" not in request.args:
            raise _hidden(key)
        return answer


def _hidden(key: str) -> ServiceFault:
    return ServiceFault("AccessDenied", f"Access Denied: nobody here may be told whether {key} exists", 403)
