"""Accounts, Apps and installations as JSON."""

from __future__ import annotations

from typing import Any

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import optional_timestamp, timestamp
from infra.local.github_host.people.accounts import Account, AccountType, Team
from infra.local.github_host.people.apps import App

Document = dict[str, Any]


def account(links: Links, one: Account) -> Document:
    """Show an account (schema ``simple-user``)."""
    api = f"{links.api}/users/{one.login}"
    page = f"{links.web}/apps/{one.login.removesuffix('[bot]')}" if one.type is AccountType.BOT else None
    return {
        "login": one.login,
        "id": one.id,
        "node_id": one.node_id,
        "avatar_url": f"{links.web}/avatars/{one.id}.png",
        "gravatar_id": "",
        "url": api,
        "html_url": page or f"{links.web}/{one.login}",
        "followers_url": f"{api}/followers",
        "following_url": f"{api}/following{{/other_user}}",
        "gists_url": f"{api}/gists{{/gist_id}}",
        "starred_url": f"{api}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{api}/subscriptions",
        "organizations_url": f"{api}/orgs",
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events{{/privacy}}",
        "received_events_url": f"{api}/received_events",
        "type": str(one.type),
        "site_admin": False,
    }


def team(links: Links, one: Team) -> Document:
    """Show a team (schema ``team-simple``)."""
    api = f"{links.api}/teams/{one.id}"
    return {
        "id": one.id,
        "node_id": one.node_id,
        "name": one.slug,
        "slug": one.slug,
        "description": None,
        "permission": "pull",
        "type": "organization",
        "url": api,
        "html_url": f"{links.web}/teams/{one.slug}",
        "members_url": f"{api}/members{{/member}}",
        "repositories_url": f"{api}/repos",
    }


def author(links: Links, one: Account) -> Document | None:
    """Show who wrote something, null when the account is gone.

    That REST says null, and not the name of the account that stands in for all that are gone, is assumed.
    """
    return None if one.deleted else account(links, one)


def organization(links: Links, one: Account) -> Document:
    """Show the organization that owns a repository, as webhooks do."""
    api = f"{links.api}/orgs/{one.login}"
    return {
        "login": one.login,
        "id": one.id,
        "node_id": one.node_id,
        "url": api,
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events",
        "hooks_url": f"{api}/hooks",
        "issues_url": f"{api}/issues",
        "members_url": f"{api}/members{{/member}}",
        "public_members_url": f"{api}/public_members{{/member}}",
        "avatar_url": f"{links.web}/avatars/{one.id}.png",
        "description": None,
    }


def app(links: Links, one: App) -> Document:
    """Show an App (schema ``integration``)."""
    page = f"{links.web}/apps/{one.slug}"
    return {
        "id": one.app_id,
        "slug": one.slug,
        "node_id": one.node_id,
        "owner": account(links, one.owner),
        "name": one.slug,
        "description": None,
        "external_url": page,
        "html_url": page,
        "created_at": timestamp(one.created_at),
        "updated_at": timestamp(one.created_at),
        "permissions": dict(one.permissions),
        "events": list(one.events),
    }


def installation(links: Links, one: Installation) -> Document:
    """Show an installation, as webhooks about it do."""
    api = f"{links.api}/app/installations/{one.id}"
    return {
        "id": one.id,
        "account": account(links, one.account),
        "repository_selection": "selected",
        "access_tokens_url": f"{api}/access_tokens",
        "repositories_url": f"{links.api}/installation/repositories",
        "html_url": f"{links.web}/settings/installations/{one.id}",
        "app_id": one.app.app_id,
        "app_slug": one.app.slug,
        "target_id": one.account.id,
        "target_type": str(one.account.type),
        "permissions": dict(one.permissions),
        "events": list(one.app.events),
        "created_at": timestamp(one.created_at),
        "updated_at": timestamp(one.suspended_at or one.created_at),
        "single_file_name": None,
        "suspended_by": None if one.suspended_at is None else account(links, one.account),
        "suspended_at": optional_timestamp(one.suspended_at),
    }
