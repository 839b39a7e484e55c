"""Which live run has an organisation (review §11)."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.run.lease import Claim, Lease, LeaseAnswer, ask, release, renew
from tests.support.review.pulls import NOON

HOUR = timedelta(hours=1)


def claim(number: int) -> Claim:
    """The run that began so many seconds after noon."""
    return Claim(NOON + timedelta(seconds=number), f"run-{number}")


def asked(lease: Lease, number: int, now: datetime = NOON) -> tuple[LeaseAnswer, Lease]:
    return ask(lease, claim(number), now=now, until=now + HOUR)


def test_a_free_organisation_is_taken_and_taking_it_again_renews() -> None:
    answer, held = asked(Lease(), 1)
    assert (answer, held.holder, held.fence, held.until) == (LeaseAnswer.HELD, "run-1", 1, NOON + HOUR)
    again, renewed = asked(held, 1, NOON + HOUR)
    assert (again, renewed.fence, renewed.until) == (LeaseAnswer.HELD, 1, NOON + 2 * HOUR)


def test_one_later_run_waits_and_a_still_later_one_takes_its_place() -> None:
    _, held = asked(Lease(), 1)
    second, waiting = asked(held, 2)
    third, replaced = asked(waiting, 3)
    assert (second, third) == (LeaseAnswer.WAIT, LeaseAnswer.WAIT)
    assert asked(replaced, 2)[0] is LeaseAnswer.REPLACED
    freed = release(replaced, "run-1")
    assert asked(freed, 2)[0] is LeaseAnswer.REPLACED
    answer, taken = asked(freed, 3)
    assert (answer, taken.holder, taken.fence) == (LeaseAnswer.HELD, "run-3", 2)


def test_a_run_that_was_replaced_does_not_come_back_when_all_is_over() -> None:
    _, lease = asked(Lease(), 1)
    _, lease = asked(lease, 3)
    _, lease = asked(release(lease, "run-1"), 3)
    assert asked(release(lease, "run-3"), 2)[0] is LeaseAnswer.REPLACED


def test_a_run_that_began_at_the_same_moment_as_another_is_not_replaced_by_it_whatever_it_is_called() -> None:
    for name, other in (("run-10", "run-9"), ("run-9", "run-10")):
        _, lease = ask(Lease(), Claim(NOON, other), now=NOON, until=NOON + HOUR)
        waiting, lease = ask(lease, Claim(NOON, name), now=NOON, until=NOON + HOUR)
        freed = release(lease, other)
        answer, taken = ask(freed, Claim(NOON, name), now=NOON, until=NOON + HOUR)
        assert (waiting, answer, taken.holder) == (LeaseAnswer.WAIT, LeaseAnswer.HELD, name)


def test_a_lease_that_was_not_renewed_is_taken_once_it_is_over_and_no_sooner() -> None:
    _, held = asked(Lease(), 1)
    assert asked(held, 2, NOON + HOUR)[0] is LeaseAnswer.WAIT
    answer, taken = asked(held, 2, NOON + HOUR + timedelta(seconds=1))
    assert (answer, taken.holder) == (LeaseAnswer.HELD, "run-2")
    assert renew(taken, "run-1", NOON + 9 * HOUR) is None


def test_only_the_holder_renews_and_releases() -> None:
    _, held = asked(Lease(), 1)
    assert renew(held, "run-2", NOON + 2 * HOUR) is None
    assert release(held, "run-2") == held
    assert release(held, "run-1").holder is None


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(["ask", "release", "renew"])), max_size=40))
def test_whatever_happens_nobody_gets_an_organisation_that_another_holds_in_time(steps: list[tuple[int, str]]) -> None:
    lease, now = Lease(), NOON
    for number, step in steps:
        now += timedelta(minutes=7)
        before = lease
        if step == "ask":
            answer, lease = asked(lease, number, now)
            assert (answer is LeaseAnswer.HELD) == (lease.holder == claim(number).execution)
            if not before.is_free(now) and before.holder != claim(number).execution:
                assert lease.holder == before.holder
        elif step == "release":
            lease = release(lease, f"run-{number}")
        else:
            lease = renew(lease, f"run-{number}", now + HOUR) or lease
        assert lease.fence >= before.fence
        assert (lease.fence > before.fence) == (lease.holder is not None and lease.holder != before.holder)
