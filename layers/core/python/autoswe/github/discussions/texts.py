"""Reviews and comments by their ids (Get a review for a pull request, Get a review comment, Get an issue comment)."""

from pydantic import AliasChoices, Field, TypeAdapter

from autoswe.github.discussions.accounts import Account, author
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import Shape
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Text
from autoswe.rules.records.triggers import TriggerSource


class _Text(Shape):
    id: int
    node_id: str
    user: Account | None
    body: str | None
    home: str = Field(validation_alias=AliasChoices("pull_request_url", "issue_url"))
    state: str | None = None
    in_reply_to_id: int | None = None


_TEXT = TypeAdapter(_Text)


class Texts(Resource):
    """Reads what people and bots wrote."""

    def text(self, source: TriggerSource, pull_number: int, source_id: int) -> Text | None:
        """Read a review or comment; ``None`` when it is gone or belongs to another pull request.

        A comment's own address names no pull request, so the one that its answer names is compared.
        """
        try:
            read = self._api.read(_TEXT, *_path(source, pull_number, source_id))
        except Gone:
            return None
        if read.id != source_id:
            raise PartialAnswer(f"{source} {source_id} was asked for, {read.id} came")
        if source is TriggerSource.REVIEW and read.state is None:
            raise PartialAnswer(f"review {source_id} has no state")
        if read.home.rpartition("/")[2] != str(pull_number):
            return None
        return Text(
            source_id=source_id,
            node_id=read.node_id,
            author=author(read.user),
            body=read.body or "",
            review_state=read.state,
            reply_to=read.in_reply_to_id,
        )


def _path(source: TriggerSource, pull_number: int, source_id: int) -> tuple[str | int, ...]:
    match source:
        case TriggerSource.REVIEW:
            return "pulls", pull_number, "reviews", source_id
        case TriggerSource.INLINE_COMMENT:
            return "pulls", "comments", source_id
        case TriggerSource.DISCUSSION_COMMENT:
            return "issues", "comments", source_id
