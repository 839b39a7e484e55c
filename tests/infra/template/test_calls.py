"""What the functions ask of AWS in a real round is what their roles allow, no less and no more."""

from collections.abc import Iterator

import pytest

from autoswe.contracts.records.platform import Automation
from autoswe.rules.records.triggers import PullRequestScope
from autoswe.rules.settings.registry import AGENT_RUNS, BUDGET, OTHER_PULL_REQUESTS
from infra.local.assembly import LocalAssembly
from infra.local.github_host.people.accounts import Account
from infra.local.github_host.pulls.reviews import InlineComment
from tests.infra.template.functions_table import row_kinds
from tests.infra.template.needs import (
    ROUND_LAMBDAS,
    TABLE,
    Interference,
    Need,
    forbidden,
    idle,
    kinds_read,
    unwritten,
    watched,
)
from tests.scenarios.feedback.agent_runs import opened_by_an_agent
from tests.scenarios.story import SUGGESTION, Story
from tests.support.containers.warm import warm_task
from tests.support.feedback.repairing_agent import RepairingAgent, want_documentation

INDEX = f"{TABLE}/index/unstarted"
ROUNDS = "<StateBucket.Arn>/rounds/*"


@pytest.fixture(scope="module")
def needs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[Need]]]:
    """Play a round with its follow-up, rounds that are suppressed, skipped and offered again; find what was lost."""
    agent = RepairingAgent.install(tmp_path_factory.mktemp("agent"))
    root = tmp_path_factory.mktemp("assembly")
    with (
        LocalAssembly(root, task=warm_task(), agent_command=agent.command) as assembly,
        watched(assembly) as interference,
    ):
        assembly.records.save_setting(BUDGET, 1_000, by="operator", at=assembly.clock.now())
        be_followed_up(Story.begin(assembly))
        be_skipped(Story.begin(assembly), interference)
        be_lost(Story.begin(assembly), interference)
        lose_an_intake(Story.begin(assembly), interference)
        be_taken_up(Story.begin(assembly), interference)
        act_on_others(Story.begin(assembly))
        follow_up_an_agent_run(opened_by_an_agent(Story.begin(assembly)))
        yield interference.recorder.needs


def be_followed_up(story: Story) -> None:
    """Let CI fail on the fix, and have that repaired."""
    want_documentation(story.repository)
    story.request_changes()
    story.finish()
    assert len(story.commits()) == 2
    assert story.fire_outcomes() == ["succeeded"]


def be_skipped(story: Story, interference: Interference) -> None:
    """Skip a round, and when the delivery that was suppressed meanwhile is offered again, have another come first."""
    other = colleague(story)
    interference.once["gather_feedback"] = lambda: forbid_and_suppress(story, other)
    interference.once["resolve_intake"] = lambda: story.pull.comment(other, "/auto-swe fix")
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded"]


def be_lost(story: Story, interference: Interference) -> None:
    """Lose a delivery, and then the start of the decision on it."""
    story.settle_ci("success")
    interference.failing = {"receive_delivery"}
    story.request_changes()
    interference.failing = {"start_workflow"}
    interference.sweep()
    story.finish()
    assert story.fire_outcomes() == []
    interference.failing = set()
    interference.sweep()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]


def lose_an_intake(story: Story, interference: Interference) -> None:
    """Skip a round, and lose the delivery that is offered again until another has the pull request."""
    other = colleague(story)
    interference.once["gather_feedback"] = lambda: forbid_and_suppress(story, other)
    interference.failing = {"resolve_intake"}
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["skipped"]
    interference.failing = {"start_workflow"}
    story.pull.comment(other, "/auto-swe fix")
    story.finish()
    interference.failing = set()
    interference.sweep()
    story.finish()
    assert sorted(story.fire_outcomes()) == ["skipped", "succeeded"]


def be_taken_up(story: Story, interference: Interference) -> None:
    """Let the host be away for longer than the push is tried, and have the round taken up again."""
    interference.once["push_fix"] = lambda: story.site.host.outage(4 * 3600)
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["failed"]
    story.assembly.clock.advance(4 * 3600)
    interference.sweep()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]


def act_on_others(story: Story) -> None:
    """Ask for a round on a pull request that the platform did not open, where an automation takes such ones."""
    records, connection = story.assembly.records, story.site.connection
    records.save_setting(OTHER_PULL_REQUESTS, True, by="operator", at=story.assembly.clock.now())
    takes = (PullRequestScope.PLATFORM, PullRequestScope.OTHERS)
    automation = Automation(automation_id="address-pr-feedback", enabled=True, pull_requests=takes)
    records.save_automation(connection, automation)
    pull = story.repository.open_pull("feature", "main", story.stranger, "Theirs")
    pull.review(story.reviewer, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    story.settle_ci("success")
    pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    [fire] = story.assembly.pull_rows(story.site, pull, "FIRE#")
    assert fire["outcome"] == "succeeded"


def follow_up_an_agent_run(story: Story) -> None:
    """Have an agent run open the pull request, and a round follow it up."""
    assembly = story.assembly
    assembly.records.save_setting(AGENT_RUNS, True, by="operator", at=assembly.clock.now())
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]


def colleague(story: Story) -> Account:
    other = story.assembly.host.add_user(f"{story.reviewer.login}-2")
    story.assembly.link_member(story.site, other)
    return other


def forbid_and_suppress(story: Story, other: Account) -> None:
    """Take the reviewer's permission away, and have somebody else ask for the same while the round runs."""
    story.repository.collaborators.set_permission(story.reviewer, "read")
    story.pull.review(other, "comment", "", [InlineComment("total.py", 4, SUGGESTION)])
    story.pull.comment(other, "/auto-swe fix")


def test_every_function_took_part(needs: dict[str, set[Need]]) -> None:
    assert set(needs) == set(ROUND_LAMBDAS)


def test_a_function_asks_for_nothing_that_its_role_forbids(needs: dict[str, set[Need]]) -> None:
    assert forbidden(needs) == set()


def test_a_role_allows_nothing_on_rows_and_artifacts_that_its_function_never_asks_for(
    needs: dict[str, set[Need]],
) -> None:
    assert idle(needs, {TABLE, INDEX, ROUNDS}) == set()


def test_a_role_allows_writing_to_no_partition_that_its_function_never_writes_to(needs: dict[str, set[Need]]) -> None:
    assert unwritten(needs) == {}


@pytest.mark.parametrize("function", ROUND_LAMBDAS)
def test_the_rows_that_a_function_reads_are_those_the_table_names(needs: dict[str, set[Need]], function: str) -> None:
    assert row_kinds(function, "reads") == kinds_read(needs[function])
