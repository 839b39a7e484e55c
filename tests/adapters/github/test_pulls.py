"""Pull requests and their repository."""

import httpx
import pytest

from autoswe.ports.github import Gone, PartialAnswer
from autoswe.rules.github.facts import Pull
from tests.adapters.github.scripted import BASE, HEAD, Script, ok, read_repository, told

PULL = "GET /repos/octo/widgets/pulls/7"
REPOSITORY = "GET /repos/octo/widgets"


def _pull(**changes: object) -> httpx.Response:
    whole = {
        "number": 7,
        "state": "open",
        "user": {"id": 5, "login": "alice"},
        "head": {"sha": HEAD, "ref": "feature/a#b", "repo": {"id": 1}},
        "base": {"sha": BASE, "ref": "main", "repo": {"id": 1}},
    }
    return ok(whole | changes)


def test_a_pull_request_is_read_as_it_stands(script: Script) -> None:
    script.on(PULL, _pull())
    assert script.github().gather_host("octo/widgets").pull(7) == Pull(
        number=7,
        is_open=True,
        head_sha=HEAD,
        head_ref="feature/a#b",
        head_repository_id=1,
        base_sha=BASE,
        base_ref="main",
        repository_id=1,
        author_id=5,
    )


def test_a_closed_pull_request_is_not_open(script: Script) -> None:
    script.on(PULL, _pull(state="closed"))
    assert not script.github().gather_host("octo/widgets").pull(7).is_open


def test_a_deleted_fork_and_a_deleted_author_are_absent(script: Script) -> None:
    script.on(PULL, _pull(user=None, head={"sha": HEAD, "ref": "x", "repo": None}))
    pull = script.github().push_host("octo/widgets").pull(7)
    assert (pull.head_repository_id, pull.author_id) == (None, None)


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "parked"},
        {"number": 8},
        {"head": {"sha": "HEAD", "ref": "x", "repo": None}},
        {"head": {"sha": HEAD, "ref": "x"}},
        {"base": {"sha": BASE, "ref": "main", "repo": None}},
        {"user": {"login": "alice"}},
    ],
)
def test_what_cannot_be_understood_is_partial(script: Script, changes: dict[str, object]) -> None:
    script.on(PULL, _pull(**changes))
    with pytest.raises(PartialAnswer):
        script.github().gather_host("octo/widgets").pull(7)


def test_a_pull_request_that_is_not_there_is_gone(script: Script) -> None:
    script.on(PULL, told(404, "Not Found"))
    with pytest.raises(Gone):
        script.github().gather_host("octo/widgets").pull(7)


def test_a_repository_that_moved_is_gone_under_its_old_name(script: Script) -> None:
    script.on(REPOSITORY, httpx.Response(301, headers={"location": "https://api.github.test/repositories/1"}))
    with pytest.raises(Gone):
        read_repository(script.github().gather_host("octo/widgets"))
    assert len(script.sent(REPOSITORY)) == 1
