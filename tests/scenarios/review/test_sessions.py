"""Whatever a session leaves, each entry ends in a typed result, and nothing but a borne-out verdict approves (§8)."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest

from autoswe.contracts.review.checking import MAX_SUMMARY_BYTES
from autoswe.rules.review.run.naming import namespace_of, report_key, session_key
from autoswe.rules.review.verdict.agent_verdict import MAX_BLOCK_BYTES
from autoswe.rules.review.verdict.approval_body import OPENINGS
from autoswe.rules.review.verdict.tiers import Tier
from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.account import REGION
from infra.local.embedded_aws.functions.functions import Invocation
from infra.local.embedded_aws.step_functions.executions import Execution
from infra.local.github_host.pulls.pulls import Pull
from infra.local.review.assembly import ReviewSite, review_task
from tests.scenarios.review.pulls import ORG, WIDENED, WORKFLOW_PATH, new_repository, open_pull
from tests.support.containers.warm import warm_task
from tests.support.review.recorded import download, simulate
from tests.support.review.scripted_reviewer import SUMMARY, ScriptedReviewer, verdict

CODE = {"app.py": "limit = 2\n"}
WORKFLOW = {WORKFLOW_PATH: WIDENED}
ELSEWHERE = "e" * 40
NEVER_ENDS_WELL = "; the session ended with States.TaskFailed"

FILES: Mapping[str, dict[str, str] | None] = {
    "trivial": None,
    "low risk": CODE,
    "asks for a person": None,
    "vetoed": WORKFLOW,
    "not corroborated": CODE,
    "exits badly": None,
    "is killed": None,
    "says nothing": None,
    "is garbled": None,
    "says too much": None,
    "is too large": None,
    "is about another head": None,
    "is about another pull request": None,
    "cannot be prepared": None,
    "cannot be applied": None,
}
"""What each pull request changes, by its title; without more, a document."""

LEFT = {
    "asks for a person": "reviewer asks for a person",
    "not corroborated": "trivial claim not corroborated: app.py",
    "exits badly": f"session-summary.md is missing, or not ours to read{NEVER_ENDS_WELL}",
    "is killed": f"session-summary.md is missing, or not ours to read{NEVER_ENDS_WELL}",
    "says nothing": "session summary holds no fenced json block",
    "is garbled": "verdict is refused: ",
    "says too much": "verdict is refused: ",
    "is too large": f"session-summary.md announces {MAX_SUMMARY_BYTES + 1} bytes, the cap is {MAX_SUMMARY_BYTES}",
    "is about another head": "verdict names another head",
    "is about another pull request": "verdict names another pull request",
}
"""How the first reason begins of each entry that is left to a person."""

FAILED = {
    "cannot be prepared": "prepare_review failed: OutOfOrder",
    "cannot be applied": "apply_review failed: OutOfOrder",
}
"""The reason of each entry that failed."""


class OutOfOrder(Exception):
    """A step is broken for one entry."""


@dataclass(frozen=True, repr=False)
class Run:
    """One live run over all of them."""

    site: ReviewSite
    reviewer: ScriptedReviewer
    pulls: Mapping[str, Pull]
    execution: Execution

    @property
    def report(self) -> dict[str, Any]:
        return self.site.report(self.execution)

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        return {result["title"]: result for result in self.report["results"]}

    def approvals(self) -> dict[str, list[str]]:
        reviews = {title: self.site.approvals(pull) for title, pull in self.pulls.items()}
        return {title: [review.body for review in written] for title, written in reviews.items() if written}


@pytest.fixture(scope="module")
def reviewer(tmp_path_factory: pytest.TempPathFactory) -> ScriptedReviewer:
    return ScriptedReviewer.install(tmp_path_factory.mktemp("reviewer"))


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory, reviewer: ScriptedReviewer) -> Iterator[LocalAssembly]:
    root = tmp_path_factory.mktemp("assembly")
    with (
        LocalAssembly(root, more_tasks=[warm_task(review_task(reviewer.command))], reviewer="command") as running,
    ):
        yield running


@pytest.fixture(scope="module")
def run(assembly: LocalAssembly, reviewer: ScriptedReviewer) -> Run:
    repository = new_repository(assembly.host, "tools")
    developer = assembly.host.add_user("a-developer")
    pulls = {title: open_pull(repository, developer, title, files) for title, files in FILES.items()}
    script(reviewer, pulls)
    site = ReviewSite.open(assembly, [repository])
    assembly.aws.hooks.before_invoke = disturb(assembly.aws.bucket_name, pulls)
    execution = site.run(ORG, dry_run=False)
    assembly.aws.hooks.before_invoke = lambda _: None
    return Run(site, reviewer, pulls, execution)


def script(reviewer: ScriptedReviewer, pulls: Mapping[str, Pull]) -> None:
    """Have the reviewer say of most what would do for an approval, and leave of others what their titles say."""
    for pull in pulls.values():
        reviewer.finds(pull, Tier.TRIVIAL)
    for title in ("low risk", "vetoed"):
        reviewer.finds(pulls[title], Tier.LOW_RISK)
    reviewer.finds(pulls["asks for a person"], Tier.NEEDS_HUMAN, "Ask @a-maintainer, see https://example.com/.")
    reviewer.says(pulls["exits badly"], verdict(pulls["exits badly"], Tier.TRIVIAL), ends=3)
    reviewer.is_killed(pulls["is killed"])
    reviewer.says(pulls["says nothing"], "")
    reviewer.says(pulls["is garbled"], '\udcff\udcfe\n```json\n{"tier": "trivial", \udc80\n```\n')
    reviewer.finds(pulls["says too much"], Tier.TRIVIAL, "x" * MAX_BLOCK_BYTES)
    reviewer.finds(pulls["is about another head"], Tier.TRIVIAL, head_sha=ELSEWHERE)
    reviewer.says(pulls["is about another pull request"], verdict(pulls["trivial"], Tier.TRIVIAL))


def disturb(bucket: str, pulls: Mapping[str, Pull]) -> Callable[[Invocation], None]:
    """Break a step for one entry, another for a second one, and let a third one's session leave too large an object."""
    keys = {f"tools-{pull.number}": title for title, pull in pulls.items()}

    def before(invocation: Invocation) -> None:
        key = invocation.event["state"].get("entry", {}).get("key", "")
        at = (invocation.function, keys.get(key))
        if at in {("prepare_review", "cannot be prepared"), ("apply_review", "cannot be applied")}:
            raise OutOfOrder
        if at == ("apply_review", "is too large"):
            run = invocation.event["state"]["run"]
            left = session_key(run["namespace"], key, run["attempt"], "session-summary.md")
            body = b" " * (MAX_SUMMARY_BYTES + 1)
            boto3.client("s3", region_name=REGION).put_object(Bucket=bucket, Key=left, Body=body)

    return before


def test_the_run_reports_a_result_of_every_entry(run: Run) -> None:
    assert run.execution.status == "SUCCEEDED"
    assert run.report["counts"] == {
        "approved": 2,
        "would-approve": 0,
        "needs-human": len(LEFT) + 1,
        "failed": len(FAILED),
        "skipped": 0,
        "candidates_seen": len(FILES),
    }
    assert run.results.keys() == FILES.keys()


def test_what_the_diff_bears_out_is_approved_once_under_its_tier_and_at_its_head(run: Run) -> None:
    assert run.approvals().keys() == {"trivial", "low risk"}
    for title, tier in (("trivial", Tier.TRIVIAL), ("low risk", Tier.LOW_RISK)):
        [review] = run.site.approvals(run.pulls[title])
        assert (review.state, review.commit) == ("APPROVED", run.pulls[title].head_sha)
        assert review.body.startswith(OPENINGS[tier])
        result = run.results[title]
        assert (result["verdict"], result["tier"], result["reasons"]) == ("approved", tier, [])
        assert f"#pullrequestreview-{review.id}" in result["review_url"]


def test_the_approval_names_the_model_that_was_asked(run: Run) -> None:
    assert all("`claude-opus-5.5`" in body for [body] in run.approvals().values())


def test_a_veto_leaves_a_claim_of_low_risk_to_a_person(run: Run) -> None:
    result = run.results["vetoed"]
    assert (result["verdict"], result["tier"]) == ("needs-human", "needs-human")
    assert any(WORKFLOW_PATH in reason and "write" in reason for reason in result["reasons"])


@pytest.mark.parametrize("title", LEFT)
def test_a_session_that_bears_nothing_out_leaves_a_person_the_reason(run: Run, title: str) -> None:
    result = run.results[title]
    assert (result["verdict"], result["tier"], result["review_url"]) == ("needs-human", "needs-human", None)
    assert result["reasons"][0].startswith(LEFT[title])


@pytest.mark.parametrize("title", FAILED)
def test_the_failure_of_an_entry_is_its_own_result_and_no_tier(run: Run, title: str) -> None:
    result = run.results[title]
    assert (result["verdict"], result["tier"], result["reasons"]) == ("failed", None, [FAILED[title]])


def test_an_entry_that_cannot_be_prepared_costs_no_session(run: Run) -> None:
    asked = {title for title, pull in run.pulls.items() if run.reviewer.prompt(pull) is not None}
    assert asked == FILES.keys() - {"cannot be prepared"}


def test_the_page_has_a_row_for_every_entry_and_the_words_of_nobody_act_in_it(run: Run) -> None:
    page = run.site.page(run.execution)
    assert page.startswith("# Scheduled review of")
    assert page.partition("\n")[0].endswith(": live run")
    assert "15 pull requests seen: 2 approved, 0 would-approve, 11 needs-human, 2 failed, 0 skipped." in page
    rows = [line for line in page.splitlines() if line.startswith("| [")]
    assert len(rows) == len(FILES)
    assert sum("#pullrequestreview-" in row for row in rows) == 2
    assert "@a-maintainer" not in page


def test_the_ledger_holds_what_was_assessed_and_nothing_that_failed(run: Run) -> None:
    ledger = json.loads(run.site.read(report_key(namespace_of(run.execution.arn), 1, "ledger.json")))
    assert {entry["number"] for entry in ledger["entries"]} == {
        pull.number for title, pull in run.pulls.items() if title not in FAILED
    }
    assert run.report["ledger_entries"] == len(ledger["entries"])


def test_the_next_run_looks_again_at_what_failed_and_at_nothing_else(run: Run) -> None:
    after = run.site.run(ORG, skip_agent=True)
    selection = json.loads(run.site.read(f"reviews/evidence/{namespace_of(after.arn)}/selection.json"))
    assert {pull["title"] for pull in selection["pull_requests"]} == FAILED.keys()
    counts = {reason: count for reason, count in selection["skip_counts"].items() if count}
    assert counts == {"already_approved": 2, "already_assessed": len(LEFT) + 1}


def test_the_recorded_run_is_decided_again_as_it_was(run: Run, tmp_path: Path) -> None:
    download(run.site.assembly.aws.bucket_name, run.execution.arn, tmp_path)
    checks = list(tmp_path.glob("entries/*/check.json"))
    assert len(checks) == len(FILES) - len(FAILED)
    assert simulate(tmp_path) == ["nothing would differ"]


def test_prompts_and_logs_of_a_session_are_kept_with_it(run: Run) -> None:
    namespace, number = namespace_of(run.execution.arn), run.pulls["exits badly"].number
    kept = {
        name: run.site.read(session_key(namespace, f"tools-{number}", 1, name)).decode()
        for name in ("prompt.md", "logs.txt")
    }
    assert kept["prompt.md"] == run.reviewer.prompt(run.pulls["exits badly"])
    assert kept["logs.txt"].startswith("the agent command did not end well: exit code 3\n")
    assert SUMMARY in kept["logs.txt"]
