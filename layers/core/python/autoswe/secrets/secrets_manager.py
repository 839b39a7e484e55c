"""The secrets of connections, kept in AWS Secrets Manager under ``{prefix}/{connection}/{name}``.

This module is on the webhook's path: beside the standard library it imports nothing but botocore's exceptions.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from botocore.exceptions import ClientError

KNOWN_FOR = timedelta(seconds=300)
"""How long a secret is used before it is read again: what an operator changes counts everywhere after that."""

UNKNOWN_FOR = timedelta(seconds=60)
"""How long a secret that does not exist is not asked for again."""

REMEMBERED = 256
"""How many names are remembered; anybody can ask a webhook for connections that do not exist."""


_ABSENT = frozenset({"ResourceNotFoundException", "AccessDeniedException"})


class UnreadableSecret(Exception):
    """A secret exists and does not hold what it should; the message names it and never quotes it."""


@dataclass(frozen=True)
class _Answer:
    text: str | None
    good_until: datetime


class Secrets:
    """Reads secrets and remembers them for a while; ``now`` is the process's clock."""

    def __init__(self, client: Callable[[], Any], prefix: str, now: Callable[[], datetime]) -> None:
        self._client = client
        self._prefix = prefix
        self._now = now
        self._answers: dict[str, _Answer] = {}
        self._lock = Lock()

    def webhook_secrets(self, connection: str) -> tuple[str, ...] | None:
        """Read the secrets that GitHub may sign a connection's deliveries with; ``None`` without such a connection.

        They are kept as a JSON list of non-empty strings, several while one is being rotated. Raises
        ``UnreadableSecret`` for anything else: an empty secret would let everybody sign.
        """
        text = self.read(connection, "webhook-secrets")
        if text is None:
            return None
        try:
            secrets = json.loads(text)
        except ValueError:
            secrets = None
        if not isinstance(secrets, list) or not secrets or not all(isinstance(one, str) and one for one in secrets):
            raise UnreadableSecret(f"the webhook secrets of {connection} must be a JSON list of non-empty strings")
        return tuple(secrets)

    def read(self, connection: str, name: str) -> str | None:
        """Read a connection's secret of this name; ``None`` when it does not exist, or is none that we may read.

        IAM denies what lies outside a role's pattern whether or not it is there, and anybody may ask for a connection
        that is not. Raises ``UnreadableSecret`` for one that holds no text; any other failure of Secrets Manager is
        raised as it came.
        """
        path = f"{self._prefix}/{connection}/{name}"
        now = self._now()
        with self._lock:
            answer = self._answers.get(path)
        if answer is not None and now < answer.good_until:
            return answer.text
        text = self._fetch(path)
        with self._lock:
            self._answers.pop(path, None)
            while len(self._answers) >= REMEMBERED:
                del self._answers[next(iter(self._answers))]
            self._answers[path] = _Answer(text, now + (UNKNOWN_FOR if text is None else KNOWN_FOR))
        return text

    def _fetch(self, path: str) -> str | None:
        try:
            answer = self._client().get_secret_value(SecretId=path)
        except ClientError as error:
            if error.response["Error"]["Code"] in _ABSENT:
                return None
            raise
        text = answer.get("SecretString")
        if not isinstance(text, str):
            raise UnreadableSecret(f"the secret {path} holds no text")
        return text
