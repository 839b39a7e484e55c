"""A recorded run is decided again under the rules of today (review §5)."""

from dataclasses import replace

from autoswe.rules.review.pulls.selection import SkipReason
from autoswe.rules.review.pulls.simulation import (
    NOT_RECORDED,
    Difference,
    Judgement,
    differences,
    explain,
    select_again,
)
from autoswe.rules.review.verdict.tiers import Tier
from tests.support.review.pulls import EVENING, MORNING, NOON, POLICY, READY, with_state


def test_one_pull_request_is_explained_by_the_first_reason_or_as_selected() -> None:
    assert explain(POLICY, {}, READY) == "selected"
    assert explain(POLICY, {}, with_state(is_draft=True, rollup="FAILURE")) == "draft"
    assert explain(POLICY, {}, replace(READY, diff=None)) == "unreadable"


def test_a_recorded_scan_is_decided_again_with_its_cap_and_the_longest_untouched_first() -> None:
    candidates = [
        replace(with_state(updated_at=at), number=number) for number, at in ((1, EVENING), (2, MORNING), (3, NOON))
    ]
    assert select_again(POLICY, {}, candidates, 2) == {
        "acme/tool#1": "cap",
        "acme/tool#2": "selected",
        "acme/tool#3": "selected",
    }
    assert set(select_again(POLICY, {}, candidates, 0).values()) == {"selected"}


def test_what_was_left_out_early_is_decided_by_what_was_read_of_it() -> None:
    unread = replace(READY, state=None, diff=None)
    assert select_again(POLICY, {}, [replace(unread, author=None)], 20) == {"acme/tool#7": "bot_author"}
    assert select_again(POLICY, {}, [unread], 20) == {"acme/tool#7": NOT_RECORDED}
    assert select_again(POLICY, {}, [replace(READY, diff=None)], 20) == {"acme/tool#7": NOT_RECORDED}


def test_only_what_is_decided_differently_is_told_by_name() -> None:
    was = {"b": SkipReason.DRAFT, "a": "selected", "c": "selected"}
    now = {"b": "draft", "a": SkipReason.CAP, "d": "selected"}
    found = differences(was, now)
    assert found == (
        Difference("a", "selected", "cap"),
        Difference("c", "selected", None),
        Difference("d", None, "selected"),
    )
    assert [difference.sentence for difference in found] == [
        "a: was selected; now cap",
        "c: was selected; now not decided",
        "d: was not decided; now selected",
    ]


def test_a_judgement_differs_by_its_tier_its_approvability_or_its_reasons() -> None:
    trivial = Judgement(Tier.TRIVIAL, approvable=True, reasons=())
    assert differences({"tool-7": trivial}, {"tool-7": replace(trivial)}) == ()
    [difference] = differences(
        {"tool-7": trivial}, {"tool-7": Judgement(Tier.NEEDS_HUMAN, approvable=False, reasons=("one", "two"))}
    )
    assert difference.sentence == (
        "tool-7: was trivial, approvable; now needs-human, not approvable: one; two"
    )  # fmt: skip
