"""Which deliveries that never arrived GitHub is asked to attempt once more (architecture §4).

GitHub attempts a delivery once; whoever wants more has to ask. Its documentation says how under "Handling failed
webhook deliveries" and "REST API endpoints for GitHub App webhooks".
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

LOOK_BACK = timedelta(days=3)
"""How old an attempt may be: GitHub lists and repeats none that is older."""

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 30, 120, 360, 720, 1_440))
"""How long the latest attempt must be over before the next is asked for, by the number of attempts made so far.

A delivery that had one attempt more than there are pauses is given up. All pauses together end well before the first
attempt is no longer listed, so that attempts can be counted in the listing alone.
"""

MOST_ASKED = 30
"""How many deliveries of one connection are asked for in one sweep: far below GitHub's limits on writes."""

REFUSALS = frozenset({400, 401, 404, 413})
"""What our own webhook answers to a delivery that it would refuse again."""

_TAKEN = range(200, 300)


class LeaveReason(StrEnum):
    """Why a delivery is not asked for.

    ``other_event``: it cannot hold a trigger. ``delivered``: an attempt was taken. ``refused``: our webhook refused the
    latest attempt. ``first_unlisted``: its first attempt is not in the listing, so nobody knows how many there were.
    ``given_up``: it had every attempt it gets. ``too_soon``: its next pause is not over. ``recorded``: it was taken,
    although GitHub heard otherwise. ``over_cap``: enough others are asked for in this sweep.
    """

    OTHER_EVENT = "other_event"
    DELIVERED = "delivered"
    REFUSED = "refused"
    FIRST_UNLISTED = "first_unlisted"
    GIVEN_UP = "given_up"
    TOO_SOON = "too_soon"
    RECORDED = "recorded"
    OVER_CAP = "over_cap"


@dataclass(frozen=True)
class Attempt:
    """One attempt to deliver, as GitHub lists it.

    All attempts of one delivery share its ``guid``; ``redelivery`` tells the first from those that were asked for.
    ``status_code`` is our answer's, or one that GitHub puts in its place when there was none.
    """

    attempt_id: int
    guid: str
    event: str
    action: str | None
    delivered_at: datetime
    status_code: int
    redelivery: bool


@dataclass(frozen=True)
class AskAgain:
    """The delivery is to be attempted once more; ``attempt_id`` is its latest attempt."""

    guid: str
    attempt_id: int


@dataclass(frozen=True)
class Leave:
    """The delivery is not asked for."""

    guid: str
    reason: LeaveReason


Verdict = AskAgain | Leave


def judge_deliveries(
    attempts: Iterable[Attempt], wanted: Collection[tuple[str, str | None]], now: datetime
) -> tuple[Verdict, ...]:
    """Judge each delivery of a listing by its attempts alone, the one that was attempted first before the others.

    The listing may end before GitHub's does, but must hold everything that is newer than its oldest attempt. ``wanted``
    are the events that can hold a trigger, each with its action.
    """
    deliveries: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in sorted(attempts, key=lambda one: (one.delivered_at, one.attempt_id)):
        if now - attempt.delivered_at <= LOOK_BACK:
            deliveries[attempt.guid].append(attempt)
    return tuple(_judge(one, wanted, now) for one in deliveries.values())


def leave_recorded(
    verdicts: Sequence[Verdict], recorded: Collection[str], most: int = MOST_ASKED
) -> tuple[Verdict, ...]:
    """Leave what was ``recorded`` after all, and whatever would be more than ``most``; the first come first."""
    settled: list[Verdict] = []
    asked = 0
    for verdict in verdicts:
        if isinstance(verdict, Leave):
            settled.append(verdict)
        elif verdict.guid in recorded:
            settled.append(Leave(verdict.guid, LeaveReason.RECORDED))
        elif asked == most:
            settled.append(Leave(verdict.guid, LeaveReason.OVER_CAP))
        else:
            settled.append(verdict)
            asked += 1
    return tuple(settled)


def _judge(attempts: Sequence[Attempt], wanted: Collection[tuple[str, str | None]], now: datetime) -> Verdict:
    latest = attempts[-1]
    reason = _reason_to_leave(attempts, latest, wanted, now)
    return AskAgain(latest.guid, latest.attempt_id) if reason is None else Leave(latest.guid, reason)


def _reason_to_leave(
    attempts: Sequence[Attempt], latest: Attempt, wanted: Collection[tuple[str, str | None]], now: datetime
) -> LeaveReason | None:
    if (latest.event, latest.action) not in wanted:
        return LeaveReason.OTHER_EVENT
    if any(attempt.status_code in _TAKEN for attempt in attempts):
        return LeaveReason.DELIVERED
    if latest.status_code in REFUSALS:
        return LeaveReason.REFUSED
    if all(attempt.redelivery for attempt in attempts):
        return LeaveReason.FIRST_UNLISTED
    if len(attempts) > len(PAUSES):
        return LeaveReason.GIVEN_UP
    if now - latest.delivered_at < PAUSES[len(attempts) - 1]:
        return LeaveReason.TOO_SOON
    return None
