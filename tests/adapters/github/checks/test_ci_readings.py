"""What one look at CI reads."""

import json
from datetime import UTC, datetime

import httpx
import pytest

from autoswe.ports.github import Forbidden, Gone, PartialAnswer
from autoswe.rules.github.facts import Check, Checks, CiReading, Reporter, RequiredCheck, WorkflowRun
from tests.adapters.github.scripted import BASE, HEAD, Script, ok

GRAPHQL = "POST /graphql"
ENDED = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
REVIEWED = "d" * 40
ACTIONS = 15368
Answer = dict[str, object]


def _page(*nodes: object, total: int | None = None, cursor: str | None = None) -> Answer:
    return {
        "totalCount": len(nodes) if total is None else total,
        "pageInfo": {"hasNextPage": cursor is not None, "endCursor": cursor},
        "nodes": list(nodes),
    }


def _check(name: str, status: str = "COMPLETED", conclusion: str | None = "SUCCESS") -> Answer:
    return {
        "__typename": "CheckRun",
        "name": name,
        "status": status,
        "conclusion": conclusion,
        "completedAt": "2026-11-30T12:00:30Z" if status == "COMPLETED" else None,
        "isRequired": False,
        "checkSuite": {"databaseId": 8, "app": {"databaseId": ACTIONS}},
    }


def _status(context: str, state: str) -> Answer:
    return {"__typename": "StatusContext", "context": context, "state": state, "isRequired": True}


def _suite(status: str = "COMPLETED", conclusion: str | None = "SUCCESS", *, runs: int = 1, **run: object) -> Answer:
    workflow = {"databaseId": 40_000_000_001, "event": "push", "file": {"path": "ci.yml"}, **run} if run else None
    return {
        "status": status,
        "conclusion": conclusion,
        "checkRuns": {"nodes": [{"name": "job"}] * runs},
        "workflowRun": workflow,
    }


def _pushed(*nodes: object, state: str = "SUCCESS", suites: Answer | None = None, **page: object) -> Answer:
    contexts = _page(*nodes, **page)  # type: ignore[arg-type]  # what a test says of the page
    return {
        "oid": HEAD,
        "summary": {"state": state},
        "reports": {"contexts": contexts},
        "checkSuites": suites or _page(),
    }


SILENT = {"oid": HEAD, "summary": None, "reports": None, "checkSuites": _page()}
UNREPORTED = {"oid": REVIEWED, "reports": None}


def _rule(*checks: object) -> Answer:
    return {"type": "REQUIRED_STATUS_CHECKS", "parameters": {"requiredStatusChecks": list(checks)}}


def _base(*rules: object, classic: list[str] | None = None, more: bool = False) -> Answer:
    protection = None if classic is None else {"requiredStatusCheckContexts": classic}
    return {"refUpdateRule": protection, "rules": {"pageInfo": {"hasNextPage": more}, "nodes": list(rules)}}


def _answer(
    pushed: object = SILENT, *, reviewed: object = UNREPORTED, base: object = None, **more: object
) -> httpx.Response:
    pull = {"headRefOid": BASE, "baseRef": base or _base()}
    repository = {"pullRequest": pull, "pushed": pushed, "reviewed": reviewed}
    return ok({"data": {"repository": repository}, **more})


def _read(script: Script) -> CiReading:
    return script.github().check_host("octo/widgets").ci(7, HEAD, REVIEWED)


def _variables(script: Script) -> list[Answer]:
    return [json.loads(request.content)["variables"] for request in script.sent(GRAPHQL)]


def test_everything_that_a_look_needs_comes_in_one_query(script: Script) -> None:
    suites = _page(_suite("IN_PROGRESS", None, event="pull_request"), _suite("QUEUED", None, runs=0))
    pushed = _pushed(_check("tests"), _status("lint", "PENDING"), state="PENDING", suites=suites)
    reviewed = {"oid": REVIEWED, "reports": {"contexts": _page(_check("tests"), _status("lint", "SUCCESS"))}}
    script.on(GRAPHQL, _answer(pushed, reviewed=reviewed, base=_base(_rule({"context": "tests", "integrationId": 1}))))
    tests = Check("tests", True, "SUCCESS", app_id=ACTIONS, completed_at=ENDED, suite_id=8)
    lint = Check("lint", False, "PENDING", is_status=True, is_required=True)
    run = WorkflowRun("IN_PROGRESS", None, "ci.yml", "pull_request", 40_000_000_001)
    assert _read(script) == CiReading(
        BASE,
        Checks("PENDING", (tests, lint), (run,), empty_suites=1),
        (RequiredCheck("tests", 1),),
        frozenset({Reporter("tests", ACTIONS, is_status=False), Reporter("lint", None, is_status=True)}),
    )
    [variables] = _variables(script)
    assert variables | {"number": 7, "pushed": HEAD, "reviewed": REVIEWED, "base": True} == variables


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
def test_unknown_words_are_passed_on_as_they_are(script: Script, node: Answer, completed: bool) -> None:
    script.on(GRAPHQL, _answer(_pushed(node)))
    [check] = _read(script).checks.checks
    assert (check.name, check.completed) == ("a", completed)
    assert check.conclusion == node.get("conclusion", node.get("state"))


def test_a_commit_nothing_reported_on_has_no_rollup(script: Script) -> None:
    script.on(GRAPHQL, _answer())
    assert _read(script) == CiReading(BASE, Checks(None, (), ()), (), frozenset())


def test_a_status_that_is_only_awaited_had_not_reported(script: Script) -> None:
    reviewed = {"oid": REVIEWED, "reports": {"contexts": _page(_status("deploy", "EXPECTED"))}}
    script.on(GRAPHQL, _answer(reviewed=reviewed))
    assert _read(script).before == frozenset()


def test_what_had_reported_on_a_commit_that_the_host_does_not_know_is_not_nothing(script: Script) -> None:
    script.on(GRAPHQL, _answer(reviewed=None))
    assert _read(script).before is None


def test_what_may_not_be_seen_is_not_nothing(script: Script) -> None:
    hidden = {
        "type": "FORBIDDEN",
        "message": "Resource not accessible by integration",
        "path": ["repository", "pushed"],
    }
    script.on(GRAPHQL, _answer(errors=[hidden]))
    with pytest.raises(Forbidden, match=r"repository\.pushed"):
        _read(script)


def test_where_the_base_branch_may_not_be_read_the_rest_is_and_the_requirements_are_not_nothing(script: Script) -> None:
    where = ["repository", "pullRequest", "baseRef", "rules"]
    for hidden in ({"type": "FORBIDDEN", "message": "no", "path": where}, {"message": "Something went wrong"}):
        script.on(GRAPHQL, _answer(errors=[hidden]), _answer(_pushed(_check("tests", conclusion="FAILURE"))))
        found = _read(script)
        assert (found.required, found.checks.checks[0].conclusion) == (None, "FAILURE")
        assert [one["base"] for one in _variables(script)[-2:]] == [True, False]


def test_long_lists_are_read_to_their_ends_together_and_the_summary_is_the_latest(script: Script) -> None:
    checks, suites = [_check(f"c{n}") for n in range(100)], [_suite("QUEUED", None, runs=0)] * 100
    reviewed = {"oid": REVIEWED, "reports": {"contexts": _page(_check("one"))}}
    first = _pushed(*checks, total=101, cursor="c1", state="PENDING", suites=_page(*suites, total=101, cursor="s1"))
    second = _pushed(_check("last"), total=101, suites=_page(_suite("REQUESTED", None, runs=0), total=101))
    script.on(GRAPHQL, _answer(first, reviewed=reviewed), _answer(second, reviewed=reviewed))
    found = _read(script)
    assert (len(found.checks.checks), found.checks.rollup, found.checks.empty_suites) == (101, "SUCCESS", 101)
    assert found.before == frozenset({Reporter("one", ACTIONS, is_status=False)})
    assert [(one["contexts"], one["suites"], one["before"]) for one in _variables(script)] == [
        (None, None, None),
        ("c1", "s1", None),
    ]


@pytest.mark.parametrize(
    "second",
    [
        _pushed(total=101),
        SILENT,
        SILENT | {"oid": BASE},
        SILENT | {"summary": {"state": "SUCCESS"}},
    ],
)
def test_a_missing_page_of_checks_is_partial(script: Script, second: object) -> None:
    begin = _answer(_pushed(*[_check(f"c{n}") for n in range(100)], total=101, cursor="c1"))
    script.on(GRAPHQL, begin, _answer(second), begin, _answer(second))
    with pytest.raises(PartialAnswer):
        _read(script)


@pytest.mark.parametrize("missing", ["summary", "reports", "checkSuites"])
def test_summary_reports_and_suites_come_together_or_not_at_all(script: Script, missing: str) -> None:
    script.on(GRAPHQL, _answer(_pushed(_check("tests")) | {missing: None}))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_lists_without_an_end_are_given_up(script: Script) -> None:
    script.on(GRAPHQL, _answer(_pushed(_check("c"), total=9999, cursor="on and on")))
    with pytest.raises(PartialAnswer, match="20 pages"):
        _read(script)


def test_a_commit_that_does_not_exist_is_gone(script: Script) -> None:
    script.on(GRAPHQL, _answer(None))
    with pytest.raises(Gone):
        _read(script)


@pytest.mark.parametrize("answered", [{"pushed": SILENT | {"oid": BASE}}, {"reviewed": UNREPORTED | {"oid": BASE}}])
def test_an_answer_about_another_commit_is_partial(script: Script, answered: dict[str, object]) -> None:
    script.on(GRAPHQL, _answer(**answered))
    with pytest.raises(PartialAnswer):
        _read(script)


@pytest.mark.parametrize(
    "node",
    [
        None,
        {"__typename": "SomethingNew"},
        {"name": "x"},
        _check("a") | {"status": None},
        _check("a") | {"checkSuite": None},
        _check("a") | {"isRequired": None},
        _check("a") | {"completedAt": "yesterday"},
        _check("a") | {"completedAt": "2026-11-30T12:00:30"},
        _status("a", "PENDING") | {"state": None},
    ],
)
def test_a_report_of_an_unknown_kind_is_partial(script: Script, node: object) -> None:
    script.on(GRAPHQL, _answer(_pushed(node)))
    with pytest.raises(PartialAnswer):
        _read(script)


@pytest.mark.parametrize("part", ["pushed", "reviewed"])
def test_an_object_that_is_no_commit_is_partial(script: Script, part: str) -> None:
    script.on(GRAPHQL, _answer(**{part: {}}))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_the_app_of_a_check_may_be_unknown(script: Script) -> None:
    for app in (None, {"databaseId": None}):
        script.on(GRAPHQL, _answer(_pushed(_check("a") | {"checkSuite": {"databaseId": 8, "app": app}})))
        assert [check.app_id for check in _read(script).checks.checks] == [None]


def test_suites_that_have_not_ended_and_hold_no_check_run_are_counted(script: Script) -> None:
    suites = [_suite("QUEUED", None, runs=0), _suite("QUEUED", None), _suite(), _suite("A_WORD_OF_TOMORROW", runs=0)]
    script.on(GRAPHQL, _answer(SILENT | {"checkSuites": _page(*suites)}))
    assert _read(script).checks.empty_suites == 2


def test_a_run_whose_file_is_gone_is_a_run_still(script: Script) -> None:
    script.on(GRAPHQL, _answer(SILENT | {"checkSuites": _page(_suite(event="push", file=None))}))
    [run] = _read(script).checks.runs
    assert (run.workflow, run.status) == ("", "COMPLETED")


class TestRequired:
    def test_rulesets_and_the_classic_protection_count_together_each_check_once(self, script: Script) -> None:
        rule = _rule({"context": "tests", "integrationId": ACTIONS}, {"context": "deploy", "integrationId": None})
        others = ({"type": "DELETION", "parameters": None}, {"type": "PULL_REQUEST", "parameters": {}})
        script.on(GRAPHQL, _answer(base=_base(*others, rule, rule, classic=["tests", "lint"])))
        assert _read(script).required == (
            RequiredCheck("tests", host_decides=True),
            RequiredCheck("lint", host_decides=True),
            RequiredCheck("tests", ACTIONS),
            RequiredCheck("deploy"),
        )

    def test_a_branch_without_rules_and_protection_requires_nothing(self, script: Script) -> None:
        for base in (_base(), _base(classic=[]), _base({"type": "DELETION", "parameters": None})):
            script.on(GRAPHQL, _answer(base=base))
            assert _read(script).required == ()

    @pytest.mark.parametrize("app_id", [None, -1, 0])
    def test_no_app_in_particular_is_any_app(self, script: Script, app_id: int | None) -> None:
        script.on(GRAPHQL, _answer(base=_base(_rule({"context": "x", "integrationId": app_id}))))
        assert _read(script).required == (RequiredCheck("x"),)

    @pytest.mark.parametrize(
        "base",
        [
            _base(more=True),
            _base() | {"rules": None},
            _base({"type": "REQUIRED_STATUS_CHECKS", "parameters": None}),
            _base({"type": "REQUIRED_STATUS_CHECKS", "parameters": {}}),
        ],
    )
    def test_what_is_not_told_whole_is_not_nothing(self, script: Script, base: Answer) -> None:
        script.on(GRAPHQL, _answer(base=base))
        assert _read(script).required is None

    def test_a_base_branch_that_is_gone_requires_nobody_knows_what(self, script: Script) -> None:
        repository = {"pullRequest": {"headRefOid": BASE, "baseRef": None}, "pushed": SILENT, "reviewed": UNREPORTED}
        script.on(GRAPHQL, ok({"data": {"repository": repository}}))
        assert _read(script).required is None
