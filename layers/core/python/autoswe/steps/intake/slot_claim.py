"""How an offer is decided on while others compete for its pull request's slot (feedback §1)."""

from collections.abc import Callable

from autoswe.ports.intake.claims import Claim, Suppression

_ATTEMPTS = 3


class SlotContended(Exception):
    """A pull request's slot kept changing hands; nothing was recorded, and the offer must come again."""


def claim_or_suppress(claim: Callable[[], Claim], suppress: Callable[[], Suppression]) -> Claim | Suppression:
    """Claim the decision, or record the offer as suppressed while another decision holds the slot.

    The slot may become free between the two: then the claim is made again, a few times. Never returns ``held`` or
    ``freed``. Raises ``SlotContended``.
    """
    for _ in range(_ATTEMPTS):
        claimed = claim()
        if claimed is not Claim.HELD:
            return claimed
        suppressed = suppress()
        if suppressed is not Suppression.FREED:
            return suppressed
    raise SlotContended("the slot of a pull request kept changing hands")
