"""The memory from run to run (review §6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.run.ledger import Assessment, assess, is_assessed, merge
from autoswe.rules.review.verdict.tiers import Tier, Verdict

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HEAD = "a" * 40
YESTERDAY = NOW - timedelta(days=1)
ENTRY = Assessment(
    "acme/tool", 7, HEAD, Verdict.WOULD_APPROVE, Tier.TRIVIAL, dry_run=True, run_id=5, assessed_at=YESTERDAY
)

entries = st.builds(
    Assessment,
    repository=st.sampled_from(["acme/tool", "Acme/Tool", "acme/other"]),
    number=st.integers(1, 2),
    head_sha=st.sampled_from([HEAD, "b" * 40]),
    verdict=st.sampled_from([Verdict.APPROVED, Verdict.WOULD_APPROVE, Verdict.NEEDS_HUMAN]),
    tier=st.sampled_from(Tier),
    dry_run=st.booleans(),
    run_id=st.integers(1, 3),
    assessed_at=st.integers(-3, 95).map(lambda days: NOW - timedelta(days=days)),
)
ledgers = st.lists(entries, max_size=8)


@dataclass(frozen=True)
class Outcome:
    """What the ledger reads of a result."""

    verdict: Verdict
    tier: Tier | None
    repository: str = "acme/tool"
    number: int = 7
    head_sha: str = HEAD
    dry_run: bool = False


def test_the_newest_assessment_of_a_head_is_kept_wherever_it_stands() -> None:
    newer = replace(ENTRY, verdict=Verdict.NEEDS_HUMAN, assessed_at=NOW, repository="Acme/Tool")
    for merged in (merge([ENTRY], [newer], now=NOW), merge([newer, ENTRY], now=NOW)):
        assert list(merged.values()) == [newer]


@pytest.mark.parametrize(("age", "kept"), [(timedelta(days=90), True), (timedelta(days=90, microseconds=1), False)])
def test_an_assessment_is_kept_for_ninety_days(age: timedelta, kept: bool) -> None:
    assert bool(merge([replace(ENTRY, assessed_at=NOW - age)], now=NOW)) is kept


def test_of_equally_new_assessments_a_live_one_is_kept() -> None:
    live = replace(ENTRY, dry_run=False, verdict=Verdict.APPROVED, run_id=1)
    assert list(merge([live], [ENTRY], now=NOW).values()) == [live]


@pytest.mark.parametrize(
    "changes",
    [
        {"run_id": 6},
        {"verdict": Verdict.NEEDS_HUMAN},
        {"tier": Tier.LOW_RISK},
        {"dry_run": False},
        {"repository": "Acme/Tool"},
    ],
)
def test_of_equally_new_assessments_the_same_one_is_kept_whatever_the_order(changes: dict[str, Any]) -> None:
    other = replace(ENTRY, **changes)
    assert merge([ENTRY], [other], now=NOW) == merge([other], [ENTRY], now=NOW)


@given(ledgers, ledgers, ledgers)
def test_merging_is_associative(one: list[Assessment], two: list[Assessment], three: list[Assessment]) -> None:
    first = merge(merge(one, two, now=NOW).values(), three, now=NOW)
    last = merge(one, merge(two, three, now=NOW).values(), now=NOW)
    assert first == last == merge(one, two, three, now=NOW)


@given(ledgers, ledgers)
def test_merging_is_commutative_and_gives_one_order(one: list[Assessment], two: list[Assessment]) -> None:
    assert list(merge(one, two, now=NOW).items()) == list(merge(two, one, now=NOW).items())


@given(ledgers)
def test_merging_is_idempotent(one: list[Assessment]) -> None:
    merged = merge(one, now=NOW)
    assert merge(merged.values(), merged.values(), now=NOW) == merged


@given(ledgers)
def test_a_merged_ledger_holds_each_young_enough_head_once_and_nothing_else(one: list[Assessment]) -> None:
    merged = merge(one, now=NOW)
    assert set(merged) == {entry.key for entry in one if entry.assessed_at >= NOW - timedelta(days=90)}
    assert all(merged[key] in one and merged[key].key == key for key in merged)
    assert all(merged[entry.key].assessed_at >= entry.assessed_at for entry in one if entry.key in merged)


MODES: Mapping[tuple[bool, bool], bool] = {
    (True, True): True,
    (True, False): False,
    (False, True): True,
    (False, False): True,
}
"""Whether an assessment is honoured, by whether it was a dry run's and whether this run is one."""


@pytest.mark.parametrize(("modes", "honoured"), MODES.items())
def test_a_live_run_honours_live_assessments_only_and_a_dry_run_all(modes: tuple[bool, bool], honoured: bool) -> None:
    entry_dry, run_dry = modes
    ledger = merge([replace(ENTRY, dry_run=entry_dry)], now=NOW)
    assert is_assessed(ledger, ENTRY.key, dry_run=run_dry) is honoured


def test_another_head_of_the_same_pull_request_is_not_assessed() -> None:
    assert not is_assessed(merge([ENTRY], now=NOW), ("acme/tool", 7, "b" * 40), dry_run=True)


def test_a_run_adds_what_it_decided_and_leaves_failures_to_the_next_run() -> None:
    results = [
        Outcome(Verdict.APPROVED, Tier.LOW_RISK),
        Outcome(Verdict.WOULD_APPROVE, Tier.TRIVIAL, number=8, dry_run=True),
        Outcome(Verdict.NEEDS_HUMAN, Tier.NEEDS_HUMAN, number=9),
        Outcome(Verdict.FAILED, None, number=10),
    ]
    told = [
        (7, Verdict.APPROVED, Tier.LOW_RISK, False),
        (8, Verdict.WOULD_APPROVE, Tier.TRIVIAL, True),
        (9, Verdict.NEEDS_HUMAN, Tier.NEEDS_HUMAN, False),
    ]
    assert assess(results, run_id=6, now=NOW) == tuple(
        Assessment("acme/tool", number, HEAD, verdict, tier, dry_run, run_id=6, assessed_at=NOW)
        for number, verdict, tier, dry_run in told
    )
