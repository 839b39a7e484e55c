"""How long what was just written may take to show on the host (feedback §10)."""

from datetime import datetime

LAG_SECONDS = 120
"""Within this time of a write, or of the delivery that tells of it, an absence is no answer.

The host's replicas and lists follow a write within seconds; the rest is margin for an incident.
"""


def may_still_show(written_at: str, now: datetime) -> bool:
    """Say whether what was written at a time (ISO 8601), and is not there, may be there in a moment."""
    return is_recent((now - datetime.fromisoformat(written_at)).total_seconds())


def is_recent(seconds: float) -> bool:
    """Say whether a doubt that is this old is to be settled by asking again; a clock that is behind counts as now."""
    return seconds < LAG_SECONDS
