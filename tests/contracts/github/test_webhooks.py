"""The webhooks of the local GitHub host: who hears what, how it is signed, sent and sent again."""

import hashlib
import hmac
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from infra.local.github_host import InlineComment
from infra.local.github_host.pulls.discussions import IssueComment
from infra.local.github_host.pulls.reviews import Review, ReviewComment
from infra.local.github_host.sample_deliveries import FOLDER, as_text, sample_deliveries
from tests.contracts.github.judges import webhook_complaints
from tests.contracts.github.receiver import SECRET, Receiver
from tests.contracts.github.regenerate import WEBHOOK_DEFINITIONS
from tests.contracts.github.scene import Scene


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
    github.pull.lock("too heated")
    github.pull.unlock()
    github.repository.open_pull("feature/area", "main", github.author, "Again")
    check = github.repository.check_run(github.pull.head_sha, "tests", status="in_progress")
    check.update(status="completed", conclusion="failure")
    github.host.rename(github.repository, "gadgets", by=github.reviewer)
    there = github.host.install(github.app, [github.host.add_repository("octa/other")])
    github.host.transfer(github.repository, "octa", seen_by=[there])
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
    assert headers["X-Hub-Signature"] == "sha1=" + hmac.new(SECRET.encode(), body, hashlib.sha1).hexdigest()
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
    assert not {"X-Hub-Signature", "X-Hub-Signature-256"} & set(receiver.arrived[0][0])


def test_a_payload_that_is_too_large_is_never_sent(github: Scene, receiver: Receiver) -> None:
    assert github.host.limits.webhook_bytes == 25 * 1024 * 1024
    github.host.limits.webhook_bytes = 20_000
    github.pull.comment(github.reviewer, "x" * 20_000)
    assert (receiver.arrived, github.host.deliveries) == ([], ())
    github.pull.comment(github.reviewer, "x")
    assert len(receiver.arrived) == 1


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


def test_who_edits_anothers_words_is_the_sender_and_not_their_author(github: Scene, receiver: Receiver) -> None:
    editor = github.host.add_user("edith")
    review = github.pull.review(github.reviewer, "comment", "Hm", [InlineComment("src/area.txt", 2, "Why?")])
    written: list[Review | ReviewComment | IssueComment] = [
        review,
        review.comments[0],
        github.pull.comment(github.reviewer, "First"),
    ]
    receiver.arrived.clear()
    for one in written:
        one.edit("Second", by=editor)
    for told in (json.loads(body) for _, body in receiver.arrived):
        text = told.get("comment") or told["review"]
        assert (told["action"], told["sender"]["login"], text["user"]["login"]) == ("edited", "edith", "rita")
    assert len(receiver.arrived) == len(written)


def test_the_receiver_may_call_the_api_before_it_answers(github: Scene, receiver: Receiver) -> None:
    caller, seen = github.caller(), []

    def answer() -> int:
        seen.append(caller.get("issues/1/comments")[-1]["body"])
        return 200

    receiver.answer = answer
    github.pull.comment(github.reviewer, "Hm")
    assert seen == ["Hm"]


def test_deliveries_may_arrive_late_and_out_of_order(github: Scene, receiver: Receiver) -> None:
    for text in ("First", "Second"):
        github.pull.comment(github.reviewer, text, deliver=False)
    github.clock.advance(3600)
    first, second = github.host.deliveries
    for delivery in (second, first):
        github.host.deliver(delivery)
    told = [json.loads(body)["comment"] for _, body in receiver.arrived]
    assert [(one["body"], one["created_at"]) for one in told] == [
        ("Second", "2026-03-02T10:00:00Z"),
        ("First", "2026-03-02T10:00:00Z"),
    ]


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
