"""What a GitHub host says, as facts that rules judge; adapters build them and refuse what they cannot understand."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Permission(StrEnum):
    """A collaborator's coarse permission; ``maintain`` reads as write and ``triage`` as read.

    GitHub documents the four values under "Get repository permissions for a user".
    """

    ADMIN = "admin"
    WRITE = "write"
    READ = "read"
    NONE = "none"


@dataclass(frozen=True)
class Author:
    """The account behind a text; a deleted account is represented by no ``Author`` at all."""

    account_id: int
    login: str
    is_bot: bool


@dataclass(frozen=True)
class Pull:
    """One pull request as it stands now.

    ``head_repository_id`` is absent when the head repository was deleted, ``author_id`` when the account was.
    """

    number: int
    is_open: bool
    head_sha: str
    head_ref: str
    head_repository_id: int | None
    base_sha: str
    base_ref: str
    repository_id: int
    author_id: int | None


@dataclass(frozen=True)
class Repository:
    """One repository: its numeric id, the id GraphQL knows it by, its default branch, and whether it is read-only.

    ``full_name`` is what the host calls it now; absent where nobody asked.

    ``signs_commits`` says that its host signs what a bot commits through the API without naming an author, as GitHub
    does and GitHub Enterprise Server does not (About commit signature verification).
    """

    repository_id: int
    node_id: str
    default_branch: str
    archived: bool
    signs_commits: bool = False
    full_name: str | None = None


@dataclass(frozen=True)
class Branch:
    """A branch's tip, whether it is protected the classic way, and the types of the active rules that apply to it."""

    tip: str
    protected: bool
    rule_types: tuple[str, ...]


@dataclass(frozen=True)
class PullState:
    """A pull request, its branch, absent when that is gone, and its repository, as they stood at one moment.

    ``beside`` is the tip of another branch that was asked about, absent when there is none.
    """

    pull: Pull
    branch: Branch | None
    repository: Repository
    beside: str | None


@dataclass(frozen=True)
class Edit:
    """The last change to a text since it was written; ``editor`` is absent when the host does not say whose it was.

    Whoever may write to a repository may change anybody's words in it, which stay under their author's name.
    """

    editor: Author | None


@dataclass(frozen=True)
class Text:
    """A review's or comment's words; ``node_id`` is what GraphQL knows it by.

    ``review_state`` is set for a review only; ``reply_to`` is the numeric id of the comment that opened the thread, set
    for a reply only. ``edit`` is absent when nobody changed the words; REST does not tell, so what only REST has told
    of counts as changed by nobody knows whom.
    """

    source_id: int
    node_id: str
    author: Author | None
    body: str
    review_state: str | None = None
    reply_to: int | None = None
    edit: Edit | None = Edit(editor=None)


@dataclass(frozen=True)
class ThreadComment:
    """One comment of a review thread.

    ``original_commit`` is the commit it was written on, ``diff_hunk`` the diff it was written under. ``edit`` is absent
    when nobody changed it.
    """

    comment_id: int
    author: Author | None
    body: str
    minimized: bool
    pending: bool
    original_commit: str | None
    diff_hunk: str
    edit: Edit | None


@dataclass(frozen=True)
class Thread:
    """One review thread with the comments that were read.

    Lines are 1-based and absent when the thread is outdated or on a whole file; ``right_side`` says it is on the new
    side of the diff. Every comment up to the bound was read.
    """

    thread_id: str
    resolved: bool
    outdated: bool
    path: str
    start_line: int | None
    line: int | None
    right_side: bool
    line_level: bool
    comments: tuple[ThreadComment, ...]


@dataclass(frozen=True)
class Feedback:
    """The review threads of a pull request and the text that asked for a round, as they stood at one moment."""

    threads: tuple[Thread, ...]
    trigger: Text


@dataclass(frozen=True)
class TreeEntry:
    """One file of a recursive tree; ``mode`` is git's six octal digits."""

    path: str
    mode: str
    sha: str
    size: int | None


@dataclass(frozen=True)
class Tree:
    """A whole tree, directories left out; ``truncated`` means the host gave only a part."""

    sha: str
    entries: tuple[TreeEntry, ...]
    truncated: bool


@dataclass(frozen=True)
class Check:
    """One check run or commit status on a commit.

    ``completed`` says it has ended, ``completed_at`` when; ``conclusion`` is upper case and open-ended, for a status
    its state. ``app_id`` is the App that made a check run, ``suite_id`` the suite it is in; of a status the host tells
    neither. ``is_required`` is the host's own word that the base branch of the pull request requires it.
    """

    name: str
    completed: bool
    conclusion: str | None
    is_status: bool = False
    app_id: int | None = None
    completed_at: datetime | None = None
    suite_id: int | None = None
    is_required: bool = False


@dataclass(frozen=True)
class WorkflowRun:
    """One workflow run on a commit, as its latest attempt stands.

    ``status`` and ``conclusion`` are upper case and open-ended. ``workflow`` is the path of the workflow's file,
    ``event`` what it ran for: one file runs for several events, and each of those runs says something else.
    """

    status: str
    conclusion: str | None
    workflow: str
    event: str
    run_id: int


@dataclass(frozen=True)
class Checks:
    """Everything that reports on a commit; ``rollup`` is the host's own summary, absent when nothing has reported.

    ``empty_suites`` counts the check suites that have not ended and hold no check run: an App was told of the commit
    and has said nothing yet. Many never do.
    """

    rollup: str | None
    checks: tuple[Check, ...]
    runs: tuple[WorkflowRun, ...]
    empty_suites: int = 0


@dataclass(frozen=True)
class RequiredCheck:
    """A check or status that must pass before a branch takes a pull request.

    ``app_id`` is the one App whose report counts; absent, any report of that name does. ``host_decides`` says that it
    may be bound to an App that the host does not tell: then a report counts that the host itself calls required.
    """

    name: str
    app_id: int | None = None
    host_decides: bool = False


@dataclass(frozen=True)
class Reporter:
    """Whatever reports under one name: the checks of one App, or the statuses of one context."""

    name: str
    app_id: int | None
    is_status: bool


@dataclass(frozen=True)
class CiReading:
    """One look at CI: where the pull request stands, and what reports on its pushed commit.

    ``required`` is what the base branch requires, ``before`` what had reported on the commit that was reviewed; each is
    absent when it cannot be read.
    """

    head_sha: str
    checks: Checks
    required: tuple[RequiredCheck, ...] | None
    before: frozenset[Reporter] | None


@dataclass(frozen=True)
class JobLog:
    """The end of a failed job's log; ``cut`` says that the log is longer. Whoever wrote the workflow named the job."""

    job: str
    text: str
    cut: bool


@dataclass(frozen=True)
class Annotation:
    """One remark of a failed check on a line of a file; level, title and path are the reporter's own words too."""

    check: str
    path: str
    line: int
    level: str
    title: str
    message: str


@dataclass(frozen=True)
class StatusNote:
    """What a failed commit status says about itself."""

    context: str
    description: str


@dataclass(frozen=True)
class CiEvidence:
    """What the failures on a commit say of themselves: every word in it may be anybody's.

    Only so much is read; ``left_out`` counts the failed jobs, checks and statuses beyond that, and the logs that are
    gone or larger than is read.
    """

    logs: tuple[JobLog, ...]
    annotations: tuple[Annotation, ...]
    statuses: tuple[StatusNote, ...]
    left_out: int


@dataclass(frozen=True)
class PostedComment:
    """A comment as it was found or made: its id, its author's id and its body."""

    comment_id: int
    author_id: int | None
    body: str
    reply_to: int | None = None
