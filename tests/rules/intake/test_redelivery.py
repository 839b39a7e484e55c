"""A delivery that never arrived is asked for again, finitely often; any other is left alone (architecture §4)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.intake.redelivery import (
    LOOK_BACK,
    MOST_ASKED,
    PAUSES,
    REFUSALS,
    AskAgain,
    Attempt,
    Leave,
    LeaveReason,
    Verdict,
    judge_deliveries,
    leave_recorded,
)

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WANTED = {("issue_comment", "created"), ("pull_request_review", "submitted")}
MINUTE = timedelta(minutes=1)


def tried(
    *statuses: int, guid: str = "g", ago: timedelta = timedelta(hours=1), number: int = 1, first_listed: bool = True
) -> list[Attempt]:
    """Build a delivery's attempts, each answered with a status; the latest was so long ago, the others before it."""
    return [
        Attempt(
            attempt_id=number * 100 + place,
            guid=guid,
            event="issue_comment",
            action="created",
            delivered_at=NOW - ago - timedelta(hours=len(statuses) - 1 - place),
            status_code=status,
            redelivery=place > 0 or not first_listed,
        )
        for place, status in enumerate(statuses)
    ]


def judge(attempts: Sequence[Attempt]) -> Verdict:
    (verdict,) = judge_deliveries(attempts, WANTED, NOW)
    return verdict


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503, 504, 403, 408, 302])
def test_a_delivery_that_our_webhook_neither_took_nor_refused_is_asked_for_by_its_latest_attempt(status: int) -> None:
    assert judge(tried(status)) == AskAgain("g", 100)
    assert judge(tried(500, status)) == AskAgain("g", 101)


@pytest.mark.parametrize("statuses", [(202,), (200,), (500, 202), (202, 500), (500, 204, 401)])
def test_a_delivery_that_was_taken_once_is_never_asked_for(statuses: tuple[int, ...]) -> None:
    assert judge(tried(*statuses)) == Leave("g", LeaveReason.DELIVERED)


@pytest.mark.parametrize("status", sorted(REFUSALS))
def test_a_delivery_that_we_refused_is_not_asked_for_because_we_would_refuse_it_again(status: int) -> None:
    assert judge(tried(status)) == Leave("g", LeaveReason.REFUSED)
    assert judge(tried(500, status)) == Leave("g", LeaveReason.REFUSED)


def test_a_delivery_that_we_refused_and_that_then_did_not_arrive_is_asked_for() -> None:
    assert judge(tried(401, 500)) == AskAgain("g", 101)


@pytest.mark.parametrize(
    ("event", "action"),
    [("issue_comment", "edited"), ("pull_request", "created"), ("ping", None), ("issue_comment", None)],
)
def test_an_event_that_can_hold_no_trigger_is_not_asked_for(event: str, action: str | None) -> None:
    (attempt,) = tried(500)
    other = Attempt(**{**vars(attempt), "event": event, "action": action})
    assert judge([other]) == Leave("g", LeaveReason.OTHER_EVENT)


@pytest.mark.parametrize(("made", "pause"), list(enumerate(PAUSES, start=1)))
def test_each_attempt_waits_longer_than_the_one_before(made: int, pause: timedelta) -> None:
    statuses = [500] * made
    assert judge(tried(*statuses, ago=pause - timedelta(seconds=1))) == Leave("g", LeaveReason.TOO_SOON)
    assert isinstance(judge(tried(*statuses, ago=pause)), AskAgain)
    assert sorted(set(PAUSES)) == list(PAUSES)


def test_a_delivery_gets_eight_attempts_and_is_then_given_up() -> None:
    ago = timedelta(hours=25)
    assert isinstance(judge(tried(*[500] * 7, ago=ago)), AskAgain)
    assert judge(tried(*[500] * 8, ago=ago)) == Leave("g", LeaveReason.GIVEN_UP)


def test_all_attempts_are_made_while_the_first_is_still_listed_so_that_they_can_be_counted() -> None:
    """Each is made at a sweep, up to ten minutes after its pause is over."""
    assert sum(PAUSES, start=timedelta()) + len(PAUSES) * 10 * MINUTE < LOOK_BACK


def test_a_delivery_whose_first_attempt_is_not_listed_is_left_because_its_attempts_cannot_be_counted() -> None:
    assert judge(tried(500, 500, first_listed=False)) == Leave("g", LeaveReason.FIRST_UNLISTED)


def test_an_attempt_that_is_too_old_to_be_repeated_counts_as_not_listed() -> None:
    assert isinstance(judge(tried(500, ago=LOOK_BACK)), AskAgain)
    assert judge_deliveries(tried(500, ago=LOOK_BACK + MINUTE), WANTED, NOW) == ()
    half_listed = tried(500, 500, ago=LOOK_BACK - MINUTE)
    assert judge(half_listed) == Leave("g", LeaveReason.FIRST_UNLISTED)


def test_deliveries_are_told_in_the_order_of_their_first_attempts_whatever_the_order_of_the_listing() -> None:
    newer = tried(500, 500, guid="newer", ago=3 * MINUTE + timedelta(hours=1))
    older = tried(500, guid="older", ago=timedelta(hours=9), number=2)
    told = judge_deliveries([*newer, *older], WANTED, NOW)
    assert [verdict.guid for verdict in told] == ["older", "newer"]


def test_what_left_a_record_is_left_and_does_not_count_towards_the_cap() -> None:
    asks = [AskAgain(str(number), number) for number in range(4)]
    assert leave_recorded(asks, {"0", "2"}, most=1) == (
        Leave("0", LeaveReason.RECORDED),
        AskAgain("1", 1),
        Leave("2", LeaveReason.RECORDED),
        Leave("3", LeaveReason.OVER_CAP),
    )


@pytest.mark.parametrize("most", range(5))
def test_no_more_than_the_cap_are_asked_for_and_the_first_come_first(most: int) -> None:
    told = leave_recorded([AskAgain(str(number), number) for number in range(5)], (), most=most)
    assert [verdict.guid for verdict in told if isinstance(verdict, AskAgain)] == ["0", "1", "2", "3", "4"][:most]


def test_a_verdict_to_leave_stays() -> None:
    left = Leave("a", LeaveReason.REFUSED)
    assert leave_recorded([left], {"a"}) == (left,)


attempts = st.builds(
    Attempt,
    attempt_id=st.integers(1, 10**12),
    guid=st.sampled_from("abcdef"),
    event=st.sampled_from(["issue_comment", "push"]),
    action=st.sampled_from(["created", None]),
    delivered_at=st.integers(-10, 5 * 24 * 60).map(lambda minutes: NOW - minutes * MINUTE),
    status_code=st.sampled_from([0, 202, 301, 400, 401, 404, 413, 429, 500, 502]),
    redelivery=st.booleans(),
)


@given(st.lists(attempts, max_size=30))
def test_whatever_the_listing_only_lost_deliveries_are_asked_for_and_each_once(listing: list[Attempt]) -> None:
    verdicts = judge_deliveries(listing, WANTED, NOW)
    recent = [attempt for attempt in listing if NOW - attempt.delivered_at <= LOOK_BACK]
    assert sorted(verdict.guid for verdict in verdicts) == sorted({attempt.guid for attempt in recent})
    for verdict in verdicts:
        own = [attempt for attempt in recent if attempt.guid == verdict.guid]
        if isinstance(verdict, AskAgain):
            assert verdict.attempt_id in {attempt.attempt_id for attempt in own}
            assert not [attempt for attempt in own if 200 <= attempt.status_code < 300]
            assert len(own) <= len(PAUSES)
            assert max(attempt.delivered_at for attempt in own) <= NOW - PAUSES[len(own) - 1]
            assert [attempt for attempt in own if not attempt.redelivery]


@given(st.lists(attempts, max_size=30))
def test_the_order_of_the_listing_decides_nothing(listing: list[Attempt]) -> None:
    unique = list({(one.delivered_at, one.attempt_id): one for one in listing}.values())
    shuffled = sorted(unique, key=lambda one: (one.status_code, one.attempt_id))
    assert judge_deliveries(unique, WANTED, NOW) == judge_deliveries(shuffled, WANTED, NOW)


@given(st.lists(st.builds(AskAgain, guid=st.text(max_size=3), attempt_id=st.integers(1, 9)), max_size=90))
def test_no_more_than_the_cap_are_asked_for(asks: list[AskAgain]) -> None:
    kept = [verdict for verdict in leave_recorded(asks, frozenset()) if isinstance(verdict, AskAgain)]
    assert kept == asks[:MOST_ASKED]
