"""Many deliveries at once, replayed and in any order: what the host and the table show afterwards is as for one."""

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import boto3
import pytest

from autoswe.dynamodb.table.attributes import from_item
from autoswe.rules.text.markers import read_markers
from infra.local.assembly import LocalAssembly
from infra.local.embedded_aws.account import REGION
from infra.local.github_host.webhooks.deliveries import Attempt, Delivery
from tests.scenarios.story import FIXED, Story
from tests.support.containers.warm import warm_task

PULLS_AND_THREADS = (
    pytest.param((5, 8), id="50 deliveries"),
    pytest.param(
        (20, 16),
        id="200 deliveries",
        marks=pytest.mark.soak(
            reason="twenty pull requests at once, from twice as many threads, are no other than five"
        ),
    ),
)
SEED = 3
COPIES = {"review": 3, "command": 3, "second command": 2, "stranger": 1, "remark": 1}
"""How often each delivery of a pull request comes; together ten."""


class Crowd:
    """Pull requests whose people all wrote, and what the webhook has been sent of it, in a random order."""

    def __init__(self, assembly: LocalAssembly, pulls: int) -> None:
        self.assembly = assembly
        self.stories = [Story.begin(assembly) for _ in range(pulls)]
        self.asked: dict[str, Story] = {}
        self.sent: list[Delivery] = []
        for story in self.stories:
            story.settle_ci("success")
            self._write(story)

    def send(self, threads: int) -> list[Attempt]:
        """Send every delivery as often as it comes, from many threads, and wait until nothing moves any more."""
        random.Random(SEED).shuffle(self.sent)
        with ThreadPoolExecutor(threads) as pool:
            attempts = list(pool.map(self.assembly.host.deliver, self.sent))
        self.assembly.aws.settle(300)
        return attempts

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """Read every row of the table whose key begins with a word."""
        pages = boto3.client("dynamodb", region_name=REGION).get_paginator("scan")
        items = [item for page in pages.paginate(TableName=self.assembly.aws.table_name) for item in page["Items"]]
        return [dict(from_item(item)) for item in items if item["pk"]["S"].startswith(f"{kind}#")]

    def _write(self, story: Story) -> None:
        for what, copies in COPIES.items():
            before = len(self.assembly.host.deliveries)
            match what:
                case "review":
                    story.request_changes(deliver=False)
                case "command" | "second command":
                    story.pull.comment(story.reviewer, "/auto-swe fix", deliver=False)
                case "stranger":
                    story.pull.comment(story.stranger, "/auto-swe fix", deliver=False)
                case "remark":
                    story.pull.comment(story.reviewer, "Thank you.", deliver=False)
            written = self.assembly.host.deliveries[before:]
            [delivery] = [one for one in written if one.event in {"pull_request_review", "issue_comment"}]
            self.sent += [delivery] * copies
            if what not in {"stranger", "remark"}:
                self.asked[delivery.guid] = story


@pytest.fixture(scope="module", params=PULLS_AND_THREADS)
def crowd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    pulls, threads = request.param
    with LocalAssembly(tmp_path_factory.mktemp("assembly"), task=warm_task()) as assembly:
        crowd = Crowd(assembly, pulls)
        assert len(crowd.sent) == pulls * sum(COPIES.values())
        attempts = crowd.send(threads)
        assert {attempt.status for attempt in attempts} == {202}
        yield crowd


def test_each_request_of_a_member_is_decided_once_or_kept_as_suppressed_and_nothing_else_is_recorded(
    crowd: Crowd,
) -> None:
    recorded = {row["pk"].split("#")[2]: row["outcome"] for row in crowd.rows("DELIVERY")}
    assert set(recorded) == set(crowd.asked)
    assert set(recorded.values()) == {"decided", "suppressed"}
    decided = [row["delivery"] for row in crowd.rows("DECISION")]
    assert sorted(decided) == sorted(guid for guid, outcome in recorded.items() if outcome == "decided")
    noted = [row["delivery"] for row in crowd.rows("PR") if row.get("event") == "delivery_suppressed"]
    assert sorted(noted) == sorted(guid for guid, outcome in recorded.items() if outcome == "suppressed")


def test_each_decision_has_one_execution_and_one_outcome(crowd: Crowd) -> None:
    decisions = {row["decision_id"] for row in crowd.rows("DECISION")}
    executions = Counter(one.input["decision_id"] for one in crowd.assembly.aws.executions())
    assert executions == dict.fromkeys(decisions, 1)
    rounds = {row["decision_id"]: row["outcome"] for row in crowd.rows("PR") if row["sk"].startswith("FIRE#")}
    assert rounds == dict.fromkeys(decisions, "succeeded")


def test_no_two_rounds_hold_a_pull_request_at_once(crowd: Crowd) -> None:
    for story in crowd.stories:
        rounds = sorted(story.rows("FIRE#"), key=lambda row: row["fence"])
        assert len({row["fence"] for row in rounds}) == len(rounds)
        for earlier, later in pairwise(rounds):
            assert earlier["ended_at"] <= later["started_at"]
        assert story.slot_is_free()


def test_each_pull_request_gets_one_commit_one_summary_and_no_comment_twice(crowd: Crowd) -> None:
    for story in crowd.stories:
        [commit] = story.commits()
        assert story.repository.read(commit, "total.py").decode() == FIXED
        assert len(story.summaries()) == 1
        replies = [reply for thread in story.replies() for reply in thread]
        markers = Counter(marker for reply in replies for marker in read_markers(reply.body))
        assert set(markers.values()) == {1}
        assert len(replies) == len(markers) == 2 * len(story.rows("FIRE#"))
        assert not story.has_work_branch()
