"""The names that a round gives never meet those of another (feedback §4, §5)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.feedback.naming import (
    artifact_key,
    reply_marker_key,
    report_key,
    summary_marker_key,
    work_branch,
    work_branch_write,
)
from autoswe.rules.records.decisions import decision_digest
from autoswe.rules.text.markers import MarkerKind, marker

DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
decision_ids = st.text(st.characters(codec="utf-8"), min_size=1)
numbers = st.integers(1, 2**63)


def test_a_decision_is_named_by_the_sha256_of_its_id() -> None:
    assert decision_digest("abc") == DIGEST


def test_a_fix_goes_to_one_work_branch_of_the_pull_request_first() -> None:
    assert work_branch(7) == "auto-swe/feedback/pr-7"


def test_the_write_of_a_work_branch_is_recorded_for_one_decision() -> None:
    assert work_branch_write("abc", 7) == f"auto-swe/feedback/pr-7@{DIGEST[:16]}"


def test_a_reports_place_follows_from_its_decision_and_commit() -> None:
    assert report_key("abc", "c" * 40) == f"rounds/{DIGEST}/report-{'c' * 40}.json"


def test_an_executions_objects_lie_below_its_decision() -> None:
    kept = artifact_key("abc", "run", "change.json", follow_up=False)
    assert re.fullmatch(rf"rounds/{DIGEST}/[0-9a-f]{{16}}/change\.json", kept)


@given(*(st.tuples(decision_ids, st.text(max_size=20), st.booleans()) for _ in range(2)))
def test_neither_two_executions_nor_a_fix_and_its_follow_up_share_an_object(
    one: tuple[str, str, bool], other: tuple[str, str, bool]
) -> None:
    keys = {artifact_key(decision_id, run, "x", follow_up=follow_up) for decision_id, run, follow_up in (one, other)}
    assert (len(keys) == 1) is (one == other)


@given(decision_ids, decision_ids, numbers, numbers)
def test_a_reply_is_marked_once_for_a_decision_and_a_thread(one: str, other: str, root: int, other_root: int) -> None:
    same = (one, root) == (other, other_root)
    assert (reply_marker_key(one, root) == reply_marker_key(other, other_root)) is same


def test_a_replys_key_is_a_part_of_the_decisions_digest_and_the_comments_number() -> None:
    assert reply_marker_key("abc", 9) == f"{DIGEST[:16]}-9"


@given(decision_ids, numbers)
def test_every_key_can_stand_in_a_marker(decision_id: str, number: int) -> None:
    assert marker(MarkerKind.REPLY, reply_marker_key(decision_id, number))
    assert marker(MarkerKind.SUMMARY, summary_marker_key(number))
