"""Jobs of workflow runs on the local GitHub host, and their logs."""

import httpx
import pytest

from infra.local.github_host import CheckRun, WorkflowRun
from infra.local.github_host.http import faults
from tests.contracts.github.scene import Scene, refusal


def job_of(github: Scene, run: WorkflowRun | None = None, *, log: str | None = "Größe: 1\n") -> CheckRun:
    run = run or github.repository.workflow_run(github.head, "CI", status="in_progress")
    return github.repository.check_run(github.head, "tests", conclusion="failure", workflow_run=run, log=log)


def address(github: Scene, job: CheckRun) -> str:
    answer = github.caller().rest("GET", f"actions/jobs/{job.id}/logs")
    assert (answer.status_code, answer.content) == (302, b"")
    return answer.headers["Location"]


def test_a_workflow_run_lists_its_jobs_which_are_check_runs(github: Scene) -> None:
    run = github.repository.workflow_run(github.head, "CI", status="in_progress")
    github.repository.check_run(github.head, "lint", app=github.app, conclusion="success")
    job_of(github)
    first, second = (
        job_of(github, run),
        github.repository.check_run(github.head, "build", status="queued", workflow_run=run),
    )
    caller = github.caller()
    found = caller.get(f"actions/runs/{run.id}/jobs")
    assert [(one["id"], one["name"], one["status"], one["conclusion"]) for one in found["jobs"]] == [
        (first.id, "tests", "completed", "failure"),
        (second.id, "build", "queued", None),
    ]
    assert (found["total_count"], {one["run_id"] for one in found["jobs"]}) == (2, {run.id})
    runs = caller.get(f"commits/{github.head}/check-runs?filter=all")["check_runs"]
    assert {first.id, second.id} < {one["id"] for one in runs}


def test_of_a_job_that_ran_again_the_newest_is_listed_and_all_are_when_asked_for(github: Scene) -> None:
    run = github.repository.workflow_run(github.head, "CI", status="in_progress")
    jobs = [job_of(github, run), job_of(github, run)]
    caller = github.caller()
    assert [one["id"] for one in caller.get(f"actions/runs/{run.id}/jobs")["jobs"]] == [jobs[1].id]
    everything = caller.get(f"actions/runs/{run.id}/jobs?filter=all")["jobs"]
    assert [one["id"] for one in everything] == [job.id for job in jobs]


@pytest.mark.parametrize("conclusion", ["stale", "startup_failure", "action_required"])
def test_a_job_may_end_with_a_word_that_its_description_does_not_know(github: Scene, conclusion: str) -> None:
    run = github.repository.workflow_run(github.head, "CI", status="in_progress")
    github.repository.check_run(github.head, "tests", conclusion=conclusion, workflow_run=run)
    found = github.caller().get(f"actions/runs/{run.id}/jobs")["jobs"]
    assert [one["conclusion"] for one in found] == [conclusion]


def test_a_jobs_log_is_plain_text_at_an_address_that_needs_no_credential(github: Scene) -> None:
    where = address(github, job_of(github))
    assert where.startswith("http://127.0.0.1:")
    answer = github.client.get(where)
    assert (answer.status_code, answer.text) == (200, "Größe: 1\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("asked", "status", "text", "told"),
    [
        ("bytes=0-2", 206, "012", "bytes 0-2/10"),
        ("bytes=7-", 206, "789", "bytes 7-9/10"),
        ("bytes=7-99", 206, "789", "bytes 7-9/10"),
        ("bytes=-3", 200, "0123456789", None),
        ("bytes=10-", 416, None, None),
    ],
)
def test_the_place_where_logs_are_sends_parts_by_their_first_byte(
    github: Scene, asked: str, status: int, text: str | None, told: str | None
) -> None:
    answer = github.client.get(address(github, job_of(github, log="0123456789")), headers={"Range": asked})
    assert (answer.status_code, answer.headers.get("Content-Range")) == (status, told)
    assert text is None or answer.text == text


def test_the_address_of_a_log_is_good_for_one_minute(github: Scene) -> None:
    where = address(github, job_of(github))
    github.clock.advance(59)
    assert github.client.get(where).status_code == 200
    github.clock.advance(1)
    assert github.client.get(where).status_code == 403
    assert github.client.get(where.partition("?")[0]).status_code == 403


def test_the_place_where_logs_are_refuses_the_apis_credential(github: Scene) -> None:
    where = address(github, job_of(github))
    answer = github.client.get(where, headers={"Authorization": f"Bearer {github.caller().token}"})
    assert (answer.status_code, answer.headers["x-ms-error-code"]) == (400, "InvalidAuthenticationInfo")
    assert "Größe" not in answer.text


def test_a_client_that_follows_with_its_credential_fails_and_one_that_drops_it_succeeds(github: Scene) -> None:
    job, token = job_of(github), github.caller().token
    path = f"{github.host.api_url}/repos/octo/widgets/actions/jobs/{job.id}/logs"
    headers = {"Authorization": f"Bearer {token}"}
    # The place is on the same host here, so a client that only drops credentials for others keeps it.
    with httpx.Client(follow_redirects=True, trust_env=False) as client:
        assert client.get(path, headers=headers).status_code == 400


def test_a_log_that_is_not_there_is_not_found_and_one_that_is_too_old_is_gone(github: Scene) -> None:
    running, caller = job_of(github, log=None), github.caller()
    assert refusal(caller.rest("GET", f"actions/jobs/{running.id}/logs")) == (404, "Not Found")
    job = job_of(github)
    where = address(github, job)
    job.expire_log()
    assert caller.rest("GET", f"actions/jobs/{job.id}/logs").status_code == 410
    assert github.client.get(where).status_code == 403


@pytest.mark.parametrize("path", ["actions/runs/7/jobs", "actions/jobs/7/logs"])
def test_a_run_or_job_that_is_not_there_is_not_found(github: Scene, path: str) -> None:
    assert refusal(github.caller().rest("GET", path)) == (404, "Not Found")


def test_a_check_that_is_no_job_has_no_log(github: Scene) -> None:
    check = github.repository.check_run(github.head, "lint", app=github.app, conclusion="failure", log="Oh\n")
    assert github.caller().rest("GET", f"actions/jobs/{check.id}/logs").status_code == 404


def test_fetching_a_log_can_fail_like_any_other_call(github: Scene) -> None:
    where = address(github, job_of(github))
    github.host.faults.add("GET job-log", faults.refuse(503, "Busy"))
    assert [github.client.get(where).status_code for _ in range(2)] == [503, 200]
