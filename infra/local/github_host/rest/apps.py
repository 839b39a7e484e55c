"""The App about itself, tokens for its installations, and what such a token is for.

Source: "Create an installation access token for an app". Observed: the words for a suspended installation and for
permissions that it does not have, and that an empty list of permissions asks for all (PyGithub sends one). Assumed: the
words for a repository that it does not see, and for too many.
"""

from __future__ import annotations

from collections.abc import Mapping

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.answers.timestamps import timestamp
from infra.local.github_host.documents import accounts, repositories
from infra.local.github_host.documents.accounts import Document
from infra.local.github_host.people.permissions import narrowed, reading
from infra.local.github_host.repository import Repository
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Authority, Request, Resource

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
    asked: Mapping[str, str] = request.field("permissions", dict, {})
    permissions = narrowed(installation.permissions, asked or installation.permissions)
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


@apps.operation(
    "GET /installation/repositories",
    "apps/installations#list-repositories-accessible-to-the-app-installation",
    reading("metadata"),
)
def list_repositories(request: Request) -> Reply:
    """List repositories accessible to the app installation, those that the token is for."""
    seen = [one for one in request.token.repositories if request.token.acts_on(one) and not one.deleted]
    shown, headers = page(request, seen)
    listed = [repositories.repository(request.links, one) for one in shown]
    return Reply(200, {"total_count": len(seen), "repositories": listed}, headers)


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
