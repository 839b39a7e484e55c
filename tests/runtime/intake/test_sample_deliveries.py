"""The deliveries in events/github, sent by the local GitHub host, are understood as their names say."""

import json
from typing import Any

import pytest

from autoswe.contracts.records.offers import Offer
from autoswe.rules.intake.signature import SIGNATURE_HEADER, sign
from autoswe.rules.records.triggers import TriggerKind, TriggerSource
from autoswe.steps.intake.receive_delivery import Request, receive_delivery
from tests.support.intake.deliveries import CONNECTION, SECRET
from tests.support.intake.memory_ledger import MemoryLedger, MemorySecrets
from tests.support.places import EVENTS

FOLDER = EVENTS / "github"
DECIDED = {
    "command_in_discussion": (TriggerKind.COMMAND, TriggerSource.DISCUSSION_COMMENT),
    "command_in_inline_comment": (TriggerKind.COMMAND, TriggerSource.INLINE_COMMENT),
    "command_in_review_body": (TriggerKind.COMMAND, TriggerSource.REVIEW),
    "review_changes_requested": (TriggerKind.CHANGES_REQUESTED, TriggerSource.REVIEW),
}
IGNORED = {
    "check_run": "uninteresting",
    "command_by_bot": "bot_sender",
    "command_in_quote": "no_trigger",
    "installation_created": "uninteresting",
    "ping": "uninteresting",
    "plain_comment": "no_trigger",
}


def receive(name: str) -> tuple[str, str | None, list[Offer]]:
    """Receive a kept delivery with its sender on record as a member: the outcome, the reason, and what was claimed."""
    kept: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    payload = kept["payload"]
    ledger = MemoryLedger()
    if "repository" in payload and "sender" in payload:
        ledger.members = frozenset({(CONNECTION, payload["repository"]["full_name"], payload["sender"]["id"])})
    body = json.dumps(payload).encode()
    headers = {
        "x-github-event": kept["event"],
        "x-github-delivery": kept["delivery"],
        SIGNATURE_HEADER: sign(body, SECRET),
    }
    receipt = receive_delivery(Request(CONNECTION, headers, body), MemorySecrets(), ledger)
    return receipt.outcome, receipt.reason, ledger.offers


def test_every_kept_delivery_is_accounted_for_here() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == DECIDED.keys() | IGNORED.keys()


@pytest.mark.parametrize("name", DECIDED)
def test_a_kept_trigger_is_claimed_as_what_it_is(name: str) -> None:
    outcome, _, (offer,) = receive(name)
    assert (outcome, (offer.trigger, offer.source)) == ("decided", DECIDED[name])


@pytest.mark.parametrize("name", IGNORED)
def test_a_kept_delivery_that_is_no_trigger_is_ignored_for_its_reason(name: str) -> None:
    assert receive(name) == ("ignored", IGNORED[name], [])
