"""How the whole of a request is refused: the bodies that REST and GraphQL give their refusals.

Source: "Troubleshooting the REST API", "Getting started with the REST API" (every request must say who makes it, in a
``User-Agent`` header). The words about limits, about requests that took too long and about that header are observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.github_host.answers.errors import ApiError
from infra.local.github_host.answers.replies import Reply

DOCUMENTATION = "https://docs.github.com"
SECONDARY_LIMIT = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
CONTENT_LIMIT = (
    "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. "
    "Please retry your request again later."
)
_ABOUT_LIMITS = "rest/using-the-rest-api/rate-limits-for-the-rest-api"
_ANONYMOUS = (
    "Request forbidden by administrative rules. Please make sure your request has a User-Agent header "
    "(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). "
    "Check https://developer.github.com for other possible causes.\n"
)
_TOO_LONG = "We couldn't respond to your request in time."
_TOO_LONG_QUERY = (
    "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."
)


def refusal(error: ApiError, documentation: str) -> Reply:
    """Write a refusal with the page that explains the operation."""
    body: dict[str, Any] = {"message": error.message}
    if error.errors:
        body["errors"] = list(error.errors)
    body |= {"documentation_url": f"{DOCUMENTATION}/{documentation}", "status": str(error.status)}
    return Reply(error.status, body, error.headers)


def anonymous() -> Reply:
    """Refuse a request that does not say who makes it; no JSON, for it comes from before the API."""
    return Reply(403, _ANONYMOUS)


def moved(method: str, url: str) -> Reply:
    """Send the caller to where a repository is now.

    Source: "Best practices for using the REST API", following redirects. Observed: reading is answered with 301 and
    writing, whose method and body must stay, with 307 under the same words.
    """
    documentation = f"{DOCUMENTATION}/rest/guides/best-practices-for-using-the-rest-api#follow-redirects"
    body = {"message": "Moved Permanently", "url": url, "documentation_url": documentation}
    return Reply(301 if method == "GET" else 307, body, {"Location": url})


def throttled(message: str, headers: Mapping[str, str]) -> Reply:
    """Refuse because of a secondary limit."""
    return refusal(ApiError(403, message, headers=headers), f"{_ABOUT_LIMITS}#about-secondary-rate-limits")


def exhausted(caller: str, headers: Mapping[str, str], *, over_graphql: bool) -> Reply:
    """Refuse because of the primary limit; GraphQL says so in an answer of status 200."""
    message = f"API rate limit exceeded for {caller}."
    if over_graphql:
        return Reply(200, {"errors": [{"type": "RATE_LIMITED", "message": message}]}, headers)
    return refusal(ApiError(403, message, headers=headers), f"{_ABOUT_LIMITS}#about-primary-rate-limits")


def took_too_long(status: int, *, over_graphql: bool) -> Reply:
    """Say that the request was ended before it had an answer; it may have had an effect."""
    if over_graphql:
        return Reply(status, {"data": None, "errors": [{"message": _TOO_LONG_QUERY}]})
    return Reply(status, {"message": _TOO_LONG})
