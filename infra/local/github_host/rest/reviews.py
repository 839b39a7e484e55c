"""Reviews of pull requests.

Source: "REST API endpoints for pull request reviews". Observed: nobody approves their own pull request, an App no more
than a person; the words are also seen with "Review" in front. How GitHub words the other refusals is assumed.
"""

from __future__ import annotations

from typing import Any

from infra.local.github_host.answers.errors import ApiError, not_found, unprocessable
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.documents import comments
from infra.local.github_host.people.permissions import reading, writing
from infra.local.github_host.pulls.pulls import NotReviewable
from infra.local.github_host.pulls.reviews import InlineComment
from infra.local.github_host.rest.bodies import LONGEST_BODY, TOO_LONG
from infra.local.github_host.rest.paging import page
from infra.local.github_host.rest.routing import Request, Resource

EVENTS = {"APPROVE": "approve", "REQUEST_CHANGES": "request_changes", "COMMENT": "comment"}

reviews = Resource()


@reviews.operation(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "pulls/reviews#list-reviews-for-a-pull-request",
    reading("pull_requests"),
)
def list_reviews(request: Request) -> Reply:
    """List reviews for a pull request, oldest first."""
    shown, headers = page(request, request.view.reviews(request.pull))
    return Reply(200, [comments.review(request.links, one) for one in shown], headers)


@reviews.operation(
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
    "pulls/reviews#get-a-review-for-a-pull-request",
    reading("pull_requests"),
)
def get_review(request: Request) -> Reply:
    """Get a review for a pull request."""
    wanted = request.path["review_id"]
    found = next((one for one in request.view.reviews(request.pull) if one.id == wanted), None)
    if found is None:
        raise not_found()
    return Reply(200, comments.review(request.links, found))


@reviews.operation(
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "pulls/reviews#create-a-review-for-a-pull-request",
    writing("pull_requests"),
    creates_content=True,
)
def create_review(request: Request) -> Reply:
    """Create a review for a pull request, of its head unless ``commit_id`` names another of its commits.

    A review without an event would be one that its author has not submitted yet, which the host does not model.
    """
    event: str = request.field("event", str)
    if event not in EVENTS:
        raise _refused(f"Variable $event was provided invalid value {event!r}")
    body: str = request.field("body", str, "")
    if event != "APPROVE" and not body.strip():
        raise _refused("Body can't be blank")
    if len(body) > LONGEST_BODY:
        raise _refused(TOO_LONG)
    inline = [_inline(one) for one in request.field("comments", list, [])]
    app, commit = request.app, request.field("commit_id", str, None)
    try:
        review = request.pull.review(app.bot, EVENTS[event], body, inline, commit=commit, app=app)
    except NotReviewable as refused:
        raise _refused(str(refused)) from None
    return Reply(200, comments.review(request.links, review))


def _inline(given: Any) -> InlineComment:
    path, body = (given.get("path"), given.get("body")) if isinstance(given, dict) else (None, None)
    if not isinstance(path, str) or not isinstance(body, str):
        raise _refused("A comment needs a path and a body")
    if not body.strip():
        raise _refused("Pull request review comment body can't be blank")
    if len(body) > LONGEST_BODY:
        raise _refused(TOO_LONG)
    lines = [given.get(name) for name in ("line", "start_line")]
    if any(line is not None and type(line) is not int for line in lines) or lines[0] is None:
        raise _refused("A comment needs a line")
    side = given.get("side", "RIGHT")
    if side not in {"LEFT", "RIGHT"}:
        raise _refused("A comment's side is LEFT or RIGHT")
    return InlineComment(path, lines[0], body, start_line=lines[1], side=side)


def _refused(reason: str) -> ApiError:
    return unprocessable("Unprocessable Entity", reason)
