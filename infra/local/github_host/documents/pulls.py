"""Pull requests as JSON."""

from __future__ import annotations

from urllib.parse import quote

from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import optional_timestamp, timestamp
from infra.local.github_host.documents.accounts import Document, account, author, team
from infra.local.github_host.documents.repositories import repository
from infra.local.github_host.git.repositories import GitRepository
from infra.local.github_host.people.accounts import Account, Team
from infra.local.github_host.pulls.labels import Label
from infra.local.github_host.pulls.pulls import Pull


def simple_pull(links: Links, pull: Pull) -> Document:
    """Show a pull request without what takes computing, as webhooks about reviews do.

    That a fork which was deleted is shown as null, against GitHub's own description, is assumed.
    """
    repo = pull.repository
    api = f"{links.repository(repo.full_name)}/pulls/{pull.number}"
    issue = f"{links.repository(repo.full_name)}/issues/{pull.number}"
    page = links.page(repo.full_name, "pull", pull.number)
    addresses = {
        "self": api,
        "html": page,
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{api}/comments",
        "review_comment": f"{links.repository(repo.full_name)}/pulls/comments{{/number}}",
        "commits": f"{api}/commits",
        "statuses": f"{links.repository(repo.full_name)}/statuses/{pull.head_sha}",
    }
    head_repository = None if pull.head_repository.deleted else pull.head_repository
    return {
        "url": api,
        "id": pull.id,
        "node_id": pull.node_id,
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": issue,
        "number": pull.number,
        "state": "open" if pull.is_open else "closed",
        "locked": pull.locked,
        "title": pull.title,
        "user": author(links, pull.author),
        "body": pull.body or None,
        "created_at": timestamp(pull.created_at),
        "updated_at": timestamp(pull.updated_at),
        "closed_at": optional_timestamp(pull.closed_at),
        "merged_at": None,
        "merge_commit_sha": None,
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [account(links, one) for one in pull.requested if isinstance(one, Account)],
        "requested_teams": [team(links, one) for one in pull.requested if isinstance(one, Team)],
        "labels": [_label(links, repo, one) for one in pull.labels],
        "milestone": None,
        "draft": pull.draft,
        "commits_url": addresses["commits"],
        "review_comments_url": addresses["review_comments"],
        "review_comment_url": addresses["review_comment"],
        "comments_url": addresses["comments"],
        "statuses_url": addresses["statuses"],
        "head": _end(links, pull.head_repository.owner, head_repository, pull.head_ref, pull.head_sha),
        "base": _end(links, repo.owner, repo, pull.base_ref, pull.base_sha),
        "_links": {name: {"href": address} for name, address in addresses.items()},
        "author_association": repo.collaborators.association(pull.author),
        "auto_merge": None,
        "active_lock_reason": pull.lock_reason,
    }


def full_pull(links: Links, pull: Pull) -> Document:
    """Show a pull request with its counts (schema ``pull-request``)."""
    files = pull.changed_files()
    return {
        **simple_pull(links, pull),
        "merged": False,
        "mergeable": pull.mergeable,
        "rebaseable": pull.mergeable,
        "mergeable_state": {None: "unknown", True: "clean", False: "dirty"}[pull.mergeable],
        "merged_by": None,
        "comments": len(pull.comments),
        "review_comments": sum(len(thread.comments) for thread in pull.threads),
        "maintainer_can_modify": False,
        "commits": len(pull.commits()),
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }


def issue(links: Links, pull: Pull) -> Document:
    """Show the issue side of a pull request, as webhooks about its discussion do."""
    shown = simple_pull(links, pull)
    api = shown["issue_url"]
    return {
        "url": api,
        "repository_url": links.repository(pull.repository.full_name),
        "labels_url": f"{api}/labels{{/name}}",
        "comments_url": f"{api}/comments",
        "events_url": f"{api}/events",
        "html_url": shown["html_url"],
        "id": pull.id,
        "node_id": pull.node_id,
        "number": pull.number,
        "title": pull.title,
        "user": shown["user"],
        "labels": [],
        "state": shown["state"],
        "locked": pull.locked,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "comments": len(pull.comments),
        "created_at": shown["created_at"],
        "updated_at": shown["updated_at"],
        "closed_at": shown["closed_at"],
        "author_association": shown["author_association"],
        "active_lock_reason": pull.lock_reason,
        "draft": pull.draft,
        "pull_request": {
            **{name: shown[name] for name in ("url", "html_url", "diff_url", "patch_url")},
            "merged_at": None,
        },
        "body": shown["body"],
        "reactions": reactions(f"{api}/reactions"),
        "timeline_url": f"{api}/timeline",
        "performed_via_github_app": None,
        "state_reason": None,
    }


def reactions(url: str) -> Document:
    """Show that nobody reacted to something."""
    kinds = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
    return {"url": url, "total_count": 0, **dict.fromkeys(kinds, 0)}


def _label(links: Links, repo: GitRepository, label: Label) -> Document:
    return {
        "id": label.id,
        "node_id": label.node_id,
        "url": f"{links.repository(repo.full_name)}/labels/{quote(label.name)}",
        "name": label.name,
        "description": None,
        "color": "ededed",
        "default": False,
    }


def _end(links: Links, owner: Account, of: GitRepository | None, ref: str, sha: str) -> Document:
    return {
        "label": f"{owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": author(links, owner),
        "repo": None if of is None else repository(links, of),
    }
