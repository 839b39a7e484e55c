"""An offer is claimed or suppressed, and never lost in between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.ports.intake.claims import Claim, Suppression
from autoswe.steps.intake.slot_claim import SlotContended, claim_or_suppress


@given(st.lists(st.sampled_from(Claim)), st.lists(st.sampled_from(Suppression)))
def test_the_first_answer_that_settles_it_counts_and_without_one_the_offer_must_come_again(
    claims: list[Claim], suppressions: list[Suppression]
) -> None:
    claims += [Claim.HELD] * 9
    suppressions += [Suppression.FREED] * 9
    asked = [answer for pair in zip(claims[:3], suppressions[:3], strict=True) for answer in pair]
    settling = [answer for answer in asked if answer not in {Claim.HELD, Suppression.FREED}]
    if settling:
        assert claim_or_suppress(lambda: claims.pop(0), lambda: suppressions.pop(0)) is settling[0]
    else:
        with pytest.raises(SlotContended):
            claim_or_suppress(lambda: claims.pop(0), lambda: suppressions.pop(0))
