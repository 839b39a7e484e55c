"""One pull request with its people, on a local assembly that many stories share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import boto3

from autoswe.contracts.feedback.fixing import FixerBrief
from autoswe.contracts.records.platform import GateSettings, RepositoryRecord
from autoswe.rules.text.markers import MarkerKind, read_markers
from infra.local.assembly import LocalAssembly, Site
from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.functions.functions import Invocation
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.host import GitHubHost
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment, ReviewComment
from infra.local.github_host.repository import Repository

FLAWED = "def total(values):\n    result = 0\n    for value in values:\n        result = value\n    return result\n"
SUGGESTION = "Each value has to be added.\n\n```suggestion\n        result += value\n```"
FIXED = FLAWED.replace("result = value", "result += value")
REMARK = "Why is there no documentation for this?"
GATES = GateSettings(lint=("python3", "-m", "py_compile", "total.py"))

_numbers = count(1)


@dataclass(repr=False)
class Story:
    """A pull request that a run of ours opened, a reviewer who is a member, and a stranger who is not."""

    assembly: LocalAssembly
    site: Site
    pull: Pull
    reviewer: Account
    stranger: Account
    head: str
    waits: list[float] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        assembly: LocalAssembly,
        *,
        gates: GateSettings | None = GATES,
        host: GitHubHost | None = None,
        full_name: str | None = None,
    ) -> "Story":
        """Open a fresh repository with one pull request on the assembly's host, or on another one beside it."""
        name = f"s{next(_numbers)}"
        host = host or assembly.host
        repository = host.add_repository(full_name or f"octo/{name}")
        repository.commit("main", {"README.md": "A small project.\n"}, "Begin")
        record = RepositoryRecord(repository_id=repository.id, gates=gates or GateSettings())
        site = assembly.connect(repository, name, host=host, record=record)
        author, reviewer = host.add_user(f"{name}-author"), host.add_user(f"{name}-reviewer")
        head = repository.commit("feature", {"total.py": FLAWED}, "Add a total", author=author)
        pull = repository.open_pull("feature", "main", author, "Add a total")
        assembly.link_member(site, reviewer)
        assembly.record_origin(site, pull)
        stranger = host.add_user(f"{name}-stranger")
        story = cls(assembly, site, pull, reviewer, stranger, head)
        story.on_wait(lambda _: None)
        return story

    @property
    def repository(self) -> Repository:
        return self.site.repository

    def request_changes(self, *, deliver: bool = True) -> None:
        """Have the reviewer request changes, with one suggestion and one remark."""
        comments = [InlineComment("total.py", 4, SUGGESTION), InlineComment("total.py", 1, REMARK)]
        self.pull.review(self.reviewer, "request_changes", "Please look again.", comments, deliver=deliver)

    def second_reviewer(self) -> Account:
        """Let another account be a member here who may write."""
        account = self.site.host.add_user(f"{self.reviewer.login}-2")
        self.assembly.link_member(self.site, account)
        return account

    def before_gathering(self, act: Callable[[], object]) -> None:
        """Act once, just before a round gathers."""
        acted: list[str] = []

        def before(invocation: Invocation) -> None:
            if invocation.function == "gather_feedback" and not acted:
                acted.append("now")
                act()

        self.assembly.aws.hooks.before_invoke = before

    def on_wait(self, act: Callable[[float], None]) -> None:
        """Act each time a workflow waits."""

        def waited(seconds: float) -> None:
            self.waits.append(seconds)
            act(seconds)

        self.assembly.clock.on_wait = waited

    def settle_ci(self, conclusion: str) -> None:
        """Let a check end that way on each commit of ours as soon as it lands."""

        def landed(repository: Repository, branch: str, sha: str) -> None:
            if branch == "feature":
                repository.check_run(sha, "tests", conclusion=conclusion)

        self.repository.on_push(landed)

    def finish(self) -> None:
        """Wait until nothing moves any more."""
        self.assembly.aws.settle(240)

    def executions(self) -> list[Execution]:
        """List the executions of this pull request."""
        mine = (self.site.connection, self.repository.full_name)
        started = self.assembly.aws.executions()
        return [one for one in started if (one.input["connection"], one.input["repository"]) == mine]

    def commits(self) -> list[str]:
        """List the commits that came onto the branch after the story began, newest first."""
        shas = [commit.sha for commit in self.repository.log("feature")]
        return shas[: shas.index(self.head)]

    def summaries(self) -> list[IssueComment]:
        """List our summary comments."""
        return [
            comment
            for comment in self.pull.comments
            if comment.author is self.site.app.bot
            and any(kind is MarkerKind.SUMMARY for kind, _ in read_markers(comment.body))
        ]

    def replies(self) -> list[list[ReviewComment]]:
        """List our replies, thread by thread."""
        bot = self.site.app.bot
        return [[comment for comment in thread.comments if comment.author is bot] for thread in self.pull.threads]

    def has_work_branch(self) -> bool:
        """Whether a work branch is there."""
        return self.repository.store.tip(f"auto-swe/feedback/pr-{self.pull.number}") is not None

    def rows(self, prefix: str) -> list[dict[str, Any]]:
        """Read the pull request's rows whose sort key starts so."""
        return self.assembly.pull_rows(self.site, self.pull, prefix)

    def slot_is_free(self) -> bool:
        """Whether no round holds the pull request."""
        return all("holder" not in row for row in self.rows("INFLIGHT"))

    def brief(self) -> FixerBrief:
        """Read what the newest round's agent was told."""
        reference = self.executions()[-1].output["gather"]["value"]["brief"]
        stored = boto3.client("s3", region_name=REGION).get_object(
            Bucket=self.assembly.aws.bucket_name, Key=reference["key"]
        )
        return FixerBrief.model_validate_json(stored["Body"].read())

    def fire_outcomes(self) -> list[str]:
        """List how the pull request's rounds ended."""
        return [row["outcome"] for row in self.rows("FIRE#")]

    def said_nothing(self) -> bool:
        """Whether nothing of ours is on the pull request."""
        return not self.commits() and not self.summaries() and not any(self.replies())
