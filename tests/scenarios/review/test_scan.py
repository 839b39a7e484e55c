"""A scan of sixty pull requests in six repositories: which are reviewed, and why each other one is not (review §5)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from autoswe.rules.review.pulls.selection import MAX_FILES, MAX_PATCH_BYTES, SkipReason
from autoswe.rules.review.run.naming import evidence_key, namespace_of, report_key
from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.answers.replies import Reply
from infra.local.github_host.http.calls import Call
from infra.local.github_host.http.faults import Proceed
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.pulls import Pull
from infra.local.github_host.pulls.reviews import InlineComment
from infra.local.github_host.repository import Repository
from infra.local.review.assembly import ReviewSite, review_task
from tests.scenarios.review.pulls import ORG, new_repository, open_pull
from tests.support.containers.warm import warm_task
from tests.support.review.recorded import download, simulate

CAP = 9
SKIPPED = {
    SkipReason.REPOSITORY: 6,
    SkipReason.BOT_AUTHOR: 4,
    SkipReason.CLOSED: 1,
    SkipReason.DRAFT: 4,
    SkipReason.CONFLICTING: 3,
    SkipReason.CHANGES_REQUESTED: 4,
    SkipReason.ALREADY_APPROVED: 3,
    SkipReason.COPILOT_PENDING: 2,
    SkipReason.COPILOT_FEEDBACK: 2,
    SkipReason.CI_PENDING: 3,
    SkipReason.CI_FAILING: 4,
    SkipReason.CI_NONE: 3,
    SkipReason.ALREADY_ASSESSED: 2,
    SkipReason.HEAD_MOVED: 1,
    SkipReason.TOO_LARGE: 2,
    SkipReason.CAP: 5,
    SkipReason.UNREADABLE: 2,
}
"""How many of the sixty each reason catches; nine are left."""


@dataclass(repr=False)
class Organisation:
    """Six repositories, of which one is archived and one excluded, and what is to become of each pull request."""

    assembly: LocalAssembly
    expected: dict[SkipReason | None, list[Pull]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        host = self.assembly.host
        self.open_to_review = [new_repository(host, name) for name in ("gadgets", "gears", "notes", "widgets")]
        self.archived, self.excluded = new_repository(host, "attic"), new_repository(host, "vendored")
        self.developer, self.reviewer = host.add_user("a-developer"), host.add_user("a-reviewer")
        self.gone = host.add_user("a-leaver")
        self.bot = host.add_app("a-bot", permissions={}).bot
        self.copilot = host.add_app("copilot-pull-request-reviewer", permissions={}).bot

    @property
    def repositories(self) -> list[Repository]:
        return [*self.open_to_review, self.archived, self.excluded]

    @property
    def pulls(self) -> list[Pull]:
        return [pull for pulls in self.expected.values() for pull in pulls]

    def expect(self, reason: SkipReason | None, repository: Repository | None = None, **other: Any) -> Pull:
        """Open a pull request that is to end so, a minute after the last one; each in the next repository."""
        self.assembly.clock.advance(60)
        number = len(self.pulls)
        where = repository or self.open_to_review[number % len(self.open_to_review)]
        author: Account = other.pop("author", self.developer)
        pull = open_pull(where, author, f"Change {number}", **other)
        self.expected.setdefault(reason, []).append(pull)
        return pull

    def fill(self) -> None:
        """Open all of them; the ones that a run has assessed come first."""
        for _ in range(2):
            self.expect(SkipReason.ALREADY_ASSESSED)
        self._open_what_anybody_sees()
        self._open_what_reviews_say()
        self._open_what_ci_says()
        self._open_what_cannot_be_read()
        self._open_what_is_left()
        self.archived.archived = True
        self.assembly.host.delete_account(self.gone)

    def _open_what_anybody_sees(self) -> None:
        for repository in (self.archived, self.excluded):
            for draft in (False, True, False):
                self.expect(SkipReason.REPOSITORY, repository, draft=draft)
        for author in (self.bot, self.bot, self.gone, self.copilot):
            self.expect(SkipReason.BOT_AUTHOR, author=author)
        self.expect(SkipReason.CLOSED)
        for ci in ("success", "failure", None, "success"):
            self.expect(SkipReason.DRAFT, draft=True, ci=ci)
        for _ in range(3):
            self.expect(SkipReason.CONFLICTING).mergeable = False

    def _open_what_reviews_say(self) -> None:
        for earlier, later in (
            ("comment", "request_changes"),
            ("approve", "request_changes"),
            ("request_changes", "request_changes"),
            ("request_changes", "comment"),
        ):
            pull = self.expect(SkipReason.CHANGES_REQUESTED)
            pull.review(self.reviewer, earlier, "Please reword.")
            pull.review(self.reviewer, later, "Please reword.")
        for _ in range(3):
            self.expect(SkipReason.ALREADY_APPROVED).review(self.reviewer, "approve")
        for _ in range(2):
            self.expect(SkipReason.COPILOT_PENDING).request_review(self.copilot)
            self._remark(self.expect(SkipReason.COPILOT_FEEDBACK), self.copilot)

    def _open_what_ci_says(self) -> None:
        for _ in range(2):
            pull = self.expect(SkipReason.CI_PENDING)
            pull.repository.check_run(pull.head_sha, "slow tests", status="in_progress")
        pull = self.expect(SkipReason.CI_PENDING)
        pull.repository.expect_status(pull.head_sha, "deploy")
        for conclusion in ("failure", "timed_out", "cancelled"):
            self.expect(SkipReason.CI_FAILING, ci=conclusion)
        pull = self.expect(SkipReason.CI_FAILING)
        pull.repository.set_status(pull.head_sha, "deploy", "error")
        for _ in range(3):
            self.expect(SkipReason.CI_NONE, ci=None)

    def _open_what_cannot_be_read(self) -> None:
        self.expect(SkipReason.HEAD_MOVED)
        self.expect(SkipReason.TOO_LARGE, files={f"docs/{number}.md": "A page.\n" for number in range(MAX_FILES + 1)})
        page = "words and more words\n" * (MAX_PATCH_BYTES // 8 // 21)
        self.expect(SkipReason.TOO_LARGE, files={f"docs/{number}.md": page for number in range(9)})
        self._remark(self.expect(SkipReason.UNREADABLE), self.gone)
        self.expect(SkipReason.UNREADABLE).request_review(self.gone)

    def _open_what_is_left(self) -> None:
        """Open what nothing but the cap can catch, whatever is on some of them; a late label makes one young."""
        touched = self.expect(SkipReason.CAP)
        left = [self.expect(None) for _ in range(CAP)]
        left[0].review(self.reviewer, "request_changes", "Please reword.").dismiss()
        left[1].review(self.reviewer, "comment", "I wonder.")
        left[2].review(self.reviewer, "approve")
        sha = left[2].repository.commit(left[2].head_ref, {"README.md": "# Another\n"}, "Reword", author=self.developer)
        left[2].repository.check_run(sha, "tests", conclusion="success")
        self._remark(left[3], self.copilot).threads[0].resolve()
        for _ in range(SKIPPED[SkipReason.CAP] - 1):
            self.expect(SkipReason.CAP)
        self.assembly.clock.advance(60)
        touched.label("young")

    @staticmethod
    def _remark(pull: Pull, author: Account) -> Pull:
        pull.review(author, "comment", "", [InlineComment("README.md", 1, "Why?")])
        return pull

    def change_while_it_is_scanned(self) -> None:
        """Close one pull request before its state is read, and push to another before its diff is."""
        [closing], [moving] = self.expected[SkipReason.CLOSED], self.expected[SkipReason.HEAD_MOVED]

        def close(_: Call, proceed: Proceed) -> Reply:
            closing.close()
            return proceed()

        def push(call: Call, proceed: Proceed) -> Reply:
            asked = f"/{moving.repository.full_name}/pulls/{moving.number}/files"
            if asked in call.path and len(moving.commits()) == 1:
                moving.repository.commit(moving.head_ref, {"app.py": "limit = 9\n"}, "Add", author=self.developer)
            return proceed()

        faults = self.assembly.host.faults
        faults.add("graphql PullStates", close)
        faults.add("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", push, times=-1)


@dataclass(frozen=True, repr=False)
class Scanned:
    """The organisation after a run that assessed two pull requests, and one that scanned them all without sessions."""

    organisation: Organisation
    site: ReviewSite
    first: Execution
    scan: Execution
    sessions: int

    def document(self, execution: Execution, name: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.site.read(evidence_key(namespace_of(execution.arn), name)))
        return loaded

    def tasks(self) -> int:
        return len(self.site.assembly.aws.tasks.started)


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAssembly]:
    root = tmp_path_factory.mktemp("assembly")
    with LocalAssembly(root, more_tasks=[warm_task(review_task())]) as running:
        yield running


@pytest.fixture(scope="module")
def scanned(assembly: LocalAssembly) -> Scanned:
    organisation = Organisation(assembly)
    organisation.fill()
    site = ReviewSite.open(assembly, organisation.repositories)
    named = ", ".join(map(place, organisation.expected[SkipReason.ALREADY_ASSESSED]))
    first = site.run(ORG, pull_requests=named)
    sessions = len(assembly.aws.tasks.started)
    organisation.change_while_it_is_scanned()
    scan = site.run(ORG, skip_agent=True, exclude_repos="vendored", max_pull_requests=CAP)
    assembly.host.faults.clear()
    return Scanned(organisation, site, first, scan, sessions)


def place(pull: Pull) -> str:
    return f"{pull.repository.full_name}#{pull.number}"


def places(pulls: list[Mapping[str, Any]]) -> list[str]:
    return [f"{pull['repository']}#{pull['number']}" for pull in pulls]


def test_sixty_pull_requests_of_six_repositories_are_seen(scanned: Scanned) -> None:
    assert len(scanned.organisation.pulls) == 60
    assert len({pull.repository.full_name for pull in scanned.organisation.pulls}) == 6
    assert scanned.document(scanned.scan, "selection.json")["candidates_seen"] == 60


@pytest.mark.parametrize("reason", SkipReason)
def test_each_reason_catches_the_pull_requests_that_it_is_about_and_no_other(
    scanned: Scanned, reason: SkipReason
) -> None:
    selection = scanned.document(scanned.scan, "selection.json")
    caught = [row for row in selection["skipped"] if row["reason"] == reason]
    assert sorted(places(caught)) == sorted(map(place, scanned.organisation.expected[reason]))
    assert selection["skip_counts"][reason] == len(caught) == SKIPPED[reason]


def test_what_is_left_is_selected_longest_untouched_first_up_to_the_cap(scanned: Scanned) -> None:
    selection = scanned.document(scanned.scan, "selection.json")
    selected = scanned.organisation.expected[None]
    assert places(selection["pull_requests"]) == sorted(map(place, selected))
    youngest = max(pull.updated_at for pull in selected)
    capped = [pull.updated_at for pull in scanned.organisation.expected[SkipReason.CAP]]
    assert all(touched.replace(microsecond=0) > youngest for touched in capped)


def test_a_reason_that_catches_nothing_is_counted_as_zero(scanned: Scanned) -> None:
    selection = scanned.document(scanned.first, "selection.json")
    assert selection["skip_counts"] == dict.fromkeys(SkipReason, 0)
    assert sorted(places(selection["pull_requests"])) == sorted(selection["explicit_pull_requests"])


def test_a_run_without_sessions_starts_none_and_writes_nothing_on_github(scanned: Scanned) -> None:
    assert (scanned.sessions, scanned.tasks()) == (2, 2)
    assert not any(map(scanned.site.approvals, scanned.organisation.pulls))


def test_the_report_counts_what_was_seen_and_groups_what_was_skipped(scanned: Scanned) -> None:
    report = scanned.site.report(scanned.scan)
    assert report["counts"] == {
        "approved": 0,
        "would-approve": 0,
        "needs-human": 0,
        "failed": 0,
        "skipped": 60 - CAP,
        "candidates_seen": 60,
    }
    assert (report["results"], report["premium_requests"], report["agent_seconds"]) == ([], 0, 0)
    assert report["skipped"] == scanned.document(scanned.scan, "selection.json")["skipped"]


def test_the_page_tells_every_reason_that_caught_something_with_its_count_in_the_rules_order(scanned: Scanned) -> None:
    page = scanned.site.page(scanned.scan).splitlines()
    assert page[0].endswith(": dry run")
    assert f"60 pull requests seen: 0 approved, 0 would-approve, 0 needs-human, 0 failed, {60 - CAP} skipped." in page
    headings = [line for line in page if line.startswith("### ")]
    assert headings == [f"### `{reason}`: {SKIPPED[reason]}" for reason in SkipReason]


def test_a_dry_run_is_remembered_and_the_next_scan_begins_with_that(scanned: Scanned) -> None:
    assessed = scanned.organisation.expected[SkipReason.ALREADY_ASSESSED]
    wanted = sorted((pull.repository.full_name, pull.number, pull.head_sha) for pull in assessed)
    for execution, folder in ((scanned.first, "reports"), (scanned.scan, "evidence")):
        namespace = namespace_of(execution.arn)
        key = report_key(namespace, 1, "ledger.json") if folder == "reports" else evidence_key(namespace, "ledger.json")
        entries = json.loads(scanned.site.read(key))["entries"]
        assert sorted((entry["repository"], entry["number"], entry["head_sha"]) for entry in entries) == wanted
        assert {(entry["verdict"], entry["tier"], entry["dry_run"]) for entry in entries} == {
            ("would-approve", "trivial", True)
        }
        assert all(datetime.fromisoformat(entry["assessed_at"]).tzinfo == UTC for entry in entries)


@pytest.mark.parametrize("which", ["first", "scan"])
def test_the_recorded_runs_are_decided_again_as_they_were(scanned: Scanned, which: str, tmp_path: Path) -> None:
    download(scanned.site.assembly.aws.bucket_name, getattr(scanned, which).arn, tmp_path)
    assert simulate(tmp_path) == ["nothing would differ"]


def test_an_approval_without_a_model_names_none(scanned: Scanned) -> None:
    pull = scanned.organisation.expected[SkipReason.ALREADY_ASSESSED][0]
    live = scanned.site.run(ORG, pull_requests=place(pull), dry_run=False)
    assert live.status == "SUCCEEDED"
    [approval] = scanned.site.approvals(pull)
    assert "using model\n`rules`;" in approval.body
    assert scanned.document(live, "selection.json")["model"] == "rules"
