"""Presigned addresses, signed by a session that may touch exactly the objects it was opened for (architecture §5)."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.containers import Upload
from autoswe.s3.artifacts import CONTENT_TYPE
from autoswe.s3.client import SessionCredentials

LONGEST_SECONDS = 3600
"""A role assumed by a role lives an hour at most (documentation page "AssumeRole", "DurationSeconds")."""

SHORTEST_SESSION_SECONDS = 900
"""STS opens no shorter session."""

SIGNING_SECONDS = 60
"""How much longer than its addresses a session lives where it can: an address dies with the session that signed it."""

LONGEST_POLICY = 2048
"""The characters an inline session policy may have."""

SESSION_NAME = "auto-swe"

_CREATE_ONLY = {"If-None-Match": "*", "Content-Type": CONTENT_TYPE}
_MEANS_SOMETHING_TO_IAM = frozenset("*?$")


class GrantRefused(Exception):
    """A session was asked for, or asked to sign, something that it must not; the message names it."""


class SessionSigner:
    """Opens sessions of one role on one bucket.

    ``client_for`` builds an S3 client with the credentials of a session.
    """

    def __init__(self, sts: Any, role_arn: str, bucket: str, client_for: Callable[[SessionCredentials], Any]) -> None:
        self._sts = sts
        self._role_arn = role_arn
        self._bucket = bucket
        self._client_for = client_for

    def open(self, *, reads: Sequence[str], writes: Sequence[str], seconds: int) -> "SessionGrant":
        """Open a session limited to these keys; its addresses live ``seconds`` (1 to 3,600).

        Raises ``GrantRefused`` when the time is out of bounds, when there is no key at all, when a key would be a
        pattern, or when there are more keys than a policy can name.
        """
        if not 1 <= seconds <= LONGEST_SECONDS:
            raise GrantRefused(f"an address cannot live {seconds} seconds: 1 to {LONGEST_SECONDS}")
        answer = self._sts.assume_role(
            RoleArn=self._role_arn,
            RoleSessionName=SESSION_NAME,
            DurationSeconds=min(LONGEST_SECONDS, max(SHORTEST_SESSION_SECONDS, seconds + SIGNING_SECONDS)),
            Policy=session_policy(self._role_arn.split(":")[1], self._bucket, reads, writes),
        )["Credentials"]
        credentials = SessionCredentials(answer["AccessKeyId"], answer["SecretAccessKey"], answer["SessionToken"])
        return SessionGrant(self._client_for(credentials), self._bucket, frozenset(reads), frozenset(writes), seconds)


class SessionGrant:
    """One session; it signs nothing that its policy would not let through."""

    def __init__(self, client: Any, bucket: str, reads: frozenset[str], writes: frozenset[str], seconds: int) -> None:
        self._client = client
        self._bucket = bucket
        self._reads = reads
        self._writes = writes
        self._seconds = seconds

    def download(self, reference: ArtifactReference) -> str:
        """Sign a GET of one object version; raises ``GrantRefused`` for a key the session may not read."""
        return self._sign_get(reference.key, VersionId=reference.version_id)

    def download_later(self, key: str) -> str:
        """Sign a GET of an object that does not exist yet; raises ``GrantRefused`` for a key it may not read."""
        return self._sign_get(key)

    def upload(self, key: str, max_bytes: int) -> Upload:
        """Sign a PUT that succeeds only while nothing is stored at ``key``.

        The headers are part of the signature: without them, or with others, S3 refuses the request. A signature cannot
        bound a body of unknown length, so ``max_bytes`` is the sender's to keep and the reader's to enforce.
        Raises ``GrantRefused`` for a key the session may not write.
        """
        if key not in self._writes:
            raise GrantRefused(f"the session was not opened for writing {key}")
        url = self._sign("put_object", key, IfNoneMatch="*", ContentType=CONTENT_TYPE)
        return Upload(url=url, headers=dict(_CREATE_ONLY), max_bytes=max_bytes)

    def _sign_get(self, key: str, **version: str) -> str:
        if key not in self._reads:
            raise GrantRefused(f"the session was not opened for reading {key}")
        return self._sign("get_object", key, **version)

    def _sign(self, operation: str, key: str, **parameters: str) -> str:
        url: str = self._client.generate_presigned_url(
            operation, Params={"Bucket": self._bucket, "Key": key, **parameters}, ExpiresIn=self._seconds
        )
        return url


def session_policy(partition: str, bucket: str, reads: Sequence[str], writes: Sequence[str]) -> str:
    """Write the policy that lets a session read and write exactly these keys of a bucket.

    IAM would take a ``*``, ``?`` or ``$`` in a key for a pattern, so such a key raises ``GrantRefused``; so do no keys
    at all, and a policy over ``LONGEST_POLICY`` characters.
    """
    for key in (*reads, *writes):
        if _MEANS_SOMETHING_TO_IAM & set(key):
            raise GrantRefused(f"the key {key!r} would be a pattern in a policy")
    granted = [(["s3:GetObject", "s3:GetObjectVersion"], reads), (["s3:PutObject"], writes)]
    statements = [
        {"Effect": "Allow", "Action": actions, "Resource": [f"arn:{partition}:s3:::{bucket}/{key}" for key in keys]}
        for actions, keys in granted
        if keys
    ]
    if not statements:
        raise GrantRefused("a session needs at least one key")
    policy = json.dumps({"Version": "2012-10-17", "Statement": statements}, separators=(",", ":"))
    if len(policy) > LONGEST_POLICY:
        raise GrantRefused(f"a session policy may have {LONGEST_POLICY} characters, these keys need {len(policy)}")
    return policy
