"""Who calls: App tokens are checked, installation tokens are minted and looked up.

Sources: "Generating a JSON Web Token for a GitHub App", "Authenticating as a GitHub App installation". Observed:
exactly ten minutes are too long, a suspended installation mints nothing, a new token may fail for some seconds.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import jwt

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.answers.errors import ApiError
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.limits import Limits
from infra.local.github_host.people.apps import App
from infra.local.github_host.people.permissions import Need, covers, covers_any, reading
from infra.local.github_host.repository import Repository

TOKEN_LIFE = timedelta(hours=1)
# GitHub allows ten minutes by its own clock; exactly ten minutes fails there as soon as the clocks differ by a second.
LONGEST_JWT = timedelta(minutes=10)


@dataclass(frozen=True)
class InstallationToken:
    """What an installation may do with one token: never more than the installation itself at the time of the call."""

    text: str
    installation: Installation
    repositories: tuple[Repository, ...]
    permissions: Mapping[str, str]
    selected: bool
    expires_at: datetime

    def allows(self, need: Need) -> bool:
        """Tell whether the token has a permission that its installation still has, too."""
        return covers(self.permissions, need) and covers(self.installation.permissions, need)

    def allows_any(self, needs: tuple[Need, ...]) -> bool:
        """Tell whether the token has one of the alternatives."""
        return covers_any(self.permissions, [need for need in needs if covers(self.installation.permissions, need)])

    def acts_on(self, repository: GitRepository) -> bool:
        """Tell whether the token's permissions hold for a repository."""
        return repository in self.repositories and repository in self.installation.repositories

    def sees(self, repository: GitRepository) -> bool:
        """Tell whether a repository exists for the token: everybody sees a public one."""
        return not repository.private or self.acts_on(repository)

    def may_read(self, repository: GitRepository, *permissions: str) -> bool:
        """Tell whether the token may read one of these kinds of things in a repository it sees."""
        return not repository.private or (self.acts_on(repository) and self.allows_any(reading(*permissions)))


class Tokens:
    """The installation tokens of one host."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._minted: dict[str, InstallationToken] = {}

    def mint(
        self,
        installation: Installation,
        repositories: tuple[Repository, ...] | None,
        permissions: Mapping[str, str],
        now: datetime,
    ) -> InstallationToken:
        """Make a token for some of the installation's repositories (None: all of them)."""
        token = InstallationToken(
            text=_token_text(installation.app),
            installation=installation,
            repositories=tuple(installation.repositories) if repositories is None else repositories,
            permissions=permissions,
            selected=repositories is not None,
            expires_at=now + TOKEN_LIFE,
        )
        self._minted[token.text] = token
        return token

    def find(self, authorization: str | None, now: datetime) -> InstallationToken:
        """Return the living token that an ``Authorization`` header names; ApiError 401 or 403 otherwise.

        A token that was just minted is not known everywhere yet, and may be refused for some seconds like a bad one.
        """
        token = self._minted.get(credential(authorization))
        if token is None or token.expires_at <= now or token.installation.removed or self._is_fresh(token, now):
            raise ApiError(401, "Bad credentials")
        if token.installation.suspended_at is not None:
            raise ApiError(403, "This installation has been suspended")
        return token

    def _is_fresh(self, token: InstallationToken, now: datetime) -> bool:
        return now < token.expires_at - TOKEN_LIFE + timedelta(seconds=self._limits.token_seconds)


def credential(authorization: str | None) -> str:
    """Take the credential out of an ``Authorization`` header; ApiError 401 when there is none."""
    scheme, _, text = (authorization or "").partition(" ")
    if scheme.lower() not in {"bearer", "token"} or not text:
        raise ApiError(401, "Requires authentication")
    return text.strip()


def app_of(authorization: str | None, apps: Mapping[int, App], now: datetime) -> App:
    """Return the App that signed the JSON Web Token in an ``Authorization`` header; ApiError 401 otherwise."""
    text = credential(authorization)
    try:
        unverified = jwt.decode(text, options={"verify_signature": False})
        app = apps.get(int(unverified.get("iss", 0)))
    except (jwt.InvalidTokenError, TypeError, ValueError):
        raise ApiError(401, "A JSON web token could not be decoded") from None
    if app is None:
        raise ApiError(401, "Integration not found")
    try:
        claims = jwt.decode(
            text,
            app.private_key.public_key(),
            algorithms=["RS256"],
            # The times count by the host's clock, not by the machine's.
            options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
        )
    except jwt.InvalidTokenError:
        raise ApiError(401, "A JSON web token could not be decoded") from None
    _check_times(claims, now)
    return app


def _check_times(claims: Mapping[str, object], now: datetime) -> None:
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int) or issued > now.timestamp():
        issued_claim = (
            "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
        )
        raise ApiError(401, issued_claim)
    if not isinstance(expires, int) or expires <= now.timestamp():
        expires_claim = "'Expiration time' claim ('exp') must be a numeric value representing the future time"
        raise ApiError(401, f"{expires_claim} at which the assertion expires")
    if expires >= (now + LONGEST_JWT).timestamp():
        raise ApiError(401, "'Expiration time' claim ('exp') is too far in the future")


def _token_text(app: App) -> str:
    # The stateless form, longer than the classic forty characters; nobody should assume a length.
    parts = (secrets.token_urlsafe(size) for size in (24, 120, 48))
    return f"ghs_{app.app_id}_" + ".".join(parts)
