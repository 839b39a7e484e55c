"""What must pass before a branch takes a pull request."""

import pytest

from autoswe.ports.github import Forbidden, Gone, PartialAnswer
from autoswe.rules.github.facts import RequiredCheck
from tests.adapters.github.scripted import API, Script, ok, told

BRANCH = "GET /repos/octo/widgets/branches/release%2F1"
RULES = "GET /repos/octo/widgets/rules/branches/release%2F1"
OPEN = {"name": "release/1", "protected": False}


def _rule(*checks: object) -> dict[str, object]:
    return {"type": "required_status_checks", "parameters": {"required_status_checks": list(checks)}}


def _protected(**required: object) -> dict[str, object]:
    return {"name": "release/1", "protected": True, "protection": {"required_status_checks": required}}


def _read(script: Script) -> tuple[RequiredCheck, ...]:
    return script.github().check_host("octo/widgets").required("release/1")


def test_rulesets_and_the_branch_s_own_protection_are_read_together_each_check_once(script: Script) -> None:
    script.on(
        BRANCH,
        ok(
            _protected(
                enforcement_level="non_admins",
                contexts=["tests", "lint", "old"],
                checks=[{"context": "tests", "app_id": 15368}, {"context": "lint", "app_id": None}],
            )
        ),
    )
    script.on(
        RULES,
        ok(
            [{"type": "deletion"}, _rule({"context": "tests", "integration_id": 15368}, {"context": "deploy"})],
            link=f'<{API}/rules?page=2>; rel="next"',
        ),
    )
    script.on("GET /rules", ok([{"type": "pull_request", "parameters": {"x": 1}}, _rule({"context": "audit"})]))
    assert _read(script) == (
        RequiredCheck("tests", 15368),
        RequiredCheck("lint"),
        RequiredCheck("old"),
        RequiredCheck("deploy"),
        RequiredCheck("audit"),
    )


def test_a_branch_without_rules_and_protection_requires_nothing(script: Script) -> None:
    script.on(RULES, ok([]))
    for branch in (
        OPEN,
        OPEN
        | {"protection": {"required_status_checks": {"enforcement_level": "off", "contexts": ["x"], "checks": []}}},
        _protected(enforcement_level="off", contexts=["x"], checks=[]),
        {"name": "release/1", "protected": True, "protection": {}},
    ):
        script.on(BRANCH, ok(branch))
        assert _read(script) == ()


@pytest.mark.parametrize("level", ["everyone", "a_word_of_tomorrow", ""])
def test_checks_are_required_at_every_level_but_off(script: Script, level: str) -> None:
    script.on(BRANCH, ok(_protected(enforcement_level=level, contexts=["x"], checks=[])))
    script.on(RULES, ok([]))
    assert _read(script) == (RequiredCheck("x"),)


@pytest.mark.parametrize("app_id", [None, -1, 0])
def test_no_app_in_particular_is_any_app(script: Script, app_id: int | None) -> None:
    script.on(BRANCH, ok(_protected(contexts=["x"], checks=[{"context": "x", "app_id": app_id}])))
    script.on(RULES, ok([]))
    assert _read(script) == (RequiredCheck("x"),)


@pytest.mark.parametrize(
    "branch",
    [
        {"name": "release/1", "protected": True},
        {"name": "main", "protected": False},
        _protected(contexts=["x"]),
        _protected(contexts=[None], checks=[]),
    ],
)
def test_a_protection_that_is_not_shown_whole_is_partial(script: Script, branch: object) -> None:
    script.on(BRANCH, ok(branch))
    script.on(RULES, ok([]))
    with pytest.raises(PartialAnswer):
        _read(script)


@pytest.mark.parametrize(
    "rule", [{"type": "required_status_checks"}, {"type": "required_status_checks", "parameters": {}}, _rule({})]
)
def test_a_rule_that_does_not_say_what_it_requires_is_partial(script: Script, rule: object) -> None:
    script.on(BRANCH, ok(OPEN))
    script.on(RULES, ok([rule]))
    with pytest.raises(PartialAnswer):
        _read(script)


def test_what_may_not_be_read_is_not_nothing(script: Script) -> None:
    script.on(BRANCH, ok(OPEN))
    script.on(RULES, told(403, "Resource not accessible by integration"))
    with pytest.raises(Forbidden):
        _read(script)
    script.on(BRANCH, told(404, "Branch not found"))
    with pytest.raises(Gone):
        _read(script)
