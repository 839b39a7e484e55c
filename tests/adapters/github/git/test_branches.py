"""Branches and refs."""

import pytest

from autoswe.ports.github import Forbidden, PartialAnswer
from autoswe.rules.github.facts import Branch
from tests.adapters.github.scripted import API, HEAD, Script, ok, told

BRANCH = "GET /repos/octo/widgets/branches/fix%2Fa"
RULES = "GET /repos/octo/widgets/rules/branches/fix%2Fa"
REF = "GET /repos/octo/widgets/git/ref/heads%2Fmain"


class TestBranches:
    def test_a_branch_is_read_with_every_rule_on_it(self, script: Script) -> None:
        script.on(BRANCH, ok({"name": "fix/a", "commit": {"sha": HEAD}, "protected": True}))
        script.on(
            RULES,
            ok([{"type": "update"}, {"type": "deletion"}], link=f'<{API}/rules?page=2>; rel="next"'),
        )
        script.on("GET /rules", ok([{"type": "update", "ruleset_id": 2}, {"type": "never_heard"}]))
        assert script.github().push_host("octo/widgets").branch("fix/a") == Branch(
            HEAD, protected=True, rule_types=("update", "deletion", "never_heard")
        )

    @pytest.mark.parametrize(("protected", "protection", "rules", "classic"), [
        (True, {"enabled": False}, ["deletion"], False),
        (True, {"enabled": True}, ["deletion"], True),
        (True, {"enabled": False}, [], True),
        (True, None, ["deletion"], True),
        (False, {"enabled": False}, ["deletion"], False),
        (False, None, [], False),
    ])  # fmt: skip
    def test_rules_that_the_host_calls_protection_are_told_from_the_classic_one(
        self, script: Script, protected: bool, protection: object, rules: list[str], classic: bool
    ) -> None:
        shown = {"name": "fix/a", "commit": {"sha": HEAD}, "protected": protected, "protection": protection}
        script.on(BRANCH, ok(shown))
        script.on(RULES, ok([{"type": rule} for rule in rules]))
        branch = script.github().gather_host("octo/widgets").branch("fix/a")
        assert branch == Branch(HEAD, protected=classic, rule_types=tuple(rules))

    def test_a_branch_that_is_not_there_is_none(self, script: Script) -> None:
        script.on(BRANCH, told(404, "Branch not found"))
        assert script.github().push_host("octo/widgets").branch("fix/a") is None

    def test_rules_that_may_not_be_read_are_not_no_rules(self, script: Script) -> None:
        script.on(BRANCH, ok({"name": "fix/a", "commit": {"sha": HEAD}, "protected": False}))
        script.on(RULES, told(403, "Resource not accessible by integration"))
        with pytest.raises(Forbidden):
            script.github().push_host("octo/widgets").branch("fix/a")

    @pytest.mark.parametrize(
        "answer",
        [
            {"name": "fix/b", "commit": {"sha": HEAD}, "protected": False},
            {"name": "fix/a", "commit": {"sha": HEAD}},
            {"name": "fix/a", "commit": None, "protected": False},
            {"name": "fix/a", "commit": {"sha": HEAD}, "protected": True, "protection": {"enabled": None}},
        ],
    )
    def test_what_cannot_be_understood_is_partial(self, script: Script, answer: object) -> None:
        script.on(BRANCH, ok(answer))
        script.on(RULES, ok([]))
        with pytest.raises(PartialAnswer):
            script.github().push_host("octo/widgets").branch("fix/a")


class TestRefs:
    def test_a_ref_leads_to_its_commit(self, script: Script) -> None:
        script.on(REF, ok({"ref": "refs/heads/main", "object": {"type": "commit", "sha": HEAD}}))
        assert script.github().gather_host("octo/widgets").ref("heads/main") == HEAD

    def test_a_ref_that_is_not_there_is_none(self, script: Script) -> None:
        script.on(REF, told(404, "Not Found"))
        assert script.github().gather_host("octo/widgets").ref("heads/main") is None

    @pytest.mark.parametrize(
        "answer",
        [
            {"ref": "refs/heads/main2", "object": {"type": "commit", "sha": HEAD}},
            {"ref": "refs/heads/main", "object": {"type": "tag", "sha": HEAD}},
            [{"ref": "refs/heads/main", "object": {"type": "commit", "sha": HEAD}}],
        ],
    )
    def test_anything_but_this_ref_and_a_commit_is_partial(self, script: Script, answer: object) -> None:
        script.on(REF, ok(answer))
        with pytest.raises(PartialAnswer):
            script.github().gather_host("octo/widgets").ref("heads/main")


@pytest.mark.parametrize(
    ("status", "holds"), [("identical", True), ("ahead", True), ("behind", False), ("diverged", False)]
)
def test_a_branch_holds_a_commit_it_stands_at_or_has_gone_on_from(script: Script, status: str, holds: bool) -> None:
    script.on(f"GET /repos/octo/widgets/compare/{HEAD}...feature%2Fx", ok({"status": status}))
    assert script.github().push_host("octo/widgets").branch_holds("feature/x", HEAD) is holds


def test_a_commit_that_is_not_there_is_held_by_no_branch(script: Script) -> None:
    script.on(f"GET /repos/octo/widgets/compare/{HEAD}...feature", told(404, "Not Found"))
    assert not script.github().push_host("octo/widgets").branch_holds("feature", HEAD)
