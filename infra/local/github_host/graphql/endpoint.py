"""Answering GraphQL requests with GitHub's own schema, executed over the host's state."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from infra.local.github_host.graphql.context import Context, RateLimit
from infra.local.github_host.graphql.errors import Document, execution_error, only_errors, request_errors
from infra.local.github_host.graphql.resolvers import resolve_field, resolve_type
from infra.local.github_host.replies import Reply
from infra.local.github_host.state import HostState
from infra.local.github_host.timestamps import timestamp
from infra.local.github_host.tokens import InstallationToken


@cache
def served_schema() -> GraphQLSchema:
    """Return the part of GitHub's schema that the host serves."""
    return build_schema((files(__package__) / "schema.graphql").read_text(encoding="utf-8"), assume_valid=True)


def execute(state: HostState, body: Mapping[str, Any], token: InstallationToken, limits: Mapping[str, str]) -> Reply:
    """Execute one operation; what is wrong with it comes as errors in an answer of status 200."""
    text, variables = body.get("query"), body.get("variables")
    if not isinstance(text, str):
        return Reply(
            200, only_errors([{"message": "A query attribute must be specified and must be a string."}]), limits
        )
    document, problems = _prepare(text)
    if document is None:
        return Reply(200, only_errors(problems), limits)
    result = execute_sync(
        served_schema(),
        document,
        context_value=Context(state, token, _rate_limit(limits)),
        variable_values=variables if isinstance(variables, dict) else {},
        operation_name=body.get("operationName"),
        field_resolver=resolve_field,
        type_resolver=resolve_type,
    )
    answer: Document = {"data": result.data}
    if result.errors:
        answer["errors"] = [execution_error(error) for error in result.errors]
    if result.data is None and result.errors and not any(error.path for error in result.errors):
        del answer["data"]
    return Reply(200, answer, limits)


def operation_name(body: bytes) -> str:
    """Name the operation of a request, ``anonymous`` when it has no name or is no GraphQL."""
    try:
        asked = json.loads(body)
        if asked.get("operationName"):
            return str(asked["operationName"])
        definitions = parse(asked["query"]).definitions
    except (ValueError, KeyError, TypeError, AttributeError, GraphQLError):
        return "anonymous"
    names = (one.name.value for one in definitions if isinstance(one, OperationDefinitionNode) and one.name)
    return next(names, "anonymous")


@lru_cache(maxsize=64)
def _prepare(text: str) -> tuple[DocumentNode | None, list[Document]]:
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        return None, [{"message": error.message}]
    errors = validate(served_schema(), document)
    return (None, request_errors(served_schema(), text, errors)) if errors else (document, [])


def _rate_limit(limits: Mapping[str, str]) -> RateLimit:
    resets_at = datetime.fromtimestamp(int(limits["X-RateLimit-Reset"]), UTC)
    return RateLimit(int(limits["X-RateLimit-Limit"]), int(limits["X-RateLimit-Remaining"]), timestamp(resets_at))
