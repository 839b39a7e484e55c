"""Authenticates as the GitHub App itself (Generating a JSON Web Token (JWT) for a GitHub App)."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from autoswe.github.transport.http import Credential
from autoswe.ports.github import Forbidden

_ALGORITHM = "RS256"
# GitHub accepts ten minutes, but by its own clock, which may be behind ours.
_LIFE = timedelta(minutes=9)
_DRIFT = timedelta(minutes=1)


def app_credential(app_id: int, private_key: str, now: datetime) -> Credential:
    """Sign the App's credential: valid from a minute ago for nine minutes from ``now``.

    Raises ``Forbidden`` when the key cannot sign.
    """
    import jwt  # noqa: PLC0415 - slow to import, and of no use before a token is needed

    claims = {"iss": str(app_id), "iat": now - _DRIFT, "exp": now + _LIFE}
    try:
        return Credential(jwt.encode(claims, _signing_key(private_key), algorithm=_ALGORITHM))
    except (jwt.PyJWTError, ValueError, TypeError):
        # The original error may quote the key.
        raise Forbidden(f"the private key of App {app_id} cannot sign") from None


@lru_cache(maxsize=16)
def _signing_key(private_key: str) -> Any:
    import jwt  # noqa: PLC0415 - as above

    # Checking a key's numbers takes far longer than signing with it.
    return jwt.get_algorithm_by_name(_ALGORITHM).prepare_key(private_key)
