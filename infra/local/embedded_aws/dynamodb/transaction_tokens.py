"""``ClientRequestToken``: a transaction that was made is not made again (Amazon DynamoDB: "TransactWriteItems").

Every SDK sends such a token and repeats it when it repeats a request whose reply was lost.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from infra.local.embedded_aws.calls import ServiceFault

LIFE = timedelta(minutes=10)


class _Made(NamedTuple):
    writes: str
    at: datetime


class TransactionTokens:
    """The tokens of the transactions that were made in the last ten minutes of the local time."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._made: dict[str, _Made] = {}

    def repeats(self, request: Mapping[str, Any]) -> bool:
        """Tell whether the transaction was made already under this token.

        Raises ``ServiceFault`` with ``IdempotentParameterMismatchException`` when another one was.
        """
        made = self._made.get(request.get("ClientRequestToken", ""))
        if made is None or self._now() - made.at > LIFE:
            return False
        if made.writes != _writes(request):
            raise ServiceFault(
                "IdempotentParameterMismatchException",
                "the token was used for other parameters within the last 10 minutes",
            )
        return True

    def note_made(self, request: Mapping[str, Any]) -> None:
        """Take note of a transaction that was just made."""
        if token := request.get("ClientRequestToken"):
            self._made[token] = _Made(_writes(request), self._now())


def _writes(request: Mapping[str, Any]) -> str:
    return json.dumps(request["TransactItems"], sort_keys=True, default=repr)
