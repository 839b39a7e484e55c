"""What a delivery must look like to be read, and what is said of one that does not."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.contracts.intake.deliveries import (
    Envelope,
    MalformedDelivery,
    NewTextDelivery,
    is_connection_name,
    read_envelope,
    read_new_text,
    read_payload,
)
from autoswe.rules.intake.recognition import NewText
from autoswe.rules.records.triggers import TriggerSource
from tests.support.intake import deliveries
from tests.support.intake.deliveries import GUID, REPOSITORY, REVIEWER, Payload

KINDS: dict[str, tuple[Callable[..., Payload], TriggerSource, str, int]] = {
    "issue_comment": (deliveries.discussion_comment, TriggerSource.DISCUSSION_COMMENT, "comment", 501),
    "pull_request_review_comment": (deliveries.inline_comment, TriggerSource.INLINE_COMMENT, "comment", 601),
    "pull_request_review": (deliveries.review, TriggerSource.REVIEW, "review", 701),
}
kinds = pytest.mark.parametrize("event", KINDS)

texts = st.text(st.characters(codec="utf-8"), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)


def place(payload: Payload, path: str) -> tuple[Any, str]:
    """Find the object that holds the member at a path, and the member's name."""
    *parents, name = path.split(".")
    for parent in parents:
        payload = payload[parent]
    return payload, name


@kinds
def test_a_new_text_is_read_with_all_that_decides_about_it(event: str) -> None:
    build, source, _, text_id = KINDS[event]
    assert read_new_text(event, build(body="Hello")) == NewTextDelivery(
        installation_id=31,
        repository=REPOSITORY,
        repository_id=9001,
        pull_number=7,
        text=NewText(
            source=source,
            source_id=text_id,
            body="Hello",
            review_state="changes_requested" if source is TriggerSource.REVIEW else None,
            author_id=REVIEWER,
            sender_id=REVIEWER,
            sender_is_bot=False,
            on_pull_request=True,
        ),
    )


@kinds
@pytest.mark.parametrize("action", ["edited", "deleted", "dismissed", "something_new"])
def test_only_a_text_that_has_just_been_posted_is_of_interest(event: str, action: str) -> None:
    assert read_new_text(event, {"action": action}) is None


@pytest.mark.parametrize("event", ["ping", "installation", "push", "check_run", "something_new"])
def test_the_payload_of_another_event_may_be_anything(event: str) -> None:
    assert read_new_text(event, {}) is None


@kinds
def test_a_text_without_words_reads_as_empty_and_one_without_an_author_as_nobodys(event: str) -> None:
    build, _, subject, _ = KINDS[event]
    payload = build(body=None)
    payload[subject]["user"] = None
    delivery = read_new_text(event, payload)
    assert delivery is not None
    assert (delivery.text.body, delivery.text.author_id) == ("", None)


@kinds
@pytest.mark.parametrize("kind", ["Bot", "Organization", "Mannequin", "something_new", "user"])
def test_every_sender_but_a_user_counts_as_a_bot(event: str, kind: str) -> None:
    payload = {**KINDS[event][0](), "sender": deliveries.account(kind=kind)}
    delivery = read_new_text(event, payload)
    assert delivery is not None
    assert delivery.text.sender_is_bot


@kinds
@pytest.mark.parametrize(
    "change", [lambda payload: payload.pop("installation"), lambda payload: payload.update(installation=None)]
)
def test_a_delivery_to_no_installation_says_so(event: str, change: Callable[[Payload], None]) -> None:
    payload = KINDS[event][0]()
    change(payload)
    delivery = read_new_text(event, payload)
    assert delivery is not None
    assert delivery.installation_id is None


@pytest.mark.parametrize(
    "change", [lambda issue: issue.pop("pull_request"), lambda issue: issue.update(pull_request=None)]
)
def test_a_comment_on_an_issue_is_not_on_a_pull_request(change: Callable[[Payload], None]) -> None:
    payload = deliveries.discussion_comment()
    change(payload["issue"])
    delivery = read_new_text("issue_comment", payload)
    assert delivery is not None
    assert not delivery.text.on_pull_request


REQUIRED = [
    *[("issue_comment", path) for path in ("issue", "issue.number")],
    *[(event, path) for event in ("pull_request_review", "pull_request_review_comment")
      for path in ("pull_request", "pull_request.number")],
    ("pull_request_review", "review.state"),
    *[(event, path) for event, (_, _, subject, _) in KINDS.items() for path in (
        "action", subject, f"{subject}.id", f"{subject}.user.id", "repository", "repository.id", "repository.full_name",
        "sender", "sender.id", "sender.type", "installation.id")],
]  # fmt: skip


@pytest.mark.parametrize(("event", "path"), REQUIRED)
def test_a_member_that_is_missing_is_named(event: str, path: str) -> None:
    payload = KINDS[event][0]()
    holder, name = place(payload, path)
    del holder[name]
    with pytest.raises(MalformedDelivery, match=rf"^\$\.{path} is missing$"):
        read_new_text(event, payload)


@pytest.mark.parametrize(("event", "path"), REQUIRED)
@pytest.mark.parametrize("wrong", [None, True, 1.5, [], [{}], -1, 0, 2**63, {"a": 1}])
def test_a_member_of_another_type_or_out_of_bounds_is_named(event: str, path: str, wrong: object) -> None:
    payload = KINDS[event][0]()
    holder, name = place(payload, path)
    holder[name] = wrong
    with pytest.raises(MalformedDelivery, match=rf"^\$\.{path}"):
        read_new_text(event, payload)


@kinds
def test_a_member_that_may_be_null_may_not_be_missing(event: str) -> None:
    build, _, subject, _ = KINDS[event]
    for name in ("body", "user"):
        payload = build()
        del payload[subject][name]
        with pytest.raises(MalformedDelivery, match=rf"^\$\.{subject}\.{name} is missing$"):
            read_new_text(event, payload)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "widgets",
        "octo/",
        "/widgets",
        "octo/widgets/x",
        "octo/wid gets",
        "octo/widgets\n",
        "octo#1/w",
        "öcto/widgets",
    ],
)
def test_a_repository_is_named_by_its_full_name(name: str) -> None:
    payload = deliveries.review()
    payload["repository"]["full_name"] = name
    with pytest.raises(MalformedDelivery, match=r"^\$\.repository\.full_name must be a repository's full name$"):
        read_new_text("pull_request_review", payload)


@given(st.sampled_from(sorted(KINDS)), json_values, st.data())
def test_whatever_stands_in_any_place_the_answer_is_a_delivery_or_nothing_or_one_sentence(
    event: str, value: object, data: st.DataObject
) -> None:
    payload = KINDS[event][0]()
    holder, name = place(payload, data.draw(st.sampled_from([path for one, path in REQUIRED if one == event])))
    holder[name] = value
    assert _answer(event, payload) in {"delivery", "nothing", "sentence"}


def _answer(event: str, payload: Payload) -> str:
    try:
        return "nothing" if read_new_text(event, payload) is None else "delivery"
    except MalformedDelivery as malformed:
        return "sentence" if str(malformed).startswith("$.") and "\n" not in str(malformed) else str(malformed)


@given(st.dictionaries(texts, json_values))
def test_a_body_is_read_as_the_json_object_that_it_is(payload: dict[str, object]) -> None:
    assert read_payload(json.dumps(payload, ensure_ascii=False).encode()) == payload


@pytest.mark.parametrize("body", [
    b"", b"null", b"1", b"[]", b'"text"', b"{", b"{}{}", b"{'a': 1}", b"payload=%7B%7D",
    b'{"a": NaN}', b'{"a": Infinity}', b'{"a": -Infinity}', b'{"a": "\n"}', b'{"a": ' + b"9" * 5000 + b"}",
    b"\xff{}", b"\xef\xbb\xbf{}", "{}".encode("utf-16"),
    b"[" * 200_000, b'{"a":' * 200_000,
])  # fmt: skip
def test_a_body_that_is_not_one_json_object_is_refused_in_one_sentence(body: bytes) -> None:
    with pytest.raises(MalformedDelivery) as refusal:
        read_payload(body)
    assert "\n" not in str(refusal.value)


def test_the_envelope_is_read_from_the_headers() -> None:
    assert read_envelope({"x-github-event": "ping", "x-github-delivery": GUID}) == Envelope("ping", GUID)


@pytest.mark.parametrize("event", [None, "", "Ping", "a b", "ping\n", "x" * 65, "ping,ping"])
def test_an_event_without_a_proper_name_is_refused(event: str | None) -> None:
    headers = {"x-github-delivery": GUID} | ({} if event is None else {"x-github-event": event})
    with pytest.raises(MalformedDelivery, match="X-GitHub-Event"):
        read_envelope(headers)


@pytest.mark.parametrize(
    "guid", [None, "", GUID[:-1], f"{GUID}0", GUID.upper(), f"{GUID}\n", GUID.replace("-", "#"), "g" + GUID[1:]]
)
def test_a_delivery_without_a_guid_is_refused(guid: str | None) -> None:
    headers = {"x-github-event": "ping"} | ({} if guid is None else {"x-github-delivery": guid})
    with pytest.raises(MalformedDelivery, match="X-GitHub-Delivery"):
        read_envelope(headers)


@pytest.mark.parametrize(("name", "good"), [
    ("feedback", True), ("a", True), ("ghes-2", True), ("x" * 64, True),
    ("", False), ("x" * 65, False), ("Feedback", False), ("a/b", False), ("a#b", False), ("a_b", False),
    ("a\n", False), ("ä", False),
])  # fmt: skip
def test_a_connection_is_named_in_lower_case_letters_digits_and_hyphens(name: str, good: bool) -> None:
    assert is_connection_name(name) is good
