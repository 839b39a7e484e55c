"""What each webhook says.

Source: "Webhook events and payloads".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from infra.local.github_host.access.installations import Installation
from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import timestamp
from infra.local.github_host.documents import accounts, checks, comments, pulls, repositories
from infra.local.github_host.documents.accounts import Document
from infra.local.github_host.events import Event
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.people.accounts import Account, AccountType
from infra.local.github_host.people.apps import App

ZEN = "Small things, kept true."


def _installation(links: Links, subject: Any) -> Document:
    return {
        "installation": accounts.installation(links, subject),
        "repositories": [
            {name: getattr(one, name) for name in ("id", "node_id", "name", "full_name", "private")}
            for one in subject.repositories
        ],
    }


def _ping(links: Links, subject: Any) -> Document:
    hooks = f"{links.api}/app/hook"
    at = timestamp(subject.created_at)
    return {
        "zen": ZEN,
        "hook_id": subject.hook_id,
        "hook": {
            "type": "App",
            "id": subject.hook_id,
            "name": "web",
            "active": True,
            "app_id": subject.app_id,
            "events": list(subject.events),
            "config": {"content_type": "json", "url": subject.webhook_url or links.web, "insecure_ssl": "0"},
            "created_at": at,
            "updated_at": at,
            "url": hooks,
            "ping_url": f"{hooks}/pings",
            "deliveries_url": f"{hooks}/deliveries",
        },
    }


def _thread(links: Links, subject: Any) -> Document:
    return {
        "thread": {
            "node_id": subject.node_id,
            "comments": [comments.review_comment(links, one) for one in subject.comments],
        },
        "pull_request": pulls.simple_pull(links, subject.pull),
    }


def _review(links: Links, subject: Any) -> Document:
    return {
        "review": comments.review_in_webhook(links, subject),
        "pull_request": pulls.simple_pull(links, subject.pull),
    }


def _review_comment(links: Links, subject: Any) -> Document:
    return {
        "comment": comments.review_comment(links, subject),
        "pull_request": pulls.simple_pull(links, subject.pull),
    }


def _issue_comment(links: Links, subject: Any) -> Document:
    return {"issue": pulls.issue(links, subject.pull), "comment": comments.issue_comment(links, subject)}


def _pull_request(links: Links, subject: Any) -> Document:
    return {"number": subject.number, "pull_request": pulls.full_pull(links, subject)}


def _check_run(links: Links, subject: Any) -> Document:
    return {"check_run": checks.check_run_in_webhook(links, subject)}


def _former_owner(links: Links, former: Account) -> Document:
    if former.type is AccountType.ORGANIZATION:
        return {"organization": accounts.organization(links, former)}
    return {"user": accounts.account(links, former)}


_SUBJECTS: Mapping[str, Callable[[Links, Any], Document]] = {
    "check_run": _check_run,
    "installation": _installation,
    "issue_comment": _issue_comment,
    "ping": _ping,
    "pull_request": _pull_request,
    "pull_request_review": _review,
    "pull_request_review_comment": _review_comment,
    "pull_request_review_thread": _thread,
    "repository": lambda _links, _subject: {},
}
EVENTS = frozenset(_SUBJECTS)
# Every App hears of these, whatever it subscribed to.
UNASKED = frozenset({"installation", "ping"})


def payload(links: Links, event: Event, installation: Installation | None) -> Document:
    """Write the payload that tells one installation what happened."""
    document: Document = {} if event.action is None else {"action": event.action}
    extra = dict(event.extra)
    if "former" in extra:
        extra = {"changes": {"owner": {"from": _former_owner(links, extra["former"])}}}
    document |= {**_SUBJECTS[event.name](links, event.subject), **extra}
    repository: GitRepository | None = event.repository
    if repository is not None:
        document["repository"] = repositories.repository(links, repository)
        if repository.owner.type is AccountType.ORGANIZATION:
            document["organization"] = accounts.organization(links, repository.owner)
        if installation is not None:
            document["installation"] = {"id": installation.id, "node_id": installation.node_id}
    if not isinstance(event.subject, App):
        document["sender"] = accounts.account(links, event.sender)
    return document
