"""Whether an approval may still be written (review §8.3)."""

from dataclasses import replace
from typing import Any

import pytest

from autoswe.rules.review.pulls.candidate import Requested, Thread
from autoswe.rules.review.pulls.reread import SENTENCES, Live, RefusedApproval, Reviewed, judge_reread
from tests.support.review.pulls import COPILOT, EVENING, HEAD, OTHER, STATE, review

REVIEWED = Reviewed(head_sha=HEAD, base_ref="main")
LIVE = Live(STATE, base_ref="main", by_us=False, commits=(OTHER, HEAD))


def reasons(live: Live, ours: tuple[str, ...] = ()) -> list[str]:
    """Why the approval is not written."""
    return [reason.value for reason in judge_reread(REVIEWED, live, ours)]


def now(**changes: Any) -> Live:
    """The pull request with a change of its state."""
    return replace(LIVE, state=replace(STATE, **changes))


def test_an_unchanged_pull_request_may_be_approved() -> None:
    assert reasons(LIVE) == []


@pytest.mark.parametrize(
    ("live", "reason"),
    [
        (now(state="CLOSED"), "closed"),
        (now(state="MERGED"), "closed"),
        (now(is_draft=True), "draft"),
        (replace(now(head_sha="d" * 40), commits=(HEAD, "d" * 40)), "head_moved"),
        (replace(LIVE, base_ref="release"), "base_retargeted"),
        *((now(rollup=rollup), "ci_not_success") for rollup in ("PENDING", "FAILURE", "ERROR", None, "NEW")),
        (now(reviews=(review("CHANGES_REQUESTED", at=EVENING),)), "changes_requested"),
        (now(reviews=(review("APPROVED", at=EVENING),)), "already_approved"),
        (now(requested=(Requested("Bot", "Copilot"),)), "copilot_pending"),
        (now(threads=(Thread(resolved=False, opener=COPILOT),)), "copilot_feedback"),
        (replace(LIVE, by_us=True), "own_pull_request"),
        (now(reviews=None), "unreadable"),
        (now(requested=None), "unreadable"),
        (now(threads=None), "unreadable"),
        (now(reviews=(review("NEW"),)), "unreadable"),
        (replace(LIVE, commits=None), "unreadable"),
        (replace(LIVE, commits=(OTHER,)), "unreadable"),
    ],
)  # fmt: skip
def test_each_change_meanwhile_is_a_reason_of_its_own(live: Live, reason: str) -> None:
    assert reasons(live) == [reason]


@pytest.mark.parametrize("ours", [HEAD, OTHER])
def test_a_head_that_holds_a_commit_of_ours_is_never_approved(ours: str) -> None:
    assert reasons(LIVE, (ours,)) == ["own_commit"]
    assert reasons(LIVE, ("e" * 40,)) == []


def test_mergeability_is_the_mergers_business() -> None:
    assert reasons(now(mergeable="CONFLICTING")) == []


def test_every_reason_is_told_and_not_only_the_first() -> None:
    live = replace(now(is_draft=True, rollup="FAILURE"), base_ref="release")
    assert reasons(live) == ["draft", "base_retargeted", "ci_not_success"]


def test_each_reason_has_a_sentence_of_its_own() -> None:
    assert set(SENTENCES) == set(RefusedApproval)
    assert len(set(SENTENCES.values())) == len(SENTENCES)
    assert SENTENCES[RefusedApproval.HEAD_MOVED] == "head moved"
