"""What reports on a commit."""

import json
from datetime import UTC, datetime

import httpx
import pytest

from autoswe.ports.github import Forbidden, Gone, PartialAnswer
from autoswe.rules.github.facts import Check, Checks, WorkflowRun
from tests.adapters.github.scripted import API, BASE, HEAD, Script, ok, told

GRAPHQL = "POST /graphql"
RUNS = "GET /repos/octo/widgets/actions/runs"
SUITES = f"GET /repos/octo/widgets/commits/{HEAD}/check-suites"
ENDED = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)


def _run(name: str = "ci", status: str = "completed", conclusion: str | None = "success") -> dict[str, object]:
    return {
        "id": 40_000_000_001,
        "name": name,
        "path": ".github/workflows/ci.yml",
        "head_sha": HEAD,
        "status": status,
        "conclusion": conclusion,
    }


def _check(name: str, status: str = "COMPLETED", conclusion: str | None = "SUCCESS") -> dict[str, object]:
    return {
        "__typename": "CheckRun",
        "name": name,
        "status": status,
        "conclusion": conclusion,
        "completedAt": "2026-11-30T12:00:30Z" if status == "COMPLETED" else None,
        "checkSuite": {"app": {"databaseId": 15368}},
    }


def _suite(status: str | None = "queued", runs: int = 0) -> dict[str, object]:
    return {"head_sha": HEAD, "status": status, "latest_check_runs_count": runs, "app": None}


def _status(context: str, state: str) -> dict[str, object]:
    return {"__typename": "StatusContext", "context": context, "state": state}


def _commit(
    *nodes: object, state: str = "SUCCESS", total: int | None = None, cursor: str | None = None
) -> dict[str, object]:
    contexts = {
        "totalCount": len(nodes) if total is None else total,
        "pageInfo": {"hasNextPage": cursor is not None, "endCursor": cursor},
        "nodes": list(nodes),
    }
    return {"oid": HEAD, "summary": {"state": state}, "reports": {"contexts": contexts}}


def _answer(commit: object, **more: object) -> httpx.Response:
    return ok({"data": {"repository": {"object": commit}}, **more})


def _read(script: Script) -> Checks:
    return script.github().check_host("octo/widgets").checks(HEAD)


@pytest.fixture(autouse=True)
def _no_runs_and_no_suites(script: Script) -> None:
    script.on(RUNS, ok({"total_count": 0, "workflow_runs": []}))
    script.on(SUITES, ok({"total_count": 0, "check_suites": []}))


def test_checks_statuses_and_runs_are_read_together(script: Script) -> None:
    script.on(GRAPHQL, _answer(_commit(_check("tests"), _status("lint", "PENDING"), state="PENDING")))
    script.on(RUNS, ok({"total_count": 1, "workflow_runs": [_run("ci", "in_progress", None)]}))
    assert _read(script) == Checks(
        "PENDING",
        (
            Check("tests", completed=True, conclusion="SUCCESS", app_id=15368, completed_at=ENDED),
            Check("lint", completed=False, conclusion="PENDING", is_status=True),
        ),
        (WorkflowRun("ci", "in_progress", None, ".github/workflows/ci.yml", 40_000_000_001),),
    )
    assert script.sent(RUNS)[0].url.params["head_sha"] == HEAD


@pytest.mark.parametrize(
    ("node", "completed"),
    [
        (_check("a", "QUEUED", None), False),
        (_check("a", "IN_PROGRESS", None), False),
        (_check("a", "NEVER_HEARD", None), False),
        (_check("a", "COMPLETED", "STALE"), True),
        (_check("a", "COMPLETED", "NEVER_HEARD"), True),
        (_status("a", "EXPECTED"), False),
        (_status("a", "PENDING"), False),
        (_status("a", "SUCCESS"), True),
        (_status("a", "ERROR"), True),
        (_status("a", "NEVER_HEARD"), True),
    ],
)
def test_unknown_words_are_passed_on_as_they_are(script: Script, node: dict[str, object], completed: bool) -> None:
    script.on(GRAPHQL, _answer(_commit(node)))
    [check] = _read(script).checks
    assert (check.name, check.completed) == ("a", completed)
    assert check.conclusion == node.get("conclusion", node.get("state"))


def test_a_commit_nothing_reported_on_has_no_rollup(script: Script) -> None:
    script.on(GRAPHQL, _answer({"oid": HEAD, "summary": None, "reports": None}))
    assert _read(script) == Checks(None, (), ())


def test_a_rollup_that_may_not_be_seen_is_not_nothing(script: Script) -> None:
    hidden = {
        "type": "FORBIDDEN",
        "message": "Resource not accessible by integration",
        "path": ["repository", "object"],
    }
    script.on(GRAPHQL, _answer({"oid": HEAD, "summary": None, "reports": None}, errors=[hidden]))
    with pytest.raises(Forbidden, match=r"repository\.object"):
        _read(script)


def test_runs_that_may_not_be_seen_are_not_no_runs(script: Script) -> None:
    script.on(GRAPHQL, _answer(_commit(_check("tests"))))
    script.on(RUNS, told(403, "Resource not accessible by integration"))
    with pytest.raises(Forbidden):
        _read(script)


def test_checks_are_read_to_the_last_page_and_the_summary_is_the_latest(script: Script) -> None:
    script.on(
        GRAPHQL,
        _answer(_commit(*[_check(f"c{n}") for n in range(100)], total=101, cursor="MTAw", state="PENDING")),
        _answer(_commit(_check("last"), total=101, state="SUCCESS")),
    )
    found = _read(script)
    assert (len(found.checks), found.rollup) == (101, "SUCCESS")
    assert [json.loads(request.content)["variables"]["after"] for request in script.sent(GRAPHQL)] == [None, "MTAw"]


@pytest.mark.parametrize(
    "second",
    [
        _commit(total=101),
        _commit(_check("last"), total=101, cursor="MTAw"),
        {"oid": HEAD, "summary": None, "reports": None},
        {"oid": BASE, "summary": None, "reports": None},
        {"oid": HEAD, "summary": {"state": "SUCCESS"}, "reports": None},
    ],
)
def test_a_missing_page_of_checks_is_partial(script: Script, second: object) -> None:
    script.on(
        GRAPHQL, _answer(_commit(*[_check(f"c{n}") for n in range(100)], total=101, cursor="MTAw")), _answer(second)
    )
    with pytest.raises(PartialAnswer):
        _read(script)


@pytest.mark.parametrize("missing", ["summary", "reports"])
def test_a_summary_and_its_reports_come_together_or_not_at_all(script: Script, missing: str) -> None:
    script.on(GRAPHQL, _answer(_commit(_check("tests")) | {missing: None}))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_checks_without_an_end_are_given_up(script: Script) -> None:
    pages = [_answer(_commit(_check("c"), total=9999, cursor=f"c{n}")) for n in range(60)]
    script.on(GRAPHQL, *pages)
    with pytest.raises(PartialAnswer, match="50 pages"):
        _read(script)


def test_runs_are_read_to_the_last_page(script: Script) -> None:
    script.on(GRAPHQL, _answer(_commit()))
    script.on(RUNS, ok({"total_count": 2, "workflow_runs": [_run("a")]}, link=f'<{API}/runs?page=2>; rel="next"'))
    script.on("GET /runs", ok({"total_count": 2, "workflow_runs": [_run("b", "completed", "action_required")]}))
    assert [(run.name, run.status, run.conclusion) for run in _read(script).runs] == [
        ("a", "completed", "success"),
        ("b", "completed", "action_required"),
    ]


@pytest.mark.parametrize(
    "runs",
    [
        {"total_count": 2, "workflow_runs": [_run()]},
        {"total_count": 1, "workflow_runs": [_run() | {"head_sha": BASE}]},
        {"workflow_runs": []},
        {"total_count": 1, "workflow_runs": [_run() | {"status": None}]},
        {"total_count": 1, "workflow_runs": [_run() | {"id": None}]},
    ],
)
def test_runs_that_are_not_whole_or_not_the_commit_s_are_partial(script: Script, runs: object) -> None:
    script.on(GRAPHQL, _answer(_commit()))
    script.on(RUNS, ok(runs))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_a_run_without_a_name_is_known_by_its_file(script: Script) -> None:
    script.on(GRAPHQL, _answer(_commit()))
    script.on(RUNS, ok({"total_count": 1, "workflow_runs": [_run() | {"name": None}]}))
    assert _read(script).runs[0].name == ".github/workflows/ci.yml"


def test_a_commit_that_does_not_exist_is_gone(script: Script) -> None:
    script.on(GRAPHQL, _answer(None))
    with pytest.raises(Gone):
        _read(script)


@pytest.mark.parametrize(
    "node",
    [
        None,
        {"__typename": "SomethingNew"},
        {"name": "x"},
        _check("a") | {"status": None},
        _check("a") | {"checkSuite": None},
        _check("a") | {"completedAt": "yesterday"},
        _check("a") | {"completedAt": "2026-11-30T12:00:30"},
        _status("a", "PENDING") | {"state": None},
    ],
)
def test_a_report_of_an_unknown_kind_is_partial(script: Script, node: object) -> None:
    script.on(GRAPHQL, _answer(_commit(node)))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_an_object_that_is_no_commit_is_partial(script: Script) -> None:
    script.on(GRAPHQL, _answer({}))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_the_app_of_a_check_may_be_unknown(script: Script) -> None:
    for suite in ({"app": None}, {"app": {"databaseId": None}}):
        script.on(GRAPHQL, _answer(_commit(_check("a") | {"checkSuite": suite})))
        assert [check.app_id for check in _read(script).checks] == [None]


def test_suites_that_have_not_ended_and_hold_no_check_run_are_counted_to_the_last_page(script: Script) -> None:
    script.on(GRAPHQL, _answer(_commit()))
    first = [_suite("queued"), _suite("queued", runs=1), _suite("completed"), _suite(None)]
    following = f'<{API}/suites?page=2>; rel="next"'
    script.on(SUITES, ok({"total_count": 5, "check_suites": first}, link=following))
    script.on("GET /suites", ok({"total_count": 5, "check_suites": [_suite("requested")]}))
    assert _read(script).empty_suites == 3


@pytest.mark.parametrize(
    "suites",
    [
        {"total_count": 2, "check_suites": [_suite()]},
        {"total_count": 1, "check_suites": [_suite() | {"head_sha": BASE}]},
        {"total_count": 1, "check_suites": [_suite() | {"latest_check_runs_count": None}]},
    ],
)
def test_suites_that_are_not_whole_or_not_the_commit_s_are_partial(script: Script, suites: object) -> None:
    script.on(GRAPHQL, _answer(_commit()))
    script.on(SUITES, ok(suites))
    with pytest.raises(PartialAnswer):
        _read(script)
