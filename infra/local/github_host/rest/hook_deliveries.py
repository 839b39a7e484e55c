"""The deliveries that an App was sent, and sending them again.

Sources: "REST API endpoints for GitHub App webhooks", "Redelivering webhooks". A cursor looks like those that are
seen in ``Link`` headers; nobody should read it. How GitHub refuses a bad cursor or a missing address is not documented
beyond the status 422.
"""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.rest.paging import page_size
from infra.local.github_host.rest.routing import Authority, Request, Resource
from infra.local.github_host.webhooks.deliveries import Attempt, Delivery
from infra.local.github_host.webhooks.documents import delivery_item, full_delivery

RETENTION = timedelta(days=3)
_CURSOR = "v1_"
_FILTERS = {None: {True, False}, "success": {True}, "failure": {False}}

hook_deliveries = Resource()


@hook_deliveries.operation(
    "GET /app/hook/deliveries", "apps/webhooks#list-deliveries-for-an-app-webhook", authority=Authority.APP
)
def list_deliveries(request: Request) -> Reply:
    """List deliveries for an app webhook: every attempt of the last three days, newest first."""
    wanted = request.query.get("status")
    if wanted not in _FILTERS:
        raise _invalid("status")
    newest = _newest(request)
    found = [
        pair
        for pair in reversed(_attempts(request))
        if pair[1].succeeded in _FILTERS[wanted] and (newest is None or pair[1].id <= newest)
    ]
    size = page_size(request)
    shown, rest = found[:size], found[size:]
    headers = {}
    if rest:
        query = urlencode({**request.query, "per_page": size, "cursor": f"{_CURSOR}{rest[0][1].id}"})
        headers["Link"] = f'<{request.url}?{query}>; rel="next"'
    return Reply(200, [delivery_item(*pair) for pair in shown], headers)


@hook_deliveries.operation(
    "GET /app/hook/deliveries/{delivery_id}", "apps/webhooks#get-a-delivery-for-an-app-webhook", authority=Authority.APP
)
def get_delivery(request: Request) -> Reply:
    """Get a delivery for an app webhook: one attempt, with what was sent and answered."""
    return Reply(200, full_delivery(*_found(request)))


@hook_deliveries.operation(
    "POST /app/hook/deliveries/{delivery_id}/attempts",
    "apps/webhooks#redeliver-a-delivery-for-an-app-webhook",
    authority=Authority.APP,
)
def redeliver(request: Request) -> Reply:
    """Redeliver a delivery for an app webhook: the same guid and body, to where the webhook points now."""
    delivery, _ = _found(request)
    if request.app.webhook_url is None:
        raise _invalid("url")
    request.state.afterwards(lambda: request.services.webhooks.deliver(delivery, redelivery=True))
    return Reply(202, {})


def _invalid(field: str) -> ApiError:
    return unprocessable("Validation Failed", {"resource": "Hook", "field": field, "code": "invalid"})


def _newest(request: Request) -> int | None:
    cursor = request.query.get("cursor")
    if cursor is None:
        return None
    number = cursor.removeprefix(_CURSOR)
    if not cursor.startswith(_CURSOR) or not (number.isascii() and number.isdigit()):
        raise _invalid("cursor")
    return int(number)


def _attempts(request: Request) -> list[tuple[Delivery, Attempt]]:
    since = request.state.now() - RETENTION
    deliveries = [one for one in request.services.webhooks.deliveries if one.app is request.app]
    kept = [(one, attempt) for one in deliveries for attempt in one.attempts if attempt.at >= since]
    return sorted(kept, key=lambda pair: pair[1].id)


def _found(request: Request) -> tuple[Delivery, Attempt]:
    wanted = request.path["delivery_id"]
    found = next((pair for pair in _attempts(request) if pair[1].id == wanted), None)
    if found is None:
        raise not_found()
    return found
