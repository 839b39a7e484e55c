"""The leases on organisations: one live run each (review §11)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from autoswe.contracts.review.rows import ReviewLease
from autoswe.dynamodb.table.client import Backoff, Contended, Table
from autoswe.dynamodb.table.contract_rows import from_row
from autoswe.dynamodb.table.keys import SINGLE, key
from autoswe.dynamodb.table.rows import Key, Row, Rows, update
from autoswe.dynamodb.table.timestamps import timestamp
from autoswe.rules.review.run import lease as rules
from autoswe.rules.review.run.lease import Claim, Lease, LeaseAnswer

T = TypeVar("T")

_LOOKS = 5
"""How often an answer is found anew because others changed the lease before it was written."""


class ReviewLeaseTable:
    """The leases in the table; every method raises ``Contended`` and ``MalformedRow``. Times are to the second.

    GitHub takes an organisation's name in any case, and so does a lease.
    """

    def __init__(self, table: Table, now: Callable[[], datetime], backoff: Backoff) -> None:
        self._rows = Rows(table, backoff)
        self._now = now

    def ask(self, org: str, execution: str, since: datetime, seconds: int) -> LeaseAnswer:
        """Take an organisation for ``seconds``, or a place in the queue for it."""
        claim = Claim(since, execution)
        return self._settle(org, lambda lease: rules.ask(lease, claim, now=self._now(), until=self._in(seconds)))

    def held(self, org: str, execution: str, seconds: int) -> bool:
        """Renew the lease; false when the execution does not have it any more."""

        def renewed(lease: Lease) -> tuple[bool, Lease]:
            longer = rules.renew(lease, execution, self._in(seconds))
            return (False, lease) if longer is None else (True, longer)

        return self._settle(org, renewed)

    def release(self, org: str, execution: str) -> None:
        """Give the organisation up; of anybody else nothing is taken."""
        self._settle(org, lambda lease: (None, rules.release(lease, execution)))

    def _settle(self, org: str, answer: Callable[[Lease], tuple[T, Lease]]) -> T:
        place: Key = {"pk": key("LOCK", "review", org.casefold()), "sk": SINGLE}
        for _ in range(_LOOKS):
            row = self._rows.read(place)
            before = Lease() if row is None else _lease(from_row(ReviewLease, row))
            answered, after = answer(before)
            if after == before or self._rows.write(update(place, _attributes(after), expect=_attributes(before))):
                return answered
        raise Contended("others kept changing the same lease")

    def _in(self, seconds: int) -> datetime:
        return self._now() + timedelta(seconds=seconds)


def _lease(kept: ReviewLease) -> Lease:
    newest = None
    if kept.newest is not None and kept.newest_since is not None:
        newest = Claim(datetime.fromisoformat(kept.newest_since), kept.newest)
    until = None if kept.lease_until is None else datetime.fromisoformat(kept.lease_until)
    return Lease(kept.holder, kept.fence, until, newest)


def _attributes(lease: Lease) -> Row:
    return {
        "holder": lease.holder,
        "fence": lease.fence or None,
        "lease_until": None if lease.until is None else timestamp(lease.until),
        "newest": None if lease.newest is None else lease.newest.execution,
        "newest_since": None if lease.newest is None else timestamp(lease.newest.since),
    }
