"""The webhooks of the local GitHub host: who hears what, how it is signed, sent and sent again."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.github_host import InlineComment
from infra.local.github_host.sample_deliveries import FOLDER, as_text, sample_deliveries
from infra.local.github_host.webhooks.payloads import EVENTS, UNASKED
from tests.contracts.github.judges import webhook_complaints
from tests.contracts.github.receiver import Receiver, open_receiver
from tests.contracts.github.regenerate import WEBHOOK_DEFINITIONS
from tests.contracts.github.scene import Scene

SECRET = "not a" + " secret"


@pytest.fixture
def receiver(github: Scene) -> Iterator[Receiver]:
    with open_receiver() as listening:
        github.app.events = tuple(sorted(EVENTS - UNASKED))
        github.app.webhook_url, github.app.webhook_secret = listening.url, SECRET
        yield listening


def heard(receiver: Receiver) -> list[str]:
    return [headers["X-GitHub-Event"] for headers, _ in receiver.arrived]


def play_everything(github: Scene) -> None:
    """Let everything happen that a webhook tells of."""
    github.host.ping(github.app)
    inline = [InlineComment("src/area.txt", 2, "Why?"), InlineComment("src/area.txt", 3, "Hm?", start_line=2)]
    review = github.pull.review(github.reviewer, "request_changes", "Please – now", inline)
    review.threads[0].reply(github.author, "Because")
    review.threads[0].resolve()
    review.threads[0].unresolve()
    review.comments[0].edit("Why though?")
    review.edit("Please")
    review.dismiss(by=github.author)
    comment = github.pull.comment(github.reviewer, "Hm")
    comment.edit("Hmm")
    comment.delete()
    review.comments[1].delete()
    github.repository.commit("feature/area", {"src/area.txt": "changed\n"}, "More")
    github.pull.close()
    github.pull.reopen()
    github.repository.open_pull("feature/area", "main", github.author, "Again")
    check = github.repository.check_run(github.pull.head_sha, "tests", status="in_progress")
    check.update(status="completed", conclusion="failure")
    github.installation.suspend()
    github.installation.unsuspend()
    github.installation.remove()
    github.host.install(github.app, [github.repository])


def test_every_webhook_fits_githubs_published_schema(github: Scene, receiver: Receiver) -> None:
    play_everything(github)
    told = {(one.event, one.action) for one in github.host.deliveries}
    assert {f"{event}${action or 'event'}" for event, action in told} == set(WEBHOOK_DEFINITIONS)
    for one in github.host.deliveries:
        assert webhook_complaints(one.event, one.action, one.payload) == [], (one.event, one.action)


def test_what_arrives_is_the_payload_signed_with_the_apps_secret_and_named_in_its_headers(
    github: Scene, receiver: Receiver
) -> None:
    github.pull.comment(github.reviewer, "Größe – 幅")
    headers, body = receiver.arrived[0]
    delivery = github.host.deliveries[-1]
    assert json.loads(body) == delivery.payload
    assert body == json.dumps(delivery.payload, separators=(",", ":"), ensure_ascii=False).encode()
    assert headers["X-Hub-Signature-256"] == "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert headers["X-GitHub-Event"] == "issue_comment"
    assert headers["X-GitHub-Delivery"] == delivery.guid
    assert headers["X-GitHub-Hook-ID"] == str(github.app.hook_id)
    assert headers["X-GitHub-Hook-Installation-Target-ID"] == str(github.app.app_id)
    assert headers["X-GitHub-Hook-Installation-Target-Type"] == "integration"
    assert headers["User-Agent"].startswith("GitHub-Hookshot/")
    assert headers["Content-Type"] == "application/json"
    assert delivery.payload["installation"]["id"] == github.installation.id


def test_a_review_state_is_in_lower_case_and_an_empty_text_is_null(github: Scene, receiver: Receiver) -> None:
    github.pull.review(github.reviewer, "request_changes", "")
    review = github.host.deliveries[-1].payload["review"]
    assert (review["state"], review["body"]) == ("changes_requested", None)


def test_an_answer_in_a_thread_names_the_first_comment_and_comes_with_a_review_that_says_nothing(
    github: Scene, receiver: Receiver
) -> None:
    thread = github.pull.review(github.reviewer, "comment", "", [InlineComment("src/area.txt", 2, "?")]).threads[0]
    receiver.arrived.clear()
    thread.reply(github.author, "Because")
    assert heard(receiver) == ["pull_request_review", "pull_request_review_comment"]
    review, comment = (json.loads(body) for _, body in receiver.arrived)
    assert (review["review"]["state"], review["review"]["body"]) == ("commented", None)
    assert comment["comment"]["in_reply_to_id"] == thread.comments[0].id
    assert comment["comment"]["pull_request_review_id"] == review["review"]["id"]


def test_an_app_hears_of_what_it_subscribed_to_and_always_of_its_installation(
    github: Scene, receiver: Receiver
) -> None:
    github.app.events = ("pull_request",)
    github.pull.comment(github.reviewer, "Hm")
    github.pull.close()
    github.installation.suspend()
    assert heard(receiver) == ["pull_request", "installation"]
    github.pull.reopen()
    assert len(receiver.arrived) == 2


def test_an_app_hears_nothing_from_repositories_it_is_not_installed_on(github: Scene, receiver: Receiver) -> None:
    other = github.host.add_repository("octo/gadgets")
    other.commit("main", {"x": "x"}, "Begin")
    other.commit("feature", {"x": "y"}, "Change")
    other.open_pull("feature", "main", github.author, "Other")
    assert receiver.arrived == []


def test_an_app_without_an_address_is_sent_nothing(github: Scene, receiver: Receiver) -> None:
    github.app.webhook_url = None
    github.pull.comment(github.reviewer, "Hm")
    assert (receiver.arrived, github.host.deliveries) == ([], ())


def test_an_app_without_a_secret_gets_no_signature(github: Scene, receiver: Receiver) -> None:
    github.app.webhook_secret = None
    github.pull.comment(github.reviewer, "Hm")
    assert "X-Hub-Signature-256" not in receiver.arrived[0][0]


def test_two_apps_hear_of_one_event_under_one_guid(github: Scene, receiver: Receiver) -> None:
    second = github.host.add_app("other", permissions={"issues": "read"}, events=["issue_comment"])
    second.webhook_url = receiver.url
    github.host.install(second, [github.repository])
    github.pull.comment(github.reviewer, "Hm")
    both = [one for one in github.host.deliveries if one.event == "issue_comment"]
    assert {one.guid for one in both} == {both[0].guid}
    assert [one.app for one in both] == [github.app, second]
    github.pull.comment(github.reviewer, "Again")
    assert github.host.deliveries[-1].guid != both[0].guid


def test_an_apps_own_comment_is_told_with_its_bot_as_the_sender(github: Scene, receiver: Receiver) -> None:
    github.caller().rest("POST", "issues/1/comments", {"body": "Report"})
    sender = json.loads(receiver.arrived[0][1])["sender"]
    assert (sender["login"], sender["type"], sender["id"]) == ("fixer[bot]", "Bot", github.app.bot.id)


def test_a_push_by_an_app_is_told_with_the_heads_before_and_after(github: Scene, receiver: Receiver) -> None:
    github.caller().rest("PATCH", "git/refs/heads/feature/area", {"sha": github.base, "force": True})
    told = json.loads(receiver.arrived[0][1])
    assert (told["action"], told["before"], told["after"]) == ("synchronize", github.head, github.base)
    assert told["pull_request"]["head"]["sha"] == github.base


def test_the_payload_tells_how_things_were_when_it_happened(github: Scene, receiver: Receiver) -> None:
    comment = github.pull.comment(github.reviewer, "First")
    comment.edit("Second")
    bodies = [json.loads(body)["comment"]["body"] for _, body in receiver.arrived]
    assert bodies == ["First", "Second"]
    assert json.loads(receiver.arrived[1][1])["changes"] == {"body": {"from": "First"}}


def test_the_receiver_may_call_the_api_before_it_answers(github: Scene, receiver: Receiver) -> None:
    caller, seen = github.caller(), []

    def answer() -> int:
        seen.append(caller.get("issues/1/comments")[-1]["body"])
        return 200

    receiver.answer = answer
    github.pull.comment(github.reviewer, "Hm")
    assert seen == ["Hm"]


def test_a_refused_delivery_is_recorded_listed_and_sent_again_under_the_same_guid(
    github: Scene, receiver: Receiver
) -> None:
    receiver.answer = lambda: 500
    github.pull.comment(github.reviewer, "Hm")
    delivery = github.host.deliveries[-1]
    assert (delivery.status, delivery.response_body) == (500, "ok")
    receiver.answer = lambda: 202
    app = github.as_app()
    listed = app.get("/app/hook/deliveries")
    assert [(one["guid"], one["status_code"], one["redelivery"]) for one in listed] == [(delivery.guid, 500, False)]
    assert app.rest("POST", f"/app/hook/deliveries/{listed[0]['id']}/attempts").status_code == 202
    assert [headers["X-GitHub-Delivery"] for headers, _ in receiver.arrived] == [delivery.guid] * 2
    assert receiver.arrived[0] == receiver.arrived[1]
    listed = app.get("/app/hook/deliveries")
    assert [(one["status_code"], one["redelivery"]) for one in listed] == [(202, True), (500, False)]
    github.host.redeliver(delivery.guid)
    assert len(receiver.arrived) == 3


def test_deliveries_are_listed_in_pages_and_to_their_own_app_alone(github: Scene, receiver: Receiver) -> None:
    for number in range(3):
        github.pull.comment(github.reviewer, str(number))
    app = github.as_app()
    first = app.rest("GET", "/app/hook/deliveries?per_page=2")
    rest = app.rest("GET", first.links["next"]["url"].removeprefix(github.host.api_url))
    listed = [one["guid"] for one in [*first.json(), *rest.json()]]
    assert listed == [one.guid for one in reversed(github.host.deliveries)]
    other = github.host.add_app("other", permissions={})
    stranger = github.as_app(github.app_token(other))
    assert stranger.get("/app/hook/deliveries") == []
    assert stranger.rest("POST", f"/app/hook/deliveries/{first.json()[0]['id']}/attempts").status_code == 404


def test_a_receiver_that_cannot_be_reached_is_recorded_as_such(github: Scene, receiver: Receiver) -> None:
    github.app.webhook_url = "http://127.0.0.1:1/"
    github.pull.comment(github.reviewer, "Hm")
    assert github.host.deliveries[-1].status == 0
    assert github.as_app().get("/app/hook/deliveries")[0]["status"] == "failed to connect to host"


def test_a_delivery_can_be_built_and_sent_later_by_many_at_once(github: Scene, receiver: Receiver) -> None:
    github.pull.comment(github.reviewer, "/auto-swe fix", deliver=False)
    delivery = github.host.deliveries[-1]
    assert (receiver.arrived, delivery.status) == ([], None)
    threads = [threading.Thread(target=github.host.deliver, args=(delivery,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [attempt.status for attempt in delivery.attempts] == [202] * 8
    assert {body for _, body in receiver.arrived} == {delivery.body}


def test_a_delivery_that_never_was_cannot_be_sent_again(github: Scene, receiver: Receiver) -> None:
    with pytest.raises(ValueError, match="nothing was ever delivered"):
        github.host.redeliver("none")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return sample_deliveries(tmp_path_factory.mktemp("samples"))


def test_the_sample_files_are_exactly_what_the_host_sends(samples: dict[str, dict[str, Any]]) -> None:
    written = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert written == {name: as_text(sample) for name, sample in samples.items()}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_sample_fits_githubs_published_schema(path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    payload = sample["payload"]
    assert webhook_complaints(sample["event"], payload.get("action"), payload) == []
    assert set(sample) == {"event", "delivery", "payload"}
