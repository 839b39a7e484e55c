"""How long one step may wait for the host before it leaves the waiting to its workflow."""

from collections.abc import Callable

BUDGET_SECONDS = 5.0
_FIRST_DELAY_SECONDS = 0.5


class RetryBudget:
    """The seconds a step may spend waiting between attempts, all its requests together: at most five."""

    def __init__(self, sleep: Callable[[float], None], seconds: float = BUDGET_SECONDS) -> None:
        self._sleep = sleep
        self._left = seconds

    def wait(self, attempt: int, at_least: float) -> bool:
        """Sleep before repeating a request that failed ``attempt`` times before, or say that the budget forbids it.

        The pause doubles with each attempt and is never shorter than ``at_least`` seconds, the host's own wish.
        """
        delay = max(at_least, _FIRST_DELAY_SECONDS * 2**attempt)
        if delay > self._left:
            return False
        self._left -= delay
        self._sleep(delay)
        return True
