"""In-memory stand-ins for the ports of a review's steps, and a host with pull requests to review."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO

from autoswe.contracts.records.platform import Connection
from autoswe.contracts.review.rows import ApprovalIntent, ReviewRun
from autoswe.ports.github import Gone, PartialAnswer
from autoswe.ports.review.hosts import Changes, CommitRow, ListedPull, OwnReview, PullDetails, ScannedRepository
from autoswe.ports.review.runs import Remembered, ReviewedHead
from autoswe.rules.github.facts import Tree
from autoswe.rules.review.diff.changed_files import REGULAR, ChangedFile, Side
from autoswe.rules.review.pulls.candidate import Account, Candidate, Diff, PullState
from autoswe.rules.review.pulls.reread import Live
from autoswe.rules.review.run.lease import Claim, Lease, LeaseAnswer, ask, release, renew
from autoswe.rules.review.run.ledger import Assessment, merge
from autoswe.rules.review.verdict.tiers import Tier
from autoswe.rules.settings.registry import REVIEWS, Setting
from autoswe.rules.settings.resolution import PLATFORM, Place, StoredSettings
from tests.support.fake_clock import FakeClock
from tests.support.review.changes import added_to
from tests.support.review.pulls import BASE, HEAD, NOON, PERSON, STATE

ORG = "acme"
SLUG = "acme-review"
REPOSITORY = f"{ORG}/tool"
EXECUTION = "arn:aws:states:eu-west-1:123456789012:execution:reviews:one"
MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:reviews"
RELEASE = "d" * 64
README = added_to("README.md", "A sentence more.", under="# Tool")

CONNECTION = Connection(
    name="review",
    api_url="https://api.github.com",
    graphql_url="https://api.github.com/graphql",
    app_id=12,
    app_slug=SLUG,
    bot_id=88,
    installation_id=4,
)


@dataclass
class FakePull:
    """One pull request on the host; a person's, ready, and of documentation until a test says otherwise."""

    repository: str = REPOSITORY
    number: int = 7
    author: Account | None = PERSON
    archived: bool = False
    state: PullState | None = field(default_factory=lambda: replace(STATE, changed_files=1))
    files: tuple[ChangedFile, ...] = (README,)
    sides: dict[tuple[str, str], Side] = field(
        default_factory=lambda: {
            (BASE, "README.md"): Side(REGULAR, "# Tool"),
            (HEAD, "README.md"): Side(REGULAR, "# Tool\nA sentence more."),
        }
    )
    base_ref: str = "main"
    body: str = "What it is for."
    details_head: str | None = None
    unreadable: frozenset[str] = frozenset()
    live_changes: dict[str, Any] = field(default_factory=dict)
    live_state: dict[str, Any] = field(default_factory=dict)
    commits: tuple[str, ...] = (HEAD,)

    @property
    def place(self) -> tuple[str, int]:
        return self.repository, self.number

    @property
    def url(self) -> str:
        return f"https://github.com/{self.repository}/pull/{self.number}"

    def listed(self) -> ListedPull:
        candidate = Candidate(self.repository, self.number, self.archived, self.author)
        return ListedPull(candidate, f"Title of {self.number}", self.url)


@dataclass
class FakeReviewHost:
    """The host of all steps of a review; remembers what it was asked and told.

    ``lost_replies`` is how many approvals are written without their reply arriving; ``hidden`` is how many looks at
    our own reviews do not show one that was just written.
    """

    pulls: list[FakePull] = field(default_factory=lambda: [FakePull()])
    slug: str = SLUG
    write_slug: str = SLUG
    permissions: Mapping[str, object] | None = field(
        default_factory=lambda: {"push": False, "maintain": False, "admin": False, "pull": True}
    )
    asked: list[str] = field(default_factory=list)
    approved: list[tuple[str, int, str, str]] = field(default_factory=list)
    own: list[OwnReview] = field(default_factory=list)
    approve_errors: list[Exception] = field(default_factory=list)

    def app_slug(self) -> str:
        return self.slug

    def powers(self, repository: str) -> Mapping[str, object] | None:
        return self.permissions

    def repositories(self, org: str) -> tuple[ScannedRepository, ...]:
        self.asked.append("repositories")
        archived = {pull.repository: pull.archived for pull in self.pulls}
        return tuple(ScannedRepository(name, archived[name]) for name in sorted(archived))

    def open_pulls(self, repositories: Sequence[str]) -> tuple[ListedPull, ...]:
        self.asked.append("open_pulls")
        return tuple(pull.listed() for pull in self.pulls if pull.repository in repositories)

    def named_pulls(self, pulls: Sequence[tuple[str, int]]) -> tuple[ListedPull, ...]:
        return tuple(self._pull(*place).listed() for place in pulls)

    def states(self, pulls: Sequence[tuple[str, int]]) -> tuple[PullState | None, ...]:
        self.asked.append("states")
        return tuple(self._pull(*place).state for place in pulls)

    def details(self, repository: str, number: int) -> PullDetails:
        pull = self._ask("details", repository, number)
        assert pull.state is not None
        return PullDetails(
            title=f"Title of {number}",
            body=pull.body,
            url=pull.url,
            author=pull.author.login if pull.author else None,
            author_association="MEMBER",
            head_sha=pull.details_head or pull.state.head_sha,
            head_repository=repository,
            head_ref="topic",
            base_ref=pull.base_ref,
            is_fork=False,
            labels=(),
            created_at=NOON,
            updated_at=NOON,
            checks=(),
            reviews=(),
        )

    def changes(self, repository: str, number: int) -> Changes:
        pull = self._ask("changes", repository, number)
        assert pull.state is not None
        size = sum(len((file.patch or "").encode()) for file in pull.files)
        return Changes(pull.files, Diff(len(pull.files), size, pull.state.head_sha, pull.state.base_sha))

    def commits(self, repository: str, number: int) -> tuple[CommitRow, ...]:
        pull = self._ask("commits", repository, number)
        return tuple(CommitRow(sha, "A message", verified=True, author="pat") for sha in pull.commits)

    def file_at(self, repository: str, sha: str, path: str, *, with_text: bool = True) -> Side | None:
        self.asked.append("file_at")
        for pull in self.pulls:
            if pull.repository == repository and (sha, path) in pull.sides:
                side = pull.sides[sha, path]
                return side if with_text else replace(side, text=None)
        return None

    def live(self, repository: str, number: int) -> Live:
        pull = self._ask("live", repository, number)
        assert pull.state is not None
        state = replace(pull.state, **pull.live_state)
        return replace(Live(state, pull.base_ref, by_us=False, commits=pull.commits), **pull.live_changes)

    def reviews_by_us(self, repository: str, number: int) -> tuple[OwnReview, ...]:
        self.asked.append("reviews_by_us")
        return tuple(self.own)

    def approve(self, repository: str, number: int, commit_id: str, body: str) -> str:
        if self.approve_errors:
            raise self.approve_errors.pop(0)
        self.approved.append((repository, number, commit_id, body))
        url = f"https://github.com/{repository}/pull/{number}#pullrequestreview-{len(self.approved)}"
        self.own.append(OwnReview(commit_id, "APPROVED", url, body))
        return url

    def tree(self, commit_sha: str) -> Tree:
        return Tree(commit_sha, (), truncated=False)

    def archive(self, commit_sha: str, into: BinaryIO, max_bytes: int) -> None:
        into.write(b"")

    def blob(self, sha: str, max_bytes: int) -> bytes:
        raise AssertionError("an empty tree has no blobs")

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        raise AssertionError("an empty tree has no blobs")

    def _ask(self, what: str, repository: str, number: int) -> FakePull:
        self.asked.append(what)
        pull = self._pull(repository, number)
        if what in pull.unreadable:
            raise PartialAnswer(f"{what} was not read to its end")
        return pull

    def _pull(self, repository: str, number: int) -> FakePull:
        for pull in self.pulls:
            if pull.place == (repository, number):
                return pull
        raise Gone(f"{repository}#{number}")


@dataclass(frozen=True)
class ApprovingHost:
    """The host as the token for writing reaches it."""

    host: FakeReviewHost

    def app_slug(self) -> str:
        return self.host.write_slug

    def approve(self, repository: str, number: int, commit_id: str, body: str) -> str:
        return self.host.approve(repository, number, commit_id, body)


@dataclass
class FakeReviewRecords:
    """The platform's own records; reviews are switched on."""

    connections: dict[str, Connection] = field(default_factory=lambda: {"review": CONNECTION})
    stored: dict[str, dict[Place, object]] = field(default_factory=lambda: {REVIEWS.name: {PLATFORM: True}})

    def connection(self, name: str) -> Connection | None:
        return self.connections.get(name)

    def settings(self, place: Place, *settings: Setting[Any]) -> StoredSettings:
        return StoredSettings(place, {setting.name: self.stored.get(setting.name, {}) for setting in settings})


@dataclass
class FakeReviewRuns:
    """The runs on record."""

    kept: dict[str, ReviewRun] = field(default_factory=dict)

    def run(self, namespace: str) -> ReviewRun | None:
        return self.kept.get(namespace)

    def begin(self, run: ReviewRun) -> bool:
        return self.kept.setdefault(run.namespace, run) is run

    def go_on(self, before: ReviewRun, after: ReviewRun) -> bool:
        now = self.kept[before.namespace]
        if (now.execution, now.attempt, now.outcome) != (before.execution, before.attempt, before.outcome):
            return False
        self.kept[before.namespace] = after
        return True


@dataclass
class FakeLeases:
    """The leases, by the same rules as the table's."""

    clock: FakeClock
    kept: dict[str, Lease] = field(default_factory=dict)

    def ask(self, org: str, execution: str, since: datetime, seconds: int) -> LeaseAnswer:
        answer, self.kept[org] = ask(
            self.kept.get(org, Lease()), Claim(since, execution), now=self.clock(), until=self._in(seconds)
        )
        return answer

    def held(self, org: str, execution: str, seconds: int) -> bool:
        longer = renew(self.kept.get(org, Lease()), execution, self._in(seconds))
        if longer is not None:
            self.kept[org] = longer
        return longer is not None

    def release(self, org: str, execution: str) -> None:
        self.kept[org] = release(self.kept.get(org, Lease()), execution)

    def _in(self, seconds: int) -> datetime:
        return self.clock() + timedelta(seconds=seconds)


@dataclass
class FakeAssessments:
    """The ledger's records."""

    kept: tuple[Assessment, ...] = ()
    forgotten: int = 0

    def remembered(self, org: str) -> Remembered:
        return Remembered(self.kept, self.forgotten)

    def record(self, org: str, assessments: Iterable[Assessment]) -> None:
        self.kept = tuple(merge(self.kept, assessments, now=datetime(2026, 1, 1, tzinfo=UTC)).values())


@dataclass
class FakeApprovals:
    """The intents of approvals."""

    clock: FakeClock
    kept: dict[ReviewedHead, ApprovalIntent] = field(default_factory=dict)

    def intent(self, head: ReviewedHead) -> ApprovalIntent | None:
        return self.kept.get(head)

    def intend(self, head: ReviewedHead, namespace: str, tier: Tier) -> None:
        written = {"namespace": namespace, "tier": tier, "intended_at": self.clock().isoformat()}
        self.kept[head] = ApprovalIntent.model_validate(written)

    def approved(self, head: ReviewedHead, namespace: str, review_url: str) -> None:
        assert self.kept[head].namespace == namespace
        self.kept[head] = self.kept[head].model_copy(update={"review_url": review_url})


@dataclass
class FakeOurCommits:
    """The commits that the platform has pushed."""

    ours: frozenset[str] = frozenset()

    def pushed_by_us(self, repository: str, commits: Sequence[str]) -> frozenset[str]:
        return self.ours & frozenset(commits)
