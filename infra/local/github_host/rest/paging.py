"""Lists in pages.

Source: "Using pagination in the REST API": 30 a page unless asked otherwise, 100 at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from infra.local.github_host.rest.routing import Request

DEFAULT_SIZE = 30
LARGEST_SIZE = 100

Item = TypeVar("Item")


def page(request: Request, items: Sequence[Item], size: int = DEFAULT_SIZE) -> tuple[Sequence[Item], dict[str, str]]:
    """Cut the page that was asked for and return it with its ``Link`` header.

    What is not a number, or not positive, counts as not given.
    """
    per_page = page_size(request, size)
    number = _number(request.query, "page") or 1
    last = max(1, -(-len(items) // per_page))
    targets = {"prev": number - 1, "first": 1} if number > 1 else {}
    if number < last:
        targets |= {"next": number + 1, "last": last}
    addresses = [f'<{_address(request, target)}>; rel="{name}"' for name, target in targets.items()]
    start = (number - 1) * per_page
    return items[start : start + per_page], {"Link": ", ".join(addresses)} if addresses else {}


def page_size(request: Request, size: int = DEFAULT_SIZE) -> int:
    """Return how many items a page has: what was asked for, up to the largest, or ``size``."""
    return min(_number(request.query, "per_page") or size, LARGEST_SIZE)


def _number(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    return int(text) or None if text.isascii() and text.isdigit() else None


def _address(request: Request, number: int) -> str:
    return f"{request.url}?{urlencode({**request.query, 'page': number})}"
