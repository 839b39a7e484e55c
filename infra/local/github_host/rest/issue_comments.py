"""The discussion of a pull request."""

from __future__ import annotations

from infra.local.github_host.answers.errors import ApiError, not_found
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import comments
from infra.local.github_host.people.permissions import reading, writing
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.rest.bodies import body_of, check_open_to_apps
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

issue_comments = Resource()


@issue_comments.operation(
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "issues/comments#list-issue-comments",
    reading("issues", "pull_requests"),
)
def list_comments(request: Request) -> Reply:
    """List issue comments, in the order of their ids."""
    shown, headers = page(request, request.view.comments(request.pull))
    return Reply(200, [comments.issue_comment(request.links, one) for one in shown], headers)


@issue_comments.operation(
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "issues/comments#create-an-issue-comment",
    writing("issues", "pull_requests"),
    creates_content=True,
)
def create_comment(request: Request) -> Reply:
    """Create an issue comment."""
    check_open_to_apps(request.pull)
    comment = request.pull.comment(request.app.bot, body_of(request, "IssueComment"), app=request.app)
    shown = comments.issue_comment(request.links, comment)
    return Reply(201, shown, {"Location": shown["url"]})


@issue_comments.operation(
    "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "issues/comments#get-an-issue-comment",
    reading("issues", "pull_requests"),
)
def get_comment(request: Request) -> Reply:
    """Get an issue comment."""
    return Reply(200, comments.issue_comment(request.links, _found(request)))


@issue_comments.operation(
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    "issues/comments#update-an-issue-comment",
    writing("issues", "pull_requests"),
)
def update_comment(request: Request) -> Reply:
    """Update an issue comment; an App may change its own alone."""
    comment = _found(request)
    if comment.author is not request.app.bot:
        raise ApiError(403, "Resource not accessible by integration")
    comment.edit(body_of(request, "IssueComment"))
    return Reply(200, comments.issue_comment(request.links, comment))


def _found(request: Request) -> IssueComment:
    wanted = request.path["comment_id"]
    everything = (one for pull in request.repository.pulls.values() for one in request.view.comments(pull))
    found = next((one for one in everything if one.id == wanted), None)
    if found is None:
        raise not_found()
    return found
