"""What poll_ci reads of CI."""

import pytest

from autoswe.ports.github import Gone
from autoswe.rules.github.facts import CiReading, Reporter, RequiredCheck, WorkflowRun
from tests.adapters.github.against_host.story import Story


def _read(story: Story, sha: str | None = None) -> CiReading:
    head = story.pull.head_sha
    return story.github.check_host("octo/widgets").ci(story.pull.number, sha or head, head)


def test_checks_statuses_and_runs_of_a_commit_are_read(story: Story) -> None:
    sha = story.pull.head_sha
    run = story.repo.workflow_run(sha, "CI", status="in_progress")
    story.repo.check_run(sha, "tests", status="in_progress", workflow_run=run)
    story.repo.check_run(sha, "lint", conclusion="success")
    story.repo.set_status(sha, "deploy", "pending")
    found = _read(story).checks
    assert found.rollup == "PENDING"
    assert {(check.name, check.completed, check.conclusion) for check in found.checks} == {
        ("tests", False, None),
        ("lint", True, "SUCCESS"),
        ("deploy", False, "PENDING"),
    }
    assert found.runs == (WorkflowRun("IN_PROGRESS", None, run.path, run.event, run.id),)


def test_runs_of_one_workflow_for_two_events_are_both_read_each_in_its_suite(story: Story) -> None:
    sha = story.pull.head_sha
    for event, conclusion in (("push", "failure"), ("pull_request", "success")):
        run = story.repo.workflow_run(sha, "CI", status="completed", conclusion=conclusion, event=event)
        story.repo.check_run(sha, "build", conclusion=conclusion, workflow_run=run)
    found = _read(story).checks
    assert {(run.event, run.conclusion) for run in found.runs} == {("push", "FAILURE"), ("pull_request", "SUCCESS")}
    assert len({check.suite_id for check in found.checks}) == 2


def test_a_commit_nothing_reported_on_has_no_rollup(story: Story) -> None:
    found = _read(story).checks
    assert (found.rollup, found.checks, found.runs) == (None, (), ())


def test_more_than_a_page_of_checks_is_read_and_summarised_whole(story: Story) -> None:
    sha = story.pull.head_sha
    story.repo.check_run(sha, "c000", conclusion="failure")
    for number in range(1, 101):
        story.repo.check_run(sha, f"c{number:03}", conclusion="success")
    found = _read(story)
    assert len(found.checks.checks) == 101
    assert found.checks.rollup == "FAILURE"
    assert found.before is not None
    assert len(found.before) == 101


def test_a_commit_that_does_not_exist_is_gone(story: Story) -> None:
    with pytest.raises(Gone):
        _read(story, "0" * 39 + "1")


def test_what_had_reported_on_the_reviewed_commit_is_read_with_what_reports_on_the_pushed_one(story: Story) -> None:
    reviewed = story.pull.head_sha
    story.repo.check_run(reviewed, "tests", conclusion="success")
    story.repo.set_status(reviewed, "coverage", "failure")
    pushed = story.repo.commit(story.pull.head_ref, {"more.txt": "more\n"}, "More")
    found = story.github.check_host("octo/widgets").ci(story.pull.number, pushed, reviewed)
    actions = story.repo.state.actions_app().app_id
    before = {Reporter("tests", actions, is_status=False), Reporter("coverage", None, is_status=True)}
    assert found.before == frozenset(before)
    assert (found.head_sha, found.checks.checks) == (pushed, ())


def test_what_rulesets_and_protection_require_of_the_base_branch_is_read(story: Story) -> None:
    assert _read(story).required == ()
    actions = story.repo.state.actions_app().app_id
    checks = [{"context": "tests", "integration_id": actions}, {"context": "deploy"}]
    parameters = {"required_status_checks": checks, "strict_required_status_checks_policy": False}
    story.repo.add_rule("main", "required_status_checks", parameters)
    story.repo.add_rule("main", "pull_request")
    story.repo.protect("main", contexts=["lint"])
    sha = story.pull.head_sha
    for name in ("tests", "lint", "docs"):
        story.repo.check_run(sha, name, conclusion="success")
    story.repo.set_status(sha, "tests", "success")
    found = _read(story)
    assert found.required == (
        RequiredCheck("lint", host_decides=True),
        RequiredCheck("tests", actions),
        RequiredCheck("deploy"),
    )
    assert {(check.name, check.is_status) for check in found.checks.checks if check.is_required} == {
        ("tests", False),
        ("lint", False),
    }


def test_a_queued_suite_without_a_run_is_counted(story: Story) -> None:
    sha = story.pull.head_sha
    story.repo.check_suite(sha, story.app)
    story.repo.check_run(sha, "tests", conclusion="success")
    found = _read(story).checks
    assert (found.empty_suites, [check.app_id for check in found.checks]) == (
        1,
        [story.repo.state.actions_app().app_id],
    )
