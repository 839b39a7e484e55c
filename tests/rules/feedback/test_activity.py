"""What is counted of rounds has few words, whatever went wrong (architecture §9.10)."""

from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.activity import counted_as
from autoswe.rules.feedback.ci_verdict import CiReason
from autoswe.rules.feedback.eligibility import SkipReason
from autoswe.rules.feedback.follow_up import NoFollowUp
from autoswe.rules.feedback.push_gate import PushRefusal


@pytest.mark.parametrize("reasons", [SkipReason, PushRefusal, NoFollowUp, CiReason])
def test_a_rules_own_reason_is_counted(reasons: type[StrEnum]) -> None:
    for reason in reasons:
        assert counted_as("a_step", "an_outcome", reason) == {
            "step": "a_step",
            "outcome": "an_outcome",
            "reason": reason,
        }


@given(st.none() | st.text().filter(lambda text: "_" not in text and text != "running"))
def test_no_other_text_becomes_a_counter(reason: str | None) -> None:
    assert counted_as("a_step", "raised", reason) == {"step": "a_step", "outcome": "raised"}
