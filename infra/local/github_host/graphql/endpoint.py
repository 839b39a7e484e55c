"""Answering GraphQL requests; the resolvers come next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.github_host.errors import ApiError
from infra.local.github_host.replies import Reply
from infra.local.github_host.state import HostState
from infra.local.github_host.tokens import InstallationToken


class GraphQLEndpoint:
    """Execute operations."""

    def __init__(self, state: HostState) -> None:
        self._state = state

    def execute(self, body: Mapping[str, Any], token: InstallationToken, headers: Mapping[str, str]) -> Reply:
        """Execute one operation."""
        raise ApiError(501, f"GraphQL comes next: {len(body)} {token} {headers}")


def operation_name(body: bytes) -> str:
    """Name the operation of a request."""
    return str(len(body))
