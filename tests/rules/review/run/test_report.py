"""What a run tells when it is over (review §18.7)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations

import markdown_it
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.pulls.selection import SkipReason
from autoswe.rules.review.run.report import Outcome, Selected, by_reason, settle
from autoswe.rules.review.run.report_page import ReportPage, write_report
from autoswe.rules.review.verdict.tiers import Tier, Verdict

HEAD = "a" * 40
URL = "https://github.com/acme/tool/pull/7"


@dataclass(frozen=True)
class Result:
    """A result as the report reads it."""

    key: str = "tool-7"
    repository: str = "acme/tool"
    number: int = 7
    head_sha: str = HEAD
    verdict: Verdict = Verdict.NEEDS_HUMAN
    tier: Tier | None = Tier.NEEDS_HUMAN
    dry_run: bool = True
    run_attempt: int = 1
    reasons: tuple[str, ...] = ("head moved",)
    review_url: str | None = None
    premium_requests: float | None = None
    agent_seconds: float | None = None


@dataclass(frozen=True)
class Row:
    """A pull request that was left out."""

    repository: str
    number: int
    title: str | None
    reason: SkipReason


ENTRY = Selected("tool-7", "acme/tool", 7, HEAD, title="Fix it", author="pat", url=URL)
OTHER = replace(ENTRY, key="tool-8", number=8, url=URL[:-1] + "8")
ENTRIES: Mapping[str, Selected] = {"tool-7": ENTRY, "tool-8": OTHER}
EIGHT = Result(key="tool-8", number=8)
PAGE = ReportPage("acme", dry_run=True, candidates_seen=9, ledger_entries=42)


def page(outcome: Outcome[Result], *skipped: Row, entries: Mapping[str, Selected] = ENTRIES) -> str:
    return write_report(PAGE, entries, outcome, skipped)


def test_the_highest_attempt_of_an_entry_counts_in_whatever_order_they_come() -> None:
    attempts = [replace(Result(), run_attempt=attempt) for attempt in (1, 2, 10)]
    for order in permutations(attempts):
        assert settle({"tool-7": ENTRY}, order, ()).results == (attempts[-1],)


def test_results_are_sorted_by_key() -> None:
    assert settle(ENTRIES, [EIGHT, Result()], ()).results == (Result(), EIGHT)


def test_a_result_that_cannot_be_read_stays_out_and_is_noted_and_hides_no_other() -> None:
    outcome = settle(ENTRIES, [EIGHT], ["tool-7"])
    assert (outcome.results, outcome.unreadable, outcome.silent) == ((EIGHT,), ("tool-7",), ())
    assert "could not be read of <code>tool" in page(outcome)


def test_an_entry_that_left_no_result_is_noted() -> None:
    outcome = settle(ENTRIES, [EIGHT], ())
    assert (outcome.silent, outcome.unreadable) == (("tool-7",), ())
    assert "No result was left by <code>tool" in page(outcome)


@pytest.mark.parametrize(
    "foreign",
    [replace(Result(), key="x-1"), replace(Result(), number=8), replace(Result(), head_sha="b" * 40),
     replace(Result(), repository="acme/other")],
)  # fmt: skip
def test_a_result_about_another_pull_request_or_head_than_its_entry_is_left_out(foreign: Result) -> None:
    outcome = settle({"tool-7": ENTRY}, [replace(foreign, run_attempt=9), Result()], ())
    assert (outcome.results, outcome.foreign) == ((Result(),), (foreign.key,))


def test_spending_adds_up_what_the_sessions_told() -> None:
    costs = [(1.5, 42), (None, None), (0.1, 0.25), (0.2, None)]
    entries = {f"tool-{n}": replace(ENTRY, key=f"tool-{n}", number=n) for n in range(4)}
    results = [
        replace(Result(), key=f"tool-{n}", number=n, premium_requests=requests, agent_seconds=seconds)
        for n, (requests, seconds) in enumerate(costs)
    ]
    outcome = settle(entries, results, ())
    assert outcome.premium_requests == pytest.approx(1.8)
    assert outcome.agent_seconds == 42.25


def test_a_run_without_sessions_spent_a_whole_nothing() -> None:
    outcome: Outcome[Result] = settle({}, [], ())
    assert (repr(outcome.premium_requests), repr(outcome.agent_seconds)) == ("0", "0")


def test_skips_are_counted_in_the_order_of_the_rules() -> None:
    rows = [Row("acme/tool", 1, None, reason) for reason in (SkipReason.CAP, SkipReason.DRAFT, SkipReason.CAP)]
    assert list(by_reason(rows).items()) == [(SkipReason.DRAFT, 1), (SkipReason.CAP, 2)]


@pytest.mark.parametrize(("dry_run", "mode"), [(True, "dry run"), (False, "live run")])
def test_the_heading_names_the_mode(dry_run: bool, mode: str) -> None:
    first = write_report(replace(PAGE, dry_run=dry_run), {}, settle({}, [], ()), ()).splitlines()[0]
    assert first == f"# Scheduled review of <code>acme</code>: {mode}"


def test_one_line_counts_everything() -> None:
    results = [
        replace(Result(), verdict=Verdict.WOULD_APPROVE, tier=Tier.TRIVIAL),
        replace(EIGHT, verdict=Verdict.FAILED, tier=None),
    ]
    told = page(settle(ENTRIES, results, ()), Row("acme/tool", 1, "x", SkipReason.DRAFT))
    assert "9 pull requests seen: 0 approved, 1 would-approve, 0 needs-human, 1 failed, 1 skipped." in told


def test_a_result_is_told_with_its_link_its_author_and_its_review_or_first_reason() -> None:
    approved = replace(
        Result(), verdict=Verdict.APPROVED, tier=Tier.TRIVIAL, reasons=(), review_url=f"{URL}#pullrequestreview-1"
    )
    rows = [line for line in page(settle(ENTRIES, [approved, EIGHT], ())).splitlines() if line.startswith("| [")]
    assert f"](<{URL}>)" in rows[0]
    assert "<code>pat</code> | trivial | approved |" in rows[0]
    assert f"[<code>review</code>](<{URL}#pullrequestreview-1>)" in rows[0]
    assert rows[1].endswith("| needs-human | needs-human | <code>head moved</code> |")


def test_skipped_pull_requests_stand_under_their_reason() -> None:
    rows = [
        Row("acme/tool", 10, "ten", SkipReason.DRAFT),
        Row("acme/tool", 9, None, SkipReason.DRAFT),
        Row("acme/tool", 1, "one", SkipReason.BOT_AUTHOR),
    ]
    told = page(settle(ENTRIES, [], ()), *rows)
    assert told.index("### `bot_author`: 1") < told.index("one") < told.index("### `draft`: 2") < told.index("ten")
    assert "9</code> | – |" in told
    assert told.index("9</code>") < told.index("10</code>")


def test_the_page_ends_with_what_was_spent() -> None:
    told = page(settle(ENTRIES, [replace(Result(), premium_requests=4.5, agent_seconds=300)], ()))
    assert told.endswith("Spent: 4.5 premium requests, 300 agent seconds. The ledger holds 42 heads.\n")


MARKUP = ["@acme/x", "x | y", "[x](https://evil.test)", "https://evil.test", "<img src=x>", "a\n## b", "`c` <!-- d"]
anything = st.text(max_size=60) | st.sampled_from(MARKUP)


@given(anything, anything, anything, anything)
def test_no_text_of_anybody_makes_a_link_a_mention_or_markup(title: str, author: str, reason: str, url: str) -> None:
    entry = replace(ENTRY, title=title, author=author, url=url)
    outcome = settle({"tool-7": entry}, [replace(Result(), reasons=(reason,), review_url=None)], (f"tool-{title}",))
    told = page(outcome, Row("acme/tool", 1, title, SkipReason.DRAFT), entries={"tool-7": entry})
    assert "@" not in told
    tokens = markdown_it.MarkdownIt("commonmark").enable("table").parse(told)
    inline = [child for token in tokens for child in token.children or ()]
    links = [str(child.attrs["href"]) for child in inline if child.type == "link_open"]
    assert links in ([], [url])
    assert {child.content for child in inline if child.type == "html_inline"} <= {"<code>", "</code>"}
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h3"]
    rows = [token for token in tokens if token.type == "tr_open"]
    cells = [token for token in tokens if token.type in {"td_open", "th_open"}]
    assert (len(rows), len(cells)) == (4, 2 * 6 + 2 * 2)
