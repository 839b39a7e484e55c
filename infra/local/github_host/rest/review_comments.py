"""Comments in the threads of a pull request.

Source: "REST API endpoints for pull request review comments", which says that replies to replies are not supported;
with which status and words GitHub refuses one is assumed.
"""

from __future__ import annotations

from infra.local.github_host.answers.errors import not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.answers.timestamps import moment
from infra.local.github_host.documents import comments
from infra.local.github_host.people.permissions import reading, writing
from infra.local.github_host.pulls.reviews import ReviewComment
from infra.local.github_host.rest.bodies import body_of, check_open_to_apps
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

review_comments = Resource()


@review_comments.operation(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments",
    "pulls/comments#list-review-comments-on-a-pull-request",
    reading("pull_requests"),
)
def list_review_comments(request: Request) -> Reply:
    """List review comments on a pull request, in the order of their ids, all or those updated ``since`` a moment."""
    since = moment(request.query.get("since"))
    found = sorted((one for one in _review_comments(request) if one.updated_at >= since), key=lambda one: one.id)
    shown, headers = page(request, found)
    return Reply(200, [comments.review_comment(request.links, one) for one in shown], headers)


@review_comments.operation(
    "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}",
    "pulls/comments#get-a-review-comment-for-a-pull-request",
    reading("pull_requests"),
)
def get_review_comment(request: Request) -> Reply:
    """Get a review comment for a pull request."""
    wanted = request.path["comment_id"]
    everything = (
        one
        for pull in request.repository.pulls.values()
        for thread in request.view.threads(pull)
        for one in thread.comments
    )
    found = next((one for one in everything if one.id == wanted), None)
    if found is None:
        raise not_found()
    return Reply(200, comments.review_comment(request.links, found))


@review_comments.operation(
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
    "pulls/comments#create-a-reply-for-a-review-comment",
    writing("pull_requests"),
    creates_content=True,
)
def reply(request: Request) -> Reply:
    """Create a reply for a review comment; only a thread's first comment takes replies."""
    check_open_to_apps(request.pull)
    body = body_of(request, "PullRequestReviewComment")
    wanted = request.path["comment_id"]
    parent = next((one for one in _review_comments(request) if one.id == wanted), None)
    if parent is None:
        raise not_found()
    if parent.in_reply_to is not None:
        raise unprocessable("Validation Failed", "Replies to replies are not supported.")
    app = request.app
    answer = parent.thread.reply(app.bot, body, app=app)
    return Reply(201, comments.review_comment(request.links, answer))


def _review_comments(request: Request) -> list[ReviewComment]:
    return [one for thread in request.view.threads(request.pull) for one in thread.comments]
