"""Pull requests: what people do on them, and what a push does to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from infra.local.github_host.checks.repositories import CheckedRepository
from infra.local.github_host.events import Event
from infra.local.github_host.git.diff import USUAL_CONTEXT, WHOLE_FILE, FileChange, changed_files, file_patch
from infra.local.github_host.identifiers import node_id
from infra.local.github_host.people.accounts import Account, Team
from infra.local.github_host.people.apps import App
from infra.local.github_host.pulls.anchors import Excerpt, Side, excerpt, same_hunk
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.labels import Label
from infra.local.github_host.pulls.reviews import (
    VERDICTS,
    InlineComment,
    Review,
    ReviewComment,
    ReviewState,
    ReviewThread,
)
from infra.local.github_host.state import State

_NOT_IN_DIFF = (
    "Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank"
)
_NOT_OF_ONES_OWN = {"approve": "approve", "request_changes": "request changes on"}


class NotReviewable(ValueError):
    """Why somebody cannot review a pull request like that, in words that GitHub might use."""


@dataclass(eq=False, kw_only=True)
class Pull:
    """A pull request; ``head_repository`` may have been deleted since, then answers say null for it.

    ``mergeable`` None means that the host has not worked it out yet; ``base_sha`` is the base branch's tip as of the
    last change of the head.
    """

    id: int
    number: int
    repository: CheckedRepository
    author: Account
    title: str
    body: str
    head_ref: str
    head_repository: CheckedRepository
    head_sha: str
    base_ref: str
    base_sha: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    draft: bool = False
    locked: bool = False
    lock_reason: str | None = None
    mergeable: bool | None = True
    comments: list[IssueComment] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    threads: list[ReviewThread] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    requested: list[Account | Team] = field(default_factory=list)

    @property
    def state(self) -> State:
        """Where the pull request lives."""
        return self.repository.state

    @property
    def node_id(self) -> str:
        """The global id."""
        return node_id("PR", self.id)

    @property
    def fork_point(self) -> str:
        """The commit where the head left the base's history."""
        return self.repository.store.merge_base(self.base_sha, self.head_sha) or self.base_sha

    @property
    def is_open(self) -> bool:
        """Whether it waits to be merged or closed."""
        return self.closed_at is None

    def commits(self) -> list[str]:
        """List the pull request's commits, oldest first."""
        return self.repository.store.commits_between(self.fork_point, self.head_sha)

    def changed_files(self) -> list[FileChange]:
        """List the files that the pull request changes, in the order of their paths."""
        return changed_files(self.repository.store, self.fork_point, self.head_sha)

    def close(self, *, by: Account | None = None) -> None:
        """Close it without merging."""
        with self.state.change():
            self.closed_at = self.updated_at = self.state.now()
            self.announce("closed", by or self.author)

    def reopen(self, *, by: Account | None = None) -> None:
        """Open it again at its branch's present tip; ValueError when the fork it comes from is gone."""
        if self.head_repository.deleted:
            raise ValueError(f"pull request #{self.number} cannot be reopened: its head repository was deleted")
        with self.state.change():
            self.closed_at, self.updated_at = None, self.state.now()
            self.announce("reopened", by or self.author)
            tip = self.head_repository.store.tip(self.head_ref)
            if tip is not None and tip != self.head_sha:
                self.move_head(tip, by or self.author)

    def lock(self, reason: str | None = None, *, by: Account | None = None) -> None:
        """Close the conversation for whoever cannot write to the repository, Apps among them.

        ``reason`` is None or one of "off-topic", "too heated", "resolved", "spam".
        """
        with self.state.change():
            self.locked, self.lock_reason = True, reason
            self.announce("locked", by or self.repository.owner)

    def unlock(self, *, by: Account | None = None) -> None:
        """Open the conversation again."""
        with self.state.change():
            self.locked, self.lock_reason = False, None
            self.announce("unlocked", by or self.repository.owner)

    def label(self, name: str) -> None:
        """Put a label on it; no webhook tells of that."""
        with self.state.change():
            self.labels.append(Label(self.state.sequences.next("label"), name))
            self.updated_at = self.state.now()

    def request_review(self, reviewer: Account | Team) -> None:
        """Ask somebody for a review, until that one reviews; no webhook tells of that."""
        with self.state.change():
            self.requested.append(reviewer)
            self.updated_at = self.state.now()

    def comment(self, author: Account, body: str, *, app: App | None = None, deliver: bool = True) -> IssueComment:
        """Write in the discussion."""
        with self.state.change():
            now = self.state.now()
            number = self.state.sequences.next("issue_comment")
            comment = IssueComment(
                id=number, author=author, body=body, created_at=now, updated_at=now, app=app, pull=self
            )
            self.comments.append(comment)
            self.updated_at = now
            self.state.register(comment.node_id, comment)
            event = Event("issue_comment", "created", comment, author, self.repository, deliver=deliver)
            self.state.announce(event)
            return comment

    def review(
        self,
        author: Account,
        state: str,
        body: str = "",
        comments: Sequence[InlineComment] = (),
        *,
        commit: str | None = None,
        app: App | None = None,
        deliver: bool = True,
    ) -> Review:
        """Submit a review: ``approve``, ``request_changes`` or ``comment``; of the head, or of ``commit``.

        Raises ValueError for another word; NotReviewable for a verdict on one's own pull request, a commit that is
        none of its own, and a comment on a line that the file does not have.
        """
        if state not in VERDICTS:
            raise ValueError(f"a review may {', '.join(VERDICTS)}, not {state!r}")
        if author is self.author and state in _NOT_OF_ONES_OWN:
            raise NotReviewable(f"Can not {_NOT_OF_ONES_OWN[state]} your own pull request")
        with self.state.change():
            reviewed = commit or self.head_sha
            if reviewed != self.head_sha and reviewed not in self.commits():
                raise NotReviewable(f"{reviewed} is not a commit of pull request #{self.number}")
            anchors = [self._excerpt(inline, reviewed) for inline in comments]
            self.requested = [asked for asked in self.requested if asked is not author]
            review = self.add_review(author, VERDICTS[state], body, commit=reviewed, app=app, deliver=deliver)
            for inline, anchor in zip(comments, anchors, strict=True):
                self._open_thread(review, inline, anchor).announce("created", author, deliver=deliver)
            return review

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
        now = self.state.now()
        review = Review(
            id=self.state.sequences.next("review"),
            author=author,
            body=body,
            created_at=now,
            updated_at=now,
            app=app,
            pull=self,
            state=state,
            commit=commit or self.head_sha,
        )
        self.reviews.append(review)
        self.updated_at = now
        self.state.register(review.node_id, review)
        review.announce("submitted", author, deliver=deliver)
        return review

    def move_head(self, sha: str, by: Account) -> None:
        """Follow the head branch to a new tip: anchors move or become outdated, and the Apps hear of it."""
        before = self.head_sha
        self.head_sha, self.updated_at = sha, self.state.now()
        self.base_sha = self.repository.store.tip(self.base_ref) or self.base_sha
        self.pin_head()
        for thread in self.threads:
            thread.follow(sha)
        self.announce("synchronize", by, before=before, after=sha)

    def pin_head(self) -> None:
        """Keep the head's objects in the base repository, fork or not."""
        pinned = f"refs/pull/{self.number}/head"
        if self.head_repository is self.repository:
            self.repository.store.force_ref(pinned, self.head_sha)
        else:
            self.repository.store.fetch(self.head_repository.store, self.head_sha, pinned)

    def announce(self, action: str, sender: Account, **extra: object) -> None:
        """Tell what happened to the pull request."""
        self.state.announce(Event("pull_request", action, self, sender, self.repository, extra))

    def _open_thread(self, review: Review, inline: InlineComment, anchor: Excerpt) -> ReviewComment:
        thread = ReviewThread(
            id=self.state.sequences.next("review_thread"),
            pull=self,
            path=inline.path,
            side=Side(inline.side),
            original_commit=review.commit,
            commit=review.commit,
            original_line=inline.line,
            original_start_line=inline.start_line,
            line=inline.line,
            start_line=inline.start_line,
            diff_hunk=anchor.hunk,
            original_position=anchor.position,
            position=anchor.position,
        )
        comment = ReviewComment(
            id=self.state.sequences.next("review_comment"),
            author=review.author,
            body=inline.body,
            created_at=review.created_at,
            updated_at=review.created_at,
            app=review.app,
            thread=thread,
            review=review,
        )
        self.threads.append(thread)
        thread.add(comment)
        self.state.register(thread.node_id, thread)
        if review.commit != self.head_sha:
            thread.follow(self.head_sha)
        return comment

    def _excerpt(self, inline: InlineComment, commit: str) -> Excerpt:
        compared = self.repository.store, self.fork_point, commit, inline.path
        patch = file_patch(*compared, context=WHOLE_FILE)
        if not patch:
            raise NotReviewable(f"pull request #{self.number} does not change {inline.path}")
        if inline.line is None:
            return Excerpt("", 1)
        side = Side(inline.side)
        shown = excerpt(patch, side, inline.line)
        if shown is None or (inline.start_line is not None and not 0 < inline.start_line < inline.line):
            lines = inline.line if inline.start_line is None else f"{inline.start_line} to {inline.line}"
            raise NotReviewable(f"{inline.path} has no lines {lines} on the {side} side of pull request #{self.number}")
        first = inline.line if inline.start_line is None else inline.start_line
        if not same_hunk(file_patch(*compared, context=USUAL_CONTEXT), side, first, inline.line):
            raise NotReviewable(_NOT_IN_DIFF)
        return shown
