"""Whether a round follows up the agent run that opened its pull request (feedback §3, §6)."""

from dataclasses import replace

import pytest

from autoswe.rules.feedback.agent_runs import judge_agent_run_ceilings, judge_run
from autoswe.rules.feedback.eligibility import VISIBLE, SkipReason
from autoswe.rules.records.runs import RunScope
from tests.support.intake.runs import ASKED, agent_run, run


@pytest.mark.parametrize("scope", RunScope)
def test_agents_of_the_platform_or_an_organisation_are_set_to_work_again_and_no_others(scope: RunScope) -> None:
    asked = replace(ASKED, scope=scope)
    may = scope in {RunScope.GLOBAL, RunScope.ORGANIZATION}
    assert judge_run(agent_run(agent_task=asked)) == (asked if may else SkipReason.RUN_SCOPE)


def test_without_a_task_on_record_nobody_knows_what_to_follow_up() -> None:
    assert judge_run(None) is SkipReason.RUN_MISSING
    assert judge_run(run()) is SkipReason.RUN_MISSING


@pytest.mark.parametrize(("started", "stops"), [(0, False), (49, False), (50, True), (51, True)])
def test_agents_start_as_often_a_day_as_the_ceiling_says(started: int, stops: bool) -> None:
    assert (judge_agent_run_ceilings(started, 50) is SkipReason.AGENT_RUN_CEILING) is stops


def test_the_ceiling_is_told_on_the_pull_request_and_what_is_wrong_with_a_run_is_not() -> None:
    assert SkipReason.AGENT_RUN_CEILING in VISIBLE
    assert not {SkipReason.RUN_MISSING, SkipReason.RUN_SCOPE} & VISIBLE
