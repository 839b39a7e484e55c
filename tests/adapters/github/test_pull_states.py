"""Where a pull request stands, its branch and its repository, in one query."""

import json

import httpx
import pytest

from autoswe.ports.github import Forbidden, Gone, PartialAnswer
from autoswe.rules.github.facts import Branch, Pull, PullState, Repository
from tests.adapters.github.scripted import BASE, HEAD, Script, ok

GRAPHQL = "POST /graphql"
Answer = dict[str, object]


def _rules(*types: str, more: bool = False) -> Answer:
    return {"pageInfo": {"hasNextPage": more}, "nodes": [{"type": one} for one in types]}


def _head(**changes: object) -> Answer:
    return {"name": "fix/a", "target": {"oid": HEAD}, "refUpdateRule": None, "rules": _rules(), **changes}


def _pull(**changes: object) -> Answer:
    return {
        "number": 7,
        "state": "OPEN",
        "headRefName": "fix/a",
        "headRefOid": HEAD,
        "baseRefName": "main",
        "baseRefOid": BASE,
        "author": {"__typename": "User", "databaseId": 5},
        "headRepository": {"databaseId": 1},
        "headRef": _head(),
        **changes,
    }


def _repository(pull: object, **changes: object) -> Answer:
    return {
        "id": "R_1",
        "databaseId": 1,
        "nameWithOwner": "octo/widgets",
        "isArchived": False,
        "defaultBranchRef": {"name": "main"},
        "beside": None,
        "pullRequest": pull,
        **changes,
    }


def _read(script: Script, repository: Answer, **more: object) -> PullState:
    script.on(GRAPHQL, ok({"data": {"repository": repository}, **more}))
    return script.github().push_host("octo/widgets").pull_state(7, "auto-swe/x")


def test_everything_that_decides_on_a_push_comes_in_one_query(script: Script) -> None:
    beside = {"target": {"oid": BASE}}
    assert _read(script, _repository(_pull(), beside=beside)) == PullState(
        Pull(7, True, HEAD, "fix/a", 1, BASE, "main", 1, 5),
        Branch(HEAD, protected=False, rule_types=()),
        Repository(1, "R_1", "main", archived=False, signs_commits=True, full_name="octo/widgets"),
        BASE,
    )
    [request] = script.sent(GRAPHQL)
    variables = json.loads(request.content)["variables"]
    assert (variables["number"], variables["beside"]) == (7, "refs/heads/auto-swe/x")


@pytest.mark.parametrize(("state", "is_open"), [("OPEN", True), ("CLOSED", False), ("MERGED", False)])
def test_only_an_open_pull_request_is_open(script: Script, state: str, is_open: bool) -> None:
    assert _read(script, _repository(_pull(state=state))).pull.is_open is is_open


def test_what_is_gone_is_absent(script: Script) -> None:
    found = _read(script, _repository(_pull(author=None, headRepository=None, headRef=None)))
    assert (found.pull.author_id, found.pull.head_repository_id, found.branch, found.beside) == (None, None, None, None)


def test_an_author_that_is_neither_a_person_nor_a_bot_has_no_number(script: Script) -> None:
    assert _read(script, _repository(_pull(author={"__typename": "Mannequin"}))).pull.author_id is None


def test_every_rule_on_the_branch_is_told_once_in_its_own_name(script: Script) -> None:
    head = _head(rules=_rules("UPDATE", "REQUIRED_LINEAR_HISTORY", "UPDATE", "A_RULE_OF_TOMORROW"))
    branch = _read(script, _repository(_pull(headRef=head))).branch
    assert branch == Branch(HEAD, False, ("update", "required_linear_history", "a_rule_of_tomorrow"))


@pytest.mark.parametrize("pattern", ["fix/*", None])
def test_a_classic_protection_is_known_by_what_anybody_may_see_of_it(script: Script, pattern: str | None) -> None:
    branch = _read(script, _repository(_pull(headRef=_head(refUpdateRule={"pattern": pattern})))).branch
    assert branch is not None
    assert branch.protected


def test_an_enterprise_server_which_names_its_version_signs_no_commits(script: Script) -> None:
    data = {"data": {"repository": _repository(_pull())}}
    script.on(GRAPHQL, httpx.Response(200, json=data, headers={"X-GitHub-Enterprise-Version": "3.19.0"}))
    assert not script.github().push_host("octo/widgets").pull_state(7, "x").repository.signs_commits


@pytest.mark.parametrize(
    "pull",
    [
        _pull(number=8),
        _pull(state="A_STATE_OF_TOMORROW"),
        _pull(headRefOid=None),
        _pull(headRef=_head(name="fix/b")),
        _pull(headRef=_head(rules=_rules("UPDATE", more=True))),
        _pull(headRef=_head(rules=None)),
        _pull(headRef={"name": "fix/a", "target": {"oid": HEAD}, "rules": _rules()}),
    ],
)
def test_what_is_not_told_whole_is_partial_and_never_no_protection(script: Script, pull: Answer) -> None:
    with pytest.raises(PartialAnswer):
        _read(script, _repository(pull))


def test_rules_that_may_not_be_read_are_not_no_rules(script: Script) -> None:
    where = ["repository", "pullRequest", "headRef", "rules"]
    hidden = {"type": "FORBIDDEN", "message": "no", "path": where}
    with pytest.raises(Forbidden):
        _read(script, _repository(_pull()), errors=[hidden])


def test_a_pull_request_that_does_not_exist_is_gone(script: Script) -> None:
    with pytest.raises(Gone):
        _read(script, _repository(None), errors=[{"type": "NOT_FOUND", "message": "Could not resolve"}])
