"""How long one step waits for the host."""

from hypothesis import given
from hypothesis import strategies as st

from autoswe.github.transport.retry_budget import RetryBudget


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100)), max_size=40))
def test_a_step_waits_five_seconds_at_most_whatever_fails_how_often(failures: list[tuple[int, float]]) -> None:
    slept: list[float] = []
    budget = RetryBudget(slept.append)
    for attempt, at_least in failures:
        before = len(slept)
        if budget.wait(attempt, at_least):
            assert slept[before] >= at_least
        else:
            assert len(slept) == before
    assert sum(slept) <= 5


def test_pauses_double_until_the_budget_is_spent() -> None:
    slept: list[float] = []
    budget = RetryBudget(slept.append)
    assert [budget.wait(attempt, 0) for attempt in range(4)] == [True, True, True, False]
    assert slept == [0.5, 1, 2]


def test_a_wish_beyond_the_budget_is_not_waited_for_in_part() -> None:
    slept: list[float] = []
    assert not RetryBudget(slept.append).wait(0, 5.1)
    assert slept == []
