"""How a recorded decision is named where its id does not fit."""

from hashlib import sha256


def decision_digest(decision_id: str) -> str:
    """Return the 64 hexadecimal digits that stand for a decision wherever its id does not fit."""
    return sha256(decision_id.encode()).hexdigest()
