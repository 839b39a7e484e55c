"""Moving refs over GraphQL.

Source: "Mutations: updateRefs": all updates or none, each compared with where its ref is said to be. The words of the
refusals are assumed from the neighbouring mutation ``createCommitOnBranch`` and from REST.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.github_host.git.ref_updates import RefRefused
from infra.local.github_host.git.ref_updates import update_refs as update
from infra.local.github_host.git.store import ZERO_SHA, RefUpdate
from infra.local.github_host.graphql.context import Info
from infra.local.github_host.graphql.errors import Refused, forbidden
from infra.local.github_host.people.permissions import Need
from infra.local.github_host.repository import Repository


def update_refs(_root: None, info: Info, **arguments: Any) -> dict[str, Any]:
    """Create, move and delete refs; Refused, and no ref moves, when one update is not allowed."""
    context = info.context
    given = arguments["input"]
    repository = context.repository_node(given["repositoryId"])
    if not (context.token.acts_on(repository) and context.token.allows(Need("contents", "write"))):
        raise forbidden()
    if repository.archived:
        raise Refused("FORBIDDEN", "Repository was archived so is read-only.")
    asked = [(_checked(repository, one), bool(one.get("force"))) for one in given["refUpdates"]]
    try:
        workflows = context.token.allows(Need("workflows", "write"))
        update(repository, asked, by=context.token.installation.app.bot, workflows=workflows)
    except RefRefused as refused:
        raise Refused("FORBIDDEN" if refused.status == 403 else "UNPROCESSABLE", refused.message) from None
    return {"clientMutationId": given.get("clientMutationId")}


def _checked(repository: Repository, asked: Mapping[str, Any]) -> RefUpdate:
    name, before, after = asked["name"], asked.get("beforeOid"), asked["afterOid"]
    current = repository.store.ref(name)
    found = ZERO_SHA if current is None else current.sha
    if before is not None and before != found:
        message = f'Expected branch to point to "{before}" but it did not. Pull and try again.'
        raise Refused("STALE_DATA", message)
    if found == after == ZERO_SHA:
        raise Refused("UNPROCESSABLE", "Reference does not exist")
    return RefUpdate(name, found, after)
