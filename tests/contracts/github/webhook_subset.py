"""Cut both of GitHub's descriptions of webhooks down to some events and the schemas they reach.

``cut`` is for the JSON Schema of @octokit/webhooks-schemas, ``cut_openapi`` for the OpenAPI description that GitHub
itself publishes. Neither contains the other, and they contradict each other in places.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.contracts.github.openapi_subset import references, without_prose

_SCHEMAS = "#/components/schemas/"
_WORTH_SHARING = 400


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


def openapi_name(definition: str) -> str:
    """Return what the OpenAPI description calls the webhook of a definition such as ``check_run$created``."""
    return definition.removesuffix("$event").replace("$", "-").replace("_", "-")


def cut_openapi(description: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the schemas of the named definitions' payloads and all they refer to, each object's schema once.

    ValueError for a name that is not there.
    """
    payloads: dict[str, Any] = {}
    for name in sorted(names):
        webhook = description["webhooks"].get(openapi_name(name))
        if webhook is None:
            raise ValueError(f"GitHub's OpenAPI description has no webhook {openapi_name(name)}")
        payloads[name] = webhook["post"]["requestBody"]["content"]["application/json"]["schema"]
    kept: dict[str, Any] = {}
    pending: list[Any] = list(payloads.values())
    while pending:
        for reference in references(pending.pop()):
            name = reference.removeprefix(_SCHEMAS)
            if name not in kept:
                kept[name] = without_prose(description["components"]["schemas"][name])
                pending.append(kept[name])
    return {"openapi": description["openapi"], "payloads": payloads, "components": {"schemas": _shared(kept)}}


def _shared(schemas: dict[str, Any]) -> dict[str, Any]:
    """Give every large object schema that is written out more than once a name, and refer to it instead."""
    written = Counter(text for schema in schemas.values() for text in _object_schemas(schema))
    names = {
        text: f"shared-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        for text, times in written.items()
        if times > 1 and len(text) >= _WORTH_SHARING
    }
    named = {name: _refer(json.loads(text), names, top=True) for text, name in names.items()}
    return {**{name: _refer(schema, names, top=True) for name, schema in schemas.items()}, **named}


def _object_schemas(document: Any) -> Iterable[str]:
    if isinstance(document, list):
        for item in document:
            yield from _object_schemas(item)
    elif isinstance(document, dict):
        if isinstance(document.get("properties"), dict) and isinstance(document.get("type"), str | list):
            yield json.dumps(document, sort_keys=True)
        for item in document.values():
            yield from _object_schemas(item)


def _refer(document: Any, names: dict[str, str], *, top: bool = False) -> Any:
    if isinstance(document, list):
        return [_refer(item, names) for item in document]
    if not isinstance(document, dict):
        return document
    name = None if top else names.get(json.dumps(document, sort_keys=True))
    if name is not None:
        return {"$ref": _SCHEMAS + name}
    return {key: _refer(value, names) for key, value in document.items()}
