"""Cut GitHub's webhook schemas down to some events and the definitions they reach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.contracts.github.openapi_subset import references, without_prose


def cut(schema: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the named definitions and all they refer to; ValueError for a name that is not there."""
    kept: dict[str, Any] = {}
    pending = sorted(names)
    while pending:
        name = pending.pop()
        if name not in schema["definitions"]:
            raise ValueError(f"GitHub publishes no webhook schema {name}")
        if name not in kept:
            kept[name] = without_prose(schema["definitions"][name])
            pending += [reference.rpartition("/")[2] for reference in references(kept[name])]
    return {"$schema": schema["$schema"], "definitions": dict(sorted(kept.items()))}
