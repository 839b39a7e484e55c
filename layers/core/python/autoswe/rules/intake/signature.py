"""Whether a delivery was signed with a connection's webhook secret (GitHub: "Validating webhook deliveries").

This module is on the webhook's path: it imports the standard library only.
"""

import hmac
import re
from collections.abc import Iterable
from enum import StrEnum

SIGNATURE_HEADER = "x-hub-signature-256"
"""The only header a signature is read from; the SHA-1 header is never accepted."""

_HEADER_VALUE = re.compile(r"sha256=([0-9a-fA-F]{64})")


class SignatureVerdict(StrEnum):
    """Whether a body was signed with a known secret.

    ``valid``: one of the secrets made the signature. ``missing_signature``: no signature came along.
    ``malformed_signature``: the header is not ``sha256=`` and 64 hexadecimal digits. ``wrong_signature``: no secret
    makes it.
    """

    VALID = "valid"
    MISSING = "missing_signature"
    MALFORMED = "malformed_signature"
    WRONG = "wrong_signature"


def sign(body: bytes, secret: str) -> str:
    """Write the header value that GitHub sends for ``body`` under ``secret``."""
    return f"sha256={_digest(body, secret).hex()}"


def verify(header: str | None, body: bytes, secrets: Iterable[str]) -> SignatureVerdict:
    """Judge the signature of ``body``, taken over its decoded bytes.

    Several secrets are known while one is being rotated. Each is compared in constant time, and all of them always, so
    that the time taken tells nothing about which one matched.
    """
    if header is None:
        return SignatureVerdict.MISSING
    given = _HEADER_VALUE.fullmatch(header)
    if given is None:
        return SignatureVerdict.MALFORMED
    digest = bytes.fromhex(given[1])
    matches = [hmac.compare_digest(digest, _digest(body, secret)) for secret in secrets]
    return SignatureVerdict.VALID if any(matches) else SignatureVerdict.WRONG


def _digest(body: bytes, secret: str) -> bytes:
    return hmac.digest(secret.encode(), body, "sha256")
