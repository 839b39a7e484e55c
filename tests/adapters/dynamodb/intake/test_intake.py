"""What the table is asked when a delivery comes in, and the claims that it lets through."""

from collections.abc import Iterator
from dataclasses import asdict, replace

import pytest

from autoswe.contracts.records.offers import Offer
from autoswe.contracts.records.platform import Automation, Decision
from autoswe.dynamodb.intake.ledger import IntakeTable
from autoswe.dynamodb.table.attributes import MalformedRow
from autoswe.dynamodb.table.client import Backoff
from autoswe.dynamodb.table.keys import key
from autoswe.ports.intake.claims import Claim, Suppression
from autoswe.rules.intake.admission import AdmissionContext
from autoswe.rules.records.automations import AutomationFilter
from autoswe.rules.records.triggers import TriggerKind
from tests.support.fake_clock import FakeClock
from tests.support.intake.deliveries import CONNECTION, REPOSITORY, REVIEWER
from tests.support.intake.offers import guid, offer
from tests.support.mock_table import SWITCH, MockTable, mock_table

PULL = "PR#feedback#octo/widgets#7"
DECISION = "DECISION#feedback#octo/widgets#pr-7@discussion_comment-{}#fix-feedback"
NOW = "2026-11-30T12:00:00Z"
EPOCH = 1_796_040_000
LEASE_SECONDS = 1800
THIRTY_DAYS = 30 * 24 * 3600


@pytest.fixture
def rows() -> Iterator[MockTable]:
    with mock_table() as mocked:
        yield mocked


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def intake(rows: MockTable, clock: FakeClock) -> IntakeTable:
    return IntakeTable(rows.table, clock, Backoff(wait=clock.advance))


def test_a_claim_records_the_decision_with_all_that_its_round_needs(intake: IntakeTable, rows: MockTable) -> None:
    assert intake.claim(offer(501)) is Claim.DECIDED
    row = dict(rows.get(DECISION.format(501)))
    storage = {name: row.pop(name) for name in ("pk", "sk", "kind", "unstarted")}
    assert storage == {"pk": DECISION.format(501), "sk": "row", "kind": "decision", "unstarted": "decision"}
    assert Decision.model_validate(row | {"trigger": TriggerKind(row["trigger"])}) == Decision(
        decision_id=DECISION.format(501),
        connection="feedback",
        repository="octo/widgets",
        repository_id=9001,
        pull_number=7,
        automation_id="fix-feedback",
        trigger=TriggerKind.COMMAND,
        source="discussion_comment",
        trigger_id=501,
        sender_id=REVIEWER,
        delivery=guid(1),
        decided_at=NOW,
    )
    assert rows.unstarted() == [DECISION.format(501)]


def test_a_claim_takes_the_pull_requests_slot_for_half_an_hour_and_remembers_the_delivery_for_thirty_days(
    intake: IntakeTable, rows: MockTable
) -> None:
    intake.claim(offer(501))
    assert rows.get(PULL, "INFLIGHT") == {
        "pk": PULL, "sk": "INFLIGHT", "holder": DECISION.format(501), "fence": 1, "lease_until": "2026-11-30T12:30:00Z",
    }  # fmt: skip
    assert rows.get(f"DELIVERY#feedback#{guid(1)}") == {
        "pk": f"DELIVERY#feedback#{guid(1)}", "sk": "row", "outcome": "decided", "decision_id": DECISION.format(501),
        "pull": PULL, "expires_at": EPOCH + THIRTY_DAYS,
    }  # fmt: skip


@pytest.mark.parametrize("again", [offer(501, delivery=1), offer(501, delivery=2)])
@pytest.mark.parametrize("later", [0, LEASE_SECONDS + 1, THIRTY_DAYS + 1])
def test_a_subject_is_decided_once_ever_however_it_is_delivered_again(
    intake: IntakeTable, rows: MockTable, clock: FakeClock, again: Offer, later: int
) -> None:
    intake.claim(offer(501))
    before = rows.rows("")
    clock.advance(later)
    assert intake.claim(again) is Claim.DUPLICATE
    assert rows.rows("") == before


def test_a_decided_delivery_decides_nothing_else(intake: IntakeTable, rows: MockTable) -> None:
    intake.claim(offer(501, delivery=1))
    before = rows.rows("")
    assert intake.claim(offer(502, delivery=1, pull=8)) is Claim.DUPLICATE
    assert rows.rows("") == before


def test_while_a_slot_is_held_another_subject_is_not_decided_and_not_used_up(
    intake: IntakeTable, rows: MockTable, clock: FakeClock
) -> None:
    intake.claim(offer(501, delivery=1))
    before = rows.rows("")
    clock.advance(LEASE_SECONDS)
    assert intake.claim(offer(502, delivery=2)) is Claim.HELD
    assert rows.rows("") == before


def test_a_slot_whose_lease_is_over_goes_to_the_next_with_the_next_fencing_number(
    intake: IntakeTable, rows: MockTable, clock: FakeClock
) -> None:
    intake.claim(offer(501, delivery=1))
    clock.advance(LEASE_SECONDS + 1)
    assert intake.claim(offer(502, delivery=2)) is Claim.DECIDED
    slot = rows.get(PULL, "INFLIGHT")
    assert (slot["holder"], slot["fence"], slot["lease_until"]) == (DECISION.format(502), 2, "2026-11-30T13:00:01Z")


def test_a_slot_that_was_freed_keeps_counting_its_fencing_numbers(intake: IntakeTable, rows: MockTable) -> None:
    rows.put(PULL, "INFLIGHT", fence=41)
    assert intake.claim(offer(501)) is Claim.DECIDED
    assert rows.get(PULL, "INFLIGHT")["fence"] == 42


@pytest.mark.parametrize(
    "other", [replace(offer(502, delivery=2), pull_number=8), replace(offer(501, delivery=1), connection="another")]
)
def test_another_pull_request_or_connection_has_its_own_slot(intake: IntakeTable, other: Offer) -> None:
    intake.claim(offer(501, delivery=1))
    assert intake.claim(other) is Claim.DECIDED


def test_a_suppressed_offer_is_recorded_with_all_it_takes_to_offer_it_again(
    intake: IntakeTable, rows: MockTable
) -> None:
    intake.claim(offer(501, delivery=1))
    late = offer(502, delivery=2)
    assert intake.suppress(late) is Suppression.SUPPRESSED
    assert rows.get(PULL, f"EVENT#{NOW}#{guid(2)}") == {
        "pk": PULL, "sk": f"EVENT#{NOW}#{guid(2)}", "event": "delivery_suppressed", **asdict(late),
    }  # fmt: skip
    assert rows.get(f"DELIVERY#feedback#{guid(2)}") == {
        "pk": f"DELIVERY#feedback#{guid(2)}", "sk": "row", "outcome": "suppressed", "pull": PULL,
        "expires_at": EPOCH + THIRTY_DAYS,
    }  # fmt: skip
    assert rows.rows(DECISION.format(502)) == []


def test_a_suppressed_delivery_that_comes_again_is_recorded_once(
    intake: IntakeTable, rows: MockTable, clock: FakeClock
) -> None:
    intake.claim(offer(501, delivery=1))
    intake.suppress(offer(502, delivery=2))
    clock.advance(60)
    assert intake.suppress(offer(502, delivery=2)) is Suppression.DUPLICATE
    assert len(rows.rows(PULL, "EVENT#")) == 1


def test_a_suppressed_delivery_becomes_decided_once_the_slot_is_free(
    intake: IntakeTable, rows: MockTable, clock: FakeClock
) -> None:
    intake.claim(offer(501, delivery=1))
    intake.suppress(offer(502, delivery=2))
    clock.advance(LEASE_SECONDS + 1)
    assert intake.claim(offer(502, delivery=2)) is Claim.DECIDED
    delivery = rows.get(f"DELIVERY#feedback#{guid(2)}")
    assert (delivery["outcome"], delivery["decision_id"]) == ("decided", DECISION.format(502))


@pytest.mark.parametrize("freed", ["never_held", "freed", "lease_over"])
def test_nothing_is_suppressed_once_the_slot_is_free_because_nobody_would_offer_it_again(
    intake: IntakeTable, rows: MockTable, clock: FakeClock, freed: str
) -> None:
    if freed == "freed":
        rows.put(PULL, "INFLIGHT", fence=1, lease_until="2099-01-01T00:00:00Z")
    if freed == "lease_over":
        intake.claim(offer(501, delivery=1))
        clock.advance(LEASE_SECONDS + 1)
    before = rows.rows("")
    assert intake.suppress(offer(502, delivery=2)) is Suppression.FREED
    assert rows.rows("") == before


def test_a_delivery_that_has_expired_counts_as_gone_before_the_table_deletes_it(
    intake: IntakeTable, rows: MockTable, clock: FakeClock
) -> None:
    intake.claim(offer(501, delivery=1))
    clock.advance(THIRTY_DAYS + 1)
    assert intake.claim(offer(502, delivery=1)) is Claim.DECIDED
    assert intake.suppress(offer(503, delivery=1)) is Suppression.DUPLICATE


def test_a_sender_stands_as_the_records_say(intake: IntakeTable, rows: MockTable) -> None:
    rows.put(**SWITCH, value=True)
    rows.put(key("MEMBER", CONNECTION, REPOSITORY), "101", login="reviewer", active=True)
    rows.put(key("MEMBER", CONNECTION, REPOSITORY), "102", login="former", active=False)
    assert intake.context(CONNECTION, REPOSITORY, 9001, 7, 101) == AdmissionContext(
        switched_on=True, active_member=True, repository=REPOSITORY
    )
    for connection, repository, account_id in [
        (CONNECTION, REPOSITORY, 102), (CONNECTION, REPOSITORY, 103), (CONNECTION, "octo/gears", 101),
        ("another", REPOSITORY, 101),
    ]:  # fmt: skip
        assert intake.context(connection, repository, 9001, 7, account_id) == AdmissionContext(
            switched_on=True, active_member=False, repository=repository
        )


@pytest.mark.parametrize(("kind", "ours"), [("tracked_workflow", True), ("agent_run", True), ("other", False)])
def test_who_opened_the_pull_request_is_what_the_record_says(
    intake: IntakeTable, rows: MockTable, kind: str, *, ours: bool
) -> None:
    rows.put(PULL, "ORIGIN", kind=kind)
    assert intake.context(CONNECTION, REPOSITORY, 9001, 7, 101).opened_by_platform is ours
    assert not intake.context(CONNECTION, REPOSITORY, 9001, 8, 101).opened_by_platform


@pytest.mark.parametrize("kind", ["unheard_of", None])
def test_a_record_of_who_opened_it_that_is_broken_is_named_and_not_believed(
    intake: IntakeTable, rows: MockTable, kind: str | None
) -> None:
    rows.put(PULL, "ORIGIN", kind=kind)
    with pytest.raises(MalformedRow, match=r"kind|who opened"):
        intake.context(CONNECTION, REPOSITORY, 9001, 7, 101)


def test_a_postponed_offer_is_written_down_with_its_event_and_waits_in_the_index(
    intake: IntakeTable, rows: MockTable
) -> None:
    late = offer(502, delivery=2)
    assert intake.postpone(late) is True
    written = {"pk": f"INTAKE#feedback#{guid(2)}", "sk": "row", "kind": "intake", "unstarted": "intake"}
    assert rows.get(written["pk"]) == {**written, "decided_at": NOW, **asdict(late)}
    assert rows.unstarted("intake") == [written["pk"]]
    assert rows.rows(PULL) == [{
        "pk": PULL, "sk": f"EVENT#{NOW}#{guid(2)}#postponed", "event": "delivery_postponed", "delivery": guid(2),
        "trigger": "command", "sender_id": REVIEWER,
    }]  # fmt: skip


def test_a_delivery_that_comes_again_is_postponed_once(intake: IntakeTable, rows: MockTable, clock: FakeClock) -> None:
    intake.postpone(offer(502, delivery=2))
    before = rows.rows("")
    clock.advance(60)
    assert intake.postpone(offer(502, delivery=2)) is False
    assert rows.rows("") == before


def test_a_kill_switch_that_is_off_or_was_never_saved_is_off(intake: IntakeTable, rows: MockTable) -> None:
    off = AdmissionContext(switched_on=False, active_member=False, repository=REPOSITORY)
    assert intake.context(CONNECTION, REPOSITORY, 9001, 7, 101) == off
    rows.put(**SWITCH, value=False)
    assert intake.context(CONNECTION, REPOSITORY, 9001, 7, 101) == off


def test_a_membership_that_is_neither_true_nor_false_is_named_and_not_believed(
    intake: IntakeTable, rows: MockTable
) -> None:
    rows.put("MEMBER#feedback#octo/widgets", "101", active="true")
    with pytest.raises(MalformedRow, match="the attribute active must be true or false"):
        intake.context(CONNECTION, REPOSITORY, 9001, 7, 101)


def test_automations_are_read_with_what_they_select(intake: IntakeTable, rows: MockTable) -> None:
    rows.put(
        "AUTOMATION#feedback", "one", automation_id="one", enabled=True, repositories=["octo/widgets"],
        triggers=["command", "qodo_findings"], pull_requests=["platform", "others"], max_rounds=3,
    )  # fmt: skip
    rows.put("AUTOMATION#another", "two", automation_id="two", enabled=True)
    assert list(intake.automations(CONNECTION)) == [
        AutomationFilter("one", True, ("octo/widgets",), ("command", "qodo_findings"), ("platform", "others"))
    ]


def test_an_automation_saved_without_filters_selects_what_the_contract_says(
    intake: IntakeTable, rows: MockTable
) -> None:
    rows.put("AUTOMATION#feedback", "one", automation_id="one", enabled=True)
    contract = Automation(automation_id="one", enabled=True)
    assert list(intake.automations(CONNECTION)) == [
        AutomationFilter("one", True, contract.repositories, contract.triggers, contract.pull_requests)
    ]


def test_automations_are_read_to_the_last_page(intake: IntakeTable, rows: MockTable) -> None:
    """DynamoDB answers a query with 1 MB at most."""
    for number in range(12):
        rows.put("AUTOMATION#feedback", f"{number:02}", automation_id=f"{number:02}", enabled=True, notes="x" * 200_000)
    assert [one.automation_id for one in intake.automations(CONNECTION)] == [f"{number:02}" for number in range(12)]


@pytest.mark.parametrize(("attribute", "value"), [
    ("automation_id", 1), ("enabled", "yes"), ("enabled", None), ("repositories", "octo/widgets"), ("triggers", [1]),
    ("pull_requests", None),
])  # fmt: skip
def test_an_automation_that_is_not_what_it_should_be_is_named_and_not_believed(
    intake: IntakeTable, rows: MockTable, attribute: str, value: object
) -> None:
    rows.put("AUTOMATION#feedback", "one", **{"automation_id": "one", "enabled": True, attribute: value})
    with pytest.raises(MalformedRow, match=attribute):
        intake.automations(CONNECTION)


def _record(rows: MockTable, name: str, repository_id: int, account_id: int) -> None:
    rows.put(key("REPOSITORY", CONNECTION, name), "row", repository_id=repository_id)
    rows.put(key("REPOSITORYID", CONNECTION, str(repository_id)), "row", repository=name)
    rows.put(key("MEMBER", CONNECTION, name), str(account_id), login="reviewer", active=True)


@pytest.mark.parametrize("name", ["octo/widgets-renamed", "another-owner/widgets", "Octo/Widgets"])
def test_a_repository_is_its_number_whatever_the_host_calls_it(intake: IntakeTable, rows: MockTable, name: str) -> None:
    rows.put(**SWITCH, value=True)
    _record(rows, REPOSITORY, 9001, 101)
    context = intake.context(CONNECTION, name, 9001, 7, 101)
    assert (context.repository, context.active_member, context.is_another_repository) == (REPOSITORY, True, False)


def test_a_repository_that_took_the_name_another_one_left_has_none_of_its_records(
    intake: IntakeTable, rows: MockTable
) -> None:
    rows.put(**SWITCH, value=True)
    _record(rows, REPOSITORY, 9001, 101)
    assert intake.context(CONNECTION, REPOSITORY, 9002, 7, 101).is_another_repository
    assert not intake.context(CONNECTION, REPOSITORY, 9001, 7, 101).is_another_repository


def test_numbers_of_two_connections_do_not_meet(intake: IntakeTable, rows: MockTable) -> None:
    _record(rows, REPOSITORY, 9001, 101)
    assert intake.context("another", "octo/gears", 9001, 7, 101).repository == "octo/gears"
