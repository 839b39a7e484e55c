"""What poll_ci reads of a commit."""

import pytest

from autoswe.ports.github import Gone
from autoswe.rules.github.facts import WorkflowRun
from tests.adapters.github.against_host.story import Story


def test_checks_statuses_and_runs_of_a_commit_are_read(story: Story) -> None:
    sha = story.pull.head_sha
    run = story.repo.workflow_run(sha, "CI", status="in_progress")
    story.repo.check_run(sha, "tests", status="in_progress")
    story.repo.check_run(sha, "lint", conclusion="success")
    story.repo.set_status(sha, "deploy", "pending")
    found = story.github.check_host("octo/widgets").checks(sha)
    assert found.rollup == "PENDING"
    assert {(check.name, check.completed, check.conclusion) for check in found.checks} == {
        ("tests", False, None),
        ("lint", True, "SUCCESS"),
        ("deploy", False, "PENDING"),
    }
    assert found.runs == (WorkflowRun("CI", "in_progress", None, run.path, run.id),)


def test_a_commit_nothing_reported_on_has_no_rollup(story: Story) -> None:
    found = story.github.check_host("octo/widgets").checks(story.pull.head_sha)
    assert (found.rollup, found.checks, found.runs) == (None, (), ())


def test_more_than_a_page_of_checks_is_read_and_summarised_whole(story: Story) -> None:
    sha = story.pull.head_sha
    story.repo.check_run(sha, "c000", conclusion="failure")
    for number in range(1, 101):
        story.repo.check_run(sha, f"c{number:03}", conclusion="success")
    found = story.github.check_host("octo/widgets").checks(sha)
    assert len(found.checks) == 101
    assert found.rollup == "FAILURE"


def test_a_commit_that_does_not_exist_is_gone(story: Story) -> None:
    with pytest.raises(Gone):
        story.github.check_host("octo/widgets").checks("0" * 39 + "1")
