"""What a round's start, claim, renewal, commit and end write, given where it stands; nothing here reads or writes.

Each transition answers its caller and names the writes that make the answer true. The writes are conditional on what
was seen: when one of them finds something else, nothing is written and the round must be looked at again.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from autoswe.contracts.records.platform import Decision, Fire, FireOutcome
from autoswe.dynamodb.feedback.snapshot import RoundSnapshot, fire_key
from autoswe.dynamodb.records.slots import Slot, slot_key
from autoswe.dynamodb.table import keys
from autoswe.dynamodb.table.contract_rows import to_row
from autoswe.dynamodb.table.rows import Key, Row, Write, check, update
from autoswe.ports.slots import Hold
from autoswe.rules.records.attempts import may_be_taken_up

T = TypeVar("T")


@dataclass(frozen=True)
class Transition(Generic[T]):
    """An answer, and the writes it depends on; without writes it holds as it is."""

    answer: T
    writes: tuple[Write, ...] = ()


def hold(snapshot: RoundSnapshot, lease_until: str) -> Transition[Hold]:
    """Take the slot for a decision that no execution has claimed yet, or prolong its lease, so that it can start.

    Only a slot that changes hands gets the next fence. A round that was claimed before may be over: it would hold the
    slot in vain. Whoever claims or ends it meanwhile changes the slot. One that is to be taken up again starts as long
    as no other decision had the pull request since.
    """
    slot, decision = snapshot.slot, snapshot.decision
    if snapshot.fire is not None and not _is_to_be_taken_up(snapshot, snapshot.fire):
        return Transition(Hold.GATHERED)
    if not slot.is_open_to(decision.decision_id, snapshot.now):
        return Transition(Hold.TAKEN)
    fence = slot.fence if snapshot.slot_is_the_decisions else slot.fence + 1
    kept: Row = {"holder": decision.decision_id, "fence": fence, "lease_until": lease_until}
    return Transition(Hold.HELD, (update(slot_key(decision), kept, expect=_slot_as_seen(slot)),))


def claim(snapshot: RoundSnapshot, execution: str, lease_until: str) -> Transition[Fire | None]:
    """Take the slot for an execution, or give no round when the slot is another decision's.

    An execution that holds the slot keeps its fence. Any other gets the next one and takes over from the one before.
    An execution that has closed the round is over: it gets nothing, so that a late retry cannot block the pull request.
    """
    fire, slot, decision = snapshot.fire, snapshot.slot, snapshot.decision
    if snapshot.held_by(execution) is not None:
        return renew(snapshot, execution, lease_until)
    closed = fire is not None and fire.execution == execution and fire.outcome is not FireOutcome.RUNNING
    if closed or not slot.is_open_to(decision.decision_id, snapshot.now):
        return Transition(None)
    taken = (fire or _unclaimed(decision, execution)).model_copy(
        update={
            "execution": execution,
            "fence": slot.fence + 1,
            "outcome": FireOutcome.RUNNING,
            "attempt": decision.attempt,
            "started_at": _started_at(snapshot),
            "ended_at": None,
        }
    )
    holder: Row = {"holder": decision.decision_id, "fence": taken.fence, "lease_until": lease_until}
    return Transition(
        taken,
        (
            _write_fire(decision, taken, expect=_as_seen(fire), reason=None, ended_at=None),
            update(slot_key(decision), holder, expect=_slot_as_seen(slot)),
        ),
    )


def renew(snapshot: RoundSnapshot, execution: str, lease_until: str) -> Transition[Fire | None]:
    """Prolong the lease of an execution that still holds the slot; there is no round for any other."""
    fire = snapshot.held_by(execution)
    if fire is None:
        return Transition(None)
    held = _held(snapshot.decision, fire)
    return Transition(fire, (update(slot_key(snapshot.decision), {"lease_until": lease_until}, expect=held),))


def record_commit(
    snapshot: RoundSnapshot, execution: str, commit_sha: str, instead_of: str | None
) -> Transition[str | None]:
    """Record the fix on the round and as a commit of ours, and give the commit that is on record then.

    Any other commit than ``instead_of`` stays: a try that overlaps with this one recorded it, and may push it this very
    moment. There is none when this execution does not hold the slot. A commit other than the one that was pushed is not
    pushed yet; that the round has pushed before is kept.
    """
    decision, fire = snapshot.decision, snapshot.held_by(execution)
    if fire is None:
        return Transition(None)
    if fire.commit_sha not in {commit_sha, instead_of}:
        return Transition(fire.commit_sha)
    known = fire.commit_sha == commit_sha
    pushed_at = fire.commit_pushed_at if known else None
    changed = fire.model_copy(update={"commit_sha": commit_sha, "pushed": fire.pushed and known})
    return Transition(
        commit_sha,
        (
            update(
                commit_key(decision, commit_sha),
                {},
                once={
                    "decision_id": decision.decision_id,
                    "pull_number": decision.pull_number,
                    "recorded_at": snapshot.now,
                },
            ),
            _write_fire(decision, changed, expect=_as_seen(fire), commit_pushed_at=pushed_at),
            check(slot_key(decision), expect=_held(decision, fire)),
        ),
    )


def close(snapshot: RoundSnapshot, execution: str, outcome: FireOutcome, reason: str | None) -> Transition[bool]:
    """End the round and free the slot it holds; false when another execution is the round's current one.

    A round that no execution has claimed is ended by the first that asks, as long as the slot is the decision's own:
    a workflow can end before it claims. The first outcome stays. A slot that another decision has taken is left alone.
    """
    decision, fire, slot = snapshot.decision, snapshot.fire, snapshot.slot
    if fire is None:
        if not snapshot.slot_is_the_decisions:
            return Transition(False)
        fire = _unclaimed(decision, execution).model_copy(update={"fence": slot.fence})
    elif fire.execution != execution:
        return Transition(False)
    elif fire.outcome is not FireOutcome.RUNNING:
        return Transition(True)
    ended = _write_fire(
        decision,
        fire.model_copy(update={"outcome": outcome}),
        expect=_as_seen(snapshot.fire),
        reason=reason,
        ended_at=snapshot.now,
    )
    if not snapshot.slot_is_the_decisions or slot.fence != fire.fence:
        return Transition(True, (ended,))
    freed = update(slot_key(decision), {"holder": None, "lease_until": None}, expect=_held(decision, fire))
    return Transition(True, (ended, freed))


def commit_key(decision: Decision, commit_sha: str) -> Key:
    """Return the key of a commit of ours."""
    return keys.commit_key(decision.connection, decision.repository, commit_sha)


def _unclaimed(decision: Decision, execution: str) -> Fire:
    """Make the round of a decision whose slot nobody has claimed yet."""
    return Fire(execution=execution, fence=0, outcome=FireOutcome.RUNNING, started_at=decision.decided_at)


def _started_at(snapshot: RoundSnapshot) -> str:
    """Say since when the decision has had the slot without a break: what was suppressed since then is this round's."""
    fire = snapshot.fire
    if not snapshot.slot_is_the_decisions:
        return snapshot.now
    if fire is None:
        return snapshot.decision.decided_at
    # What came before a round's end was offered again then, and after it the slot was free until it was taken anew.
    return fire.ended_at or fire.started_at


def _is_to_be_taken_up(snapshot: RoundSnapshot, fire: Fire) -> bool:
    decision, slot = snapshot.decision, snapshot.slot
    over = fire.outcome is not FireOutcome.RUNNING and fire.attempt < decision.attempt
    untouched = slot.fence == fire.fence or snapshot.slot_is_the_decisions
    decided_at, now = datetime.fromisoformat(decision.decided_at), datetime.fromisoformat(snapshot.now)
    return over and untouched and may_be_taken_up(fire.attempt, decided_at, now)


def _write_fire(decision: Decision, fire: Fire, *, expect: Row, **beside: str | None) -> Write:
    identity: Row = {"decision_id": decision.decision_id, "automation_id": decision.automation_id}
    return update(fire_key(decision), {**identity, **to_row(fire), **beside}, expect=expect)


def _as_seen(fire: Fire | None) -> Row:
    """Expect the round to be what the transition was decided on, as far as others may change it."""
    if fire is None:
        return {"execution": None}
    seen = to_row(fire)
    return {name: seen.get(name) for name in ("execution", "fence", "outcome", "head_sha", "commit_sha", "pushed")}


def _slot_as_seen(slot: Slot) -> Row:
    return {"holder": slot.holder, "fence": slot.fence or None, "lease_until": slot.lease_until}


def _held(decision: Decision, fire: Fire) -> Row:
    return {"holder": decision.decision_id, "fence": fire.fence}
