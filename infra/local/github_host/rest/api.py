"""All REST operations the host serves, and how an address finds its operation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from infra.local.github_host.answers.errors import not_found
from infra.local.github_host.rest.actions import actions
from infra.local.github_host.rest.apps import apps
from infra.local.github_host.rest.checks import checks
from infra.local.github_host.rest.comparisons import comparisons
from infra.local.github_host.rest.git_objects import git_objects
from infra.local.github_host.rest.git_refs import git_refs
from infra.local.github_host.rest.git_trees import git_trees
from infra.local.github_host.rest.hook_deliveries import hook_deliveries
from infra.local.github_host.rest.issue_comments import issue_comments
from infra.local.github_host.rest.pulls import pull_requests
from infra.local.github_host.rest.repositories import repository
from infra.local.github_host.rest.review_comments import review_comments
from infra.local.github_host.rest.reviews import reviews
from infra.local.github_host.rest.routing import Route

ROUTES: tuple[Route, ...] = tuple(
    route
    for resource in (
        actions,
        apps,
        checks,
        comparisons,
        git_objects,
        git_refs,
        git_trees,
        hook_deliveries,
        issue_comments,
        pull_requests,
        repository,
        review_comments,
        reviews,
    )
    for route in resource.routes
)
_PARAMETER = re.compile(r"\{(\w+)\}")
_NUMBERS = ("_id", "_number")
# These may contain slashes.
_PATHS = frozenset({"basehead", "branch", "ref", "tree_sha"})


def _rule(route: Route) -> Rule:
    def converted(parameter: re.Match[str]) -> str:
        name = parameter[1]
        kind = "int:" if name.endswith(_NUMBERS) else "path:" if name in _PATHS else ""
        return f"<{kind}{name}>"

    return Rule(_PARAMETER.sub(converted, route.template), methods=[route.method], endpoint=route)


_ADDRESSES = Map([_rule(route) for route in ROUTES], merge_slashes=False, strict_slashes=True)


def find_route(method: str, path: str) -> tuple[Route, Mapping[str, Any]]:
    """Return the operation of a method and a decoded path below the API's root, and the path's parameters.

    ApiError 404 when there is none.
    """
    try:
        route, parameters = _ADDRESSES.bind("localhost").match(path, method)
    except HTTPException:
        raise not_found() from None
    return route, parameters
