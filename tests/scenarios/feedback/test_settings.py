"""A team's own settings count in its repositories, from the delivery to the push (feedback §6)."""

from collections.abc import Iterator
from typing import Any

import pytest

from autoswe.contracts.records.platform import RepositoryRecord
from autoswe.rules.settings.registry import BUDGET, KILL_SWITCH, NEVER_PUSH_BRANCHES, Setting
from autoswe.rules.settings.resolution import PLATFORM, Place
from infra.local.assembly import LocalAssembly
from tests.scenarios.story import GATES, Story


def save(assembly: LocalAssembly, setting: Setting[Any], value: object, place: Place) -> None:
    assembly.records.save_setting(setting, value, by="an-operator", at=assembly.clock.now(), place=place)


@pytest.fixture
def team(assembly: LocalAssembly, story: Story) -> Iterator[Place]:
    """Give the story's repository a team of its own, and switch the platform on again in the end."""
    place = Place("octo", story.site.connection)
    record = RepositoryRecord(
        repository_id=story.repository.id, gates=GATES, organization=place.organization, team=place.team
    )
    assembly.records.save_repository(story.site.connection, story.repository.full_name, record)
    yield place
    save(assembly, KILL_SWITCH, True, PLATFORM)


def test_a_team_that_is_switched_off_while_the_platform_is_on_sees_nothing_start(
    assembly: LocalAssembly, story: Story, team: Place
) -> None:
    save(assembly, KILL_SWITCH, False, team)
    assembly.host.calls.clear()
    before = story.rows("")
    story.request_changes()
    story.pull.comment(story.reviewer, "/auto-swe fix")
    story.finish()
    assert list(assembly.host.calls) == []
    assert (story.executions(), story.rows("")) == ([], before)


def test_a_team_that_is_switched_on_while_the_platform_is_off_gets_its_round(
    assembly: LocalAssembly, story: Story, team: Place
) -> None:
    save(assembly, KILL_SWITCH, True, team)
    save(assembly, KILL_SWITCH, False, PLATFORM)
    neighbour = Story.begin(assembly)
    neighbour.request_changes()
    story.settle_ci("success")
    story.request_changes()
    story.finish()
    assert story.fire_outcomes() == ["succeeded"]
    assert (neighbour.executions(), neighbour.fire_outcomes()) == ([], [])


def test_a_branch_that_the_organisation_rules_out_gets_no_fix_pushed_to_it(
    assembly: LocalAssembly, story: Story, team: Place
) -> None:
    organization = Place(f"of-{story.site.connection}")
    record = RepositoryRecord(repository_id=story.repository.id, gates=GATES, organization=organization.organization)
    assembly.records.save_repository(story.site.connection, story.repository.full_name, record)
    save(assembly, NEVER_PUSH_BRANCHES, ("feat*",), organization)
    story.request_changes()
    story.finish()
    assert story.commits() == []
    [fire] = story.rows("FIRE#")
    assert (fire["outcome"], fire["reason"]) == ("skipped", "never_push_branch")
    assert "prepare" not in story.executions()[0].output


def test_a_round_over_the_organisations_budget_says_so_without_naming_a_number(
    assembly: LocalAssembly, story: Story, team: Place
) -> None:
    organization = Place(f"of-{story.site.connection}")
    record = RepositoryRecord(repository_id=story.repository.id, gates=GATES, organization=organization.organization)
    assembly.records.save_repository(story.site.connection, story.repository.full_name, record)
    save(assembly, BUDGET, 250, organization)
    now = assembly.clock.now()
    assembly.records.save_spending(organization.organization, f"{now:%Y-%m}", 250, by="an-operator", at=now)
    story.request_changes()
    story.finish()
    [summary] = story.summaries()
    assert "nothing more may be spent for now" in summary.body
    assert "250" not in summary.body.split("\n", 1)[1]
    assert story.fire_outcomes() == ["skipped"]
