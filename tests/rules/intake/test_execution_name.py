"""A decision's execution has one name, and one that Step Functions takes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.intake.execution_name import execution_name

decision_ids = st.text(st.characters(codec="utf-8"), min_size=1)


@given(decision_ids)
def test_a_name_keeps_to_the_length_and_the_characters_that_are_allowed(decision_id: str) -> None:
    """Step Functions: "StartExecution", parameter "name"."""
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,80}", execution_name(decision_id))


@given(decision_ids, decision_ids)
def test_two_decisions_share_no_name_and_one_decision_keeps_its_own(one: str, other: str) -> None:
    assert (execution_name(one) == execution_name(other)) is (one == other)


def test_the_name_is_fb_and_the_sha256_of_the_decisions_id() -> None:
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert execution_name("abc") == f"fb-{digest}"
