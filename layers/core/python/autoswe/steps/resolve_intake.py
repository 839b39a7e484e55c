"""Resolve an intake: decide on a trigger that was written down to be decided on later (feedback §1).

That is a trigger which came while a round held its pull request, offered again because that round ended as a skip.
"""

from autoswe.intake_ports import Claims, PendingIntake, PendingIntakes, Suppression
from autoswe.rules.feedback.intake import IntakeOutcome
from autoswe.steps.slot_claim import claim_or_suppress


def resolve_intake(intake: PendingIntake, ledger: Claims, intakes: PendingIntakes) -> IntakeOutcome:
    """Claim the decision that the intake asks for, and record what became of it.

    ``suppressed`` means that the slot is held again, by a round that can offer the trigger once more when it ends.
    Raises ``SlotContended``, and whatever an adapter raises: the stream then brings the intake again.
    """
    became = claim_or_suppress(lambda: ledger.claim(intake.offer), lambda: intakes.suppress_again(intake))
    if isinstance(became, Suppression):
        return IntakeOutcome.SUPPRESSED
    outcome = IntakeOutcome(became)
    intakes.settle(intake, outcome)
    return outcome
