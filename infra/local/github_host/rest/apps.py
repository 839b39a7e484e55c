"""The App about itself: tokens for its installations, and the deliveries it was sent."""

from __future__ import annotations

from collections.abc import Mapping

from infra.local.github_host.apps import Installation
from infra.local.github_host.documents import accounts, repositories
from infra.local.github_host.documents.accounts import Document
from infra.local.github_host.errors import ApiError, not_found, unprocessable
from infra.local.github_host.permissions import narrowed
from infra.local.github_host.replies import Reply
from infra.local.github_host.repository import Repository
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Authority, Request, Resource
from infra.local.github_host.timestamps import timestamp
from infra.local.github_host.webhooks.deliveries import Attempt, Delivery

MOST_REPOSITORIES = 500

apps = Resource()


@apps.operation("GET /app", "apps/apps#get-the-authenticated-app", authority=Authority.APP)
def get_app(request: Request) -> Reply:
    """Get the authenticated app."""
    count = sum(one.app is request.app and not one.removed for one in request.state.installations.values())
    return Reply(200, {**accounts.app(request.links, request.app), "installations_count": count})


@apps.operation(
    "POST /app/installations/{installation_id}/access_tokens",
    "apps/apps#create-an-installation-access-token-for-an-app",
    authority=Authority.APP,
)
def create_token(request: Request) -> Reply:
    """Create an installation access token for an app."""
    installation = request.state.installations.get(request.path["installation_id"])
    if installation is None or installation.app is not request.app or installation.removed:
        raise not_found()
    if installation.suspended_at is not None:
        raise ApiError(403, "This installation has been suspended")
    asked: Mapping[str, str] = request.field("permissions", dict, installation.permissions)
    permissions = narrowed(installation.permissions, asked)
    if permissions is None:
        raise unprocessable("The permissions requested are not granted to this installation.")
    chosen = _chosen_repositories(request, installation)
    token = request.services.tokens.mint(installation, chosen, permissions, request.state.now())
    document: Document = {
        "token": token.text,
        "expires_at": timestamp(token.expires_at),
        "permissions": dict(token.permissions),
        "repository_selection": "selected",
    }
    if token.selected:
        document["repositories"] = [repositories.repository(request.links, one) for one in token.repositories]
    return Reply(201, document)


@apps.operation("GET /app/hook/deliveries", "apps/webhooks#list-deliveries-for-an-app-webhook", authority=Authority.APP)
def list_deliveries(request: Request) -> Reply:
    """List deliveries for an app webhook: every attempt, newest first."""
    attempts = [(attempt, one) for one in _deliveries(request) for attempt in one.attempts]
    attempts.sort(key=lambda pair: pair[0].id, reverse=True)
    cursor = request.query.get("cursor", "")
    if cursor.isdigit():
        attempts = [pair for pair in attempts if pair[0].id < int(cursor)]
    shown, headers = page(request, attempts)
    if headers:
        headers = {"Link": f'<{request.url}?per_page={len(shown)}&cursor={shown[-1][0].id}>; rel="next"'}
    return Reply(200, [_delivery_item(attempt, one) for attempt, one in shown], headers)


@apps.operation(
    "POST /app/hook/deliveries/{delivery_id}/attempts",
    "apps/webhooks#redeliver-a-delivery-for-an-app-webhook",
    authority=Authority.APP,
)
def redeliver(request: Request) -> Reply:
    """Redeliver a delivery for an app webhook; the new attempt happens after this answer is decided."""
    wanted = request.path["delivery_id"]
    found = next((one for one in _deliveries(request) if any(a.id == wanted for a in one.attempts)), None)
    if found is None:
        raise not_found()
    request.state.afterwards(lambda: request.services.webhooks.deliver(found, redelivery=True))
    return Reply(202, {})


def _chosen_repositories(request: Request, installation: Installation) -> tuple[Repository, ...] | None:
    names: list[object] | None = request.field("repositories", list, None)
    numbers: list[object] | None = request.field("repository_ids", list, None)
    if names is None and numbers is None:
        return None
    asked = [*(names or ()), *(numbers or ())]
    if len(asked) > MOST_REPOSITORIES:
        raise unprocessable(f"A token may be for at most {MOST_REPOSITORIES} repositories.")
    known: dict[object, Repository] = {one.name: one for one in installation.repositories}
    known |= {one.id: one for one in installation.repositories}
    if any(one not in known for one in asked):
        message = (
            "There is at least one repository that does not exist or is not accessible to the parent installation."
        )
        raise unprocessable(message)
    return tuple(dict.fromkeys(known[one] for one in asked))


def _deliveries(request: Request) -> list[Delivery]:
    return [one for one in request.services.webhooks.deliveries if one.app is request.app]


def _delivery_item(attempt: Attempt, delivery: Delivery) -> dict[str, object]:
    repository = delivery.payload.get("repository")
    status = (
        "OK" if attempt.succeeded else "failed to connect to host" if attempt.status == 0 else "Invalid HTTP Response"
    )
    return {
        "id": attempt.id,
        "guid": delivery.guid,
        "delivered_at": timestamp(attempt.at),
        "redelivery": attempt.redelivery,
        "duration": 0.01,
        "status": f"{status}: {attempt.status}" if status.startswith("Invalid") else status,
        "status_code": attempt.status,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": None if delivery.installation is None else delivery.installation.id,
        "repository_id": None if repository is None else repository["id"],
        "throttled_at": None,
    }
