"""Reviews and comments as JSON."""

from __future__ import annotations

from infra.local.github_host.answers.links import Links
from infra.local.github_host.answers.timestamps import timestamp
from infra.local.github_host.documents.accounts import Document, app, author
from infra.local.github_host.documents.pulls import reactions
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.reviews import Review, ReviewComment


def issue_comment(links: Links, one: IssueComment) -> Document:
    """Show a comment of the discussion (schema ``issue-comment``)."""
    repo = one.pull.repository
    api = f"{links.repository(repo.full_name)}/issues/comments/{one.id}"
    return {
        "url": api,
        "html_url": f"{links.page(repo.full_name, 'pull', one.pull.number)}#issuecomment-{one.id}",
        "issue_url": f"{links.repository(repo.full_name)}/issues/{one.pull.number}",
        "id": one.id,
        "node_id": one.node_id,
        "user": author(links, one.author),
        "created_at": timestamp(one.created_at),
        "updated_at": timestamp(one.updated_at),
        "author_association": repo.collaborators.association(one.author),
        "body": one.body,
        "reactions": reactions(f"{api}/reactions"),
        "performed_via_github_app": None if one.app is None else app(links, one.app),
    }


def review(links: Links, one: Review) -> Document:
    """Show a review (schema ``pull-request-review``); its state is in upper case, as REST writes it."""
    repo = one.pull.repository
    page = f"{links.page(repo.full_name, 'pull', one.pull.number)}#pullrequestreview-{one.id}"
    pull = f"{links.repository(repo.full_name)}/pulls/{one.pull.number}"
    return {
        "id": one.id,
        "node_id": one.node_id,
        "user": author(links, one.author),
        "body": one.body,
        "state": str(one.state),
        "html_url": page,
        "pull_request_url": pull,
        "author_association": repo.collaborators.association(one.author),
        "_links": {"html": {"href": page}, "pull_request": {"href": pull}},
        "submitted_at": timestamp(one.created_at),
        "commit_id": one.commit,
    }


def review_in_webhook(links: Links, one: Review) -> Document:
    """Show a review as webhooks do: the state in lower case, and null for a text that is empty."""
    shown = review(links, one)
    return {**shown, "state": shown["state"].lower(), "body": one.body or None}


def review_comment(links: Links, one: ReviewComment) -> Document:
    """Show a comment of a thread (schema ``pull-request-review-comment``); an outdated one has no line."""
    repo, thread = one.pull.repository, one.thread
    api = f"{links.repository(repo.full_name)}/pulls/comments/{one.id}"
    page = f"{links.page(repo.full_name, 'pull', one.pull.number)}#discussion_r{one.id}"
    pull = f"{links.repository(repo.full_name)}/pulls/{one.pull.number}"
    several_lines = thread.original_start_line is not None
    document: Document = {
        "url": api,
        "pull_request_review_id": one.review.id,
        "id": one.id,
        "node_id": one.node_id,
        "diff_hunk": thread.diff_hunk,
        "path": thread.path,
        "commit_id": thread.commit,
        "original_commit_id": thread.original_commit,
        "user": author(links, one.author),
        "body": one.body,
        "created_at": timestamp(one.created_at),
        "updated_at": timestamp(one.updated_at),
        "html_url": page,
        "pull_request_url": pull,
        "author_association": repo.collaborators.association(one.author),
        "_links": {"self": {"href": api}, "html": {"href": page}, "pull_request": {"href": pull}},
        "reactions": reactions(f"{api}/reactions"),
        "start_line": thread.start_line,
        "original_start_line": thread.original_start_line,
        "start_side": str(thread.side) if several_lines else None,
        "line": thread.line,
        "original_line": thread.original_line,
        "side": str(thread.side),
        "original_position": thread.original_position,
        "position": thread.position,
        "subject_type": "file" if thread.about_file else "line",
    }
    return document if one.in_reply_to is None else {**document, "in_reply_to_id": one.in_reply_to.id}
