"""Comments on a pull request, read to the end and written (REST API endpoints for issue and pull request comments)."""

from datetime import UTC, datetime

from pydantic import TypeAdapter

from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.rules.github.facts import PostedComment


class _Author(Shape):
    id: int


class _Comment(Shape):
    id: int
    user: _Author | None
    body: str | None
    in_reply_to_id: int | None = None


_COMMENT = TypeAdapter(_Comment)
_COMMENTS = TypeAdapter(list[_Comment])


class Comments(Resource):
    """Reads and writes discussion and inline comments."""

    def comments(self, pull_number: int) -> tuple[PostedComment, ...]:
        """Read every discussion comment, ascending by id."""
        return self._all("issues", pull_number, "comments")

    def replies(self, pull_number: int, since: datetime) -> tuple[PostedComment, ...]:
        """Read every inline comment made or changed since a moment, threads' first ones included, ascending by id."""
        moment = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self._all("pulls", pull_number, "comments", since=moment)

    def comment(self, pull_number: int, body: str) -> PostedComment:
        """Post a discussion comment."""
        return _posted(self._api.write(_COMMENT, "POST", "issues", pull_number, "comments", body={"body": body}))

    def edit(self, comment_id: int, body: str) -> None:
        """Replace a discussion comment's body."""
        self._api.write(_COMMENT, "PATCH", "issues", "comments", comment_id, body={"body": body})

    def reply(self, pull_number: int, root_comment_id: int, body: str) -> PostedComment:
        """Reply in the thread that a comment opened; ``Refused`` when that comment is itself a reply."""
        path = "pulls", pull_number, "comments", root_comment_id, "replies"
        return _posted(self._api.write(_COMMENT, "POST", *path, body={"body": body}))

    def _all(self, *path: str | int, **query: str) -> tuple[PostedComment, ...]:
        comments = [_posted(comment) for page in self._api.pages(_COMMENTS, *path, **query) for comment in page]
        return tuple(sorted(comments, key=lambda comment: comment.comment_id))


def _posted(read: _Comment) -> PostedComment:
    return PostedComment(
        comment_id=read.id,
        author_id=read.user.id if read.user else None,
        body=read.body or "",
        reply_to=read.in_reply_to_id,
    )
