"""How GitHub writes a moment in JSON and in HTTP headers."""

from datetime import UTC, datetime
from email.utils import format_datetime


def timestamp(moment: datetime) -> str:
    """Write a moment as REST, GraphQL and webhooks do: UTC, whole seconds, ``Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str | None) -> datetime:
    """Read a moment as it is written in JSON; what is none, or is not given, was before everything."""
    try:
        return datetime.fromisoformat(text or "")
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def precise_timestamp(moment: datetime) -> str:
    """Write a moment as the list of deliveries does: UTC, to the millisecond, ``Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def optional_timestamp(moment: datetime | None) -> str | None:
    """Write a moment that may not have come yet."""
    return None if moment is None else timestamp(moment)


def http_date(moment: datetime) -> str:
    """Write a moment as the ``Date`` header does (RFC 9110)."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)
