"""Review threads, and who changed a text last: only GraphQL tells (PullRequestReviewThread, interface Comment)."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BeforeValidator, TypeAdapter

from autoswe.contracts.model import Sha
from autoswe.github.discussions.accounts import Account, author
from autoswe.github.transport.resource import Resource
from autoswe.github.transport.shape import GraphqlShape, PageInfo
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Edit, Feedback, Text, Thread, ThreadComment

MOST_THREADS = 100
"""How many threads of a pull request are read (feedback §4); further ones are left alone."""
MOST_COMMENTS = 50
"""How many comments of each thread are read (feedback §4)."""


def _whole_number(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value


BigInt = Annotated[int, BeforeValidator(_whole_number)]
"""A number that may exceed 32 bits, which GraphQL writes as a string."""

Side = Literal["LEFT", "RIGHT"]


class _Commit(GraphqlShape):
    oid: Sha


class _Written(GraphqlShape):
    full_database_id: BigInt
    body: str
    author: Account | None
    last_edited_at: str | None
    includes_created_edit: bool
    editor: Account | None


class _Trigger(_Written):
    state: str | None = None


class _Comment(_Written):
    is_minimized: bool
    state: Literal["PENDING", "SUBMITTED"]
    diff_hunk: str
    original_commit: _Commit | None


class _Comments(GraphqlShape):
    page_info: PageInfo
    nodes: list[_Comment]


class _Thread(GraphqlShape):
    id: str
    is_resolved: bool
    is_outdated: bool
    path: str
    line: int | None
    start_line: int | None
    diff_side: Side
    start_diff_side: Side | None
    subject_type: Literal["LINE", "FILE"]
    comments: _Comments


class _Threads(GraphqlShape):
    page_info: PageInfo
    nodes: list[_Thread]


class _PullRequest(GraphqlShape):
    review_threads: _Threads


class _Repository(GraphqlShape):
    pull_request: _PullRequest


class _Data(GraphqlShape):
    repository: _Repository
    node: _Trigger


class _Answer(GraphqlShape):
    data: _Data


_ANSWER = TypeAdapter(_Answer)


class Threads(Resource):
    """Reads review threads."""

    def feedback(self, pull_number: int, trigger: Text) -> Feedback:
        """Read the first 100 threads with the first 50 comments each, and the trigger's text with its last editor.

        More than that is nobody's mistake; less than that while the host says there is more is ``PartialAnswer``. So is
        the absence of what was there when the step began: whoever asks anew from the start learns what is gone.
        """
        try:
            read = self._api.query(_ANSWER, "review_threads", number=pull_number, text=trigger.node_id).data
        except Gone as gone:
            raise PartialAnswer(str(gone)) from None
        threads = read.repository.pull_request.review_threads
        _check_whole(threads.page_info, len(threads.nodes), MOST_THREADS, f"the threads of pull request {pull_number}")
        return Feedback(tuple(map(_thread, threads.nodes)), _text(read.node, trigger))


def _text(read: _Trigger, trigger: Text) -> Text:
    if read.full_database_id != trigger.source_id:
        raise PartialAnswer(f"text {trigger.source_id} was asked for, {read.full_database_id} came")
    if (read.state is None) is not (trigger.review_state is None):
        raise PartialAnswer(f"text {trigger.source_id} is a review to one API and none to the other")
    return replace(trigger, author=author(read.author), body=read.body, review_state=read.state, edit=_last_edit(read))


def _last_edit(read: _Written) -> Edit | None:
    """Tell whose the last change was: any sign of a change is one, and an editor that is not named is nobody."""
    changed = read.last_edited_at is not None or read.includes_created_edit or read.editor is not None
    return Edit(author(read.editor)) if changed else None


def _thread(read: _Thread) -> Thread:
    _check_whole(read.comments.page_info, len(read.comments.nodes), MOST_COMMENTS, f"the comments of thread {read.id}")
    return Thread(
        thread_id=read.id,
        resolved=read.is_resolved,
        outdated=read.is_outdated,
        path=read.path,
        start_line=read.start_line,
        line=read.line,
        right_side="LEFT" not in {read.diff_side, read.start_diff_side},
        line_level=read.subject_type == "LINE",
        comments=tuple(map(_comment, read.comments.nodes)),
    )


def _comment(read: _Comment) -> ThreadComment:
    return ThreadComment(
        comment_id=read.full_database_id,
        author=author(read.author),
        body=read.body,
        minimized=read.is_minimized,
        pending=read.state == "PENDING",
        original_commit=read.original_commit.oid if read.original_commit else None,
        diff_hunk=read.diff_hunk,
        edit=_last_edit(read),
    )


def _check_whole(page: PageInfo, count: int, bound: int, what: str) -> None:
    if page.has_next_page and count < bound:
        raise PartialAnswer(f"{what}: {count} came and the host says there are more")
