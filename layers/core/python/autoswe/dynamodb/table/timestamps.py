"""How rows spell moments."""

from datetime import UTC, datetime


def timestamp(moment: datetime) -> str:
    """Spell a moment as rows do: ISO 8601 in UTC to the second, ``2026-11-30T12:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def epoch(moment: datetime) -> int:
    """Spell a moment as expiry does: whole seconds since 1970."""
    return int(moment.timestamp())
