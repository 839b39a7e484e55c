"""Judging what the local GitHub host says by what GitHub publishes about itself.

Where GitHub's own description is stricter than what its servers send, or contradicts itself, the deviation is listed
here with its reason; nothing else is forgiven.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.protocols import Validator
from openapi_schema_validator import OAS30Validator, OAS31Validator, oas30_format_checker, oas31_format_checker
from referencing import Registry
from referencing.jsonschema import DRAFT4, DRAFT7, DRAFT202012

from tests.contracts.github.regenerate import OPENAPI_FILE, OPENAPI_WEBHOOKS_FILE, WEBHOOKS_FILE

_NULLABLE_ANCHORS = ("line", "position", "original_line", "original_position")


@cache
def openapi() -> dict[str, Any]:
    """Return GitHub's description of our operations, with its known mistakes mended."""
    description: dict[str, Any] = json.loads(OPENAPI_FILE.read_text(encoding="utf-8"))
    mended = copy.deepcopy(description)
    schemas = mended["components"]["schemas"]
    comment = schemas["pull-request-review-comment"]["properties"]
    # An outdated comment has no line, one about a whole file never had one.
    for name in _NULLABLE_ANCHORS:
        comment[name] = {**comment[name], "nullable": True}
    # Nullable by word, yet null is not in the list of values.
    comment["start_side"] = {**comment["start_side"], "enum": ["LEFT", "RIGHT", None]}
    pull = schemas["pull-request"]["properties"]
    head = pull["head"]["properties"]
    # The fork was deleted; its owner or the author was.
    head["repo"] = _or_null(head["repo"])
    for properties in (head, pull):
        properties["user"] = _or_null(properties["user"])
    # Nullable by word, too: nobody's account has that address.
    for who in ("author", "committer"):
        schemas["commit"]["properties"][who] = _or_null(schemas["commit"]["properties"][who])
    # GraphQL and webhooks know these conclusions of check runs, which jobs are, too.
    for checked in ("check-run", "job"):
        conclusion = schemas[checked]["properties"]["conclusion"]
        conclusion["enum"] = [*conclusion["enum"], "stale", "startup_failure", None]
    # Every error body is both kinds of error, which "exactly one of" does not allow.
    refused = mended["paths"]["/repos/{owner}/{repo}/git/blobs"]["post"]["responses"]["422"]
    schema = refused["content"]["application/json"]["schema"]
    schema["anyOf"] = schema.pop("oneOf")
    return mended


def rest_complaints(operation: str, status: int, body: Any) -> list[str]:
    """List what contradicts GitHub's description of an operation's answer.

    Statuses that every operation may answer with need no description of their own, only the usual error body; so does
    what is gone, such as a log.
    """
    validator = _answer(operation, status)
    return [] if validator is None else [_told(error) for error in validator.iter_errors(body)]


def webhook_complaints(event: str, action: str | None, payload: Any) -> list[str]:
    """List what contradicts either of GitHub's published schemas of a webhook."""
    name = f"{event}${action or 'event'}"
    found = (_told(error) for error in published_webhook(name).iter_errors(payload))
    described = (_told(error) for error in described_webhook(name).iter_errors(payload))
    return [*(complaint for complaint in found if not _forgiven(complaint)), *described]


def _or_null(schema: Any) -> dict[str, Any]:
    return {"anyOf": [schema, {"nullable": True, "enum": [None]}]}


@cache
def _registry() -> Registry[Any]:
    webhooks = json.loads(WEBHOOKS_FILE.read_text(encoding="utf-8"))
    described = json.loads(OPENAPI_WEBHOOKS_FILE.read_text(encoding="utf-8"))
    return Registry().with_resources(
        [
            ("urn:rest", DRAFT4.create_resource(openapi())),
            ("urn:webhooks", DRAFT7.create_resource(webhooks)),
            ("urn:described-webhooks", DRAFT202012.create_resource(described)),
        ]
    )


@cache
def _answer(operation: str, status: int) -> Validator | None:
    method, _, path = operation.partition(" ")
    where = f"#/paths/{_escaped(path)}/{method.lower()}/responses/{status}"
    responses = openapi()["paths"][path][method.lower()]["responses"]
    found = responses.get(str(status))
    if found is None:
        if status not in {400, 401, 403, 404, 409, 410, 422}:
            raise AssertionError(f"GitHub never answers {operation} with {status}")
        return _validator("#/components/schemas/basic-error")
    if "$ref" in found:
        where = found["$ref"]
        found = openapi()["components"]["responses"][where.rpartition("/")[2]]
    kind = next(iter(found.get("content", ())), None)
    return None if kind is None else _validator(f"{where}/content/{_escaped(kind)}/schema")


def _validator(pointer: str) -> Validator:
    reference = {"$ref": f"urn:rest{pointer}"}
    validator: Validator = OAS30Validator(reference, registry=_registry(), format_checker=oas30_format_checker)
    return validator


@cache
def published_webhook(name: str) -> Validator:
    """Return the judge by the JSON Schema of a webhook such as ``check_run$created``."""
    reference = {"$ref": f"urn:webhooks#/definitions/{name}"}
    return Draft7Validator(reference, registry=_registry(), format_checker=Draft7Validator.FORMAT_CHECKER)


@cache
def described_webhook(name: str) -> Validator:
    """Return the judge by the OpenAPI description of a webhook such as ``check_run$created``."""
    reference = {"$ref": f"urn:described-webhooks#/payloads/{name}"}
    validator: Validator = OAS31Validator(reference, registry=_registry(), format_checker=oas31_format_checker)
    return validator


def _escaped(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1")


def _told(error: Any) -> str:
    return f"{'/'.join(map(str, error.absolute_path))}: {error.message[:160]}"


def _forgiven(complaint: str) -> bool:
    # The schemas know neither a deleted fork nor a deleted account nor a comment about a whole file.
    place, _, message = complaint.partition(": ")
    if place == "changes/owner/from" and "('organization' was unexpected)" in message:
        # The older of the two knows no organization that gives a repository away.
        return True
    nullable = ("head/repo", "user", "original_line", "original_position")
    return place.endswith(nullable) and message.startswith("None is not")
