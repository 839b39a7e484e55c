"""A pull request that an agent run opened is followed up by its agent once the run has parked (feedback §2, §3, §6)."""

import json
from collections.abc import Iterator

import boto3
import pytest
from botocore.exceptions import ClientError

from autoswe.contracts.records.platform import RepositoryRecord
from autoswe.rules.records.origin import OriginKind, RunStatus
from autoswe.rules.records.runs import RunScope
from autoswe.rules.settings.registry import AGENT_RUNS, AGENT_RUNS_MAX_PER_DAY
from autoswe.rules.settings.resolution import Place
from infra.local.assembly import RUN_BUS, LocalAssembly
from infra.local.embedded_aws.account import ACCOUNT_ID, REGION
from infra.local.github_host.pulls.reviews import InlineComment
from tests.scenarios.feedback.agent_runs import TASK, opened_by_an_agent, report
from tests.scenarios.story import FIXED, GATES, Story
from tests.support.containers.warm import warm_task
from tests.support.feedback.repairing_agent import RepairingAgent


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> RepairingAgent:
    return RepairingAgent.install(tmp_path_factory.mktemp("agent"))


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory, agent: RepairingAgent) -> Iterator[LocalAssembly]:
    root = tmp_path_factory.mktemp("assembly")
    with LocalAssembly(root, task=warm_task(), agent_command=agent.command) as running:
        running.records.save_setting(AGENT_RUNS, True, by="an-operator", at=running.clock.now())
        yield running


@pytest.fixture
def story(assembly: LocalAssembly, agent: RepairingAgent) -> Story:
    agent.begin(repairs=False)
    begun = Story.begin(assembly)
    begun.settle_ci("success")
    return begun


def skipped(story: Story) -> str:
    """Ask for a round that must be skipped, and return why it was."""
    story.request_changes()
    story.finish()
    [fire] = story.rows("FIRE#")
    assert fire["outcome"] == "skipped"
    assert story.commits() == []
    return str(fire["reason"])


def test_the_agent_goes_on_with_its_own_task_and_the_remarks(story: Story, agent: RepairingAgent) -> None:
    told = opened_by_an_agent(story)
    told.request_changes()
    told.finish()
    assert told.fire_outcomes() == ["succeeded"]
    [fix] = told.commits()
    assert told.repository.read(fix, "total.py").decode() == FIXED
    [prompt] = agent.prompts()
    assert prompt.startswith("You opened a pull request")
    assert TASK in prompt
    assert "Why is there no documentation for this?" in prompt
    assert "By an agent" not in prompt


def test_the_pull_request_of_a_tracked_workflow_is_no_agents_to_go_on_with(story: Story, agent: RepairingAgent) -> None:
    workflow = {"agent": None, "scope": None, "task": None}
    told = opened_by_an_agent(story, kind=OriginKind.TRACKED_WORKFLOW, **workflow)
    told.request_changes()
    told.finish()
    assert told.fire_outcomes() == ["succeeded"]
    [prompt] = agent.prompts()
    assert prompt.startswith("You are reviewFixer")


@pytest.mark.parametrize("status", [RunStatus.RUNNING, RunStatus.AWAITING_CI])
def test_a_run_that_may_still_push_is_a_visible_skip(story: Story, status: RunStatus) -> None:
    told = opened_by_an_agent(story, status=status)
    assert skipped(told) == "run_still_working"
    [summary] = told.summaries()
    assert "still at work" in summary.body


def test_a_run_that_ended_is_no_longer_at_work(story: Story) -> None:
    told = opened_by_an_agent(story, status=RunStatus.ENDED)
    told.request_changes()
    told.finish()
    assert told.fire_outcomes() == ["succeeded"]


def test_a_run_that_parks_later_gets_its_round_then(story: Story) -> None:
    told = opened_by_an_agent(story, status=RunStatus.RUNNING, pull_number=None)
    told.assembly.clock.advance(60)
    told.assembly.report_run(report(told))
    told.request_changes()
    told.finish()
    assert told.fire_outcomes() == ["succeeded"]


def test_a_late_report_of_a_run_at_work_does_not_keep_a_parked_one_from_its_round(story: Story) -> None:
    told = opened_by_an_agent(story)
    told.assembly.report_run(report(told, minutes_ago=5, status=RunStatus.AWAITING_CI))
    told.request_changes()
    told.finish()
    assert told.fire_outcomes() == ["succeeded"]


@pytest.mark.parametrize("scope", [RunScope.TEAM, RunScope.PERSONAL])
def test_an_agent_of_a_team_or_a_person_is_not_set_to_work_and_nothing_is_said(story: Story, scope: RunScope) -> None:
    told = opened_by_an_agent(story, scope=scope)
    assert skipped(told) == "run_scope"
    assert told.said_nothing()


@pytest.mark.parametrize(("field", "value"), [("author_id", 1), ("branch", "elsewhere")])
def test_a_run_that_the_host_does_not_bear_out_is_skipped_and_nothing_is_said(
    story: Story, field: str, value: object
) -> None:
    told = opened_by_an_agent(story, **{field: value})
    assert skipped(told) == {"author_id": "origin_mismatch", "branch": "head_moved"}[field]
    assert told.said_nothing()


def test_the_ceiling_is_told_without_a_number_and_is_the_organisations_own(story: Story) -> None:
    assembly, organization = story.assembly, f"of-{story.site.connection}"
    record = RepositoryRecord(repository_id=story.repository.id, gates=GATES, organization=organization)
    assembly.records.save_repository(story.site.connection, story.repository.full_name, record)
    place, now = Place(organization), assembly.clock.now()
    assembly.records.save_setting(AGENT_RUNS_MAX_PER_DAY, 1, by="an-operator", at=now, place=place)
    told = opened_by_an_agent(story)
    assert skipped(told) == "agent_run_ceiling"
    [summary] = told.summaries()
    assert "agents have done enough for now" in summary.body
    assert not any(character.isdigit() for character in summary.body.split("\n", 1)[1].replace("###", ""))


def test_the_run_that_opened_it_and_the_round_count_as_two_starts(story: Story) -> None:
    assembly, organization = story.assembly, f"of-{story.site.connection}"
    record = RepositoryRecord(repository_id=story.repository.id, gates=GATES, organization=organization)
    assembly.records.save_repository(story.site.connection, story.repository.full_name, record)
    place, now = Place(organization), assembly.clock.now()
    assembly.records.save_setting(AGENT_RUNS_MAX_PER_DAY, 2, by="an-operator", at=now, place=place)
    told = opened_by_an_agent(story)
    told.request_changes()
    told.finish()
    told.pull.review(told.reviewer, "request_changes", "More.", [InlineComment("total.py", 1, "Say what it is for.")])
    told.finish()
    assert sorted(row["reason"] for row in told.rows("FIRE#") if "reason" in row) == ["agent_run_ceiling"]
    assert len(told.commits()) == 1


def put(client: object, told: Story, **changes: object) -> object:
    entry = {
        "EventBusName": RUN_BUS,
        "Source": "autoswe.runs",
        "DetailType": "Run reported",
        "Detail": json.dumps(json.loads(report(told).model_dump_json(exclude_none=True)) | changes),
    }
    return client.put_events(Entries=[entry])  # type: ignore[attr-defined]


def test_a_principal_that_is_not_named_can_report_nothing(story: Story) -> None:
    role = "arn:aws:iam::210987654321:role/stranger"
    session = boto3.client("sts", region_name=REGION).assume_role(RoleArn=role, RoleSessionName="story")["Credentials"]
    stranger = boto3.client(
        "events",
        region_name=REGION,
        aws_access_key_id=session["AccessKeyId"],
        aws_secret_access_key=session["SecretAccessKey"],
        aws_session_token=session["SessionToken"],
    )
    with pytest.raises(ClientError, match="not authorized to perform: events:PutEvents"):
        put(stranger, story)
    assert story.assembly.aws.bus is not None
    assert not story.assembly.aws.bus.settle()


def test_a_report_that_is_refused_is_kept_whole_and_leaves_the_record_as_it_was(story: Story) -> None:
    told, bus = opened_by_an_agent(story), story.assembly.aws.bus
    assert bus is not None
    bus.undelivered.clear()
    before = told.rows("ORIGIN")
    client = boto3.client("events", region_name=REGION)
    put(client, told, run_id="another")
    put(client, told, status="parked")
    bus.settle()
    assert told.rows("ORIGIN") == before
    assert [event["detail"]["run_id"] for event in bus.undelivered] == ["another", f"run-{told.pull.number}"]
    assert {event["account"] for event in bus.undelivered} == {ACCOUNT_ID}
