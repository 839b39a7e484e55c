"""The ledger of rounds: who runs one now, what it wrote, how it ended (architecture §4, feedback §5)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypeVar
from uuid import uuid4

from autoswe.contracts.records.platform import Decision, Fire, FireOutcome
from autoswe.dynamodb.feedback import transitions as round_transitions
from autoswe.dynamodb.feedback.snapshot import RoundSnapshot, fire_key
from autoswe.dynamodb.feedback.suppressed import intake_row, suppressed_deliveries, suppressed_delivery
from autoswe.dynamodb.feedback.transitions import Transition
from autoswe.dynamodb.feedback.writes import read_written, row_of
from autoswe.dynamodb.records.slots import pull_partition, slot_key
from autoswe.dynamodb.table.attributes import number, text
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.contract_rows import from_row
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.dynamodb.table.rows import Key, Row, Rows, put, update
from autoswe.dynamodb.table.timestamps import timestamp
from autoswe.ports.feedback.rounds import Written
from autoswe.ports.slots import Hold
from autoswe.rules.records.decisions import decision_digest
from autoswe.rules.records.slots import LEASE

T = TypeVar("T")

_LOOKS = 5
"""How often a transition is decided anew because the round had changed before its writes were made."""


class RoundSuperseded(Exception):
    """The round is another execution's by now, or over; what this one wanted to record was not recorded."""


class WriteNotIntended(Exception):
    """An effect was to be recorded of a write that this decision has not announced, or that another has taken over."""


class RoundTable:
    """The ledger of rounds in the table.

    Every method raises ``Contended`` when the table cannot answer now, or when others kept changing the same round, and
    ``MalformedRow`` when a row is not what it should be. Times are to the second. A write whose reply was lost may be
    made again: that changes nothing.
    """

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)
        self._now = now

    def fire(self, decision: Decision) -> Fire | None:
        """Read the decision's round."""
        row = self._rows.read(fire_key(decision))
        return None if row is None else from_row(Fire, row)

    def hold(self, decision: Decision) -> Hold:
        """Keep the pull request's slot for a decision that is about to start, as long as its claim would keep it."""
        lease_until = timestamp(self._now() + LEASE)
        return self._settle(decision, lambda snapshot: round_transitions.hold(snapshot, lease_until))

    def claim(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        """Take the pull request's slot for this execution and make it the round's current one.

        ``None`` when another decision holds the slot, or when this execution has closed the round already.
        ``started_at`` says since when the decision has had the slot without a break: since it was decided, when the
        round is claimed in time.
        """
        return self._settle(
            decision, lambda snapshot: round_transitions.claim(snapshot, execution, self._in(lease_seconds))
        )

    def held(self, decision: Decision, execution: str, lease_seconds: int) -> Fire | None:
        """Renew the lease and return the round if this execution still holds the slot, else ``None``.

        A lease that ran out is still held as long as nobody has taken the slot.
        """
        return self._settle(
            decision, lambda snapshot: round_transitions.renew(snapshot, execution, self._in(lease_seconds))
        )

    def record_head(self, decision: Decision, execution: str, head_sha: str, head_ref: str) -> None:
        """Record the commit and branch the fix is cut from; raises ``RoundSuperseded``."""
        running = {"execution": execution, "outcome": FireOutcome.RUNNING}
        head = {"head_sha": head_sha, "head_ref": head_ref}
        if not self._rows.write(update(fire_key(decision), head, expect=running)):
            raise RoundSuperseded("the head was not recorded: the round is another execution's, or over")

    def record_commit(self, decision: Decision, execution: str, commit_sha: str, instead_of: str | None) -> str | None:
        """Record the fix on the round and as a commit of ours, before it is pushed; return the commit on record then.

        Another commit than ``instead_of`` stays on record. ``None`` when the slot is not this execution's.
        """
        return self._settle(
            decision, lambda snapshot: round_transitions.record_commit(snapshot, execution, commit_sha, instead_of)
        )

    def record_pushed(self, decision: Decision, commit_sha: str) -> None:
        """Record that the branch holds the fix; the round counts from now on, once.

        Raises ``RoundSuperseded`` when the round's commit is another one.
        """
        pushed = update(
            fire_key(decision),
            {"pushed": True, "pushed_sha": commit_sha},
            once={"pushed_at": (at := timestamp(self._now())), "commit_pushed_at": at},
            expect={"commit_sha": commit_sha},
        )
        if not self._rows.write(pushed):
            raise RoundSuperseded("the push was not recorded: the round's commit is another one")

    def earlier_commits(self, decision: Decision) -> tuple[str, ...]:
        """List the commits of the automation's other pushed rounds on this pull request, newest first.

        Each round stands for one commit, the last it pushed, in the place of its first push.
        """
        rows = self._rows.query(
            pull_partition(decision),
            key("FIRE", ""),
            key("FIRE", "~"),
            where="automation_id = :automation AND decision_id <> :decision AND attribute_exists(pushed_sha)",
            automation=decision.automation_id,
            decision=decision.decision_id,
        )
        newest_first = sorted(rows, key=lambda row: (text(row, "pushed_at"), number(row, "fence")), reverse=True)
        return tuple(text(row, "pushed_sha") for row in newest_first)

    def intend(self, decision: Decision, write: str) -> None:
        """Record that a write is about to be made; recording it again changes nothing.

        A later decision that makes a write of the same name takes it over, its effect forgotten.
        """
        intent = {"decision_id": decision.decision_id, "intended_at": timestamp(self._now())}
        self._rows.write(put({**_write_key(decision, write), **intent}, unless={"decision_id": decision.decision_id}))

    def effect(self, decision: Decision, write: str, effect: str) -> None:
        """Record what a write left behind; raises ``WriteNotIntended``."""
        announced = {"decision_id": decision.decision_id}
        if not self._rows.write(update(_write_key(decision, write), {"effect": effect}, expect=announced)):
            raise WriteNotIntended(f"{write} is not a write that this decision intends")

    def intended(self, decision: Decision, write: str) -> str | None:
        """Say which decision intended a write on this pull request, if any did."""
        row = self._rows.read(_write_key(decision, write))
        return None if row is None else text(row, "decision_id")

    def written(self, decision: Decision, write: str) -> Written | None:
        """Read what is on record of a write on this pull request, whichever decision announced it."""
        row = self._rows.read(_write_key(decision, write))
        return None if row is None else read_written(row)

    def announce(self, decision: Decision, write: str, seen: Written | None) -> Written | None:
        """Record that a write is about to be made, as long as its record is still what was seen; else ``None``.

        Each call is an announcement of its own: one whose reply was lost is found again by its number.
        """
        announced = Written(decision.decision_id, timestamp(self._now()))
        number_of_its_own = {"announcement": uuid4().hex}
        kept = {name: value for name, value in row_of(announced).items() if value is not None}
        row = {**_write_key(decision, write), **kept, **number_of_its_own}
        if self._rows.write(put(row, expect={"pk": None} if seen is None else row_of(seen))):
            return announced
        there = self._rows.read(_write_key(decision, write)) or {}
        return announced if there.get("announcement") == number_of_its_own["announcement"] else None

    def settle(self, decision: Decision, write: str, seen: Written, effect: str, content: str | None) -> None:
        """Record what a write left behind, unless its record is not what was seen any more."""
        left = {"decision_id": decision.decision_id, "effect": effect, "content": content}
        self._rows.write(update(_write_key(decision, write), left, expect=row_of(seen)))

    def doubted_seconds(self, decision: Decision, what: str) -> float:
        """Say how long ago the decision's round first doubted something; the first time that is now, on record."""
        place = {"pk": pull_partition(decision), "sk": key("DOUBT", decision_digest(decision.decision_id), what)}
        now = timestamp(self._now())
        if self._rows.write(put({**place, "since": now}, expect={"pk": None})):
            return 0.0
        row = self._rows.read(place)
        since = now if row is None else text(row, "since")
        return (self._now() - datetime.fromisoformat(since)).total_seconds()

    def close(self, decision: Decision, execution: str, outcome: FireOutcome, reason: str | None) -> bool:
        """Write the outcome and free the slot; false when this execution is not the round's current one.

        Closing again leaves the first outcome. A round that nobody claimed, because its workflow failed or was skipped
        before that, is closed by the first execution that asks while the slot is still the decision's.
        Raises ``ValueError`` for ``running``, which is no end.
        """
        if outcome is FireOutcome.RUNNING:
            raise ValueError("a round cannot be closed as running")
        return self._settle(decision, lambda snapshot: round_transitions.close(snapshot, execution, outcome, reason))

    def take_up(self, decision: Decision, attempt: int) -> None:
        """Have the decision's round started anew as this attempt, from 1, by the next sweep; again changes nothing."""
        waiting: Row = {"unstarted": "decision", "attempt": attempt}
        before = attempt - 1 or None
        self._rows.write(update({"pk": decision.decision_id, "sk": SINGLE}, waiting, expect={"attempt": before}))

    def suppressed_during(self, decision: Decision) -> tuple[str, ...]:
        """List the deliveries suppressed on this pull request since the round started, oldest first.

        A round that nobody claimed started when it was decided. The delivery that the round came from is left out.
        """
        fire = self.fire(decision)
        return suppressed_deliveries(self._rows, decision, fire.started_at if fire else decision.decided_at)

    def offer_again(self, decision: Decision, delivery: str) -> None:
        """Offer a suppressed delivery as a new intake row; the same round offering it again changes nothing.

        Raises ``DeliveryNotSuppressed`` when no such delivery was suppressed on the pull request.
        """
        event = suppressed_delivery(self._rows, decision, delivery)
        self._rows.write(put(intake_row(event, decision, self._now()), expect={"pk": None}))

    def note(self, decision: Decision, event: str) -> None:
        """Write a fixed-string activity event under the pull request; the decision's same event again changes nothing.

        The row's key must not depend on when a step is tried, so it carries the time of the decision; ``noted_at`` is
        the time of the event.
        """
        event_id = sha256(key(decision.decision_id, event).encode()).hexdigest()[:16]
        place = {"pk": pull_partition(decision), "sk": key("EVENT", decision.decided_at, event_id)}
        content = {"event": event, "decision_id": decision.decision_id, "noted_at": timestamp(self._now())}
        self._rows.write(put({**place, **content}, expect={"pk": None}))

    def _settle(self, decision: Decision, transition: Callable[[RoundSnapshot], Transition[T]]) -> T:
        for _ in range(_LOOKS):
            fire, slot = self._rows.read_together(fire_key(decision), slot_key(decision))
            decided = transition(RoundSnapshot.read(decision, fire, slot, timestamp(self._now())))
            if not decided.writes or self._rows.write(*decided.writes):
                return decided.answer
        raise Contended("others kept changing the same round")

    def _in(self, seconds: int) -> str:
        return timestamp(self._now() + timedelta(seconds=seconds))


def _write_key(decision: Decision, write: str) -> Key:
    return {"pk": pull_partition(decision), "sk": key("WRITE", write)}
