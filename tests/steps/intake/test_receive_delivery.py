"""What becomes of a delivery, and what is answered and logged (feedback §1, §2, §6, §7)."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from autoswe.contracts.records.offers import Offer
from autoswe.ports.intake.claims import Claim, Suppression
from autoswe.rules.intake.admission import IntakeOutcome, IntakeRefusal
from autoswe.rules.intake.recognition import IgnoreReason
from autoswe.rules.intake.signature import SignatureVerdict, sign
from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind, TriggerSource
from autoswe.steps.intake.receive_delivery import Receipt, RefusalReason, Request, receive_delivery
from autoswe.steps.intake.slot_claim import SlotContended
from tests.support.intake import deliveries
from tests.support.intake.deliveries import CONNECTION, GUID, REPOSITORY, REVIEWER, SECRET, Payload
from tests.support.intake.memory_ledger import MemoryLedger, MemorySecrets

COMMAND, CHANGES_REQUESTED = TriggerKind.COMMAND, TriggerKind.CHANGES_REQUESTED
TRIGGERS: list[tuple[str, Payload, TriggerKind, TriggerSource, int]] = [
    ("issue_comment", deliveries.discussion_comment(), COMMAND, TriggerSource.DISCUSSION_COMMENT, 501),
    ("pull_request_review_comment", deliveries.inline_comment(), COMMAND, TriggerSource.INLINE_COMMENT, 601),
    ("pull_request_review", deliveries.review("commented", "/auto-swe fix"), COMMAND, TriggerSource.REVIEW, 701),
    ("pull_request_review", deliveries.review(), CHANGES_REQUESTED, TriggerSource.REVIEW, 701),
]


def request(body: bytes, event: str = "issue_comment", **headers: str | None) -> Request:
    """Build a signed request; a header given as ``None`` is left out."""
    given = {
        "x-github-event": event,
        "x-github-delivery": GUID,
        "x-hub-signature-256": sign(body, SECRET),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return Request(CONNECTION, {name: value for name, value in given.items() if value is not None}, body)


def receive(payload: object, event: str = "issue_comment", ledger: MemoryLedger | None = None) -> Receipt:
    body = json.dumps(payload).encode()
    return receive_delivery(request(body, event), MemorySecrets(), ledger or MemoryLedger())


@pytest.mark.parametrize(("event", "payload", "kind", "source", "text_id"), TRIGGERS)
def test_a_members_trigger_is_claimed_with_what_the_delivery_names(
    event: str, payload: Payload, kind: TriggerKind, source: TriggerSource, text_id: int
) -> None:
    ledger = MemoryLedger()
    subject = f"pr-7@{source}-{text_id}"
    assert receive(payload, event, ledger) == Receipt(
        IntakeOutcome.DECIDED, CONNECTION, None, None, event, GUID, REPOSITORY, 7, subject
    )
    assert ledger.offers == [
        Offer(CONNECTION, REPOSITORY, 9001, 7, subject, kind, source, text_id, REVIEWER, GUID, "fix-feedback")
    ]


@pytest.mark.parametrize(("event", "payload"), [
    ("ping", {"zen": "Keep it logically awesome.", "hook_id": 1}),
    ("installation", {"action": "created", "installation": {"id": 31}}),
    ("something_new", {}),
    ("issue_comment", {"action": "edited"}),
    ("pull_request_review", {"action": "dismissed"}),
    ("pull_request_review_comment", {"action": "deleted"}),
])  # fmt: skip
def test_what_is_of_no_interest_is_acknowledged_without_asking_the_records(event: str, payload: Payload) -> None:
    ledger = MemoryLedger()
    assert receive(payload, event, ledger) == Receipt(
        IntakeOutcome.IGNORED, CONNECTION, IgnoreReason.UNINTERESTING, event=event, delivery=GUID
    )
    assert ledger.asked == []


def _by_a_bot(payload: Payload) -> None:
    payload["sender"]["type"] = "Bot"


def _by_nobody(payload: Payload) -> None:
    payload["comment"]["user"] = None


def _by_another(payload: Payload) -> None:
    payload["comment"]["user"]["id"] = REVIEWER + 1


def _on_an_issue(payload: Payload) -> None:
    del payload["issue"]["pull_request"]


def _without_words(payload: Payload) -> None:
    payload["comment"]["body"] = None


def _plain(payload: Payload) -> None:
    payload["comment"]["body"] = "Looks good to me."


def _without_installation(payload: Payload) -> None:
    del payload["installation"]


@pytest.mark.parametrize(("change", "reason"), [
    (_by_a_bot, IgnoreReason.BOT_SENDER),
    (_by_nobody, IgnoreReason.AUTHOR_IS_NOT_SENDER),
    (_by_another, IgnoreReason.AUTHOR_IS_NOT_SENDER),
    (_on_an_issue, IgnoreReason.NOT_A_PULL_REQUEST),
    (_without_words, IgnoreReason.NO_TRIGGER),
    (_plain, IgnoreReason.NO_TRIGGER),
    (_without_installation, IntakeRefusal.NO_INSTALLATION),
])  # fmt: skip
def test_what_is_no_trigger_is_ignored_without_asking_the_records(
    change: Callable[[Payload], None], reason: IgnoreReason | IntakeRefusal
) -> None:
    payload, ledger = deliveries.discussion_comment(), MemoryLedger()
    change(payload)
    receipt = receive(payload, ledger=ledger)
    assert (receipt.outcome, receipt.reason) == (IntakeOutcome.IGNORED, reason)
    assert ledger.asked == []


@pytest.mark.parametrize(("ledger", "reason"), [
    (MemoryLedger(switched_on=False), IntakeRefusal.KILL_SWITCH_OFF),
    (MemoryLedger(saved=[]), IntakeRefusal.NO_AUTOMATION),
    (MemoryLedger(saved=[AutomationFilter("off", enabled=False)]), IntakeRefusal.NO_AUTOMATION),
    (MemoryLedger(members=frozenset()), IntakeRefusal.NOT_A_MEMBER),
    (MemoryLedger(members=frozenset({(CONNECTION, "octo/gears", REVIEWER)})), IntakeRefusal.NOT_A_MEMBER),
])  # fmt: skip
def test_a_trigger_that_the_records_do_not_admit_is_ignored_before_any_claim(
    ledger: MemoryLedger, reason: IntakeRefusal
) -> None:
    receipt = receive(deliveries.discussion_comment(), ledger=ledger)
    assert (receipt.outcome, receipt.reason) == (IntakeOutcome.IGNORED, reason)
    assert receipt.subject == "pr-7@discussion_comment-501"
    assert ledger.asked == ["standing", "automations"]


FOR_OTHERS = AutomationFilter("for-others", enabled=True, pull_requests=(PullRequestScope.OTHERS,))


def on_others(**changes: Any) -> MemoryLedger:
    """Keep on record that an automation takes commands on pull requests of others, and that these are allowed."""
    return MemoryLedger(**{"opened_by_platform": False, "others_allowed": True, "saved": [FOR_OTHERS], **changes})


@pytest.mark.parametrize(("before", "outcome"), [(False, IntakeOutcome.POSTPONED), (True, IntakeOutcome.DUPLICATE)])
def test_a_command_on_a_pull_request_of_others_is_written_down_once_and_nothing_is_claimed(
    outcome: IntakeOutcome, *, before: bool
) -> None:
    ledger = on_others(postponed_before=before)
    assert receive(deliveries.discussion_comment(), ledger=ledger).outcome is outcome
    assert ledger.asked == ["standing", "automations", "postpone"]
    [offered] = ledger.offers
    assert (offered.subject, offered.automation_id) == ("pr-7@discussion_comment-501", "for-others")


@pytest.mark.parametrize(("ledger", "payload", "event"), [
    (on_others(switched_on=False), deliveries.discussion_comment(), "issue_comment"),
    (on_others(members=frozenset()), deliveries.discussion_comment(), "issue_comment"),
    (on_others(opened_by_platform=True), deliveries.discussion_comment(), "issue_comment"),
    (on_others(), deliveries.review(), "pull_request_review"),
])  # fmt: skip
def test_where_nothing_could_start_on_a_pull_request_of_others_nothing_is_written(
    ledger: MemoryLedger, payload: Payload, event: str
) -> None:
    assert receive(payload, event, ledger).outcome is IntakeOutcome.IGNORED
    assert (ledger.asked, ledger.offers) == (["standing", "automations"], [])


@pytest.mark.parametrize(("claims", "suppressions", "outcome"), [
    ([Claim.DUPLICATE], [], IntakeOutcome.DUPLICATE),
    ([Claim.HELD], [Suppression.SUPPRESSED], IntakeOutcome.SUPPRESSED),
    ([Claim.HELD], [Suppression.DUPLICATE], IntakeOutcome.DUPLICATE),
    ([Claim.HELD, Claim.DECIDED], [Suppression.FREED], IntakeOutcome.DECIDED),
    ([Claim.HELD, Claim.HELD], [Suppression.FREED, Suppression.SUPPRESSED], IntakeOutcome.SUPPRESSED),
])  # fmt: skip
def test_a_trigger_that_finds_the_slot_held_is_suppressed_unless_the_slot_becomes_free_meanwhile(
    claims: list[Claim], suppressions: list[Suppression], outcome: IntakeOutcome
) -> None:
    ledger = MemoryLedger(claims=claims, suppressions=suppressions)
    assert receive(deliveries.discussion_comment(), ledger=ledger).outcome is outcome
    assert (ledger.claims, ledger.suppressions) == ([], [])


def test_a_slot_that_keeps_changing_hands_fails_the_delivery_so_that_it_comes_again() -> None:
    ledger = MemoryLedger(claims=[Claim.HELD] * 9, suppressions=[Suppression.FREED] * 9)
    with pytest.raises(SlotContended):
        receive(deliveries.discussion_comment(), ledger=ledger)


BODY = json.dumps(deliveries.discussion_comment()).encode()


@pytest.mark.parametrize(("asked", "reason"), [
    (request(BODY, x_hub_signature_256=None), SignatureVerdict.MISSING),
    (request(BODY, x_hub_signature_256=None, x_hub_signature=sign(BODY, SECRET)), SignatureVerdict.MISSING),
    (request(BODY, x_hub_signature_256="sha256="), SignatureVerdict.MALFORMED),
    (request(BODY, x_hub_signature_256=sign(BODY + b" ", SECRET)), SignatureVerdict.WRONG),
    (request(BODY, x_hub_signature_256=sign(BODY, SECRET + "x")), SignatureVerdict.WRONG),
    (request(b"{", x_hub_signature_256=sign(b"", SECRET)), SignatureVerdict.WRONG),
])  # fmt: skip
def test_a_request_without_a_good_signature_is_refused_and_nothing_in_it_is_read(
    asked: Request, reason: SignatureVerdict
) -> None:
    ledger = MemoryLedger()
    assert receive_delivery(asked, MemorySecrets(), ledger) == Receipt(IntakeOutcome.REFUSED, CONNECTION, reason)
    assert ledger.asked == []


@pytest.mark.parametrize("connection", ["nowhere", "Feedback", "", "a/b", "feedback\n", "x" * 65, "../feedback"])
def test_a_connection_that_is_unknown_or_cannot_be_is_refused_without_being_quoted(connection: str) -> None:
    asked = Request(connection, request(BODY).headers, BODY)
    secrets = MemorySecrets({CONNECTION: (SECRET,)})
    assert receive_delivery(asked, secrets, MemoryLedger()) == Receipt(
        IntakeOutcome.REFUSED, reason=RefusalReason.UNKNOWN_CONNECTION
    )


def test_secrets_are_never_asked_for_under_a_name_that_no_connection_can_have() -> None:
    secrets = MemorySecrets({"../other": (SECRET,)})
    asked = Request("../other", request(BODY).headers, BODY)
    assert receive_delivery(asked, secrets, MemoryLedger()).reason is RefusalReason.UNKNOWN_CONNECTION


def test_during_a_rotation_a_delivery_signed_with_either_secret_is_taken() -> None:
    secrets = MemorySecrets({CONNECTION: ("next", SECRET)})
    for secret in ("next", SECRET):
        asked = request(BODY, x_hub_signature_256=sign(BODY, secret))
        assert receive_delivery(asked, secrets, MemoryLedger()).outcome is IntakeOutcome.DECIDED


def _malformed(**changes: Any) -> Request:
    return request(json.dumps({**deliveries.discussion_comment(), **changes}).encode())


@pytest.mark.parametrize(("asked", "detail"), [
    (request(b"{"), "the body is not JSON (the webhook's content type must be application/json)"),
    (request(b"[]"), "$ must be an object"),
    (_malformed(sender=None), "$.sender must be an object"),
    (_malformed(repository={"full_name": 1}), "$.repository.full_name must be a string"),
    (request(BODY, x_github_event=None), "the header X-GitHub-Event must be an event's name"),
    (request(BODY, x_github_delivery="1"), "the header X-GitHub-Delivery must be a GUID"),
])  # fmt: skip
def test_a_signed_request_that_cannot_be_a_delivery_is_refused_with_one_sentence(asked: Request, detail: str) -> None:
    ledger = MemoryLedger()
    receipt = receive_delivery(asked, MemorySecrets(), ledger)
    assert (receipt.outcome, receipt.reason, receipt.detail) == (IntakeOutcome.REFUSED, RefusalReason.MALFORMED, detail)
    assert ledger.asked == []


def test_a_malformed_payload_is_told_with_the_delivery_it_came_in() -> None:
    receipt = receive_delivery(_malformed(sender=None), MemorySecrets(), MemoryLedger())
    assert (receipt.event, receipt.delivery) == ("issue_comment", GUID)
