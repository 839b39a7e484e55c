"""The roles that a round's steps ask a host for."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import BinaryIO, Protocol

from autoswe.ports.github import NewEntry
from autoswe.rules.github.facts import (
    Author,
    CiEvidence,
    CiReading,
    Feedback,
    Permission,
    PostedComment,
    Pull,
    PullState,
    Text,
    Tree,
)
from autoswe.rules.records.triggers import TriggerSource


class GatherHost(Protocol):
    """What gather_feedback asks the host, for one repository, with a read-only token."""

    def pull(self, number: int) -> Pull:
        """Read a pull request."""
        ...

    def pull_state(self, number: int, beside: str) -> PullState:
        """Read a pull request with its branch, its repository, and the tip of the branch ``beside``."""
        ...

    def text(self, source: TriggerSource, pull_number: int, source_id: int) -> Text | None:
        """Read a review or comment; ``None`` when it is gone or belongs to another pull request.

        Who changed it last is not told: that is ``feedback``'s to say.
        """
        ...

    def permission(self, author: Author) -> Permission:
        """Read an account's permission on the repository; an account that is not there has none."""
        ...

    def feedback(self, pull_number: int, trigger: Text) -> Feedback:
        """Read the first 100 review threads with the first 50 comments each, and the trigger's text once more."""
        ...

    def tree(self, commit_sha: str) -> Tree:
        """Read a commit's whole tree."""
        ...

    def archive(self, commit_sha: str, into: BinaryIO, max_bytes: int) -> None:
        """Stream a commit's archive; raises ``Refused`` above the cap."""
        ...

    def blob(self, sha: str, max_bytes: int) -> bytes:
        """Read one blob; raises ``Refused`` above the cap."""
        ...

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        """Read many blobs at once; what is no text, or too long to be told so, is left out."""
        ...

    def ref(self, name: str) -> str | None:
        """Read the commit that a ref such as ``heads/main`` points to."""
        ...

    def branch_holds(self, name: str, commit_sha: str) -> bool:
        """Say whether a branch stands at a commit or has gone on from it."""
        ...


class PushHost(Protocol):
    """What push_fix asks and tells the host, with a token that may write contents."""

    def pull(self, number: int) -> Pull:
        """Read a pull request."""
        ...

    def pull_state(self, number: int, beside: str) -> PullState:
        """Read a pull request with its branch, its repository, and the tip of the branch ``beside``."""
        ...

    def ref(self, name: str) -> str | None:
        """Read the commit that a ref points to."""
        ...

    def tree(self, sha: str) -> Tree:
        """Read a whole tree by a commit's or tree's id."""
        ...

    def blob(self, sha: str, max_bytes: int) -> bytes:
        """Read one blob; raises ``Refused`` above the cap."""
        ...

    def branch_holds(self, name: str, commit_sha: str) -> bool:
        """Say whether a branch stands at a commit or has gone on from it."""
        ...

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        """Read many blobs at once; what is no text, or too long to be told so, is left out."""
        ...

    def make_tree(self, base_tree: str, entries: Sequence[NewEntry]) -> str:
        """Store a tree that differs from ``base_tree`` by these entries and return its id."""
        ...

    def make_commit(self, message: str, tree: str, parent: str) -> str:
        """Store a commit by our bot and return its id."""
        ...

    def is_signed(self, commit_sha: str) -> bool:
        """Say whether the host vouches for a commit's signature."""
        ...

    def make_ref(self, name: str, sha: str) -> None:
        """Create a ref; raises ``Refused`` when it exists."""
        ...

    def drop_ref(self, name: str) -> None:
        """Delete a ref; one that is gone already is no error."""
        ...

    def move_ref(self, repository_node_id: str, name: str, before: str, after: str) -> None:
        """Move a ref by compare-and-swap, never by force; raises ``Refused`` when it is not at ``before``."""
        ...


class CheckHost(Protocol):
    """What poll_ci asks the host, with a read-only token."""

    def ci(self, pull_number: int, pushed_sha: str, reviewed_sha: str) -> CiReading:
        """Read where a pull request stands, and everything that reports on the commit that was pushed to it.

        Raises ``Gone`` when the host knows no such pull request, or not the pushed commit.
        """
        ...


class EvidenceHost(Protocol):
    """What is asked of the host about failed CI, with a read-only token."""

    def evidence(self, commit_sha: str) -> CiEvidence:
        """Read what the failed jobs, checks and statuses of a commit say of themselves, within bounds."""
        ...


class ReportHost(Protocol):
    """What respond asks and tells the host, with a token that may write comments."""

    def comments(self, pull_number: int) -> tuple[PostedComment, ...]:
        """Read every discussion comment."""
        ...

    def replies(self, pull_number: int, since: datetime) -> tuple[PostedComment, ...]:
        """Read every inline comment that was made or changed since a moment."""
        ...

    def comment(self, pull_number: int, body: str) -> PostedComment:
        """Post a discussion comment."""
        ...

    def edit(self, comment_id: int, body: str) -> None:
        """Replace a discussion comment's body."""
        ...

    def reply(self, pull_number: int, root_comment_id: int, body: str) -> PostedComment:
        """Reply in the thread that a comment opened."""
        ...
