"""What becomes of the deliveries that came while a round had their pull request (feedback §2)."""

from collections.abc import Collection, Sequence


def left_unserved(suppressed: Sequence[str], told: Collection[str], *, skipped: bool) -> tuple[str, ...]:
    """Choose which suppressed deliveries are offered again when a round ends, in the order in which they came.

    A round that ends as a skip did nothing for any of them. After any other, those are left that its last report says
    were late, for whoever wrote them can read that; ``told`` are these. What nobody was told of is offered.
    """
    return tuple(delivery for delivery in suppressed if skipped or delivery not in told)
