"""Reads what a session says that it cost: hostile numbers, which are counted or left out (review §18.5)."""

from dataclasses import dataclass

from autoswe.rules.text.strict_json import Malformed, parse_strictly

MAX_USAGE_BYTES = 1024 * 1024
MAX_PREMIUM_REQUESTS = 100_000
MAX_AGENT_SECONDS = 7 * 24 * 3600
"""More than either in one session is no cost but an error or a lie, and is left out."""


@dataclass(frozen=True, slots=True)
class SessionUsage:
    """What one session cost, none where it does not say: premium requests, and seconds of the model's interface."""

    premium_requests: float | None = None
    agent_seconds: float | None = None


def read_usage(document: bytes | None) -> SessionUsage:
    """Read Copilot CLI's usage file; what is missing, malformed, not finite or out of bounds is none."""
    parsed = parse_strictly(document, MAX_USAGE_BYTES) if document is not None else None
    if parsed is None or isinstance(parsed, Malformed) or not isinstance(parsed.value, dict):
        return SessionUsage()
    milliseconds = _bounded(parsed.value.get("totalApiDurationMs"), MAX_AGENT_SECONDS * 1000)
    return SessionUsage(
        _bounded(parsed.value.get("totalPremiumRequestCost"), MAX_PREMIUM_REQUESTS),
        None if milliseconds is None else milliseconds / 1000,
    )


def _bounded(value: object, largest: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= largest else None
