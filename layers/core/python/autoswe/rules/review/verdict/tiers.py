"""The words of a review's verdict: what was found of a change, and what was done about it (review §7.3, §18.6)."""

from enum import StrEnum


class Tier(StrEnum):
    """How much a person is needed.

    ``trivial``: nothing that changes behaviour. ``low-risk``: a full review found nothing. ``needs-human``: the rest,
    any doubt included.
    """

    TRIVIAL = "trivial"
    LOW_RISK = "low-risk"
    NEEDS_HUMAN = "needs-human"


APPROVABLE = frozenset({Tier.TRIVIAL, Tier.LOW_RISK})
"""The tiers that an approval can carry at all."""


class Verdict(StrEnum):
    """What became of one pull request that was selected.

    ``approved``: our approval stands on it. ``would-approve``: a dry run would have approved it. ``needs-human``: a
    person decides. ``failed``: nobody knows, and the next run looks again.
    """

    APPROVED = "approved"
    WOULD_APPROVE = "would-approve"
    NEEDS_HUMAN = "needs-human"
    FAILED = "failed"
