"""Repositories and branches as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import timestamp
from infra.local.github_host.documents.accounts import Document, account
from infra.local.github_host.git.repositories import GitRepository

_BELOW = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}


def minimal_repository(links: Links, one: GitRepository) -> Document:
    """Show what every mention of a repository contains (schema ``minimal-repository``)."""
    api = links.repository(one.full_name)
    return {
        "id": one.id,
        "node_id": one.node_id,
        "name": one.name,
        "full_name": one.full_name,
        "private": one.private,
        "owner": account(links, one.owner),
        "html_url": links.page(one.full_name),
        "description": None,
        "fork": one.fork_of is not None,
        "url": api,
        **{name: api + path for name, path in _BELOW.items()},
    }


def repository(links: Links, one: GitRepository) -> Document:
    """Show a repository (schema ``repository``), as pull requests and webhooks do."""
    page = links.page(one.full_name)
    host = links.web.partition("://")[2]
    created = timestamp(one.created_at)
    open_pulls = len(one.open_pulls)
    return {
        **minimal_repository(links, one),
        "created_at": created,
        "updated_at": created,
        "pushed_at": created,
        "git_url": f"git://{host}/{one.full_name}.git",
        "ssh_url": f"git@{host}:{one.full_name}.git",
        "clone_url": f"{page}.git",
        "svn_url": page,
        "homepage": None,
        "size": 0,
        "stargazers_count": 0,
        "watchers_count": 0,
        "language": None,
        "has_issues": True,
        "has_projects": False,
        "has_downloads": True,
        "has_wiki": False,
        "has_pages": False,
        "has_discussions": False,
        "forks_count": 0,
        "mirror_url": None,
        "archived": one.archived,
        "disabled": False,
        "open_issues_count": open_pulls,
        "license": None,
        "allow_forking": True,
        "is_template": False,
        "web_commit_signoff_required": False,
        "topics": [],
        "custom_properties": {},
        "visibility": "private" if one.private else "public",
        "forks": 0,
        "open_issues": open_pulls,
        "watchers": 0,
        "default_branch": one.default_branch,
    }


def full_repository(links: Links, one: GitRepository, permissions: Mapping[str, str]) -> Document:
    """Show a repository by itself (schema ``full-repository``) to somebody with these permissions."""
    writes = permissions.get("contents") == "write"
    return {
        **repository(links, one),
        "permissions": {"admin": False, "maintain": False, "push": writes, "triage": False, "pull": True},
        "network_count": 0,
        "subscribers_count": 0,
    }


def branch(links: Links, one: GitRepository, name: str, commit: Document) -> Document:
    """Show a branch and what protects it (schema ``branch-with-protection``).

    Observed: rulesets alone make it ``protected`` as well. Assumed: ``enabled`` speaks of the classic protection.
    """
    api = f"{links.repository(one.full_name)}/branches/{quote(name)}"
    protected, contexts = one.is_protected(name), list(one.required_contexts(name))
    return {
        "name": name,
        "commit": commit,
        "_links": {"self": api, "html": links.page(one.full_name, "tree", name)},
        "protected": protected or any(rule.applies_to(name) for rule in one.rules),
        "protection": {
            "enabled": protected,
            "required_status_checks": {
                "enforcement_level": "everyone" if contexts else "off",
                "contexts": contexts,
                "checks": [{"context": one, "app_id": None} for one in contexts],
            },
        },
        "protection_url": f"{api}/protection",
    }


def branch_rule(one: GitRepository, rule_type: str, parameters: Mapping[str, Any], ruleset_id: int) -> Document:
    """Show a ruleset rule that applies to a branch (schema ``repository-rule-detailed``)."""
    document: Document = {
        "type": rule_type,
        "ruleset_source_type": "Repository",
        "ruleset_source": one.full_name,
        "ruleset_id": ruleset_id,
    }
    return {**document, "parameters": dict(parameters)} if parameters else document
