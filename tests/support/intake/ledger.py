"""The moves on a pull request's ledger that many tests start from, and a ledger that is disturbed at its work."""

from collections.abc import Callable
from typing import Any

from autoswe.contracts.records.platform import Decision, Fire
from autoswe.dynamodb.feedback.rounds import RoundTable
from autoswe.dynamodb.table.client import Table
from autoswe.dynamodb.table.keys import key
from tests.support.feedback.state import MockState
from tests.support.intake.deliveries import CONNECTION, REPOSITORY

LEASE = 600
HEAD = "1" * 40
FIX, OTHER_FIX = "a" * 40, "b" * 40
PULL = key("PR", CONNECTION, REPOSITORY, "7")
FIRST, REPLAY, RIVAL = "execution:first", "execution:replay", "execution:rival"


def claimed(state: MockState, decided: Decision, execution: str = FIRST) -> Fire:
    """Let an execution claim the pull request, which must be open to it."""
    fire = state.rounds.claim(decided, execution, LEASE)
    assert fire is not None
    return fire


def lose_slot(state: MockState, rival: Decision) -> None:
    """Let the lease run out and a rival take the pull request."""
    state.clock.advance(LEASE + 1)
    claimed(state, rival, RIVAL)


def recorded(state: MockState, decided: Decision) -> Fire:
    """Read a round that must be there."""
    fire = state.rounds.fire(decided)
    assert fire is not None
    return fire


def undisturbed(_operation: str) -> None:
    """Let a request pass."""


def disturbed_table(
    state: MockState,
    *,
    before: Callable[[str], None] = undisturbed,
    after: Callable[[str], None] = undisturbed,
) -> Table:
    """Reach the table through a client that calls ``before`` and ``after`` around each request with its operation."""

    class DisturbedClient:
        def __getattr__(self, operation: str) -> Callable[..., Any]:
            def ask(**request: Any) -> Any:
                before(operation)
                answer = getattr(state.mocked.client, operation)(**request)
                after(operation)
                return answer

            return ask

    client = DisturbedClient()
    return Table(state.mocked.table.name, lambda: client)


def disturbed(
    state: MockState,
    *,
    before: Callable[[str], None] = undisturbed,
    after: Callable[[str], None] = undisturbed,
) -> RoundTable:
    """Build the ledger on a disturbed table."""
    return RoundTable(disturbed_table(state, before=before, after=after), state.clock, state.backoff)
