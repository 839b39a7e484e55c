"""Reviews, their threads, and the comments in those."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from infra.local.github_host.events import Event
from infra.local.github_host.git.diff import file_patch
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.anchors import Side, moved_line
from infra.local.github_host.pulls.comments import Comment, Commented


class ReviewState(StrEnum):
    """What a review says, in the upper case of REST and GraphQL; webhooks write it in lower case."""

    APPROVED = "APPROVED"
    CHANGES_REQUESTED = "CHANGES_REQUESTED"
    COMMENTED = "COMMENTED"
    DISMISSED = "DISMISSED"


VERDICTS = {
    "approve": ReviewState.APPROVED,
    "request_changes": ReviewState.CHANGES_REQUESTED,
    "comment": ReviewState.COMMENTED,
}


@dataclass(frozen=True)
class InlineComment:
    """A comment to write on lines of a file, numbered from 1; without ``line`` it is about the whole file."""

    path: str
    line: int | None
    body: str
    start_line: int | None = None
    side: str = "RIGHT"


class Reviewed(Commented, Protocol):
    """A pull request as its reviews and their threads know it."""

    author: Account
    threads: list[ReviewThread]

    def add_review(
        self,
        author: Account,
        state: ReviewState,
        body: str,
        *,
        commit: str | None = None,
        app: App | None = None,
        deliver: bool = True,
    ) -> Review:
        """Record a review of the present head, or of ``commit``."""


@dataclass(eq=False, kw_only=True)
class Review(Comment):
    """A submitted review; ``commit`` is the head it was written on."""

    pull: Reviewed
    state: ReviewState
    commit: str
    comments: list[ReviewComment] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("PRR", self.id)

    @property
    def threads(self) -> list[ReviewThread]:
        """The threads that this review opened."""
        return [comment.thread for comment in self.comments if comment.in_reply_to is None]

    def edit(self, body: str, *, by: Account | None = None) -> None:
        """Change the review's own text."""
        with self.pull.state.change():
            editor = by or self.author
            changes = self.rewrite(body, self.pull.state.now(), editor)
            self.announce("edited", editor, changes=changes)

    def dismiss(self, *, by: Account | None = None) -> None:
        """Take back what the review says; its text stays."""
        with self.pull.state.change():
            self.state = ReviewState.DISMISSED
            self.announce("dismissed", by or self.author)

    def announce(self, action: str, sender: Account, *, deliver: bool = True, **extra: object) -> None:
        """Tell what happened to the review."""
        event = Event("pull_request_review", action, self, sender, self.pull.repository, extra, deliver)
        self.pull.state.announce(event)


@dataclass(eq=False, kw_only=True)
class ReviewComment(Comment):
    """A comment of a thread; ``in_reply_to`` is the thread's first comment, None for that one itself."""

    thread: ReviewThread
    review: Review
    in_reply_to: ReviewComment | None = None
    minimized: bool = False

    @property
    def pull(self) -> Reviewed:
        """The pull request it stands on."""
        return self.thread.pull

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("PRRC", self.id)

    def edit(self, body: str, *, by: Account | None = None) -> None:
        """Change the text."""
        with self.pull.state.change():
            editor = by or self.author
            changes = self.rewrite(body, self.pull.state.now(), editor)
            self.announce("edited", editor, changes=changes)

    def delete(self, *, by: Account | None = None) -> None:
        """Remove the comment; a thread disappears with its last one."""
        with self.pull.state.change():
            self.deleted = True
            self.thread.comments.remove(self)
            self.review.comments.remove(self)
            if not self.thread.comments:
                self.pull.threads.remove(self.thread)
            self.announce("deleted", by or self.author)

    def announce(self, action: str, sender: Account, *, deliver: bool = True, **extra: object) -> None:
        """Tell what happened to the comment."""
        repository = self.pull.repository
        event = Event("pull_request_review_comment", action, self, sender, repository, extra, deliver)
        self.pull.state.announce(event)


@dataclass(eq=False, kw_only=True)
class ReviewThread:
    """A conversation about lines of the pull request.

    ``line`` and ``start_line`` follow the text from head to head and become None when a commit changes it (the thread
    is outdated then); ``commit`` is the last head on which they held. The ``original`` numbers stay.
    """

    id: int
    pull: Reviewed
    path: str
    side: Side
    original_commit: str
    commit: str
    original_line: int | None
    original_start_line: int | None
    line: int | None
    start_line: int | None
    diff_hunk: str
    original_position: int
    position: int | None
    outdated: bool = False
    resolved: bool = False
    resolved_by: Account | None = None
    comments: list[ReviewComment] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("PRRT", self.id)

    @property
    def about_file(self) -> bool:
        """Whether the thread is about the whole file."""
        return self.original_line is None

    def reply(self, author: Account, body: str, *, app: App | None = None, deliver: bool = True) -> ReviewComment:
        """Answer in the thread; GitHub wraps the answer in a review of its own, which says nothing."""
        state = self.pull.state
        with state.change():
            now = state.now()
            review = self.pull.add_review(author, ReviewState.COMMENTED, "", app=app, deliver=deliver)
            comment = ReviewComment(
                id=state.sequences.next("review_comment"),
                author=author,
                body=body,
                created_at=now,
                updated_at=now,
                app=app,
                thread=self,
                review=review,
                in_reply_to=self.comments[0],
            )
            self.add(comment)
            comment.announce("created", author, deliver=deliver)
            return comment

    def add(self, comment: ReviewComment) -> None:
        """Hang a comment into the thread and its review."""
        self.comments.append(comment)
        comment.review.comments.append(comment)
        self.pull.state.register(comment.node_id, comment)

    def resolve(self, *, by: Account | None = None) -> None:
        """Mark the conversation as settled."""
        self._settle("resolved", by)

    def unresolve(self, *, by: Account | None = None) -> None:
        """Open the conversation again."""
        self._settle("unresolved", by)

    def follow(self, head: str) -> None:
        """Move the anchor to a new head, or lose it where the new head has other text there."""
        if self.outdated:
            return
        if self.about_file or self.side is Side.LEFT:
            self.commit = head
            return
        store = self.pull.repository.store
        patch = file_patch(store, self.original_commit, head, self.path)
        gone = store.find(f"{head}:{self.path}") is None
        lines = [
            None if gone or line is None else moved_line(patch, line)
            for line in (self.original_line, self.original_start_line)
        ]
        if lines[0] is None or (lines[1] is None and self.original_start_line is not None):
            self.outdated = True
            self.line = self.start_line = self.position = None
        else:
            self.line, self.start_line = lines
            self.commit = head

    def _settle(self, action: str, by: Account | None) -> None:
        with self.pull.state.change():
            self.resolved = action == "resolved"
            who = by or self.pull.author
            self.resolved_by = who if self.resolved else None
            event = Event("pull_request_review_thread", action, self, who, self.pull.repository)
            self.pull.state.announce(event)
