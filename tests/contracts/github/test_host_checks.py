"""What CI says about a commit on the local GitHub host."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.github_host.checks.checks import STATUS_STATES, check_progress, combined_state
from tests.contracts.github.scene import Scene


def runs(github: Scene, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = github.caller().get(f"commits/{github.head}/check-runs{query}")["check_runs"]
    return found


def test_the_newest_check_of_a_name_counts_and_all_are_there_when_asked_for(github: Scene) -> None:
    github.repository.check_run(github.head, "tests", conclusion="failure")
    newest = github.repository.check_run(github.head, "tests", status="queued")
    assert [run["id"] for run in runs(github)] == [newest.id]
    assert len(runs(github, "?filter=all")) == 2
    newest.update(status="completed", conclusion="startup_failure")
    assert [(run["status"], run["conclusion"]) for run in runs(github)] == [("completed", "startup_failure")]


def test_checks_of_the_same_name_by_two_apps_both_count(github: Scene) -> None:
    github.repository.check_run(github.head, "tests", conclusion="success")
    github.repository.check_run(github.head, "tests", app=github.app, conclusion="failure")
    assert [run["app"]["slug"] for run in runs(github)] == ["github-actions", "fixer"]
    assert [run["conclusion"] for run in runs(github, f"?app_id={github.app.app_id}")] == ["failure"]


def test_one_workflow_for_two_events_is_two_runs_with_a_suite_each_and_none_hides_the_other(github: Scene) -> None:
    push, pull_request = github.repository.run_workflow(github.head, {"build": "failure", "lint": "success"})
    pull_request.update(status="completed", conclusion="success")
    listed = github.caller().get("actions/runs")["workflow_runs"]
    assert [(run["id"], run["event"]) for run in listed] == [(pull_request.id, "pull_request"), (push.id, "push")]
    assert len({run["check_suite_id"] for run in listed}) == len({run["path"] for run in listed}) + 1
    assert [run["name"] for run in runs(github)] == ["build", "lint", "build", "lint"]
    again = github.repository.check_run(github.head, "build", conclusion="success", workflow_run=push)
    shown = [(run["check_suite"]["id"], run["conclusion"]) for run in runs(github) if run["name"] == "build"]
    assert sorted(shown) == sorted([(again.suite.id, "success"), (listed[0]["check_suite_id"], "failure")])


def test_a_workflow_goes_on_as_long_as_one_of_its_jobs(github: Scene) -> None:
    [run] = github.repository.run_workflow(github.head, {"build": None, "lint": "success"}, events=["push"])
    assert (run.status, run.conclusion) == ("in_progress", None)


def test_a_check_counts_its_annotations_and_lists_them_in_pages(github: Scene) -> None:
    check = github.repository.check_run(github.head, "lint", conclusion="failure")
    other = github.repository.check_run(github.head, "tests", conclusion="failure")
    check.annotate("a.py", 3, "Unused name", title="F841")
    check.annotate("b.py", 7, "Long line", level="warning")
    assert [run["output"]["annotations_count"] for run in runs(github)] == [2, 0]
    caller = github.caller()
    found = caller.get(f"check-runs/{check.id}/annotations")
    assert [
        (one["path"], one["start_line"], one["annotation_level"], one["title"], one["message"]) for one in found
    ] == [
        ("a.py", 3, "failure", "F841", "Unused name"),
        ("b.py", 7, "warning", None, "Long line"),
    ]
    assert caller.get(f"check-runs/{check.id}/annotations?per_page=1&page=2") == found[1:]
    assert caller.get(f"check-runs/{other.id}/annotations") == []
    assert caller.rest("GET", "check-runs/7777/annotations").status_code == 404


def test_an_annotation_of_an_unknown_level_is_a_mistake_of_the_scenario(github: Scene) -> None:
    check = github.repository.check_run(github.head, "lint", conclusion="failure")
    with pytest.raises(ValueError, match="'awful'"):
        check.annotate("a.py", 3, "Oh", level="awful")


def test_a_check_belongs_to_its_commit_alone(github: Scene) -> None:
    github.repository.check_run(github.base, "tests", conclusion="success")
    assert runs(github) == []


def test_a_suite_is_queued_while_empty_and_as_bad_as_its_worst_run(github: Scene) -> None:
    github.repository.check_suite(github.head, github.app)
    caller = github.caller()

    def suite() -> tuple[Any, ...]:
        shown = caller.get(f"commits/{github.head}/check-suites")["check_suites"][0]
        return shown["status"], shown["conclusion"], shown["latest_check_runs_count"]

    assert suite() == ("queued", None, 0)
    github.repository.check_run(github.head, "a", app=github.app, conclusion="success")
    second = github.repository.check_run(github.head, "b", app=github.app, status="in_progress")
    assert suite() == ("in_progress", None, 2)
    second.update(status="completed", conclusion="timed_out")
    assert suite() == ("completed", "timed_out", 2)


def test_a_workflow_run_can_wait_for_approval_without_a_single_job(github: Scene) -> None:
    run = github.repository.workflow_run(github.head, "CI", conclusion="action_required")
    caller = github.caller()
    shown = caller.get(f"actions/runs?head_sha={github.head}")["workflow_runs"]
    assert [(one["id"], one["status"], one["conclusion"]) for one in shown] == [
        (run.id, "completed", "action_required")
    ]
    assert runs(github) == []
    suites = caller.get(f"commits/{github.head}/check-suites")["check_suites"]
    assert [one["conclusion"] for one in suites] == ["action_required"]


def test_workflow_runs_are_those_of_the_commit_asked_for_newest_first(github: Scene) -> None:
    first = github.repository.workflow_run(github.head, "CI", status="queued")
    second = github.repository.workflow_run(github.head, "Docs", conclusion="success")
    github.repository.workflow_run(github.base, "CI", conclusion="success")
    first.update(status="completed", conclusion="cancelled")
    found = github.caller().get(f"actions/runs?head_sha={github.head}")
    assert [one["id"] for one in found["workflow_runs"]] == [second.id, first.id]
    assert found["workflow_runs"][1]["conclusion"] == "cancelled"


def test_without_a_status_the_combined_state_is_pending(github: Scene) -> None:
    found = github.caller().get(f"commits/{github.head}/status")
    assert (found["state"], found["total_count"]) == ("pending", 0)


def test_a_later_status_of_a_context_replaces_the_earlier(github: Scene) -> None:
    for state in ("pending", "success"):
        github.repository.set_status(github.head, "coverage", state)
    found = github.caller().get(f"commits/{github.head}/status")
    assert (found["state"], [one["state"] for one in found["statuses"]]) == ("success", ["success"])


@given(st.lists(st.sampled_from(STATUS_STATES)))
def test_statuses_fail_together_when_one_fails_and_succeed_when_all_do(states: list[str]) -> None:
    if {"failure", "error"} & set(states):
        assert combined_state(states) == "failure"
    elif states and set(states) == {"success"}:
        assert combined_state(states) == "success"
    else:
        assert combined_state(states) == "pending"


@pytest.mark.parametrize(
    ("status", "conclusion"), [("done", None), ("completed", None), ("queued", "success"), ("completed", "great")]
)
def test_a_check_has_a_conclusion_exactly_when_it_is_complete(status: str, conclusion: str | None) -> None:
    with pytest.raises(ValueError, match=r"check|conclusion"):
        check_progress(status, conclusion)


def test_a_commit_that_is_not_there_has_no_checks(github: Scene) -> None:
    assert github.caller().rest("GET", "commits/none/check-runs").status_code == 422


def test_a_status_of_an_unknown_word_is_a_mistake_of_the_scenario(github: Scene) -> None:
    with pytest.raises(ValueError, match="'great'"):
        github.repository.set_status(github.head, "x", "great")
