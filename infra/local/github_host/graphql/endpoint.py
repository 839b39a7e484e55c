"""Answering GraphQL requests with GitHub's own schema, executed over the host's state."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
    OperationType,
    build_schema,
    execute_sync,
    get_operation_ast,
    parse,
    validate,
)

from infra.local.github_host.access.tokens import InstallationToken
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.answers.timestamps import timestamp
from infra.local.github_host.graphql.context import Context, RateLimit
from infra.local.github_host.graphql.cost import NOTHING, Cost, cost_of, excess
from infra.local.github_host.graphql.errors import Document, execution_error, only_errors, request_errors
from infra.local.github_host.graphql.resolvers import resolve_field, resolve_type
from infra.local.github_host.host_state import HostState
from infra.local.github_host.replicas import View


@cache
def served_schema() -> GraphQLSchema:
    """Return the part of GitHub's schema that the host serves."""
    return build_schema((files(__package__) / "schema.graphql").read_text(encoding="utf-8"), assume_valid=True)


@dataclass(frozen=True)
class Operation:
    """An operation before it is executed: what it costs, and what is wrong with it already.

    Without a document there is nothing to execute, only ``problems`` to tell.
    """

    document: DocumentNode | None
    problems: Sequence[Document] = ()
    name: str | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)
    cost: Cost = NOTHING
    writes: bool = False

    @property
    def points(self) -> int:
        """What it costs of the hour's points."""
        return self.cost.points


def prepare(body: Mapping[str, Any], most_nodes: int) -> Operation:
    """Read a request, check it against the schema and work out what it costs.

    An operation that asks for more than ``most_nodes`` is not executed.
    """
    text, given, name = body.get("query"), body.get("variables"), body.get("operationName")
    if not isinstance(text, str):
        return Operation(None, [{"message": "A query attribute must be specified and must be a string."}])
    document, problems = _parse(text)
    if document is None:
        return Operation(None, problems)
    variables = given if isinstance(given, dict) else {}
    asked = get_operation_ast(document, name)
    if asked is None:
        # Which of several is meant, or that there is none of that name, is told on execution.
        return Operation(document, name=name, variables=variables)
    cost = cost_of(served_schema(), document, asked, variables)
    complaint = excess(cost, most_nodes)
    if complaint is not None:
        return Operation(None, [{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": complaint}])
    writes = asked.operation is OperationType.MUTATION
    return Operation(document, name=name, variables=variables, cost=cost, writes=writes)


def execute(
    state: HostState, operation: Operation, token: InstallationToken, limits: Mapping[str, str], view: View
) -> Reply:
    """Execute one operation; what is wrong with it comes as errors in an answer of status 200."""
    if operation.document is None:
        return Reply(200, only_errors(operation.problems), limits)
    result = execute_sync(
        served_schema(),
        operation.document,
        context_value=Context(state, token, _rate_limit(operation.cost, limits), view),
        variable_values=dict(operation.variables),
        operation_name=operation.name,
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
def _parse(text: str) -> tuple[DocumentNode | None, list[Document]]:
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        return None, [{"message": error.message}]
    errors = validate(served_schema(), document)
    return (None, request_errors(served_schema(), text, errors)) if errors else (document, [])


def _rate_limit(cost: Cost, limits: Mapping[str, str]) -> RateLimit | None:
    if not limits:
        return None
    resets_at = datetime.fromtimestamp(int(limits["X-RateLimit-Reset"]), UTC)
    limit, remaining = int(limits["X-RateLimit-Limit"]), int(limits["X-RateLimit-Remaining"])
    return RateLimit(cost.points, cost.nodes, limit, remaining, timestamp(resets_at))
