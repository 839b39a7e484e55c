"""Which sentences of the page are not built yet, and what is missing."""

from collections.abc import Mapping

PENDING: Mapping[str, str] = {}
