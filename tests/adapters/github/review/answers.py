"""What GitHub answers about pull requests under review, to be planned by scripts."""

import json
from collections.abc import Callable
from typing import Any

import httpx

from tests.adapters.github.scripted import BASE, HEAD, ok

WIDGETS = {"node_id": "R_1", "full_name": "octo/widgets", "archived": False}
GADGETS = {"node_id": "R_2", "full_name": "octo/gadgets", "archived": True}

Answer = dict[str, Any]


def repositories(*listed: object) -> httpx.Response:
    return ok({"total_count": len(listed), "repositories": list(listed)})


def page(*nodes: object, after: str | None = None) -> Answer:
    """A page of a list; ``after`` says that it goes on, and from where."""
    return {"nodes": list(nodes), "pageInfo": {"hasNextPage": after is not None, "endCursor": after}}


def listed(number: int, **changes: object) -> Answer:
    told = {"title": "Change", "url": f"https://github.test/octo/widgets/pull/{number}"}
    author = {"__typename": "User", "login": "alice"}
    return {"id": f"PR_{number}", "number": number, "author": author, **told, **changes}


def state(number: int, **changes: object) -> Answer:
    return {
        "id": f"PR_{number}",
        "state": "OPEN",
        "isDraft": False,
        "mergeable": "MERGEABLE",
        "headRefOid": HEAD,
        "baseRefName": "main",
        "baseRefOid": BASE,
        "updatedAt": "2026-11-29T12:00:00Z",
        "changedFiles": 1,
        "statusCheckRollup": {"state": "SUCCESS"},
        "reviews": page(),
        "reviewRequests": page(),
        "reviewThreads": page(),
        **changes,
    }


def nodes(*answered: object, errors: list[Answer] | None = None) -> httpx.Response:
    data: Answer = {"data": {"nodes": list(answered)}}
    return ok(data if errors is None else {**data, "errors": errors})


def asked_ids(request: httpx.Request) -> list[str]:
    """Read the ids of nodes that a request asks about."""
    ids: list[str] = json.loads(request.content)["variables"]["ids"]
    return ids


def document(request: httpx.Request) -> str:
    """Name the document that a request sends."""
    text: str = json.loads(request.content)["query"]
    return text.partition("query ")[2].partition("(")[0]


def by_document(**replies: Callable[[httpx.Request], httpx.Response] | httpx.Response) -> Callable[..., httpx.Response]:
    """Answer each document its own way."""

    def reply(request: httpx.Request) -> httpx.Response:
        planned = replies[document(request)]
        return planned(request) if callable(planned) else planned

    return reply
