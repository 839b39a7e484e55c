"""Deliveries: whatever is sent, the webhook answers one of a few things, and records nothing of what it refuses."""

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from hypothesis import strategies as st

from autoswe.dynamodb.table.keys import key
from autoswe.rules.intake.admission import IntakeRefusal
from autoswe.rules.intake.recognition import IgnoreReason
from autoswe.runtime.intake.webhook import MAX_BODY_BYTES
from tests.support.fake_clock import FakeClock
from tests.support.handlers import load_handler
from tests.support.hostile.json_documents import FRAGMENTS, damaged, json_values, mutations
from tests.support.intake import deliveries
from tests.support.intake.deliveries import CONNECTION, GUID, SECRET
from tests.support.mock_aws import mock_client, running_on_mock_aws
from tests.support.mock_table import NAME, MockTable, mock_table
from tests.support.places import ROOT
from tests.untrusted.properties import holds_for

FOLDER = ROOT / "events" / "github"
SAMPLES = [json.loads(file.read_text()) for file in sorted(FOLDER.glob("*.json"))]
EVENTS = sorted({sample["event"] for sample in SAMPLES})
SIGNATURE = "x-hub-signature-256"
FORM = "application/x-www-form-urlencoded"

RECORDED = {(202, "decided", None), (202, "suppressed", None), (202, "duplicate", None)}
IGNORED = {(202, "ignored", str(reason)) for reason in (*IgnoreReason, *IntakeRefusal)}
REFUSED = {
    (400, "refused", "malformed"),
    (401, "refused", "missing_signature"),
    (401, "refused", "malformed_signature"),
    (401, "refused", "wrong_signature"),
    (404, "refused", "unknown_connection"),
    (404, "refused", "unknown_route"),
    (413, "refused", "too_large"),
}
"""The answers: status, outcome, reason."""

DETAIL = re.compile(
    r"the body is (?:not base64|not text|nested too deeply|not JSON \(the webhook's content type must be"
    r" application/json\))|the header X-GitHub-(?:Event must be an event's name|Delivery must be a GUID)"
    r"|\$(?:\.[a-z_]+)*(?: is missing| must be an object| must be a string| must be a repository's full name"
    r"| must be a positive integer of at most 63 bits)"
)
"""What may be said of a malformed delivery: the place and what should stand there, never what somebody wrote."""

READS = {"BatchGetItem", "GetItem", "Query"}

Event = dict[str, Any]


@dataclass
class Receiver:
    """The real handler; ``requests`` is what the event that was sent last asked of the table."""

    handle: Callable[[Event, object], dict[str, Any]]
    requests: list[str] = field(default_factory=list)

    def answer(self, event: Event) -> tuple[int, str, str | None]:
        """Send an event, judge what is answered and what is recorded, and give status, outcome and reason."""
        self.requests.clear()
        with redirect_stdout(StringIO()) as log:
            answered = self.handle(event, None)
        told = json.loads(answered["body"])
        answer = (answered["statusCode"], told["outcome"], told.get("reason"))
        assert answered["headers"] == {"content-type": "application/json"}
        assert answer in RECORDED | IGNORED | REFUSED
        assert told.keys() <= {"outcome", "reason", "detail"}
        assert "detail" not in told or (DETAIL.fullmatch(told["detail"]) and told["reason"] == "malformed")
        assert answer not in REFUSED or not self.requests
        assert answer in RECORDED or READS.issuperset(self.requests)
        lines = [json.loads(line) for line in log.getvalue().splitlines()]
        assert len([line for line in lines if "_aws" not in line]) == 1
        # A delivery that is recorded is counted too, and by its outcome alone.
        counted = [{"step": line["step"], "outcome": line["outcome"]} for line in lines if "_aws" in line]
        assert counted == [{"step": "receive_delivery", "outcome": told["outcome"]}] * (answer in RECORDED)
        return answer


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Stand up the handler, the connection's secret, and a table that admits the senders of the samples."""
    receiver = Receiver(load_handler("receive_delivery"))
    environment = {"AUTOSWE_TABLE": NAME, "AUTOSWE_SECRETS_PREFIX": "autoswe/test"}

    def note(model: Any, **_: object) -> None:
        receiver.requests.append(model.name)

    with mock_table() as mocked, running_on_mock_aws(environment, FakeClock()):
        mock_client("secretsmanager").create_secret(
            Name=f"autoswe/test/{CONNECTION}/webhook-secrets", SecretString=json.dumps([SECRET])
        )
        _admit_senders(mocked)
        mocked.client.meta.events.register("before-call.dynamodb", note)
        try:
            yield receiver
        finally:
            mocked.client.meta.events.unregister("before-call.dynamodb", note)


def _admit_senders(mocked: MockTable) -> None:
    mocked.admit_reviewer()
    for sample in SAMPLES:
        payload = sample["payload"]
        if "repository" in payload:
            members = key("MEMBER", CONNECTION, payload["repository"]["full_name"])
            mocked.put(members, str(payload["sender"]["id"]), login="somebody", active=True)


def headers_of(event: Event, changes: Mapping[str, str | None]) -> Event:
    """Change headers of an event; nothing takes one away."""
    changed = {**event["headers"], **changes}
    return {**event, "headers": {name: value for name, value in changed.items() if value is not None}}


events = st.sampled_from(EVENTS)
samples = st.sampled_from(SAMPLES).map(lambda sample: json.dumps(sample["payload"]).encode())
COMMAND = deliveries.request(deliveries.discussion_comment())
HOSTILE_TEXTS = (
    "", " ", "\n", "\0", "ping\r\nx: y", "é", "Ping", "ping,ping", "ping ping", "\ud800", "x" * 70_000, "٣" * 64,
    "../..", "issue_comment", GUID, GUID.upper(), f"{{{GUID}}}", f"{GUID},{GUID}", "null", "sha1=" + "0" * 40,
)  # fmt: skip
texts = st.sampled_from(HOSTILE_TEXTS) | st.text(max_size=10)
AWKWARD = ("/auto-swe fix", "/auto-swe", "\n", "\n\n", "> ", "```", "    ", "<!--", "-->", "<b>", "\ud800", "[", "\0")
comments = st.text() | st.lists(st.sampled_from(AWKWARD) | st.text(max_size=3), max_size=12).map("".join)
BUILDERS: Mapping[str, Callable[..., deliveries.Payload]] = {
    "issue_comment": deliveries.discussion_comment,
    "pull_request_review_comment": deliveries.inline_comment,
    "pull_request_review": deliveries.review,
}


@st.composite
def changed_samples(draw: st.DrawFn) -> tuple[bytes, str]:
    """Draw a kept delivery with one place changed, and the event it is sent as."""
    sample = draw(st.sampled_from(SAMPLES))
    return draw(mutations([sample["payload"]])), draw(st.sampled_from([sample["event"]] * 4 + EVENTS))


@holds_for(changed_samples(), place=receiving, examples=60)
def test_a_signed_delivery_with_anything_in_any_place_is_answered(receiver: Receiver, sent: Any) -> None:
    assert receiver.answer(deliveries.raw_request(*sent))[0] in {202, 400}


@holds_for(st.tuples(samples.flatmap(damaged), events), place=receiving, examples=60)
def test_a_signed_delivery_with_any_bytes_harmed_is_answered(receiver: Receiver, sent: Any) -> None:
    assert receiver.answer(deliveries.raw_request(*sent))[0] in {202, 400}


@holds_for(
    st.tuples(
        st.binary(max_size=300)
        | st.sampled_from(FRAGMENTS)
        | json_values.map(lambda value: json.dumps(value).encode()),
        events,
    ),
    place=receiving,
    examples=60,
)
def test_any_signed_bytes_are_answered(receiver: Receiver, sent: Any) -> None:
    assert receiver.answer(deliveries.raw_request(*sent))[0] in {202, 400}


@holds_for(st.tuples(comments, st.sampled_from(sorted(BUILDERS))), place=receiving, examples=60)
def test_any_comment_is_answered_as_a_delivery(receiver: Receiver, sent: Any) -> None:
    comment, event = sent
    body = json.dumps(BUILDERS[event](comment)).encode()
    assert receiver.answer(deliveries.raw_request(body, event))[0] == 202


@holds_for(
    st.dictionaries(
        st.sampled_from(["x-github-event", "x-github-delivery", "content-type", "content-encoding", "content-length"])
        | texts,
        texts | st.none(),
        max_size=4,
    ),
    place=receiving,
    examples=30,
)
def test_a_signed_delivery_with_any_headers_is_answered(receiver: Receiver, changes: Any) -> None:
    """No header but the three that are read decides anything; a name in upper case is the same name."""
    answer = receiver.answer(headers_of(COMMAND, changes))
    assert answer[0] in {202, 400, 401}
    read = {"x-github-event", "x-github-delivery", SIGNATURE}
    assert answer in RECORDED or not read.isdisjoint(name.lower() for name in changes)


GOOD = COMMAND["headers"][SIGNATURE]
signatures = st.one_of(
    st.none(),
    texts,
    st.sampled_from([
        GOOD[:-1], GOOD + "0", GOOD + "\n", " " + GOOD, GOOD + " ", f"{GOOD},{GOOD}", GOOD.replace("=", ":"),
        GOOD.replace("sha256", "SHA256"), GOOD.replace("sha256", "sha1"), GOOD.removeprefix("sha256="), "sha256=",
        "sha256=" + "g" * 64, "sha256=" + "٣" * 64, "sha256=0x" + "0" * 62, "sha256=" + "0" * 64,
        GOOD[:7] + GOOD[:6:-1],
    ]),
    st.integers(7, len(GOOD) - 1).map(lambda at: GOOD[:at] + ("0" if GOOD[at] != "0" else "1") + GOOD[at + 1 :]),
)  # fmt: skip


@holds_for(st.tuples(signatures, samples), place=receiving, examples=60)
def test_nothing_is_read_under_a_signature_that_is_not_right(receiver: Receiver, sent: Any) -> None:
    signature, body = sent
    event = headers_of({**COMMAND, "body": body.decode()}, {SIGNATURE: signature})
    assert receiver.answer(event)[0] == 401
    assert receiver.answer(headers_of(COMMAND, {SIGNATURE: signature, "x-hub-signature": "sha1=00"}))[0] == 401


@holds_for(st.tuples(st.text() | samples.map(bytes.decode), st.booleans()), place=receiving, examples=40)
def test_a_body_that_is_flagged_as_what_it_is_not_is_refused(receiver: Receiver, sent: Any) -> None:
    """API Gateway flags what it encoded; under a wrong flag no signature fits, if the body can be decoded at all."""
    body, encoded = sent
    plain = base64.b64encode(body.encode(errors="replace")).decode() if not encoded else body
    signed = deliveries.raw_request(body.encode(errors="replace"))
    answer = receiver.answer({**signed, "body": plain, "isBase64Encoded": encoded})
    assert answer in REFUSED or not body


@holds_for(st.tuples(texts, st.sampled_from(["GET", "PUT", "", "post", "POST"]) | texts), place=receiving, examples=40)
def test_any_other_address_is_unknown(receiver: Receiver, sent: Any) -> None:
    connection, method = sent
    event = {**COMMAND, "pathParameters": {"connection": connection}, "requestContext": {"http": {"method": method}}}
    assert receiver.answer(event)[0] == 404


def test_a_compressed_body_is_never_unpacked() -> None:
    """A body at the bound could unpack to a thousand times as much; GitHub compresses nothing."""
    for packed in (gzip.compress(COMMAND["body"].encode()), gzip.compress(bytes(8 * MAX_BODY_BYTES))):
        event = headers_of(deliveries.raw_request(packed), {"content-encoding": "gzip"})
        with receiving() as receiver:
            assert receiver.answer(event) == (400, "refused", "malformed")


def test_a_form_is_no_delivery_whatever_its_payload_says() -> None:
    """GitHub's other content type wraps the same JSON in a form; the owner of such a webhook sees it refused."""
    form = b"payload=" + COMMAND["body"].encode().replace(b'"', b"%22")
    with receiving() as receiver:
        answer = receiver.answer(headers_of(deliveries.raw_request(form), {"content-type": FORM}))
        assert answer == (400, "refused", "malformed")


def test_a_body_over_the_bound_is_refused_before_its_signature_is_looked_at() -> None:
    large = "x" * (MAX_BODY_BYTES + 1)
    with receiving() as receiver:
        for body, encoded in ((large, False), (base64.b64encode(large.encode()).decode(), True)):
            event = {**COMMAND, "body": body, "isBase64Encoded": encoded}
            assert receiver.answer(event) == (413, "refused", "too_large")
