"""Listing the pull requests of an installation, and asking about many at once."""

import httpx
import pytest

from autoswe.github.hosts import ScanGitHub
from autoswe.ports.github import Forbidden, Gone, PartialAnswer, RateLimited, Unavailable
from autoswe.ports.review.hosts import ListedPull, ScannedRepository
from autoswe.rules.review.pulls.candidate import Account, Candidate, is_person
from tests.adapters.github.review.answers import (
    GADGETS,
    WIDGETS,
    asked_ids,
    by_document,
    listed,
    nodes,
    page,
    repositories,
    state,
)
from tests.adapters.github.scripted import Script, ok, told

REPOSITORIES = "GET /installation/repositories"
GRAPHQL = "POST /graphql"
PULL = {
    "node_id": "PR_7",
    "number": 7,
    "title": "Change",
    "html_url": "https://github.test/octo/widgets/pull/7",
    "user": {"login": "alice", "type": "User"},
    "base": {"repo": WIDGETS},
}


def _scan(script: Script, count: int = 1) -> tuple[ScanGitHub, list[tuple[str, int]]]:
    """Open a host that has listed pull requests of one repository, numbered from 1."""
    script.on(REPOSITORIES, repositories(WIDGETS))
    pulls = page(*map(listed, range(1, count + 1)))
    script.on(GRAPHQL, nodes({"id": "R_1", "pullRequests": pulls}))
    host = script.github().scan_host()
    assert len(host.open_pulls(["octo/widgets"])) == count
    script.requests.clear()
    return host, [("octo/widgets", number) for number in range(1, count + 1)]


def test_the_app_says_who_it_is_without_any_token(script: Script) -> None:
    script.on("GET /app", ok({"id": 12, "slug": "reviewer"}))
    assert script.github().scan_host().app_slug() == "reviewer"
    assert script.github().approve_host().app_slug() == "reviewer"
    assert not script.sent("POST /app/installations/34/access_tokens")


@pytest.mark.parametrize("answer", [{"id": 12}, {"id": 12, "slug": None}, []])
def test_an_app_that_does_not_say_who_it_is_is_partial(script: Script, answer: object) -> None:
    script.on("GET /app", ok(answer))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().app_slug()


@pytest.mark.parametrize("permissions", [{"push": False, "admin": "never", "pull": True}, None])
def test_what_a_token_may_do_is_told_as_the_repository_tells_it(
    script: Script, permissions: dict[str, object] | None
) -> None:
    script.on("GET /repos/octo/widgets", ok({"permissions": permissions}))
    assert script.github().scan_host().powers("octo/widgets") == permissions
    script.on("GET /repos/octo/widgets", ok({}))
    assert script.github().scan_host().powers("octo/widgets") is None


def test_every_page_of_repositories_is_listed(script: Script) -> None:
    link = '<https://api.github.test/installation/repositories?page=2>; rel="next"'
    script.on(
        REPOSITORIES,
        ok({"total_count": 2, "repositories": [WIDGETS]}, Link=link),
        ok({"total_count": 2, "repositories": [GADGETS]}),
    )
    assert script.github().scan_host().repositories("OCTO") == (
        ScannedRepository("octo/widgets", archived=False),
        ScannedRepository("octo/gadgets", archived=True),
    )


def test_fewer_repositories_than_the_host_counts_are_partial(script: Script) -> None:
    script.on(REPOSITORIES, ok({"total_count": 2, "repositories": [WIDGETS]}))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().repositories("octo")


def test_an_installation_of_another_account_is_forbidden(script: Script) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS, {**GADGETS, "full_name": "evil/gadgets"}))
    with pytest.raises(Forbidden):
        script.github().scan_host().repositories("octo")


def test_pull_requests_of_several_repositories_are_listed_in_one_request(script: Script) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS, GADGETS))
    deleted, bot = listed(2, author=None), listed(3, author={"__typename": "Bot", "login": "helper"})
    script.on(
        GRAPHQL,
        nodes({"id": "R_2", "pullRequests": page(listed(1))}, {"id": "R_1", "pullRequests": page(deleted, bot)}),
    )
    found = script.github().scan_host().open_pulls(["octo/gadgets", "OCTO/widgets"])
    assert found[0] == ListedPull(
        Candidate("octo/gadgets", 1, archived=True, author=Account("User", "alice")),
        "Change",
        "https://github.test/octo/widgets/pull/1",
    )
    authors = [pull.candidate.author for pull in found]
    assert authors[1:] == [None, Account("Bot", "helper[bot]")]
    assert [is_person(author) for author in authors] == [True, False, False]
    assert len(script.sent(GRAPHQL)) == 1


def test_a_repository_with_more_than_a_page_of_pull_requests_is_listed_to_its_end(script: Script) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS))
    first, last = page(listed(1), after="X"), page(listed(2))
    script.on(GRAPHQL, nodes({"id": "R_1", "pullRequests": first}), nodes({"id": "R_1", "pullRequests": last}))
    found = script.github().scan_host().open_pulls(["octo/widgets"])
    assert [pull.candidate.number for pull in found] == [1, 2]


def test_a_list_that_never_ends_is_partial(script: Script) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS))
    script.on(GRAPHQL, nodes({"id": "R_1", "pullRequests": page(listed(1), after="X")}))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().open_pulls(["octo/widgets"])


def test_a_repository_that_the_installation_does_not_hold_is_gone(script: Script) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS))
    with pytest.raises(Gone):
        script.github().scan_host().open_pulls(["octo/widgets", "octo/elsewhere"])


@pytest.mark.parametrize(
    "node",
    [
        None,
        {"id": "R_9", "pullRequests": page()},
        {"id": "R_1", "pullRequests": None},
        {"id": "R_1"},
        {"id": "R_1", "pullRequests": page(None)},
        {"id": "R_1", "pullRequests": page(listed(0))},
        {"id": "R_1", "pullRequests": {"nodes": []}},
    ],
)
def test_a_repository_that_is_not_told_whole_makes_the_listing_partial(script: Script, node: object) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS))
    script.on(GRAPHQL, nodes(node))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().open_pulls(["octo/widgets"])


def test_an_error_beside_the_pull_requests_of_a_repository_spoils_the_listing(script: Script) -> None:
    script.on(REPOSITORIES, repositories(WIDGETS))
    error = {"type": "SOMETHING", "path": ["nodes", 0, "pullRequests"], "message": "Oh"}
    script.on(GRAPHQL, nodes({"id": "R_1", "pullRequests": page(listed(1))}, errors=[error]))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().open_pulls(["octo/widgets"])


def test_named_pull_requests_are_read_one_by_one(script: Script) -> None:
    script.on("GET /repos/octo/widgets/pulls/7", ok(PULL))
    (found,) = script.github().scan_host().named_pulls([("octo/widgets", 7)])
    assert found == ListedPull(
        Candidate("octo/widgets", 7, archived=False, author=Account("User", "alice")),
        "Change",
        "https://github.test/octo/widgets/pull/7",
    )
    script.on("GET /repos/octo/widgets/pulls/7", ok({**PULL, "user": None}))
    (found,) = script.github().scan_host().named_pulls([("octo/widgets", 7)])
    assert found.candidate.author is None


@pytest.mark.parametrize("reply", [told(404, "Not Found"), told(301, "Moved Permanently")])
def test_a_named_pull_request_that_cannot_be_read_is_gone(script: Script, reply: httpx.Response) -> None:
    script.on("GET /repos/octo/widgets/pulls/7", reply)
    with pytest.raises(Gone):
        script.github().scan_host().named_pulls([("octo/widgets", 7)])


@pytest.mark.parametrize("changes", [{"number": 8}, {"base": {"repo": GADGETS}}])
def test_another_pull_request_than_the_named_one_is_partial(script: Script, changes: dict[str, object]) -> None:
    script.on("GET /repos/octo/widgets/pulls/7", ok({**PULL, **changes}))
    with pytest.raises(PartialAnswer):
        script.github().scan_host().named_pulls([("octo/widgets", 7)])


def test_states_of_named_pull_requests_are_read_like_those_of_listed_ones(script: Script) -> None:
    host = script.github().scan_host()
    script.on("GET /repos/OCTO/widgets/pulls/7", ok(PULL))
    host.named_pulls([("OCTO/widgets", 7)])
    script.on(GRAPHQL, nodes(state(7)))
    (found,) = host.states([("octo/Widgets", 7)])
    assert found is not None


def test_at_first_twenty_five_pull_requests_are_asked_about_at_once(script: Script) -> None:
    host, pulls = _scan(script, 60)
    script.on(GRAPHQL, lambda request: nodes(*(state(int(one[3:])) for one in asked_ids(request))))
    assert None not in host.states(pulls)
    assert [len(asked_ids(request)) for request in script.sent(GRAPHQL)] == [25, 25, 10]


LIMITS = [{"type": "RESOURCE_LIMITS_EXCEEDED", "path": ["nodes", 0], "message": "Too much"}]


@pytest.mark.parametrize(
    "too_much", [told(502, "Bad Gateway"), told(504, "Gateway Timeout"), nodes(None, None, errors=LIMITS)]
)
def test_a_batch_that_takes_too_long_is_halved_at_once_and_for_the_rest_of_the_step(
    script: Script, too_much: httpx.Response
) -> None:
    host, pulls = _scan(script, 30)

    def reply(request: httpx.Request) -> httpx.Response:
        ids = asked_ids(request)
        if len(ids) > 6:
            return httpx.Response(too_much.status_code, content=too_much.content)
        return nodes(*(state(int(one[3:])) for one in ids))

    script.on(GRAPHQL, reply)
    assert len(host.states(pulls)) == 30
    assert [len(asked_ids(request)) for request in script.sent(GRAPHQL)] == [25, 12, 6, 6, 6, 6, 6]
    assert script.slept == []


def test_one_pull_request_that_takes_too_long_is_unavailable(script: Script) -> None:
    host, pulls = _scan(script, 2)
    script.on(GRAPHQL, told(502, "Bad Gateway"))
    with pytest.raises(Unavailable) as raised:
        host.states(pulls)
    # Workflows retry by the error's own name.
    assert type(raised.value) is Unavailable
    assert [len(asked_ids(request)) for request in script.sent(GRAPHQL)] == [2, 1]


@pytest.mark.parametrize(
    "errors",
    [
        [{"type": "NOT_FOUND", "path": ["nodes", 1], "message": "Gone"}],
        [{"type": "FORBIDDEN", "path": ["nodes", 1, "statusCheckRollup"], "message": "No"}],
        [{"path": ["nodes", 1, "reviews", "nodes", 3, "author"], "message": "Something went wrong"}],
    ],
)
def test_an_error_about_one_pull_request_leaves_that_one_out_and_no_other(
    script: Script, errors: list[dict[str, object]]
) -> None:
    host, pulls = _scan(script, 3)
    script.on(GRAPHQL, nodes(state(1), state(2, statusCheckRollup=None), state(3), errors=errors))
    found = host.states(pulls)
    assert [one is None for one in found] == [False, True, False]


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ([], PartialAnswer),
        ([{"message": "Something went wrong"}], PartialAnswer),
        ([{"type": "NOT_FOUND", "path": ["nodes", 1], "message": "Gone"}, {"message": "Oh"}], PartialAnswer),
        ([{"path": ["nodes"], "message": "Oh"}], PartialAnswer),
        ([{"path": ["rateLimit", 1], "message": "Oh"}], PartialAnswer),
        ([{"type": "RATE_LIMITED", "path": ["nodes", 1], "message": "Slow down"}], RateLimited),
    ],
)
def test_an_error_about_more_than_one_pull_request_spoils_the_whole_answer(
    script: Script, errors: list[dict[str, object]], expected: type[Exception]
) -> None:
    host, pulls = _scan(script, 2)
    script.on(GRAPHQL, nodes(state(1), None, errors=errors))
    with pytest.raises(expected):
        host.states(pulls)


@pytest.mark.parametrize("answered", [(), (state(1),), (state(1), state(2), state(3))])
def test_another_number_of_answers_than_of_questions_is_partial(script: Script, answered: tuple[object, ...]) -> None:
    host, pulls = _scan(script, 2)
    script.on(GRAPHQL, nodes(*answered))
    with pytest.raises(PartialAnswer):
        host.states(pulls)


def test_lists_are_asked_of_the_document_for_lists(script: Script) -> None:
    host, pulls = _scan(script, 1)
    longer = state(1, reviews=page(after="X"))
    whole = {"id": "PR_1", "reviews": page(), "reviewRequests": page(), "reviewThreads": page()}
    script.on(GRAPHQL, by_document(PullStates=nodes(longer), PullLists=ok({"data": {"node": whole}})))
    (found,) = host.states(pulls)
    assert found is not None
    assert found.reviews == ()
