"""An automation is saved only if what it selects is something that it may act on (feedback §6)."""

import pytest

from autoswe.contracts.records.platform import Automation
from autoswe.rules.intake.automation import AutomationRefusal, Refused
from autoswe.rules.records.triggers import PullRequestScope
from autoswe.rules.settings.registry import OTHER_PULL_REQUESTS
from autoswe.rules.settings.resolution import PLATFORM, Place
from autoswe.steps.intake.save_automation import save_automation
from tests.support.feedback.state import MockState, automation, mock_state, repository_record
from tests.support.intake.deliveries import CONNECTION, REPOSITORY

OTHERS = (PullRequestScope.PLATFORM, PullRequestScope.OTHERS)
TEAM = Place("acme", "tools")


@pytest.fixture
def state() -> MockState:  # type: ignore[misc]  # a fixture that yields
    with mock_state() as mocked:
        mocked.records.save_repository(CONNECTION, REPOSITORY, repository_record(organization="acme", team="tools"))
        yield mocked


def allow(state: MockState, place: Place, *, allowed: bool = True) -> None:
    state.records.save_setting(OTHER_PULL_REQUESTS, allowed, by="ann", at=state.clock(), place=place)


def save(state: MockState, asked: Automation) -> Refused | None:
    return save_automation(CONNECTION, asked, state.records)


def saved(state: MockState) -> Automation | None:
    return state.records.automation(CONNECTION, "fix-feedback")


def test_an_automation_for_our_own_pull_requests_is_saved_whatever_the_settings_say(state: MockState) -> None:
    assert save(state, automation(max_rounds=20, max_ci_fix_attempts=0)) is None
    assert saved(state) == automation(max_rounds=20, max_ci_fix_attempts=0)


def test_others_are_refused_while_the_setting_is_off_and_what_was_saved_stays(state: MockState) -> None:
    save(state, automation())
    refused = save(state, automation(pull_requests=OTHERS, enabled=False))
    assert isinstance(refused, Refused)
    assert refused.reason is AutomationRefusal.OTHERS_NOT_ALLOWED
    assert refused.sentence == (
        "github.prFeedbackOtherPullRequestsEnabled is off for the platform: "
        "set it to on there, or leave others out of pull_requests"
    )
    assert saved(state) == automation()


@pytest.mark.parametrize("place", [PLATFORM, Place("acme"), TEAM])
def test_others_are_saved_for_a_repository_whose_team_organisation_or_platform_allows_them(
    state: MockState, place: Place
) -> None:
    allow(state, place)
    asked = automation(pull_requests=OTHERS, repositories=(REPOSITORY,))
    assert save(state, asked) is None
    assert saved(state) == asked


def test_others_in_all_repositories_need_the_platforms_own_leave(state: MockState) -> None:
    allow(state, TEAM)
    assert save(state, automation(pull_requests=OTHERS)) is not None
    allow(state, PLATFORM)
    assert save(state, automation(pull_requests=OTHERS)) is None


def test_one_repository_that_does_not_allow_them_is_enough_and_is_named(state: MockState) -> None:
    allow(state, PLATFORM)
    allow(state, TEAM, allowed=False)
    refused = save(state, automation(pull_requests=OTHERS, repositories=("octo/other", REPOSITORY)))
    assert isinstance(refused, Refused)
    assert f"is off for {REPOSITORY} (the team tools of acme)" in refused.sentence
    assert saved(state) is None
