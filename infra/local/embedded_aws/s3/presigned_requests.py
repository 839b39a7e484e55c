"""S3's judgement of a request that carries its signature in the address.

moto serves any such request. Here it must be what the signer signed (method, object, version and signed headers, among
them every ``x-amz-`` header), come before the signature or the signer's session expires by the local time, and be
allowed by the session's policy (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters").
"""

import hmac
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.iam.access_control import IAMPolicy, PermissionResult
from moto.sts.models import sts_backends

from infra.local.embedded_aws.account import ACCOUNT_ID
from infra.local.embedded_aws.calls import ServiceFault
from infra.local.embedded_aws.process_environment import ACCESS_KEY_ID, SECRET_ACCESS_KEY

LONGEST_SECONDS = 7 * 24 * 3600
_DATE_FORMAT = "%Y%m%dT%H%M%SZ"
_CLOCK_SKEW = timedelta(minutes=15)


class _Signer(NamedTuple):
    credentials: Credentials
    policy: str | None


def authorise(request: Any, *, bucket: str, key: str, now: datetime) -> None:
    """Raise ``ServiceFault`` with S3's code and status unless the request for an object may be served.

    A request that is signed in its ``Authorization`` header, by a client of this process, passes unread. One for the
    bucket itself, without a ``key``, must be.
    """
    if "Authorization" in request.headers:
        return
    if not key:
        raise _denied("the request is not signed")
    fields = request.args
    if fields.get("X-Amz-Algorithm") != "AWS4-HMAC-SHA256":
        raise _denied("the address is not signed with signature version 4")
    signer = _signer(fields, now)
    if not hmac.compare_digest(_signature(request, signer.credentials), fields.get("X-Amz-Signature", "")):
        raise ServiceFault("SignatureDoesNotMatch", "the request is not what was signed", 403)
    _refuse_unsigned_headers(request)
    _refuse_outside_its_time(fields, now)
    action = _action(request.method, versioned="versionId" in fields)
    if signer.policy and not _permits(signer.policy, action, f"arn:aws:s3:::{bucket}/{key}"):
        raise _denied(f"the signer's session may not perform {action} on {key}")


def _refuse_unsigned_headers(request: Any) -> None:
    signed = request.args.get("X-Amz-SignedHeaders", "").split(";")
    names = {name.lower() for name, _ in request.headers.items()}
    if unsigned := sorted(name for name in names if name.startswith("x-amz-") and name not in signed):
        raise _denied(f"There were headers present in the request which were not signed: {', '.join(unsigned)}")


def _refuse_outside_its_time(fields: Any, now: datetime) -> None:
    signed_at = datetime.strptime(fields["X-Amz-Date"], _DATE_FORMAT).replace(tzinfo=UTC)
    seconds = int(fields["X-Amz-Expires"])
    if seconds > LONGEST_SECONDS:
        raise ServiceFault("AuthorizationQueryParametersError", f"X-Amz-Expires must be at most {LONGEST_SECONDS}")
    if signed_at > now + _CLOCK_SKEW:
        raise _denied("Request is not valid yet")
    if now > signed_at + timedelta(seconds=seconds):
        raise _denied("Request has expired")


def _signer(fields: Any, now: datetime) -> _Signer:
    access_key_id = fields.get("X-Amz-Credential", "").partition("/")[0]
    if access_key_id == ACCESS_KEY_ID:
        return _Signer(Credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY), None)
    session = sts_backends[ACCOUNT_ID]["aws"].get_assumed_role_from_access_key(access_key_id)
    if session is None:
        raise ServiceFault("InvalidAccessKeyId", "the address was signed with unknown credentials", 403)
    if fields.get("X-Amz-Security-Token") != session.session_token:
        raise ServiceFault("InvalidToken", "the address does not carry its signer's session token", 403)
    if session.expiration.replace(tzinfo=UTC) < now:
        raise ServiceFault("ExpiredToken", "the signer's session has expired", 403)
    return _Signer(Credentials(access_key_id, session.secret_access_key, session.session_token), session.policy)


def _signature(request: Any, credentials: Credentials) -> str:
    address, _, query = request.raw_url.partition("?")
    unsigned = "&".join(field for field in query.split("&") if not field.startswith("X-Amz-Signature="))
    names = request.args.get("X-Amz-SignedHeaders", "").split(";")
    signed = AWSRequest(
        request.method, f"{address}?{unsigned}", {name: request.headers.get(name, "") for name in names}
    )
    signed.context["timestamp"] = request.args.get("X-Amz-Date", "")
    _, _, region, service, _ = (request.args.get("X-Amz-Credential", "") + "////").split("/", 4)
    auth = S3SigV4QueryAuth(credentials, service, region)
    return str(auth.signature(auth.string_to_sign(signed, auth.canonical_request(signed)), signed))


def _action(method: str, *, versioned: bool) -> str:
    if method in {"GET", "HEAD"}:
        return "s3:GetObjectVersion" if versioned else "s3:GetObject"
    return f"s3:{method.title()}Object"


def _permits(policy: str, action: str, resource: str) -> bool:
    judgement = IAMPolicy({"policy_document": policy}).is_action_permitted(action, resource)
    return bool(judgement == PermissionResult.PERMITTED)


def _denied(message: str) -> ServiceFault:
    return ServiceFault("AccessDenied", message, 403)
