"""The roles that steps ask for; wiring joins them to adapters."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, BinaryIO, Protocol, TypeVar

from autoswe.contracts.artifacts import ArtifactReference
from autoswe.contracts.fixing import Upload
from autoswe.contracts.rows import Automation, Connection, Decision, Fire, FireOutcome, Member, Origin, RepositoryRecord
from autoswe.rules.feedback.run_records import Run
from autoswe.rules.feedback.triggers import TriggerSource
from autoswe.rules.host import (
    Author,
    Branch,
    Checks,
    CiEvidence,
    Permission,
    PostedComment,
    Pull,
    Repository,
    RequiredCheck,
    Text,
    Thread,
    Tree,
)
from autoswe.rules.settings.registry import Setting
from autoswe.rules.settings.resolution import Place, StoredSettings

R = TypeVar("R")


class HostError(Exception):
    """A call to the host that has no good answer; subclasses say whether asking again can help."""


class Gone(HostError):
    """The thing asked for does not exist, or not for us (404, 410)."""


class Forbidden(HostError):
    """The host understood and refuses (401, 403, an archived repository); asking again does not help."""


class Refused(HostError):
    """The host rejects this very write (409, 422); ``reason`` is its message."""


class RateLimited(HostError):
    """The host asks to wait longer than a call may; the workflow retries."""


class Unavailable(HostError):
    """The host did not answer, or answered that it could not (5xx, a broken connection); the effect is unknown."""


class PartialAnswer(HostError):
    """The host gave a part, or something that cannot be understood: never taken for the whole."""


class ArtifactRefused(Exception):
    """An artifact is missing, too large, or not what its reference says."""


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Return now, in UTC."""
        ...


class Records(Protocol):
    """The platform's own records; each read is consistent, and what is not there is ``None``."""

    def of_round(
        self, decision_id: str, connection: str, repository: str
    ) -> tuple[Decision | None, Connection | None, RepositoryRecord | None]:
        """Read a recorded decision, a connection and what is known of a repository, all at one moment."""
        ...

    def member(self, connection: str, repository: str, account_id: int) -> Member | None:
        """Read the member linked to a numeric GitHub account."""
        ...

    def automation(self, connection: str, automation_id: str) -> Automation | None:
        """Read an automation."""
        ...

    def origin(self, connection: str, repository: str, pull_number: int) -> Origin | None:
        """Read who opened a pull request, by our records."""
        ...

    def run_of(self, connection: str, repository: str, pull_number: int) -> Run | None:
        """Read the run that is on record as what opened a pull request."""
        ...

    def start_follow_up(
        self, decision_id: str, organization: str | None, at: datetime, judge: Callable[[int], R | None]
    ) -> R | None:
        """Count a decision's round as a start of an agent, once a day, unless ``judge`` has a reason against it.

        ``judge`` is given how often the organisation's agents have started on that day.
        """
        ...

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        """Read settings for a place, all at one moment."""
        ...

    def spent_usd(self, organization: str | None, month: str) -> int:
        """Read what an organisation's month (``2026-11``) has cost so far, as it was recorded."""
        ...


class Rounds(Protocol):
    """The ledger of rounds: who runs one now, what it wrote, how it ended."""

    def fire(self, decision: Decision) -> Fire | None:
        """Read the decision's round."""
        ...

    def claim(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        """Take the pull request's slot for this execution and make it the round's current one.

        The slot is taken when it is this decision's, free or expired; otherwise the answer is ``None``. The same
        execution asking again gets the same fence; a new execution of the same decision gets a new one and the old one
        is powerless from then on. What the round had recorded (head, commit, pushed) stays.
        """
        ...

    def held(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        """Renew the lease and return the round if this execution still holds the slot, else ``None``."""
        ...

    def record_head(self, decision: Decision, execution: str, head_sha: str, head_ref: str) -> None:
        """Record the commit and branch the fix is cut from."""
        ...

    def record_commit(self, decision: Decision, execution: str, commit_sha: str) -> bool:
        """Record the fix on the round and as a commit of ours, before it is pushed; false when the slot is not ours."""
        ...

    def record_pushed(self, decision: Decision, commit_sha: str) -> None:
        """Record that the branch holds the fix; the round counts from now on, once."""
        ...

    def earlier_commits(self, decision: Decision) -> tuple[str, ...]:
        """List the commits of the automation's other pushed rounds on this pull request, newest first."""
        ...

    def intend(self, decision: Decision, write: str) -> None:
        """Record that a write is about to be made; recording it again changes nothing."""
        ...

    def effect(self, decision: Decision, write: str, effect: str) -> None:
        """Record what a write left behind."""
        ...

    def intended(self, decision: Decision, write: str) -> str | None:
        """Say which decision intended a write on this pull request, if any did."""
        ...

    def unsettled_seconds(self, decision: Decision, write: str) -> float | None:
        """Say how long ago the decision intended a write that has left no effect yet; ``None`` when there is none."""
        ...

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        """Write the outcome and free the slot; false when this execution is not the round's current one."""
        ...

    def suppressed_during(self, decision: Decision) -> tuple[str, ...]:
        """List the deliveries suppressed on this pull request since the round started, oldest first."""
        ...

    def offer_again(self, decision: Decision, delivery: str) -> None:
        """Offer a suppressed delivery as a new intake row; offering it again changes nothing."""
        ...

    def note(self, decision: Decision, event: str) -> None:
        """Write a fixed-string activity event under the pull request."""
        ...


class Artifacts(Protocol):
    """The bucket."""

    def put(self, key: str, content: bytes) -> ArtifactReference:
        """Store content and return the reference to exactly this version."""
        ...

    def put_file(self, key: str, content: BinaryIO) -> ArtifactReference:
        """Store a file, read from its start, without holding it in memory."""
        ...

    def get(self, reference: ArtifactReference) -> bytes:
        """Read the named version; raises ``ArtifactRefused`` unless size and digest agree."""
        ...

    def fetch(self, key: str, max_bytes: int) -> bytes:
        """Read what a container left at ``key``; raises ``ArtifactRefused`` when missing or over the cap."""
        ...


class Grant(Protocol):
    """A short-lived session that may touch exactly the keys it was opened for."""

    def download(self, reference: ArtifactReference) -> str:
        """Sign a GET of one object version."""
        ...

    def download_later(self, key: str) -> str:
        """Sign a GET of an object that does not exist yet."""
        ...

    def upload(self, key: str, max_bytes: int) -> Upload:
        """Sign a PUT that succeeds only while nothing is stored at ``key``."""
        ...


class Signer(Protocol):
    """Opens sessions for presigned addresses."""

    def open(self, *, reads: Sequence[str], writes: Sequence[str], seconds: int) -> Grant:
        """Open a session limited to these keys; its addresses live ``seconds`` (at most 3,600)."""
        ...


class HeadHost(Protocol):
    """What is asked of the host before a trigger on somebody else's pull request is decided on, with a read token."""

    def pull(self, number: int) -> Pull:
        """Read a pull request; raises ``Gone`` when it is not there."""
        ...


class GatherHost(Protocol):
    """What gather_feedback asks the host, for one repository, with a read-only token."""

    def repository(self) -> Repository:
        """Read the repository."""
        ...

    def pull(self, number: int) -> Pull:
        """Read a pull request."""
        ...

    def text(self, source: TriggerSource, pull_number: int, source_id: int) -> Text | None:
        """Read a review or comment; ``None`` when it is gone or belongs to another pull request."""
        ...

    def permission(self, author: Author) -> Permission:
        """Read an account's permission on the repository; an account that is not there has none."""
        ...

    def threads(self, pull_number: int) -> tuple[Thread, ...]:
        """Read the first 100 review threads with the first 50 comments each."""
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

    def ref(self, name: str) -> str | None:
        """Read the commit that a ref such as ``heads/main`` points to."""
        ...

    def branch_holds(self, name: str, commit_sha: str) -> bool:
        """Say whether a branch stands at a commit or has gone on from it."""
        ...


class NewEntry(Protocol):
    """One entry of a tree to make; ``sha`` is ``None`` to delete the path."""

    @property
    def path(self) -> str:
        """The path from the root."""
        ...

    @property
    def mode(self) -> str:
        """Git's six octal digits."""
        ...

    @property
    def sha(self) -> str | None:
        """The blob's id."""
        ...


class PushHost(Protocol):
    """What push_fix asks and tells the host, with a token that may write contents."""

    def repository(self) -> Repository:
        """Read the repository."""
        ...

    def pull(self, number: int) -> Pull:
        """Read a pull request."""
        ...

    def branch(self, name: str) -> Branch | None:
        """Read a branch with its protection and the rules on it."""
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

    def make_blob(self, content: bytes) -> str:
        """Store a blob and return its id."""
        ...

    def make_tree(self, base_tree: str, entries: Sequence[NewEntry]) -> str:
        """Store a tree that differs from ``base_tree`` by these entries and return its id."""
        ...

    def make_commit(self, message: str, tree: str, parent: str) -> str:
        """Store a commit by our bot and return its id."""
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

    def pull(self, number: int) -> Pull:
        """Read a pull request."""
        ...

    def checks(self, commit_sha: str) -> Checks:
        """Read the rollup, every check, workflow run and check suite of a commit."""
        ...

    def required(self, branch: str) -> tuple[RequiredCheck, ...]:
        """Read what must pass before a branch takes a pull request."""
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
