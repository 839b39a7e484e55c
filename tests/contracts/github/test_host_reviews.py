"""Reviews that an App writes on the local GitHub host."""

from typing import Any

import httpx
import pytest

from tests.contracts.github.scene import CHANGED_AREA, Scene, refusal

REVIEWS = "pulls/1/reviews"


def review(github: Scene, **body: Any) -> httpx.Response:
    return github.caller().rest("POST", REVIEWS, body)


@pytest.mark.parametrize(
    ("event", "body", "state"),
    [
        ("APPROVE", {}, "APPROVED"),
        ("REQUEST_CHANGES", {"body": "Please"}, "CHANGES_REQUESTED"),
        ("COMMENT", {"body": "Hm"}, "COMMENTED"),
    ],
)
def test_an_app_reviews_somebody_elses_pull_request(
    github: Scene, event: str, body: dict[str, str], state: str
) -> None:
    shown = review(github, event=event, commit_id=github.head, **body)
    assert shown.status_code == 200
    assert (shown.json()["state"], shown.json()["user"]["login"]) == (state, "fixer[bot]")
    assert (shown.json()["commit_id"], shown.json()["body"]) == (github.head, body.get("body", ""))
    assert [one["id"] for one in github.caller().get(REVIEWS)] == [shown.json()["id"]]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("APPROVE", "Can not approve your own pull request"),
        ("REQUEST_CHANGES", "Can not request changes on your own pull request"),
    ],
)
def test_an_app_neither_approves_nor_refuses_its_own_pull_request(github: Scene, event: str, told: str) -> None:
    github.repository.commit("work", {"x": "x"}, "Work", author=github.app.bot)
    own = github.repository.open_pull("work", "main", github.app.bot, "Work")
    caller = github.caller()
    answer = caller.rest("POST", f"pulls/{own.number}/reviews", {"event": event, "body": "Fine"})
    assert answer.status_code == 422
    assert answer.json() == {
        "message": "Unprocessable Entity",
        "errors": [told],
        "documentation_url": "https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request",
        "status": "422",
    }
    assert own.reviews == []
    noted = caller.rest("POST", f"pulls/{own.number}/reviews", {"event": "COMMENT", "body": "A note"})
    assert noted.json()["state"] == "COMMENTED"


def test_a_review_is_of_the_head_unless_it_names_another_commit_of_the_pull_request(github: Scene) -> None:
    moved = github.repository.commit("feature/area", {"x": "x"}, "More")
    assert review(github, event="APPROVE").json()["commit_id"] == moved
    assert review(github, event="APPROVE", commit_id=github.head).json()["commit_id"] == github.head
    for commit in (github.base, "f" * 40):
        assert review(github, event="APPROVE", commit_id=commit).status_code == 422


def test_a_review_comes_with_comments_on_lines_of_its_commit(github: Scene) -> None:
    moved = github.repository.commit("feature/area", {"src/area.txt": "zero\n" + CHANGED_AREA}, "Above")
    inline = {"path": "src/area.txt", "line": 3, "start_line": 2, "side": "RIGHT", "body": "Why?"}
    made = review(github, event="COMMENT", body="Hm", commit_id=github.head, comments=[inline]).json()
    [shown] = github.caller().get("pulls/1/comments")
    assert (shown["pull_request_review_id"], shown["user"]["login"]) == (made["id"], "fixer[bot]")
    assert (shown["original_line"], shown["original_commit_id"]) == (3, github.head)
    # The line has moved since.
    assert (shown["line"], shown["start_line"], shown["commit_id"]) == (4, 3, moved)


@pytest.mark.parametrize(
    "body",
    [
        {"event": "COMMENT"},
        {"event": "REQUEST_CHANGES", "body": "  "},
        {"event": "PRAISE", "body": "Good"},
        {"body": "Not submitted yet"},
        {"event": "COMMENT", "body": 7},
        *(
            {"event": "COMMENT", "body": "Hm", "comments": [comment]}
            for comment in (
                "Hm",
                {"path": "src/area.txt", "line": 2},
                {"path": "src/area.txt", "body": "Hm"},
                {"path": "src/area.txt", "line": True, "body": "Hm"},
                {"path": "src/area.txt", "line": 2, "side": "TOP", "body": "Hm"},
                {"path": "src/area.txt", "line": 99, "body": "Hm"},
                {"path": "README.md", "line": 1, "body": "Hm"},
            )
        ),
    ],
)
def test_a_review_that_makes_no_sense_is_refused_and_leaves_nothing(github: Scene, body: dict[str, Any]) -> None:
    assert review(github, **body).status_code == 422
    assert (github.pull.reviews, github.pull.threads) == ([], [])


def test_a_review_on_no_pull_request_is_not_found(github: Scene) -> None:
    answer = github.caller().rest("POST", "pulls/7/reviews", {"event": "APPROVE"})
    assert refusal(answer) == (404, "Not Found")
