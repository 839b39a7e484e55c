"""Resolve an intake: decide on a trigger that was written down to be decided on later (feedback §1).

That is a trigger which came while a round held its pull request, offered again because that round ended as a skip.
"""

from autoswe.intake_ports import Claim, Claims, PendingIntake, Settlements
from autoswe.rules.feedback.intake import IntakeOutcome


def resolve_intake(intake: PendingIntake, ledger: Claims, settlements: Settlements) -> IntakeOutcome:
    """Claim the decision that the intake asks for, and record what became of it.

    ``suppressed`` means that the slot is held again: the record of the suppressed delivery stays, for the round that
    holds the slot to offer it again.
    """
    claim = ledger.claim(intake.offer)
    outcome = IntakeOutcome.SUPPRESSED if claim is Claim.HELD else IntakeOutcome(claim)
    settlements.settle(intake, outcome)
    return outcome
