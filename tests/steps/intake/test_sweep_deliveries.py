"""What was lost on the way to a round is found again and leads to exactly one (architecture §4)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from autoswe.contracts.intake.sweep import ListingEnd, SweepOutcome
from autoswe.contracts.records.platform import FireOutcome
from autoswe.dynamodb.intake.unstarted import UnstartedTable
from autoswe.dynamodb.records.decisions import DecisionTable
from autoswe.ports.github import Forbidden, Gone, RateLimited, Refused, Unavailable
from autoswe.ports.intake.claims import Claim
from autoswe.ports.intake.starts import IntakeKey
from autoswe.rules.intake.execution_name import execution_name
from autoswe.rules.intake.redelivery import LOOK_BACK, MOST_ASKED, REFUSALS
from autoswe.rules.records.triggers import PullRequestScope
from autoswe.rules.settings.registry import OTHER_PULL_REQUESTS
from autoswe.runtime.intake import webhook
from autoswe.steps.intake.sweep_deliveries import MOST_PAGES, MOST_WAITING, SWEEP_TIME, sweep_deliveries
from tests.support.feedback.state import OPERATOR, automation, mock_state, save_records
from tests.support.intake import offers
from tests.support.intake.deliveries import CONNECTION
from tests.support.intake.ledger import FIRST, RIVAL, claimed
from tests.support.intake.sweeps import Surroundings, asked, attempt
from tests.support.mock_table import NAME

CLAIM_LEASE = 1800


@pytest.fixture
def around() -> Iterator[Surroundings]:
    with mock_state() as state:
        yield Surroundings(state)


def test_what_our_webhook_refuses_is_what_is_not_asked_for_again() -> None:
    assert set(webhook._STATUS.values()) == REFUSALS


def test_with_the_kill_switch_off_nothing_is_started_resolved_listed_or_asked_for(around: Surroundings) -> None:
    around.decide(1)
    around.lose(9)
    around.switch(on=False)
    around.state.clock.advance(3600)
    before = around.state.contents()
    around.state.requests.clear()
    told = around.sweep()
    assert (told.outcome, told.connections) == (SweepOutcome.KILL_SWITCH_OFF, ())
    assert around.state.requests == ["Query"]
    assert (around.started, around.webhook.read, around.webhook.asked) == ([], 0, [])
    assert around.state.contents() == before


class TestDecisions:
    def test_one_that_never_started_is_started_once(self, around: Surroundings) -> None:
        made = around.decide(1)
        around.state.clock.advance(121)
        found = around.swept()
        assert (found.started, found.decisions) == ((made,), {"started": 1})
        assert around.started == [execution_name(made)]
        again = around.swept()
        assert (again.started, again.decisions) == ((), {})
        assert around.started == [execution_name(made)]

    def test_one_that_is_not_two_minutes_old_is_left_to_the_stream(self, around: Surroundings) -> None:
        around.decide(1)
        around.state.clock.advance(120)
        assert around.swept().decisions == {}
        assert around.started == []

    def test_one_whose_start_was_not_recorded_is_found_and_not_repeated(self, around: Surroundings) -> None:
        decided = around.state.decide(1)
        claimed(around.state, decided)
        around.state.clock.advance(121)
        found = around.swept()
        assert (found.started, found.decisions) == ((), {"already_started": 1})
        assert around.started == []
        assert around.state.mocked.unstarted() == []

    def test_one_whose_lease_ran_out_starts_with_a_slot_of_its_own(self, around: Surroundings) -> None:
        decided = around.state.decide(1)
        around.state.clock.advance(CLAIM_LEASE + 1)
        assert around.swept().decisions == {"started": 1}
        assert around.state.intake.claim(offers.offer(502, delivery=2)) is Claim.HELD
        assert claimed(around.state, decided).execution == FIRST

    def test_one_whose_pull_request_another_round_has_waits_for_the_end_of_that_round_and_starts_then(
        self, around: Surroundings
    ) -> None:
        late = around.state.decide(1)
        around.state.clock.advance(CLAIM_LEASE + 1)
        rival = around.state.decide(2)
        claimed(around.state, rival, RIVAL)
        DecisionTable(around.state.mocked.table, around.state.backoff).mark_started(rival.decision_id)
        for _ in range(2):
            assert around.swept().decisions == {"slot_held": 1}
        assert around.started == []
        around.state.rounds.close(rival, RIVAL, FireOutcome.SUCCEEDED, None)
        found = around.swept()
        assert (found.started, found.decisions) == ((late.decision_id,), {"started": 1})

    def test_a_broken_one_is_told_and_keeps_no_other_from_starting(self, around: Surroundings) -> None:
        broken, good = around.decide(1), around.decide(2)
        around.state.mocked.put(**{**around.state.mocked.get(broken), "pull_number": "one"})
        around.state.clock.advance(121)
        told = around.sweep()
        assert around.started == [execution_name(good)]
        [failure] = told.failures
        assert (failure.subject, failure.reason) == (broken, "MalformedRow")
        assert "pull_number" in failure.detail

    def test_one_that_starts_between_the_look_at_the_index_and_the_look_at_its_row_is_left_alone(
        self, around: Surroundings
    ) -> None:
        made = around.decide(1)
        around.state.clock.advance(121)

        class Lagging(UnstartedTable):
            def decisions(self, before: Any) -> Iterator[str]:
                yield made

        DecisionTable(around.state.mocked.table, around.state.backoff).mark_started(made)
        lagging = Lagging(around.state.mocked.table, around.state.backoff)
        told = sweep_deliveries(replace(around.ports(), unstarted=lagging))
        assert (around.started, told.failures) == ([], ())

    def test_no_more_than_two_hundred_are_looked_at_and_it_is_said_that_there_are_more(
        self, around: Surroundings
    ) -> None:
        class Endless(UnstartedTable):
            looked_at = 0

            def decisions(self, before: Any) -> Iterator[str]:
                while True:
                    yield "DECISION#gone"

            def decision(self, decision_id: str) -> None:
                self.looked_at += 1

        endless = Endless(around.state.mocked.table, around.state.backoff)
        told = sweep_deliveries(replace(around.ports(), unstarted=endless))
        assert (endless.looked_at, told.left_over) == (MOST_WAITING, ("decisions",))

    def test_what_waits_gets_half_of_the_sweep_s_time_so_that_deliveries_get_the_rest(
        self, around: Surroundings
    ) -> None:
        class Slow(UnstartedTable):
            def decisions(self, before: Any) -> Iterator[str]:
                while True:
                    yield "DECISION#gone"

            def decision(self, decision_id: str) -> None:
                around.state.clock.advance(61)

        around.lose(9)
        slow = Slow(around.state.mocked.table, around.state.backoff)
        told = sweep_deliveries(replace(around.ports(), unstarted=slow))
        assert told.left_over == ("decisions",)
        assert around.webhook.asked == [9]


class TestIntakes:
    def offered_again(self, around: Surroundings) -> IntakeKey:
        """Let a round end as a skip, and the delivery that was suppressed meanwhile be offered again."""
        around.state.mocked.admit_reviewer()
        decided = around.state.decide(1)
        claimed(around.state, decided)
        DecisionTable(around.state.mocked.table, around.state.backoff).mark_started(decided.decision_id)
        guid = around.state.suppress(2)
        around.state.rounds.close(decided, FIRST, FireOutcome.SKIPPED, "nothing_trusted")
        around.state.rounds.offer_again(decided, guid)
        [row] = around.state.mocked.rows("INTAKE#")
        return IntakeKey(row["pk"], row["sk"])

    def test_one_that_was_never_resolved_gets_its_decision(self, around: Surroundings) -> None:
        place = self.offered_again(around)
        around.state.clock.advance(121)
        assert around.swept().intakes == {"decided": 1}
        assert around.state.mocked.get(place.partition_key, place.sort_key)["outcome"] == "decided"
        [waiting] = around.state.mocked.unstarted()
        assert waiting.endswith("discussion_comment-2#fix-feedback")
        assert around.swept().intakes == {}

    def test_one_that_is_not_two_minutes_old_is_left_to_the_stream(self, around: Surroundings) -> None:
        self.offered_again(around)
        around.state.clock.advance(120)
        assert around.swept().intakes == {}

    def test_one_that_finds_the_pull_request_held_again_waits_for_its_holder(self, around: Surroundings) -> None:
        self.offered_again(around)
        around.state.decide(3)
        around.state.clock.advance(121)
        assert around.swept().intakes == {"suppressed": 1}
        assert around.swept().intakes == {}

    def test_one_about_a_pull_request_of_others_is_looked_for_on_the_host(self, around: Surroundings) -> None:
        """Nobody answers for the host here: that it is asked, and about what, is what the failure tells."""
        save_records(around.state.records, around.state.clock)
        around.state.records.save_setting(OTHER_PULL_REQUESTS, True, by=OPERATOR, at=around.state.clock())
        others = automation(pull_requests=(PullRequestScope.OTHERS,))
        around.state.records.save_automation(CONNECTION, others)
        around.state.intake.postpone(offers.offer(502, delivery=2, pull=8))
        around.state.clock.advance(121)
        [failure] = around.sweep().failures
        assert failure.detail == "asked feedback about 9001"
        assert around.state.mocked.unstarted("intake")

    def test_a_broken_one_is_told_by_its_place(self, around: Surroundings) -> None:
        place = self.offered_again(around)
        row = around.state.mocked.get(place.partition_key, place.sort_key)
        around.state.mocked.put(**{**row, "trigger": "unheard_of"})
        around.state.clock.advance(121)
        [failure] = around.sweep().failures
        assert (failure.subject, failure.reason) == (f"{place.partition_key} / {place.sort_key}", "MalformedRow")


class TestDeliveries:
    def test_one_that_never_arrived_is_asked_for(self, around: Surroundings) -> None:
        around.lose(9)
        found = around.swept()
        assert (found.listed, found.listing) == (1, ListingEnd.WHOLE)
        assert (found.asked, found.deliveries) == ((offers.guid(9),), {"asked": 1})
        assert around.webhook.asked == [9]

    def test_one_that_arrived_is_never_asked_for(self, around: Surroundings) -> None:
        around.lose(9, status=202)
        assert around.swept().deliveries == {"delivered": 1}
        assert around.webhook.asked == []

    def test_one_that_left_a_record_is_not_asked_for_although_its_answer_was_lost(self, around: Surroundings) -> None:
        around.decide(9)
        around.lose(9, 8, status=504)
        found = around.swept()
        assert (found.asked, found.deliveries) == ((offers.guid(8),), {"asked": 1, "recorded": 1})

    def test_a_suppressed_one_left_a_record_too(self, around: Surroundings) -> None:
        around.state.decide(1)
        around.state.suppress(2)
        around.lose(2)
        assert around.swept().deliveries == {"recorded": 1}

    def test_why_each_is_left_is_told_in_fixed_words(self, around: Surroundings) -> None:
        around.lose(1, status=401)
        around.lose(2, ago=timedelta(minutes=1))
        now = around.state.clock()
        hour_ago = now - timedelta(hours=1)
        around.webhook.attempts += [
            [attempt(3, 500, hour_ago, event="push")],
            [attempt(4, 500, hour_ago, first=False)],
        ]
        expected = {"refused": 1, "too_soon": 1, "other_event": 1, "first_unlisted": 1}
        assert around.swept().deliveries == expected
        assert around.webhook.asked == []

    def test_at_most_thirty_are_asked_for_in_one_sweep_the_oldest_first(self, around: Surroundings) -> None:
        around.lose(*range(1, 41))
        found = around.swept()
        assert found.deliveries == {"asked": MOST_ASKED, "over_cap": 10}
        assert around.webhook.asked == list(range(1, 31))

    def test_one_that_the_host_does_not_attempt_any_more_keeps_no_other_from_being_asked_for(
        self, around: Surroundings
    ) -> None:
        around.lose(1, 2, 3)
        around.webhook.refusals = {1: Gone("404"), 2: Refused("422")}
        found = around.swept()
        assert (found.asked, found.deliveries) == ((offers.guid(3),), {"asked": 1, "host_refused": 2})

    @pytest.mark.parametrize("trouble", [Forbidden("403"), RateLimited("429"), Unavailable("502")])
    def test_trouble_with_the_host_ends_the_asking_on_this_connection_alone(
        self, around: Surroundings, trouble: Exception
    ) -> None:
        around.lose(1, 2, 3)
        around.webhook.refusals = {2: trouble}
        other = around.connect("other")
        other.attempts = [[attempt(9, 500, around.state.clock() - timedelta(hours=1))]]
        told = around.sweep()
        assert asked(told) == {CONNECTION: (offers.guid(1),), "other": (offers.guid(9),)}
        [failure] = told.failures
        assert (failure.subject, failure.reason) == (f"deliveries of {CONNECTION}", type(trouble).__name__)

    def test_a_listing_that_breaks_off_is_told_and_what_was_listed_until_then_is_acted_on(
        self, around: Surroundings
    ) -> None:
        def break_off(number: int) -> None:
            if number == 2:
                raise Unavailable("502")

        around.lose(1)
        around.lose(2)
        around.webhook.before_page = break_off
        told = around.sweep()
        [found] = told.connections
        assert (found.listed, found.listing, found.asked) == (1, ListingEnd.UNREADABLE, (offers.guid(1),))
        assert [failure.subject for failure in told.failures] == [f"the listing of {CONNECTION}"]

    def test_the_listing_ends_where_it_is_too_old_to_matter(self, around: Surroundings) -> None:
        around.lose(1)
        around.lose(2, ago=LOOK_BACK + timedelta(seconds=1))
        around.lose(3)
        found = around.swept()
        assert (found.listed, found.listing, around.webhook.read) == (2, ListingEnd.WHOLE, 2)

    def test_no_more_than_thirty_pages_are_listed_and_an_end_that_was_not_seen_is_not_claimed(
        self, around: Surroundings
    ) -> None:
        for number in range(40):
            around.lose(number, status=202)
        found = around.swept()
        assert (found.listed, found.listing, around.webhook.read) == (30, ListingEnd.PAGE_LIMIT, MOST_PAGES)

    def test_each_connection_has_its_fair_share_of_the_time_and_a_slow_one_takes_no_other_s(
        self, around: Surroundings
    ) -> None:
        def slow(_number: int) -> None:
            around.state.clock.advance(SWEEP_TIME.total_seconds() / 4)

        around.webhook.before_page = slow
        for number in range(9):
            around.lose(number)
        other = around.connect("other")
        other.attempts = [[attempt(99, 500, around.state.clock() - timedelta(hours=1))]]
        told = around.sweep()
        slow_one, quick_one = told.connections
        assert (slow_one.listed, slow_one.listing) == (2, ListingEnd.OUT_OF_TIME)
        assert slow_one.deliveries == {"out_of_time": 2}
        assert quick_one.asked == (offers.guid(99),)

    def test_a_connection_that_cannot_be_opened_keeps_no_other_from_being_swept(self, around: Surroundings) -> None:
        del around.webhooks[CONNECTION]
        other = around.connect("other")
        other.attempts = [[attempt(9, 500, around.state.clock() - timedelta(hours=1))]]
        told = around.sweep()
        assert asked(told)["other"] == (offers.guid(9),)
        assert [failure.subject for failure in told.failures] == [f"deliveries of {CONNECTION}"]

    def test_without_a_connection_what_waits_in_the_table_is_swept_all_the_same(self) -> None:
        with mock_state() as state:
            around = Surroundings(state)
            made = around.decide(1)
            state.mocked.client.delete_item(TableName=NAME, Key={"pk": {"S": "CONNECTION"}, "sk": {"S": CONNECTION}})
            state.clock.advance(121)
            assert around.swept().started == (made,)
