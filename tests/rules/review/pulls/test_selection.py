"""Which pull requests a run reviews, and which reason the others are given (review §5)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.pulls.candidate import Account, Candidate, Requested, Review, Thread
from autoswe.rules.review.pulls.selection import (
    Policy,
    Selected,
    Skip,
    SkipReason,
    Survives,
    count_reasons,
    effective_cap,
    in_order_of_age,
    judge_brief,
    judge_full,
)
from autoswe.rules.review.run.ledger import Assessment, merge
from autoswe.rules.review.verdict.tiers import Tier, Verdict
from tests.support.review.pulls import (
    COPILOT,
    DIFF,
    EVENING,
    HEAD,
    MORNING,
    NOON,
    OTHER,
    PERSON,
    POLICY,
    READY,
    review,
    with_state,
)

KIB = 1024


def reason_of(candidate: Candidate, policy: Policy = POLICY, remembered: tuple[Assessment, ...] = ()) -> str | None:
    """The reason why a pull request, all of it read, is left out."""
    judged = judge_full(policy, merge(remembered, now=EVENING), candidate)
    return judged.reason.value if isinstance(judged, Skip) else None


def test_a_pull_request_that_no_rule_catches_is_selected() -> None:
    assert judge_full(POLICY, {}, READY) == Selected()


CAUGHT: dict[str, tuple[Candidate, ...]] = {
    "repository": (replace(READY, repository="other/tool"), replace(READY, archived=True)),
    "bot_author": (
        replace(READY, author=None),
        replace(READY, author=Account("Bot", "dependabot")),
        replace(READY, author=Account("User", "helper[bot]")),
        replace(READY, author=Account("User", "Helper[BOT]")),
        replace(READY, author=Account("User", "pat", is_bot=True)),
        replace(READY, author=Account("Mannequin", "pat")),
        replace(READY, author=Account("SomethingNew", "pat")),
    ),
    "closed": tuple(with_state(state=state) for state in ("CLOSED", "MERGED", "SOMETHING_NEW", "")),
    "draft": (with_state(is_draft=True),),
    "conflicting": (with_state(mergeable="CONFLICTING"),),
    "changes_requested": (
        with_state(reviews=(review("CHANGES_REQUESTED"),)),
        with_state(reviews=(review("CHANGES_REQUESTED", commit=OTHER),)),
        with_state(reviews=(review("CHANGES_REQUESTED", author=None),)),
    ),
    "already_approved": tuple(with_state(reviews=(review("APPROVED", commit=commit),)) for commit in (HEAD, None)),
    "copilot_pending": tuple(
        with_state(requested=(Requested("User", "rae"), Requested("Bot", login)))
        for login in ("copilot-pull-request-reviewer", "copilot-pull-request-reviewer[bot]", "Copilot")
    ),
    "copilot_feedback": (with_state(threads=(Thread(resolved=False, opener=COPILOT),)),),
    "ci_pending": (with_state(rollup="PENDING"), with_state(rollup="EXPECTED")),
    "ci_failing": (with_state(rollup="FAILURE"), with_state(rollup="ERROR")),
    "ci_none": (with_state(rollup=None),),
    "head_moved": (
        replace(READY, diff=replace(DIFF, head_sha=OTHER)),
        replace(READY, diff=replace(DIFF, base_sha=OTHER)),
    ),
    "too_large": (
        replace(with_state(changed_files=201), diff=replace(DIFF, files=201)),
        replace(READY, diff=replace(DIFF, patch_bytes=512 * KIB + 1)),
    ),
    "unreadable": (
        with_state(mergeable="SOMETHING_NEW"),
        with_state(reviews=(review("SOMETHING_NEW"),)),
        with_state(reviews=(review("APPROVED", at=None),)),
        with_state(reviews=None),
        with_state(requested=None),
        with_state(requested=(None,)),
        with_state(threads=None),
        with_state(threads=(Thread(resolved=False, opener=None),)),
        with_state(rollup="SOMETHING_NEW"),
        replace(READY, state=None),
        replace(READY, diff=None),
        replace(READY, diff=replace(DIFF, files=1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reason", "candidate"), [(name, each) for name, group in CAUGHT.items() for each in group])
def test_each_reason_catches_what_it_means_and_what_is_not_told_is_no_pass(reason: str, candidate: Candidate) -> None:
    assert reason_of(candidate) == reason


@pytest.mark.parametrize(
    "candidate",
    [
        with_state(mergeable="UNKNOWN"),
        with_state(reviews=(review("APPROVED", commit=OTHER),)),
        with_state(reviews=(review("COMMENTED"), review("PENDING", at=None), review("DISMISSED"))),
        with_state(requested=(Requested("User", "rae"), Requested("Team", None), Requested("User", "copilot"))),
        with_state(threads=(Thread(resolved=True, opener=COPILOT), Thread(resolved=False, opener=PERSON))),
        with_state(threads=(Thread(resolved=True, opener=None),)),
        replace(with_state(changed_files=200), diff=replace(DIFF, files=200, patch_bytes=512 * KIB)),
        replace(READY, repository="ACME/Tool"),
        replace(READY, author=Account("EnterpriseUserAccount", "pat")),
    ],
)
def test_what_is_no_reason_lets_a_pull_request_through(candidate: Candidate) -> None:
    assert reason_of(candidate) is None


REVIEWS: dict[str, tuple[tuple[Review, ...], str | None]] = {
    "a later comment does not lift a request for changes": (
        (review("CHANGES_REQUESTED", at=MORNING), review("COMMENTED", at=EVENING)),
        "changes_requested",
    ),
    "a later approval by the same reviewer does, whatever the spelling": (
        (review("CHANGES_REQUESTED", at=MORNING), review("APPROVED", author="Rae", commit=OTHER, at=EVENING)),
        None,
    ),
    "an approval by somebody else does not": (
        (review("CHANGES_REQUESTED", at=MORNING), review("APPROVED", author="sam", at=EVENING)),
        "changes_requested",
    ),
    "a dismissed review says nothing": (
        (review("DISMISSED", at=EVENING), review("APPROVED", at=MORNING)),
        "already_approved",
    ),
    "a pending review says nothing": (
        (review("CHANGES_REQUESTED", at=MORNING), review("PENDING", at=None)),
        "changes_requested",
    ),
    "a request for changes after an approval is what counts": (
        (review("APPROVED", at=MORNING), review("CHANGES_REQUESTED", at=EVENING)),
        "changes_requested",
    ),
    "of two reviews of one moment the later one in the host's order counts": (
        (review("CHANGES_REQUESTED"), review("APPROVED")),
        "already_approved",
    ),
    "the host's order does not matter where the times differ": (
        (review("APPROVED", at=EVENING), review("CHANGES_REQUESTED", at=MORNING)),
        "already_approved",
    ),
    "deleted accounts may be different people": (
        (review("CHANGES_REQUESTED", author=None, at=MORNING), review("APPROVED", author=None, at=EVENING)),
        "changes_requested",
    ),
}


@pytest.mark.parametrize(("reviews", "reason"), REVIEWS.values(), ids=REVIEWS)
def test_a_reviewers_latest_review_that_says_anything_counts(reviews: tuple[Review, ...], reason: str | None) -> None:
    assert reason_of(with_state(reviews=reviews)) == reason


def test_an_excluded_repository_is_left_out_unless_the_pull_request_was_named() -> None:
    excluding = replace(POLICY, excluded=frozenset({"tool"}))
    assert reason_of(READY, excluding) == "repository"
    assert reason_of(replace(READY, repository="acme/Tool"), excluding) == "repository"
    assert reason_of(READY, replace(excluding, named=frozenset({("acme/tool", 7)}))) is None
    assert reason_of(READY, replace(excluding, named=frozenset({("acme/tool", 8)}))) == "repository"


@pytest.mark.parametrize(("reason", "candidate"), [(reason, each[0]) for reason, each in CAUGHT.items()])
def test_naming_a_pull_request_pushes_it_through_no_other_rule(reason: str, candidate: Candidate) -> None:
    named = replace(POLICY, named=frozenset({(candidate.repository, candidate.number)}))
    assert reason_of(candidate, named) == reason


def remembered(**changes: Any) -> tuple[Assessment, ...]:
    """An assessment of the head by a live run."""
    entry = Assessment("acme/tool", 7, HEAD, Verdict.NEEDS_HUMAN, Tier.NEEDS_HUMAN, False, run_id=1, assessed_at=NOON)
    return (replace(entry, **changes),)


LIVE = replace(POLICY, dry_run=False)


def test_a_head_that_the_ledger_holds_is_not_assessed_again() -> None:
    assert reason_of(READY, LIVE, remembered()) == "already_assessed"
    assert reason_of(READY, POLICY, remembered(repository="Acme/Tool")) == "already_assessed"
    for other in (remembered(head_sha=OTHER), remembered(number=8), remembered(repository="acme/other")):
        assert reason_of(READY, LIVE, other) is None


def test_a_live_run_ignores_what_a_dry_run_assessed_and_a_dry_run_honours_both() -> None:
    assert reason_of(READY, LIVE, remembered(dry_run=True)) is None
    assert reason_of(READY, POLICY, remembered(dry_run=True)) == "already_assessed"
    assert reason_of(READY, POLICY, remembered(dry_run=False)) == "already_assessed"


def test_reassess_looks_again_at_heads_that_the_ledger_holds_and_at_nothing_else() -> None:
    again = replace(LIVE, reassess=True)
    assert reason_of(READY, again, remembered()) is None
    assert reason_of(with_state(is_draft=True), again, remembered()) == "draft"


# In the order of the rules, a change that each of them catches, and that no other rule needs to be asked about.
FAULTS: dict[str, dict[str, Any]] = {
    "closed": {"state": "CLOSED"},
    "draft": {"is_draft": True},
    "conflicting": {"mergeable": "CONFLICTING"},
    "changes_requested": {"reviews": (review("CHANGES_REQUESTED"), review("APPROVED", author="sam"))},
    "already_approved": {"reviews": (review("APPROVED", author="sam"),)},
    "copilot_pending": {"requested": (Requested("Bot", "Copilot"),)},
    "copilot_feedback": {"threads": (Thread(resolved=False, opener=COPILOT),)},
    "ci_pending": {"rollup": "PENDING"},
    "ci_failing": {"rollup": "FAILURE"},
    "ci_none": {"rollup": None},
    "already_assessed": {},
    "too_large": {"changed_files": 3_000},
}


@pytest.mark.parametrize("first", FAULTS)
def test_the_first_rule_in_the_order_names_the_reason(first: str) -> None:
    order = list(FAULTS)
    changes: dict[str, Any] = {}
    for name in reversed(order[order.index(first) :]):
        changes |= FAULTS[name]
    memory = remembered() if order.index(first) <= order.index("already_assessed") else ()
    assert reason_of(with_state(**changes), POLICY, memory) == first


def test_a_bot_and_a_foreign_repository_are_left_out_before_anything_else_is_read() -> None:
    unread = replace(READY, state=None, diff=None)
    assert judge_brief(POLICY, {}, unread) == Survives()
    assert judge_brief(POLICY, {}, replace(unread, archived=True, author=None)) == Skip(
        SkipReason.REPOSITORY, SkipReason.REPOSITORY
    )
    assert judge_brief(POLICY, {}, replace(unread, author=None)) == Skip(SkipReason.BOT_AUTHOR, SkipReason.BOT_AUTHOR)


def test_a_rule_whose_facts_are_not_read_yet_stops_the_brief_judgement_without_a_skip() -> None:
    brief = replace(with_state(reviews=None, rollup="FAILURE"), diff=None)
    assert judge_brief(POLICY, {}, brief) == Survives()
    assert judge_full(POLICY, {}, brief) == Skip(SkipReason.UNREADABLE, SkipReason.CHANGES_REQUESTED)


def test_no_diff_is_read_of_what_has_too_many_files_by_the_hosts_own_count() -> None:
    assert judge_brief(POLICY, {}, replace(with_state(changed_files=201), diff=None)) == Skip(
        SkipReason.TOO_LARGE, SkipReason.TOO_LARGE
    )


OPINIONS = [review("APPROVED"), review("CHANGES_REQUESTED", at=EVENING), review("NEW")]

parts = st.fixed_dictionaries(
    {
        "state": st.sampled_from(["OPEN", "CLOSED"]),
        "is_draft": st.booleans(),
        "mergeable": st.sampled_from(["MERGEABLE", "UNKNOWN", "CONFLICTING", "NEW"]),
        "rollup": st.sampled_from(["SUCCESS", "PENDING", "FAILURE", None, "NEW"]),
        "changed_files": st.sampled_from([2, 201]),
        "reviews": st.none() | st.lists(st.sampled_from(OPINIONS)).map(tuple),
        "requested": st.none() | st.sampled_from([(), (None,), (Requested("Bot", "Copilot"),)]),
        "threads": st.none() | st.sampled_from([(), (Thread(resolved=False, opener=COPILOT),)]),
    }
)


@given(parts, st.booleans())
def test_a_skip_after_a_brief_reading_is_the_skip_after_the_full_one(changes: dict[str, Any], diff_read: bool) -> None:
    read = {name: () for name in ("reviews", "requested", "threads") if changes[name] is None}
    full = with_state(**(changes | read))
    brief = replace(with_state(**changes), diff=DIFF if diff_read else None)
    judged = judge_brief(POLICY, {}, brief)
    assert isinstance(judged, Survives) or judged == judge_full(POLICY, {}, full)


def test_the_longest_untouched_come_first_and_equal_ones_by_name_and_number() -> None:
    new, old = with_state(updated_at=EVENING), with_state(updated_at=MORNING)
    second, tenth = replace(READY, number=2), replace(READY, number=10)
    elsewhere = replace(READY, repository="acme/Alpha")
    assert in_order_of_age([new, tenth, READY, second, elsewhere, old]) == (old, elsewhere, second, READY, tenth, new)


def test_a_cap_of_zero_is_what_the_workflow_can_hold() -> None:
    assert (effective_cap(0), effective_cap(1), effective_cap(256)) == (256, 1, 256)


def test_every_reason_is_counted_and_one_that_caught_nothing_counts_zero() -> None:
    counted = count_reasons([SkipReason.DRAFT, SkipReason.CAP, SkipReason.DRAFT])
    assert list(counted) == list(SkipReason)
    assert {reason: count for reason, count in counted.items() if count} == {SkipReason.DRAFT: 2, SkipReason.CAP: 1}
