"""What the failures on a commit say of themselves."""

from collections.abc import Iterator

import httpx
import pytest

from autoswe.github.checks.evidence import (
    ANNOTATIONS_OF_A_CHECK,
    LOG_TAIL_BYTES,
    MOST_ANNOTATED_CHECKS,
    MOST_LOG_BYTES,
    MOST_LOGS,
    MOST_STATUSES,
)
from autoswe.ports.github import Forbidden, PartialAnswer, Unavailable
from autoswe.rules.github.facts import Annotation, CiEvidence, JobLog, StatusNote
from tests.adapters.github.scripted import BASE, HEAD, TOKEN, Script, ok, told

REPO = "GET /repos/octo/widgets"
RUNS, JOBS = f"{REPO}/actions/runs", f"{REPO}/actions/runs/9/jobs"
LOG, STORE = f"{REPO}/actions/jobs/5/logs", "GET https://logs.test/5.txt"
CHECKS, STATUS = f"{REPO}/commits/{HEAD}/check-runs", f"{REPO}/commits/{HEAD}/status"
NOTHING = CiEvidence((), (), (), 0)


def _run(conclusion: str | None = "failure", *, run_id: int = 9) -> dict[str, object]:
    status = "completed" if conclusion else "in_progress"
    path = ".github/workflows/ci.yml"
    return {"id": run_id, "name": "CI", "path": path, "head_sha": HEAD, "status": status, "conclusion": conclusion}


def _runs(*runs: object) -> httpx.Response:
    return ok({"total_count": len(runs), "workflow_runs": list(runs)})


def _job(job_id: int = 5, conclusion: str | None = "failure") -> dict[str, object]:
    return {"id": job_id, "run_id": 9, "name": f"job {job_id}", "conclusion": conclusion}


def _jobs(*jobs: object) -> httpx.Response:
    return ok({"total_count": len(jobs), "jobs": list(jobs)})


def _check(check_id: int = 3, conclusion: str | None = "failure", annotations: int = 1) -> dict[str, object]:
    output = {"annotations_count": annotations}
    return {"id": check_id, "head_sha": HEAD, "name": f"check {check_id}", "conclusion": conclusion, "output": output}


def _checks(*checks: object) -> httpx.Response:
    return ok({"total_count": len(checks), "check_runs": list(checks)})


def _annotation(message: str | None = "Unused name") -> dict[str, object]:
    return {"path": "a.py", "start_line": 3, "annotation_level": "failure", "title": None, "message": message}


def _status(state: str = "failure", context: str = "coverage") -> dict[str, object]:
    return {"context": context, "state": state, "description": "Coverage fell"}


def _statuses(*statuses: object) -> httpx.Response:
    return ok({"sha": HEAD, "total_count": len(statuses), "statuses": list(statuses)})


def _read(script: Script) -> CiEvidence:
    return script.github().evidence_host("octo/widgets").evidence(HEAD)


@pytest.fixture(autouse=True)
def _nothing_failed(script: Script) -> None:
    script.on(RUNS, _runs())
    script.on(CHECKS, _checks())
    script.on(STATUS, _statuses())
    script.on(LOG, httpx.Response(302, headers={"location": "https://logs.test/5.txt?sig=signed"}))
    script.on(STORE, httpx.Response(200, content=b"the log\n"))


def _one_failed_job(script: Script) -> None:
    script.on(RUNS, _runs(_run()))
    script.on(JOBS, _jobs(_job()))


class TestLogs:
    def test_a_failed_job_s_log_is_fetched_without_the_credential(self, script: Script) -> None:
        _one_failed_job(script)
        assert _read(script) == CiEvidence((JobLog("job 5", "the log\n", cut=False),), (), (), 0)
        assert script.sent(LOG)[0].headers["authorization"] == f"Bearer {TOKEN}"
        assert "authorization" not in script.sent(STORE)[0].headers

    def test_jobs_that_did_not_fail_and_runs_that_cannot_have_failed_are_not_asked_about(self, script: Script) -> None:
        script.on(RUNS, _runs(_run()))
        ends = ["success", "skipped", "cancelled", None, "a_word_of_tomorrow"]
        script.on(JOBS, _jobs(*(_job(7, end) for end in ends)))
        assert _read(script) == NOTHING
        for end in ("success", "cancelled", "action_required"):
            script.on(RUNS, _runs(_run(end)))
            assert _read(script) == NOTHING
        assert len(script.sent(JOBS)) == 1

    def test_a_failed_job_of_a_run_that_goes_on_is_evidence_already(self, script: Script) -> None:
        _one_failed_job(script)
        script.on(RUNS, _runs(_run(None)))
        assert len(_read(script).logs) == 1

    def test_a_run_that_passed_hides_no_other_of_its_workflow(self, script: Script) -> None:
        _one_failed_job(script)
        script.on(RUNS, _runs(_run("success", run_id=10), _run()))
        assert len(_read(script).logs) == 1

    def test_only_the_end_of_a_log_is_kept(self, script: Script) -> None:
        _one_failed_job(script)
        whole = b"".join(b"line %06d\n" % number for number in range(20_000))
        # Pieces of an odd length: no piece ends where the kept part begins.
        pieces = [whole[start : start + 4_097] for start in range(0, len(whole), 4_097)]
        script.on(STORE, lambda _: httpx.Response(200, content=iter(pieces)))
        [log] = _read(script).logs
        assert log == JobLog("job 5", whole[-LOG_TAIL_BYTES:].decode(), cut=True)

    @pytest.mark.parametrize(("more", "cut"), [(0, False), (1, True)])
    def test_a_log_counts_as_cut_from_the_first_byte_that_is_not_kept(
        self, script: Script, more: int, cut: bool
    ) -> None:
        _one_failed_job(script)
        script.on(STORE, httpx.Response(200, content=b"x" * (LOG_TAIL_BYTES + more)))
        [log] = _read(script).logs
        assert (len(log.text), log.cut) == (LOG_TAIL_BYTES, cut)

    @pytest.mark.parametrize("length", [1, LOG_TAIL_BYTES, LOG_TAIL_BYTES + 1, 3 << 30])
    def test_of_a_log_of_any_size_the_end_alone_is_fetched(self, script: Script, length: int) -> None:
        def part(request: httpx.Request) -> httpx.Response:
            first, _, last = request.headers["range"].removeprefix("bytes=").partition("-")
            end = min(int(last), length - 1)
            content = b"x" * (end - int(first)) + (b"!" if end == length - 1 else b"x")
            where = f"bytes {first}-{end}/{length}"
            return httpx.Response(206, content=iter([content]), headers={"content-range": where})

        _one_failed_job(script)
        script.on(STORE, part)
        [log] = _read(script).logs
        assert (len(log.text), log.text[-1]) == (min(length, LOG_TAIL_BYTES), "!")
        assert log.cut is (length > LOG_TAIL_BYTES)
        assert len(script.sent(STORE)) == 1 + log.cut
        assert all("authorization" not in request.headers for request in script.sent(STORE))

    def test_a_log_that_changes_between_its_length_and_its_end_is_partial(self, script: Script) -> None:
        lengths = iter([1 << 20, 1 << 21])

        def part(_: httpx.Request) -> httpx.Response:
            return httpx.Response(206, content=iter([b"x"]), headers={"content-range": f"bytes 0-0/{next(lengths)}"})

        _one_failed_job(script)
        script.on(STORE, part)
        with pytest.raises(PartialAnswer, match="changed"):
            _read(script)

    def test_a_download_that_breaks_off_starts_anew(self, script: Script) -> None:
        def broken(_: httpx.Request) -> httpx.Response:
            def pieces() -> Iterator[bytes]:
                yield b"x" * (LOG_TAIL_BYTES + 1)
                raise httpx.ReadError("cut")

            return httpx.Response(200, content=pieces())

        _one_failed_job(script)
        script.on(STORE, broken, httpx.Response(200, content=b"the log\n"))
        assert _read(script).logs == (JobLog("job 5", "the log\n", cut=False),)

    def test_bytes_that_are_no_text_become_replacement_characters(self, script: Script) -> None:
        _one_failed_job(script)
        script.on(STORE, httpx.Response(200, content=b"a\xffb"))
        assert _read(script).logs[0].text == "a\ufffdb"

    def test_a_log_larger_than_is_read_whole_is_left_out_where_no_parts_are_sent(self, script: Script) -> None:
        _one_failed_job(script)
        read: list[int] = []

        def endless(_: httpx.Request) -> httpx.Response:
            def pieces() -> Iterator[bytes]:
                while True:
                    read.append(1 << 20)
                    yield b"x" * (1 << 20)

            return httpx.Response(200, content=pieces())

        script.on(STORE, endless)
        assert _read(script) == CiEvidence((), (), (), 1)
        assert sum(read) <= MOST_LOG_BYTES + (1 << 20)

    @pytest.mark.parametrize("status", [404, 410])
    @pytest.mark.parametrize("where", [LOG, STORE])
    def test_a_log_that_is_gone_is_left_out(self, script: Script, where: str, status: int) -> None:
        _one_failed_job(script)
        script.on(where, told(status, "Gone"))
        assert _read(script) == CiEvidence((), (), (), 1)

    def test_a_log_that_may_not_be_read_is_no_missing_log(self, script: Script) -> None:
        _one_failed_job(script)
        script.on(LOG, told(403, "Resource not accessible by integration"))
        with pytest.raises(Forbidden):
            _read(script)

    def test_a_store_that_does_not_answer_is_no_missing_log(self, script: Script) -> None:
        _one_failed_job(script)
        script.on(STORE, told(503, "Busy"))
        with pytest.raises(Unavailable):
            _read(script)

    def test_no_more_logs_are_read_than_the_bound_and_the_rest_is_counted(self, script: Script) -> None:
        script.on(RUNS, _runs(_run()))
        script.on(JOBS, _jobs(*[_job() for _ in range(MOST_LOGS + 3)]))
        found = _read(script)
        assert (len(found.logs), found.left_out, len(script.sent(LOG))) == (MOST_LOGS, 3, MOST_LOGS)

    @pytest.mark.parametrize(
        "jobs",
        [
            ok({"total_count": 2, "jobs": [_job()]}),
            _jobs(_job() | {"run_id": 8}),
            _jobs(_job() | {"id": None}),
            _jobs(_job() | {"name": None}),
        ],
    )
    def test_jobs_that_are_not_whole_or_not_the_run_s_are_partial(self, script: Script, jobs: httpx.Response) -> None:
        script.on(RUNS, _runs(_run()))
        script.on(JOBS, jobs)
        with pytest.raises(PartialAnswer):
            _read(script)


class TestAnnotations:
    def test_a_failed_check_s_annotations_are_read(self, script: Script) -> None:
        script.on(CHECKS, _checks(_check(), _check(4, "success")))
        script.on(f"{REPO}/check-runs/3/annotations", ok([_annotation(), _annotation(None)]))
        assert _read(script).annotations == (
            Annotation("check 3", "a.py", 3, "failure", "", "Unused name"),
            Annotation("check 3", "a.py", 3, "failure", "", ""),
        )
        assert script.sent(CHECKS)[0].url.params["filter"] == "latest"

    def test_a_check_that_counts_none_is_not_asked_about(self, script: Script) -> None:
        script.on(CHECKS, _checks(_check(annotations=0)))
        assert _read(script) == NOTHING
        assert not script.sent(f"{REPO}/check-runs/3/annotations")

    def test_one_page_of_annotations_is_read_of_so_many_checks_and_the_rest_is_counted(self, script: Script) -> None:
        script.on(CHECKS, _checks(*[_check(annotations=500)] * (MOST_ANNOTATED_CHECKS + 2)))
        path = f"{REPO}/check-runs/3/annotations"
        script.on(path, ok([_annotation()] * (ANNOTATIONS_OF_A_CHECK + 1), link='<https://x.test/>; rel="next"'))
        found = _read(script)
        assert len(found.annotations) == MOST_ANNOTATED_CHECKS * ANNOTATIONS_OF_A_CHECK
        assert found.left_out == 2
        asked = script.sent(path)
        assert [request.url.params["per_page"] for request in asked] == ["50"] * MOST_ANNOTATED_CHECKS

    @pytest.mark.parametrize(
        "checks",
        [
            ok({"total_count": 2, "check_runs": [_check()]}),
            _checks(_check() | {"head_sha": BASE}),
            _checks(_check() | {"output": None}),
        ],
    )
    def test_checks_that_are_not_whole_or_not_the_commit_s_are_partial(
        self, script: Script, checks: httpx.Response
    ) -> None:
        script.on(CHECKS, checks)
        with pytest.raises(PartialAnswer):
            _read(script)


class TestStatuses:
    def test_failed_statuses_say_what_they_say(self, script: Script) -> None:
        script.on(
            STATUS,
            _statuses(
                _status(), _status("error", "deploy") | {"description": None}, _status("success"), _status("pending")
            ),
        )
        assert _read(script).statuses == (StatusNote("coverage", "Coverage fell"), StatusNote("deploy", ""))

    def test_so_many_statuses_are_kept_and_the_rest_is_counted(self, script: Script) -> None:
        script.on(STATUS, _statuses(*[_status()] * (MOST_STATUSES + 4)))
        found = _read(script)
        assert (len(found.statuses), found.left_out) == (MOST_STATUSES, 4)

    @pytest.mark.parametrize("fault", [{"total_count": 9}, {"sha": BASE}, {"statuses": [_status() | {"state": None}]}])
    def test_statuses_that_are_not_whole_or_not_the_commit_s_are_partial(
        self, script: Script, fault: dict[str, object]
    ) -> None:
        script.on(STATUS, ok({"sha": HEAD, "total_count": 1, "statuses": [_status()]} | fault))
        with pytest.raises(PartialAnswer):
            _read(script)
