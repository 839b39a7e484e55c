"""Branches and refs."""

import pytest

from autoswe.ports.github import PartialAnswer
from tests.adapters.github.scripted import HEAD, Script, ok, told

BRANCH = "GET /repos/octo/widgets/branches/fix%2Fa"
RULES = "GET /repos/octo/widgets/rules/branches/fix%2Fa"
REF = "GET /repos/octo/widgets/git/ref/heads%2Fmain"


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
