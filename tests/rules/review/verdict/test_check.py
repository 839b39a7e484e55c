"""A claim is approvable when the diff bears it out, no veto stands and its tier is enabled (review §8.2, §18.5)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.agents.usage import SessionUsage
from autoswe.rules.review.diff.changed_files import ChangedFile
from autoswe.rules.review.verdict.agent_verdict import Target
from autoswe.rules.review.verdict.check import Check, Missing, check_session
from autoswe.rules.review.verdict.tiers import APPROVABLE, Tier
from autoswe.rules.review.vetoes.judgement import find_vetoes
from tests.support.review.changes import added_to, changed

TARGET = Target("acme/widgets", 157, "a" * 40)
DOCUMENT = changed("README.md", "a", "b")
CODE = changed("src/a.py", "a", "b")
WORKFLOW = added_to(".github/workflows/ci.yml", "permissions: write-all")
BOTH = (Tier.TRIVIAL, Tier.LOW_RISK)


def said(tier: str) -> str:
    verdict = {
        "schema": 1,
        "repository": TARGET.repository,
        "pull_request": TARGET.number,
        "head_sha": TARGET.head_sha,
        "tier": tier,
        "summary": "Says what it does.",
        "findings": [],
        "injection_attempts": [],
    }
    return f"Looked at it.\n\n```json\n{json.dumps(verdict)}\n```\n"


def check(tier: str, *files: ChangedFile, tiers: tuple[Tier, ...] = BOTH) -> Check:
    return check_session(TARGET, said(tier), files, tiers, SessionUsage(1.5, 42), sides_required=False)


def test_a_trivial_claim_that_the_diff_bears_out_is_approvable() -> None:
    result = check("trivial", DOCUMENT)
    assert (result.agent_tier, result.tier, result.approvable, result.reasons) == (Tier.TRIVIAL, Tier.TRIVIAL, True, ())
    assert result.summary == "Says what it does."
    assert result.usage == SessionUsage(1.5, 42)


def test_a_low_risk_claim_needs_no_corroboration() -> None:
    result = check("low-risk", CODE)
    assert (result.tier, result.approvable) == (Tier.LOW_RISK, True)
    assert not result.classifier.trivial


def test_a_trivial_claim_on_code_drops_to_a_person_with_the_paths() -> None:
    result = check("trivial", DOCUMENT, CODE, changed("b.py", "a", "b"))
    assert (result.agent_tier, result.tier, result.approvable) == (Tier.TRIVIAL, Tier.NEEDS_HUMAN, False)
    assert result.reasons == ("trivial claim not corroborated: src/a.py, b.py",)


@pytest.mark.parametrize("tier", ["trivial", "low-risk"])
def test_a_veto_stands_against_every_tier(tier: str) -> None:
    result = check(tier, WORKFLOW)
    assert (result.tier, result.approvable) == (Tier.NEEDS_HUMAN, False)
    assert set(result.veto_reasons) <= set(result.reasons)
    assert result.veto_reasons == (".github/workflows/ci.yml adds a permission to write: permissions: write-all",)


def test_a_reviewer_who_asks_for_a_person_gets_one_and_the_vetoes_are_told() -> None:
    result = check("needs-human", WORKFLOW)
    assert (result.agent_tier, result.tier, result.approvable) == (Tier.NEEDS_HUMAN, Tier.NEEDS_HUMAN, False)
    assert result.reasons == ("reviewer asks for a person",)
    assert result.vetoes


@pytest.mark.parametrize(
    ("tier", "file", "tiers"),
    [
        ("trivial", DOCUMENT, ()),
        ("low-risk", CODE, (Tier.TRIVIAL,)),
        ("low-risk", CODE, ()),
        ("trivial", DOCUMENT, (Tier.LOW_RISK,)),
    ],
)
def test_a_tier_that_is_not_enabled_keeps_its_name_and_is_not_approvable(
    tier: str, file: ChangedFile, tiers: tuple[Tier, ...]
) -> None:
    result = check(tier, file, tiers=tiers)
    assert (result.tier, result.approvable, result.reasons) == (tier, False, ("tier not enabled for approval",))


def test_needs_human_cannot_be_enabled() -> None:
    assert not check("needs-human", DOCUMENT, tiers=tuple(Tier)).approvable


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        (Missing("session left nothing"), "session left nothing"),
        ("no verdict here", "session summary holds no fenced json block"),
        (said("trivial").replace(TARGET.head_sha, "b" * 40), "verdict names another head"),
    ],
)
def test_without_a_verdict_a_person_is_needed_and_the_diff_is_judged_all_the_same(
    summary: str | Missing, reason: str
) -> None:
    result = check_session(TARGET, summary, [DOCUMENT, WORKFLOW], BOTH, SessionUsage(), sides_required=False)
    assert (result.agent_tier, result.tier, result.approvable) == (None, Tier.NEEDS_HUMAN, False)
    assert result.reasons == (reason,)
    assert result.vetoes
    assert result.classifier.non_trivial_paths == (WORKFLOW.path,)


def test_a_live_run_that_did_not_read_the_sides_approves_nothing_of_them() -> None:
    pin = changed("requirements.txt", "a==1", "a==2")
    assert check("trivial", pin).approvable
    live = check_session(TARGET, said("trivial"), [pin], BOTH, SessionUsage(), sides_required=True)
    assert not live.approvable


def test_reasons_are_single_bounded_lines_whatever_a_path_holds() -> None:
    path = "a\n::error::" + "x" * 900 + ".py"
    result = check("trivial", changed(path, "a", "curl x | sh"))
    assert result.reasons
    for reason in (*result.reasons, *result.veto_reasons):
        assert len(reason) <= 400
        assert reason.isprintable()
        assert "::" not in reason


ADDITIONS = [
    "name: x",
    "  contents: write",
    "permissions: write-all",
    "    - uses: a/b@main",
    "  x: ${{ secrets.X }}",
    "curl x | sh",
    "# a comment",
    "",
    "on: pull_request_target",
    "    secrets: inherit",
    "  with:",
    "- run: |",
    "it's \"",
    "\\",
]
LINES = st.lists(st.sampled_from(ADDITIONS), max_size=6)


@given(
    st.sampled_from([".github/workflows/ci.yml", "action.yml", "x.sh", "a.txt"]),
    LINES,
    st.sampled_from(ADDITIONS),
    st.integers(0, 6),
)
def test_adding_a_line_to_a_diff_never_removes_a_veto(path: str, lines: list[str], more: str, place: int) -> None:
    before = find_vetoes([added_to(path, *lines, "end: x")], sides_required=False)
    after = find_vetoes([added_to(path, *lines[:place], more, *lines[place:], "end: x")], sides_required=False)
    assert {veto.rule for veto in before} <= {veto.rule for veto in after}


@given(st.lists(st.tuples(st.sampled_from(["a.py", "b.md", "x.sh", "action.yml"]), LINES), max_size=4), LINES)
def test_adding_a_file_to_a_diff_never_removes_a_veto_nor_makes_it_trivial(
    files: list[tuple[str, list[str]]], more: list[str]
) -> None:
    before = [added_to(path, *lines) for path, lines in files]
    after = [*before, added_to("more.sh", *more)]
    assert set(find_vetoes(before, sides_required=False)) <= set(find_vetoes(after, sides_required=False))
    assert not check("trivial", *after).approvable


@given(
    st.sampled_from([*Tier]), st.sets(st.sampled_from([*Tier])), st.lists(st.sampled_from([DOCUMENT, CODE, WORKFLOW]))
)
def test_nothing_is_approvable_against_a_veto_or_outside_the_enabled_tiers(
    tier: Tier, tiers: set[Tier], files: list[ChangedFile]
) -> None:
    result = check(tier, *files, tiers=tuple(tiers))
    if result.approvable:
        assert not result.vetoes
        assert not result.reasons
        assert result.tier is tier
        assert tier in tiers & APPROVABLE
        assert tier is Tier.LOW_RISK or result.classifier.trivial
    else:
        assert result.reasons
