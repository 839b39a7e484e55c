"""Numbers and node ids; the same story told twice gets the same ones.

Every kind of object counts for itself, as on GitHub, so an issue comment and a review may share a number and whoever
confuses the kinds is found out.
"""

import base64
import uuid
from collections import Counter

_FIRST = 1001
# Comments and reviews on GitHub outgrew 32 bits; check runs and workflow runs did too, but GraphQL still calls their
# numbers Int, which GitHub bends and graphql-core does not.
# An attempt to deliver has a number that not even a double holds exactly.
_FIRST_OF = {
    "delivery": 3_822_367_311_350_726_701,
    "issue_comment": 3_100_000_001,
    "review_comment": 3_100_000_001,
    "review": 3_100_000_001,
}
_DELIVERIES = uuid.UUID("5f1d7a52-6c1e-4c43-9d0a-1f6b7b6f2a11")


class Sequences:
    """Hand out the next number of each kind."""

    def __init__(self) -> None:
        self._handed_out: Counter[str] = Counter()

    def next(self, kind: str) -> int:
        """Return a number that no other object of this kind has."""
        number = _FIRST_OF.get(kind, _FIRST) + self._handed_out[kind]
        self._handed_out[kind] += 1
        return number

    def next_guid(self) -> str:
        """Return the id that all deliveries of the next event share."""
        return str(uuid.uuid5(_DELIVERIES, str(self.next("guid"))))


def node_id(prefix: str, *parts: object) -> str:
    """Make the opaque global id of an object: a type prefix and something nobody should read."""
    text = ":".join(str(part) for part in parts)
    return f"{prefix}_{base64.urlsafe_b64encode(text.encode()).decode().rstrip('=')}"
