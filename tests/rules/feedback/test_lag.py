"""How long what was just written may take to show (feedback §10)."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.lag import is_recent, may_still_show

WRITTEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@given(st.floats(-3600, 3600))
def test_what_does_not_show_may_still_show_for_two_minutes(seconds: float) -> None:
    now = WRITTEN + timedelta(seconds=seconds)
    early = now < WRITTEN + timedelta(minutes=2)
    assert may_still_show(WRITTEN.isoformat(), now) == early
    assert may_still_show("2026-11-30T12:00:00Z", now) == early


def test_a_doubt_is_over_after_exactly_two_minutes() -> None:
    assert [is_recent(seconds) for seconds in (-5, 0, 119.9, 120)] == [True, True, True, False]
