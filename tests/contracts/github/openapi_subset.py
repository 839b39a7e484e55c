"""Cut GitHub's OpenAPI description down to some operations and the schemas they reach."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

_PROSE = frozenset({"description", "summary", "externalDocs", "x-github", "x-octokit", "tags", "example", "examples"})


def cut(description: dict[str, Any], operations: Iterable[str]) -> dict[str, Any]:
    """Return the description of the operations (``GET /path/{parameter}``) without its prose.

    Raises ValueError for an operation that GitHub does not describe.
    """
    paths: dict[str, Any] = {}
    for operation in sorted(operations):
        method, _, path = operation.partition(" ")
        if method.lower() not in description["paths"].get(path, {}):
            raise ValueError(f"GitHub describes no operation {operation}")
        paths.setdefault(path, {})[method.lower()] = without_prose(description["paths"][path][method.lower()])
    components: dict[str, Any] = {}
    pending: list[Any] = [paths]
    while pending:
        for reference in references(pending.pop()):
            _, _, kind, name = reference.split("/")
            if name not in components.setdefault(kind, {}):
                components[kind][name] = without_prose(description["components"][kind][name])
                pending.append(components[kind][name])
    info = {"title": "GitHub REST API, in part", "version": description["info"]["version"]}
    return {"openapi": description["openapi"], "info": info, "paths": paths, "components": components}


def references(document: Any) -> list[str]:
    """List all ``$ref`` values in a JSON document."""
    if isinstance(document, list):
        return [found for item in document for found in references(item)]
    if not isinstance(document, dict):
        return []
    below = [found for item in document.values() for found in references(item)]
    return [*below, document["$ref"]] if isinstance(document.get("$ref"), str) else below


def without_prose(document: Any, *, names: bool = False) -> Any:
    """Return a copy without texts for people; ``names`` says that the keys are names of properties."""
    if isinstance(document, list):
        return [without_prose(item) for item in document]
    if not isinstance(document, dict):
        return copy.copy(document)
    return {
        key: without_prose(value, names=not names and key in {"properties", "schemas", "responses", "definitions"})
        for key, value in document.items()
        if names or key not in _PROSE
    }
