"""Lists in pages, the GraphQL way.

Source: "Using pagination in the GraphQL API": ``first`` or ``last`` is demanded, 100 is the most. Observed: it is
demanded of the field that lists something, not of one that merely counts, and the rest of the data is answered.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphql import FieldNode

from infra.local.github_host.graphql.context import Info
from infra.local.github_host.graphql.errors import Refused

LARGEST_PAGE = 100


@dataclass(frozen=True)
class PageInfo:
    """Where a page ends, and whether there is more."""

    has_next_page: bool
    end_cursor: str | None


@dataclass(frozen=True)
class Connection:
    """One page of a list, which has ``total_count`` items in all."""

    nodes: Sequence[Any]
    total_count: int
    page_info: PageInfo


@dataclass(frozen=True)
class Page:
    """Which page is asked for: how many items, and behind which cursor."""

    first: int
    after: str | None


def connect(
    info: Info, items: Sequence[Any], first: int | None = None, after: str | None = None, **other: Any
) -> Connection:
    """Answer a connection; Refused without bounds, with bounds too wide, and for reading backwards."""
    name = info.field_name
    if any(value is not None for value in other.values()):
        raise Refused("UNPROCESSABLE", f"The host does not page the `{name}` connection by {', '.join(other)}.")
    if first is None and _only_counts(info):
        return Connection((), len(items), PageInfo(has_next_page=bool(items), end_cursor=None))
    if first is None:
        message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
        raise Refused("MISSING_PAGINATION_BOUNDARIES", message)
    return cut(name, items, first, after)


def cut(name: str, items: Sequence[Any], first: int, after: str | None) -> Connection:
    """Cut a page out of a list; Refused with bounds too wide. ``name`` is the connection's, for the complaint."""
    if not 0 <= first <= LARGEST_PAGE:
        asked = f"Requesting {first} records on the `{name}` connection"
        raise Refused("EXCESSIVE_PAGINATION", f"{asked} exceeds the `first` limit of {LARGEST_PAGE} records.")
    start = _position(name, after)
    end = min(start + first, len(items))
    cursor = _cursor(end) if end > start else None
    return Connection(items[start:end], len(items), PageInfo(end < len(items), cursor))


def _only_counts(info: Info) -> bool:
    selected = [one for node in info.field_nodes if node.selection_set for one in node.selection_set.selections]
    return all(isinstance(one, FieldNode) and one.name.value in {"totalCount", "__typename"} for one in selected)


def _cursor(position: int) -> str:
    return base64.b64encode(f"cursor:v2:{position}".encode()).decode()


def _position(name: str, cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        prefix, _, position = base64.b64decode(cursor, validate=True).decode().rpartition(":")
        if prefix == "cursor:v2":
            return int(position)
    except (binascii.Error, ValueError):
        pass
    raise Refused("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor for `{name}`.")
