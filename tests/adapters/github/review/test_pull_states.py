"""The state of one pull request, in the words of the rules."""

import copy
import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from autoswe.ports.github import PartialAnswer
from autoswe.rules.review.pulls.candidate import Account, PullState, Requested, Review, Thread
from tests.adapters.github.review.answers import (
    WIDGETS,
    by_document,
    document,
    listed,
    nodes,
    page,
    repositories,
    state,
)
from tests.adapters.github.scripted import BASE, HEAD, Script, ok

GRAPHQL = "POST /graphql"
REVIEW = {
    "state": "APPROVED",
    "submittedAt": "2026-11-29T11:00:00Z",
    "author": {"__typename": "User", "login": "rita"},
    "commit": {"oid": HEAD},
}
APPROVAL = Review("rita", "APPROVED", HEAD, datetime(2026, 11, 29, 11, tzinfo=UTC))


def _read(script: Script, told: object, *lists: dict[str, Any]) -> PullState | None:
    """Read a state; ``lists`` answer the requests that read its lists on."""
    script.on("GET /installation/repositories", repositories(WIDGETS))
    remaining = list(lists)

    def read_on(_: httpx.Request) -> httpx.Response:
        lists_of_one = {"id": "PR_1", "reviews": page(), "reviewRequests": page(), "reviewThreads": page()}
        following = remaining.pop(0) if len(remaining) > 1 else remaining[0]
        return ok({"data": {"node": {**lists_of_one, **following}}})

    opened = nodes({"id": "R_1", "pullRequests": page(listed(1))})
    script.on(GRAPHQL, by_document(OpenPulls=opened, PullStates=nodes(told), PullLists=read_on))
    host = script.github().scan_host()
    host.open_pulls(["octo/widgets"])
    (found,) = host.states([("octo/widgets", 1)])
    return found


def _lists_asked(script: Script) -> list[dict[str, Any]]:
    sent = [request for request in script.sent(GRAPHQL) if document(request) == "PullLists"]
    return [json.loads(request.content)["variables"] for request in sent]


def test_a_state_is_read_with_its_lists(script: Script) -> None:
    told = state(
        1,
        reviews=page(REVIEW),
        reviewRequests=page({"requestedReviewer": {"__typename": "User", "login": "bob"}}),
        reviewThreads=page(
            {"isResolved": True, "comments": {"nodes": [{"author": {"__typename": "User", "login": "rita"}}]}}
        ),
    )
    assert _read(script, told) == PullState(
        state="OPEN",
        is_draft=False,
        mergeable="MERGEABLE",
        head_sha=HEAD,
        base_sha=BASE,
        updated_at=datetime(2026, 11, 29, 12, tzinfo=UTC),
        rollup="SUCCESS",
        changed_files=1,
        reviews=(APPROVAL,),
        requested=(Requested("User", "bob"),),
        threads=(Thread(resolved=True, opener=Account("User", "rita")),),
    )


def test_words_that_are_not_known_are_passed_on_to_the_rules(script: Script) -> None:
    told = state(1, state="FROZEN", mergeable="PERHAPS", reviews=page({**REVIEW, "state": "APPLAUDED"}))
    found = _read(script, {**told, "statusCheckRollup": {"state": "GREENISH"}})
    assert found is not None
    assert (found.state, found.mergeable, found.rollup) == ("FROZEN", "PERHAPS", "GREENISH")
    assert found.reviews == (Review("rita", "APPLAUDED", HEAD, APPROVAL.submitted_at),)


def test_a_head_that_nothing_reports_on_has_no_rollup(script: Script) -> None:
    found = _read(script, state(1, statusCheckRollup=None))
    assert found is not None
    assert found.rollup is None


def test_a_bot_never_has_the_login_of_a_person(script: Script) -> None:
    bot = {"__typename": "Bot", "login": "rita"}
    found = _read(script, state(1, reviews=page(REVIEW, {**REVIEW, "author": bot})))
    assert found is not None
    assert found.reviews is not None
    assert [review.author for review in found.reviews] == ["rita", "rita[bot]"]


def test_what_the_host_does_not_tell_of_a_review_is_absent(script: Script) -> None:
    told = {"state": "PENDING", "submittedAt": None, "author": None, "commit": None}
    found = _read(script, state(1, reviews=page(told)))
    assert found is not None
    assert found.reviews == (Review(None, "PENDING", None, None),)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (None, None),
        ({"__typename": "Team"}, Requested("Team", None)),
        ({"__typename": "Bot", "login": "copilot-pull-request-reviewer"}, "copilot-pull-request-reviewer"),
    ],
)
def test_who_is_asked_for_a_review_is_told_as_far_as_it_is_known(
    script: Script, told: object, expected: Requested | str | None
) -> None:
    found = _read(script, state(1, reviewRequests=page({"requestedReviewer": told})))
    assert found is not None
    assert found.requested == (Requested("Bot", expected) if isinstance(expected, str) else expected,)


@pytest.mark.parametrize("comments", [[], [{"author": None}]])
def test_a_thread_whose_opener_is_not_told_has_none(script: Script, comments: list[object]) -> None:
    found = _read(script, state(1, reviewThreads=page({"isResolved": False, "comments": {"nodes": comments}})))
    assert found is not None
    assert found.threads == (Thread(resolved=False, opener=None),)


@pytest.mark.parametrize(
    "change",
    [
        {"state": None},
        {"isDraft": None},
        {"isDraft": "false"},
        {"mergeable": None},
        {"headRefOid": "main"},
        {"baseRefOid": None},
        {"updatedAt": "yesterday"},
        {"updatedAt": "2026-11-29T12:00:00"},
        {"changedFiles": -1},
        {"changedFiles": "1"},
        {"statusCheckRollup": {}},
        {"reviews": page(None)},
        {"reviews": page({**REVIEW, "commit": {"oid": "x"}})},
        {"reviews": {"nodes": [REVIEW]}},
        {"reviewThreads": page({"isResolved": None, "comments": {"nodes": []}})},
        {"id": "PR_2"},
    ],
)
def test_a_state_that_cannot_be_understood_is_not_told(script: Script, change: dict[str, object]) -> None:
    assert _read(script, {**state(1), **change}) is None


@pytest.mark.parametrize("missing", sorted(state(1)))
def test_a_state_that_leaves_out_a_field_is_not_told(script: Script, missing: str) -> None:
    told = copy.deepcopy(state(1))
    del told[missing]
    assert _read(script, told) is None


def test_lists_that_go_on_are_read_anew_to_their_ends(script: Script) -> None:
    other = {**REVIEW, "state": "COMMENTED"}
    found = _read(
        script,
        state(1, reviews=page(REVIEW, after="first")),
        {"reviews": page(REVIEW, other, after="A")},
        {"reviews": page(other)},
    )
    assert found is not None
    assert found.reviews is not None
    assert [review.state for review in found.reviews] == ["APPROVED", "COMMENTED", "COMMENTED"]
    assert (found.requested, found.threads) == ((), ())
    assert [asked["reviews"] for asked in _lists_asked(script)] == [None, "A"]


def test_a_list_that_ended_takes_nothing_from_later_pages(script: Script) -> None:
    thread = {"isResolved": False, "comments": {"nodes": []}}
    found = _read(
        script,
        state(1, reviews=page(REVIEW, after="first")),
        {"reviews": page(REVIEW, after="A"), "reviewThreads": page(thread)},
        {"reviews": page(), "reviewThreads": page(thread)},
    )
    assert found is not None
    assert (found.reviews, found.threads) == ((APPROVAL,), (Thread(resolved=False, opener=None),))


def test_a_list_that_never_ends_is_absent_and_the_others_are_not(script: Script) -> None:
    endless = page(REVIEW, after="A")
    found = _read(script, state(1, reviews=endless), {"reviews": endless})
    assert found is not None
    assert (found.reviews, found.requested, found.threads) == (None, (), ())
    assert len(_lists_asked(script)) == 20


@pytest.mark.parametrize("name", ["reviews", "reviewRequests", "reviewThreads"])
def test_a_list_that_the_host_does_not_tell_is_absent(script: Script, name: str) -> None:
    found = _read(script, state(1, **{name: None}))
    assert found is not None
    lists = {"reviews": found.reviews, "reviewRequests": found.requested, "reviewThreads": found.threads}
    assert [key for key, value in lists.items() if value is None] == [name]
    assert _lists_asked(script) == []


def test_lists_of_another_pull_request_are_partial(script: Script) -> None:
    with pytest.raises(PartialAnswer):
        _read(script, state(1, reviews=page(after="A")), {"id": "PR_2"})
