"""What was written down to be decided on later is decided on once, if the records still admit it: a trigger that came
while a round held its pull request, and a command on a pull request that the platform did not open (feedback §1).
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.contracts.records.offers import Offer
from autoswe.contracts.records.platform import Connection
from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.intake.pending_intakes import pending_intake
from autoswe.dynamodb.table.attributes import MalformedRow, to_item
from autoswe.dynamodb.table.client import Backoff
from autoswe.ports.github import Forbidden, Gone, RateLimited, Unavailable
from autoswe.ports.intake.claims import Claim, PendingIntake, Suppression
from autoswe.ports.intake.starts import HeadHost
from autoswe.rules.github.facts import Pull
from autoswe.rules.intake.admission import IntakeOutcome, IntakeRefusal
from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.triggers import PullRequestScope, TriggerKind, TriggerSource
from autoswe.steps.intake.resolve_intake import ConnectionUnknown, Ports, Resolution, resolve_intake
from tests.support.fake_clock import FakeClock
from tests.support.feedback.state import connection
from tests.support.golden import golden
from tests.support.handlers import load_handler
from tests.support.intake.memory_ledger import MemoryLedger
from tests.support.intake.offers import guid, offer
from tests.support.intake.stream_events import failures, inserted
from tests.support.mock_aws import running_on_mock_aws
from tests.support.mock_table import NAME, MockTable, mock_table

HANDLER = load_handler("resolve_intake")
PULL = "PR#feedback#octo/widgets#7"
INTAKE = f"INTAKE#feedback#{guid(2)}"
LATE = offer(502, delivery=2)
EPOCH_IN_THIRTY_DAYS = 1_796_040_000 + 30 * 24 * 3600


PENDING = PendingIntake(INTAKE, "row", LATE)
OTHERS = AutomationFilter("for-others", enabled=True, pull_requests=(PullRequestScope.OTHERS,))


class Host:
    """Knows one pull request, or fails as told; remembers in ``asked`` what happens, beside the ledger."""

    def __init__(self, asked: list[str], failure: Exception | None = None, *, known: bool = True) -> None:
        self.asked = asked
        self.failure = failure
        self.known = known

    def connection(self, name: str) -> Connection | None:
        return connection(name=name) if self.known else None

    def connections(self) -> tuple[Connection, ...]:
        raise AssertionError("every connection was asked for")

    def open(self, _connection: Connection, repository_id: int) -> HeadHost:
        self.asked.append(f"open {repository_id}")
        return self

    def pull(self, number: int) -> Pull:
        self.asked.append(f"pull {number}")
        if self.failure is not None:
            raise self.failure
        return Pull(number, True, "a" * 40, "theirs", 5, "b" * 40, "main", 5, 4321)


def resolve(
    ledger: MemoryLedger, failure: Exception | None = None, *, known: bool = True, offered: Offer = LATE
) -> Resolution:
    host = Host(ledger.asked, failure, known=known)
    return resolve_intake(replace(PENDING, offer=offered), Ports(ledger, ledger, host, host.open))


def on_others(**changes: Any) -> MemoryLedger:
    """Keep on record that an automation takes commands on pull requests of others, and that these are allowed."""
    return MemoryLedger(**{"opened_by_platform": False, "others_allowed": True, "saved": [OTHERS], **changes})


@pytest.mark.parametrize("outcome", [IntakeOutcome.DECIDED, IntakeOutcome.DUPLICATE])
def test_an_intake_is_claimed_as_a_delivery_is_and_what_became_of_it_is_recorded(outcome: IntakeOutcome) -> None:
    ledger = MemoryLedger(claims=[Claim(outcome)])
    assert resolve(ledger) == Resolution(outcome)
    assert (ledger.asked, ledger.offers) == (["standing", "automations", "claim"], [LATE])
    assert ledger.settled == [(PENDING, outcome, None)]


def test_a_pull_request_of_others_is_looked_for_on_the_host_before_the_decision_is_claimed() -> None:
    ledger = on_others()
    assert resolve(ledger) == Resolution(IntakeOutcome.DECIDED)
    assert ledger.asked == ["standing", "automations", "open 9001", "pull 7", "claim"]


def test_what_is_decided_is_the_comment_itself_for_the_automation_that_takes_it_now() -> None:
    ledger = on_others()
    resolve(ledger)
    assert ledger.offers == [replace(LATE, automation_id="for-others")]


def test_a_pull_request_that_is_gone_is_ignored_and_nothing_is_claimed_or_tried_again() -> None:
    ledger = on_others()
    assert resolve(ledger, Gone("404")) == Resolution(IntakeOutcome.IGNORED, IntakeRefusal.PULL_GONE)
    assert ledger.offers == []
    assert ledger.settled == [(PENDING, IntakeOutcome.IGNORED, IntakeRefusal.PULL_GONE)]


@pytest.mark.parametrize("failure", [Unavailable("502"), RateLimited("wait"), Forbidden("no")])
def test_any_other_failure_of_the_host_is_raised_so_that_the_stream_brings_the_intake_again(failure: Exception) -> None:
    ledger = on_others()
    with pytest.raises(type(failure)):
        resolve(ledger, failure)
    assert (ledger.offers, ledger.settled) == ([], [])


def test_a_connection_without_a_record_is_named_and_the_intake_stays() -> None:
    ledger = on_others()
    with pytest.raises(ConnectionUnknown, match="the connection feedback of an intake has no record"):
        resolve(ledger, known=False)
    assert (ledger.offers, ledger.settled) == ([], [])


@pytest.mark.parametrize(("ledger", "reason"), [
    (on_others(switched_on=False), IntakeRefusal.KILL_SWITCH_OFF),
    (MemoryLedger(switched_on=False), IntakeRefusal.KILL_SWITCH_OFF),
    (on_others(saved=[]), IntakeRefusal.NO_AUTOMATION),
    (on_others(saved=[replace(OTHERS, enabled=False)]), IntakeRefusal.NO_AUTOMATION),
    (on_others(saved=[replace(OTHERS, triggers=(TriggerKind.CHANGES_REQUESTED,))]), IntakeRefusal.NO_AUTOMATION),
    (on_others(opened_by_platform=True), IntakeRefusal.NO_AUTOMATION),
    (on_others(members=frozenset()), IntakeRefusal.NOT_A_MEMBER),
])  # fmt: skip
def test_where_nothing_could_start_any_more_the_host_is_not_asked_and_nothing_is_claimed(
    ledger: MemoryLedger, reason: IntakeRefusal
) -> None:
    assert resolve(ledger) == Resolution(IntakeOutcome.IGNORED, reason)
    assert (ledger.asked, ledger.offers) == (["standing", "automations"], [])
    assert ledger.settled == [(PENDING, IntakeOutcome.IGNORED, reason)]


def test_where_others_are_not_allowed_any_more_the_round_says_so_and_the_host_is_not_asked_here() -> None:
    ledger = on_others(others_allowed=False)
    assert resolve(ledger) == Resolution(IntakeOutcome.DECIDED)
    assert ledger.asked == ["standing", "automations", "claim"]


@pytest.mark.parametrize("again", [Suppression.SUPPRESSED, Suppression.DUPLICATE])
def test_an_intake_that_finds_the_slot_held_stays_suppressed(again: Suppression) -> None:
    ledger = MemoryLedger(claims=[Claim.HELD], suppressions=[again])
    assert resolve(ledger) == Resolution(IntakeOutcome.SUPPRESSED)
    assert (ledger.asked[2:], ledger.settled) == (["claim", "suppress_again"], [])


def test_an_intake_whose_slot_becomes_free_meanwhile_is_claimed_after_all() -> None:
    ledger = MemoryLedger(claims=[Claim.HELD, Claim.DECIDED], suppressions=[Suppression.FREED])
    assert resolve(ledger) == Resolution(IntakeOutcome.DECIDED)


class Suppressed:
    """A table in which one decision holds the pull request and a later offer was suppressed and written down again."""

    def __init__(self, rows: MockTable) -> None:
        self.rows = rows
        self.clock = FakeClock()
        rows.admit_reviewer()
        intake = IntakeTable(rows.table, self.clock, Backoff())
        intake.claim(offer(501, delivery=1))
        intake.suppress(LATE)
        (event,) = rows.rows(PULL, "EVENT#")
        self.intake = {**event, "pk": INTAKE, "sk": "row", "kind": "intake"}
        rows.put(**self.intake)

    def free(self) -> None:
        self.rows.put(PULL, "INFLIGHT", fence=1)


@pytest.fixture
def suppressed() -> Iterator[Suppressed]:
    with mock_table() as rows:
        suppressed = Suppressed(rows)
        with running_on_mock_aws({"AUTOSWE_TABLE": NAME}, suppressed.clock):
            yield suppressed


def test_the_recorded_event_is_answered_as_recorded(suppressed: Suppressed) -> None:
    suppressed.free()
    event, expected = golden("resolve_intake")
    assert HANDLER(event, None) == expected
    assert len(suppressed.rows.unstarted()) == 2


def test_a_suppressed_delivery_is_decided_once_the_pull_request_is_free(
    suppressed: Suppressed, capsys: pytest.CaptureFixture[str]
) -> None:
    suppressed.free()
    assert HANDLER(inserted(suppressed.intake), None) == failures()
    decision = "DECISION#feedback#octo/widgets#pr-7@discussion_comment-502#fix-feedback"
    assert suppressed.rows.get(decision)["delivery"] == guid(2)
    assert suppressed.rows.get(f"DELIVERY#feedback#{guid(2)}")["outcome"] == "decided"
    slot = suppressed.rows.get(PULL, "INFLIGHT")
    assert (slot["holder"], slot["fence"]) == (decision, 2)
    settled = suppressed.rows.get(INTAKE)
    assert (settled["outcome"], settled["expires_at"]) == ("decided", EPOCH_IN_THIRTY_DAYS)
    assert json.loads(capsys.readouterr().out) == {
        "outcome": "decided", "connection": "feedback", "delivery": guid(2), "repository": "octo/widgets", "pull": 7,
        "subject": "pr-7@discussion_comment-502",
    }  # fmt: skip


def test_a_record_that_comes_twice_is_decided_once_and_its_first_outcome_stays(suppressed: Suppressed) -> None:
    suppressed.free()
    for _ in range(2):
        assert HANDLER(inserted(suppressed.intake), None) == failures()
    assert len(suppressed.rows.rows("DECISION#")) == 2
    assert suppressed.rows.get(INTAKE)["outcome"] == "decided"


def test_while_the_pull_request_is_held_again_the_delivery_stays_suppressed_where_the_holder_finds_it(
    suppressed: Suppressed,
) -> None:
    """A round offers again what was suppressed while it ran, so the holder needs an event of its own time."""
    suppressed.clock.advance(60)
    for _ in range(2):
        assert HANDLER(inserted(suppressed.intake), None) == failures()
    settled = suppressed.rows.get(INTAKE)
    assert (settled["outcome"], settled["expires_at"]) == ("suppressed", EPOCH_IN_THIRTY_DAYS + 60)
    assert suppressed.rows.get(f"DELIVERY#feedback#{guid(2)}")["outcome"] == "suppressed"
    assert len(suppressed.rows.rows("DECISION#")) == 1
    first, second = suppressed.rows.rows(PULL, "EVENT#")
    assert {**first, "sk": f"EVENT#2026-11-30T12:01:00Z#{guid(2)}"} == second


def test_an_intake_that_was_suppressed_and_comes_again_to_a_free_pull_request_is_recorded_as_decided(
    suppressed: Suppressed,
) -> None:
    HANDLER(inserted(suppressed.intake), None)
    suppressed.free()
    assert HANDLER(inserted(suppressed.intake), None) == failures()
    assert suppressed.rows.get(INTAKE)["outcome"] == "decided"


def test_a_broken_record_is_reported_and_does_not_keep_the_others_from_being_decided(
    suppressed: Suppressed, capsys: pytest.CaptureFixture[str]
) -> None:
    suppressed.free()
    broken = {**suppressed.intake, "trigger": "unheard_of"}
    assert HANDLER(inserted(broken, suppressed.intake), None) == failures(1)
    assert len(suppressed.rows.rows("DECISION#")) == 2
    failed = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (failed["outcome"], failed["reason"]) == ("failed", "MalformedRow")
    assert "unheard_of" in failed["detail"]


offers = st.builds(
    Offer,
    **{name: st.text(st.characters(codec="utf-8")) for name in ("connection", "repository", "subject", "delivery")},
    automation_id=st.text(st.characters(codec="utf-8")),
    **{name: st.integers(1, 2**63 - 1) for name in ("repository_id", "pull_number", "trigger_id", "sender_id")},
    trigger=st.sampled_from(TriggerKind),
    source=st.sampled_from(TriggerSource),
)


@given(offers)
def test_whatever_was_offered_is_offered_again(written: Offer) -> None:
    assert pending_intake(to_item({"pk": "p", "sk": "s", **asdict(written)})) == PendingIntake("p", "s", written)


@given(offers, st.sampled_from(sorted(asdict(LATE))), st.none() | st.booleans())
def test_an_intake_row_with_anything_missing_or_wrong_is_refused(written: Offer, name: str, value: Any) -> None:
    row = {"pk": "p", "sk": "s", **asdict(written)}
    with pytest.raises(MalformedRow, match=name):
        pending_intake(to_item({**row, name: value}))
    del row[name]
    with pytest.raises(MalformedRow, match=name):
        pending_intake(to_item(row))
