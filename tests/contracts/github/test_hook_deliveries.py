"""How an App learns what it was sent by the local GitHub host, and has it sent again."""

import threading
from typing import Any

import pytest

from infra.local.github_host.answers.timestamps import precise_timestamp
from tests.contracts.github.receiver import Receiver
from tests.contracts.github.scene import Scene, refusal

LIST = "/app/hook/deliveries"


def listed(github: Scene, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = github.as_app().get(LIST + query)
    return found


def ask_again(github: Scene, delivery_id: int) -> int:
    return github.as_app().rest("POST", f"{LIST}/{delivery_id}/attempts").status_code


def test_a_delivery_is_listed_with_all_that_it_was(github: Scene, receiver: Receiver) -> None:
    github.clock.advance(0.605)
    github.pull.comment(github.reviewer, "Hm")
    [shown] = listed(github)
    assert shown == {
        "id": shown["id"],
        "guid": github.host.deliveries[0].guid,
        "delivered_at": "2026-03-02T10:00:00.605Z",
        "redelivery": False,
        "duration": 0.0,
        "status": "OK",
        "status_code": 202,
        "event": "issue_comment",
        "action": "created",
        "installation_id": github.installation.id,
        "repository_id": github.repository.id,
        "throttled_at": None,
    }
    # Whoever reads it into a double reads another number.
    assert int(float(shown["id"])) != shown["id"]


def test_a_delivery_about_no_repository_names_none(github: Scene, receiver: Receiver) -> None:
    github.installation.suspend()
    github.host.ping(github.app)
    ping, installation = listed(github)
    assert (ping["action"], ping["installation_id"], ping["repository_id"]) == (None, None, None)
    assert (installation["installation_id"], installation["repository_id"]) == (github.installation.id, None)


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 502, 503])
def test_a_refused_delivery_is_listed_with_the_receivers_status(github: Scene, receiver: Receiver, status: int) -> None:
    receiver.answer = lambda: status
    github.pull.comment(github.reviewer, "Hm")
    [shown] = listed(github)
    assert (shown["status_code"], shown["status"]) == (status, f"Invalid HTTP Response: {status}")
    assert (github.host.deliveries[-1].status, github.host.deliveries[-1].response_body) == (status, "ok")


def test_a_receiver_that_cannot_be_reached_counts_as_a_bad_gateway(github: Scene, receiver: Receiver) -> None:
    github.app.webhook_url = "http://127.0.0.1:1/"
    github.pull.comment(github.reviewer, "Hm")
    [shown] = listed(github)
    assert (shown["status_code"], shown["status"]) == (502, "failed to connect to host")


def test_a_receiver_that_takes_longer_than_ten_seconds_has_not_received(github: Scene, receiver: Receiver) -> None:
    assert github.host.limits.webhook_seconds == 10
    github.host.limits.webhook_seconds = 0.05
    gone = threading.Event()

    def answer() -> int:
        assert gone.wait(10)
        return 202

    receiver.answer = answer
    github.pull.comment(github.reviewer, "Hm")
    gone.set()
    [shown] = listed(github)
    assert (shown["status_code"], shown["status"]) == (504, "timed out")
    assert len(receiver.arrived) == 1


def test_nothing_is_sent_again_by_itself(github: Scene, receiver: Receiver) -> None:
    receiver.answer = lambda: 500
    github.pull.comment(github.reviewer, "Hm")
    github.clock.advance(2 * 24 * 3600)
    assert (len(listed(github)), len(receiver.arrived)) == (1, 1)


def test_a_delivery_by_itself_shows_what_was_sent_and_what_came_back(github: Scene, receiver: Receiver) -> None:
    github.pull.comment(github.reviewer, "Hm")
    [item] = listed(github)
    shown = github.as_app().get(f"{LIST}/{item['id']}")
    assert {name: shown[name] for name in item} == item
    assert shown["url"] == receiver.url
    assert shown["request"]["payload"] == github.host.deliveries[0].payload
    assert shown["request"]["headers"]["X-GitHub-Delivery"] == item["guid"]
    assert shown["response"]["payload"] == "ok"
    assert shown["response"]["headers"]["content-length"] == "2"
    github.app.webhook_url = "http://127.0.0.1:1/"
    github.pull.comment(github.reviewer, "Hm")
    shown = github.as_app().get(f"{LIST}/{listed(github)[0]['id']}")
    assert shown["response"] == {"headers": None, "payload": None}


def test_a_redelivery_keeps_guid_and_body_and_is_a_delivery_of_its_own(github: Scene, receiver: Receiver) -> None:
    receiver.answer = lambda: 500
    github.pull.comment(github.reviewer, "Hm")
    receiver.answer = lambda: 202
    [first] = listed(github)
    assert ask_again(github, first["id"]) == 202
    again, before = listed(github)
    assert before == first
    assert (again["guid"], again["redelivery"], again["status_code"]) == (first["guid"], True, 202)
    assert again["id"] > first["id"]
    assert receiver.arrived[0] == receiver.arrived[1]
    assert receiver.arrived[0][0]["X-GitHub-Delivery"] == first["guid"]


def test_a_redelivery_can_fail_too_and_be_asked_for_again(github: Scene, receiver: Receiver) -> None:
    receiver.answer = lambda: 503
    github.pull.comment(github.reviewer, "Hm")
    assert ask_again(github, listed(github)[0]["id"]) == 202
    receiver.answer = lambda: 200
    assert ask_again(github, listed(github)[0]["id"]) == 202
    assert [(one["status_code"], one["redelivery"]) for one in listed(github)] == [
        (200, True),
        (503, True),
        (503, False),
    ]
    assert len({one["guid"] for one in listed(github)}) == 1


def test_a_redelivery_goes_to_where_the_webhook_points_now(github: Scene, receiver: Receiver) -> None:
    present, github.app.webhook_url = github.app.webhook_url, "http://127.0.0.1:1/"
    github.pull.comment(github.reviewer, "Hm")
    assert receiver.arrived == []
    github.app.webhook_url = None
    assert ask_again(github, listed(github)[0]["id"]) == 422
    github.app.webhook_url = present
    assert ask_again(github, listed(github)[0]["id"]) == 202
    assert len(receiver.arrived) == 1


def test_deliveries_are_listed_newest_first_in_pages_that_cursors_lead_to(github: Scene, receiver: Receiver) -> None:
    for number in range(5):
        github.pull.comment(github.reviewer, str(number))
    app, path, pages = github.as_app(), f"{LIST}?per_page=2", []
    while path:
        answer = app.rest("GET", path)
        pages.append([one["guid"] for one in answer.json()])
        assert set(answer.links) <= {"next"}
        # What arrives meanwhile moves no page.
        github.pull.comment(github.reviewer, "Later")
        path = answer.links.get("next", {}).get("url", "").removeprefix(github.host.api_url)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [guid for page in pages for guid in page] == [one.guid for one in reversed(github.host.deliveries[:5])]


def test_a_page_of_deliveries_has_thirty_unless_asked_otherwise_and_a_hundred_at_most(
    github: Scene, receiver: Receiver
) -> None:
    github.pull.comment(github.reviewer, "Hm", deliver=False)
    for _ in range(101):
        github.host.deliver(github.host.deliveries[0])
    assert [len(listed(github, query)) for query in ("", "?per_page=100", "?per_page=500")] == [30, 100, 100]


def test_deliveries_can_be_listed_by_whether_they_arrived(github: Scene, receiver: Receiver) -> None:
    answers = iter((500, 202))
    receiver.answer = lambda: next(answers)
    github.pull.comment(github.reviewer, "Hm")
    github.pull.comment(github.reviewer, "Hm")
    found = {
        query: [one["status_code"] for one in listed(github, f"?status={query}")] for query in ("success", "failure")
    }
    assert found == {"success": [202], "failure": [500]}


@pytest.mark.parametrize("query", ["?status=lost", "?cursor=7", "?cursor=v1_", "?cursor=v1_x"])
def test_a_list_of_deliveries_that_makes_no_sense_is_refused(github: Scene, receiver: Receiver, query: str) -> None:
    assert github.as_app().rest("GET", LIST + query).status_code == 422


def test_a_delivery_is_kept_for_three_days(github: Scene, receiver: Receiver) -> None:
    github.pull.comment(github.reviewer, "Hm")
    [shown] = listed(github)
    github.clock.advance(3 * 24 * 3600)
    assert listed(github) == [shown]
    github.clock.advance(1)
    assert listed(github) == []
    assert ask_again(github, shown["id"]) == 404
    assert len(receiver.arrived) == 1


def test_an_app_sees_its_own_deliveries_alone_and_only_as_itself(github: Scene, receiver: Receiver) -> None:
    github.pull.comment(github.reviewer, "Hm")
    [shown] = listed(github)
    stranger = github.as_app(github.app_token(github.host.add_app("other", permissions={})))
    assert stranger.get(LIST) == []
    assert refusal(stranger.rest("GET", f"{LIST}/{shown['id']}")) == (404, "Not Found")
    assert refusal(stranger.rest("POST", f"{LIST}/{shown['id']}/attempts")) == (404, "Not Found")
    for method, path in (("GET", LIST), ("GET", f"{LIST}/{shown['id']}"), ("POST", f"{LIST}/{shown['id']}/attempts")):
        assert github.caller().rest(method, path).status_code == 401
    assert len(receiver.arrived) == 1


def test_a_scenario_sends_a_delivery_again_by_its_guid(github: Scene, receiver: Receiver) -> None:
    github.pull.comment(github.reviewer, "Hm")
    [attempt] = github.host.redeliver(github.host.deliveries[0].guid)
    assert (attempt.redelivery, precise_timestamp(attempt.at)) == (True, listed(github)[0]["delivered_at"])
    with pytest.raises(ValueError, match="nothing was ever delivered"):
        github.host.redeliver("none")
