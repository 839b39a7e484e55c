"""A pull request before our approval, and the approval."""

import json
from typing import Any

import httpx
import pytest

from autoswe.ports.github import Forbidden, Gone, HostError, PartialAnswer, Refused, Unavailable
from autoswe.ports.review.hosts import OwnReview
from tests.adapters.github.review.answers import by_document, nodes, page, state
from tests.adapters.github.scripted import BASE, HEAD, Script, ok, told

PULL_PATH = "GET /repos/octo/widgets/pulls/7"
COMMITS = "GET /repos/octo/widgets/pulls/7/commits"
REVIEWS = "/repos/octo/widgets/pulls/7/reviews"
PULL = {"node_id": "PR_7", "number": 7, "user": {"id": 5}}
COMMIT = {"sha": HEAD, "commit": {"message": "m"}, "author": None}
# The App of the script's connection has this bot.
BOT = {"id": 1200, "login": "auto-swe[bot]"}
REVIEW = {
    "user": BOT,
    "state": "APPROVED",
    "body": "Fine",
    "html_url": "https://github.test/octo/widgets/pull/7#pullrequestreview-1",
    "commit_id": HEAD,
}


def _stand(script: Script, pull: object = PULL, told_state: object = None, commits: object = None) -> None:
    script.on(PULL_PATH, ok(pull))
    script.on("POST /graphql", nodes(told_state or state(7)))
    script.on(COMMITS, ok(commits or [COMMIT]))


def test_a_pull_request_is_read_as_it_stands(script: Script) -> None:
    _stand(script, told_state=state(7, baseRefName="release"), commits=[{**COMMIT, "sha": BASE}, COMMIT])
    live = script.github().reread_host().live("octo/widgets", 7)
    assert (live.state.head_sha, live.base_ref, live.by_us, live.commits) == (HEAD, "release", False, (BASE, HEAD))


@pytest.mark.parametrize(
    ("author", "ours"), [({"id": 1200}, True), ({"id": 1300}, True), ({"id": 5}, False), (None, False)]
)
def test_a_pull_request_of_any_app_of_ours_is_ours(script: Script, author: object, ours: bool) -> None:
    _stand(script, {**PULL, "user": author})
    assert script.github().reread_host(our_bots=[1300]).live("octo/widgets", 7).by_us is ours


@pytest.mark.parametrize("commits", [[COMMIT] * 250, [{"sha": "main"}]])
def test_commits_that_are_not_told_whole_are_absent(script: Script, commits: object) -> None:
    _stand(script, commits=commits)
    assert script.github().reread_host().live("octo/widgets", 7).commits is None


def test_lists_that_go_on_are_read_on_with_the_same_token(script: Script) -> None:
    _stand(script)
    whole = {"id": "PR_7", "reviews": page(), "reviewRequests": page(), "reviewThreads": page()}
    longer = nodes(state(7, reviews=page(after="X")))
    script.on("POST /graphql", by_document(PullStates=longer, PullLists=ok({"data": {"node": whole}})))
    assert script.github().reread_host().live("octo/widgets", 7).state.reviews == ()
    assert len(script.sent("POST /app/installations/34/access_tokens")) == 1


@pytest.mark.parametrize(
    ("pull", "told_state"),
    [
        ({**PULL, "number": 8}, None),
        (PULL, state(8)),
        (PULL, {"id": "PR_7"}),
        ({"number": 7, "user": None}, None),
    ],
)
def test_what_is_not_told_of_the_pull_request_is_partial(script: Script, pull: object, told_state: object) -> None:
    _stand(script, pull, told_state)
    with pytest.raises(PartialAnswer):
        script.github().reread_host().live("octo/widgets", 7)


def test_a_state_that_comes_with_an_error_is_no_state(script: Script) -> None:
    _stand(script)
    error = {"type": "FORBIDDEN", "path": ["nodes", 0, "statusCheckRollup"], "message": "No"}
    script.on("POST /graphql", nodes(state(7, statusCheckRollup=None), errors=[error]))
    with pytest.raises(Forbidden):
        script.github().reread_host().live("octo/widgets", 7)


def test_only_reviews_of_our_own_app_are_ours(script: Script) -> None:
    others = [{**REVIEW, "user": user} for user in (None, {"id": 5, "login": "auto-swe[bot]"})]
    dropped = {**REVIEW, "state": "DISMISSED", "commit_id": None, "body": None}
    script.on(f"GET {REVIEWS}", ok([*others, REVIEW, dropped]))
    url = "https://github.test/octo/widgets/pull/7#pullrequestreview-1"
    assert script.github().reread_host().reviews_by_us("octo/widgets", 7) == (
        OwnReview(HEAD, "APPROVED", url, "Fine"),
        OwnReview(None, "DISMISSED", url, ""),
    )


def _approve(script: Script, *replies: httpx.Response | Exception) -> str:
    script.on(f"POST {REVIEWS}", *replies)
    return script.github().approve_host().approve("octo/widgets", 7, HEAD, "Fine")


def test_an_approval_is_pinned_to_the_commit_and_answered_by_its_page(script: Script) -> None:
    assert _approve(script, ok(REVIEW)) == REVIEW["html_url"]
    (sent,) = script.sent(f"POST {REVIEWS}")
    assert json.loads(sent.content) == {"commit_id": HEAD, "event": "APPROVE", "body": "Fine"}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (told(422, "Can not approve your own pull request"), Refused),
        (told(403, "Resource not accessible by integration"), Forbidden),
        (told(404, "Not Found"), Gone),
        (told(502, "Bad Gateway"), Unavailable),
        (httpx.ReadTimeout("late"), Unavailable),
    ],
)
def test_an_approval_is_sent_once_whatever_comes_of_it(
    script: Script, reply: httpx.Response | Exception, expected: type[HostError]
) -> None:
    with pytest.raises(expected):
        _approve(script, reply)
    assert len(script.sent(f"POST {REVIEWS}")) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"state": "COMMENTED"},
        {"commit_id": BASE},
        {"commit_id": None},
        {"user": {"id": 5}},
        {"user": None},
        {"html_url": None},
    ],
)
def test_an_answer_that_is_not_of_this_approval_leaves_open_what_was_written(
    script: Script, change: dict[str, Any]
) -> None:
    with pytest.raises(Unavailable):
        _approve(script, ok({**REVIEW, **change}))
