"""An approval says in fixed words what it is; what the reviewer wrote is shown and never acts (review §8.3)."""

import html
import re
from collections.abc import Callable

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from autoswe.rules.review.verdict.approval_body import OPENINGS, compose_approval
from autoswe.rules.review.verdict.one_line import one_line
from autoswe.rules.review.verdict.tiers import APPROVABLE, Tier

RUN = "https://console.example.com/runs/1?x=1#/details"
LINK = "<a "
MENTION = re.compile(r"@[A-Za-z0-9]")
REFERENCE = re.compile(r"#\d|\bGH-\d|(?<!\w)[0-9a-f]{7,40}(?!\w)", re.IGNORECASE)

RENDERERS: dict[str, Callable[[str], str]] = {
    "cmarkgfm": lambda text: str(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)),
    "markdown-it": lambda text: str(MarkdownIt("gfm-like", {"html": True}).render(text)),
}
SUMMARIES = st.text(
    st.sampled_from("@#:/.-[]()<>&;!`*_~|\\\"' \n\r\tabcdef0123456789x")
    | st.sampled_from("\u200b\u202e\uff20\u2028\x00\x1b\ufe0f\U0001f600\ud800"),
    max_size=80,
) | st.lists(
    st.sampled_from(
        [
            "@octocat",
            "@acme/team",
            "fixes #1",
            "https://evil.example",
            "[x](https://evil.example)",
            "<img src=x>",
            "www.evil.example",
            "a@b.example",
            "deadbeefdeadbeef",
            "\n---\n",
            "</code>",
            "::error::x",
            "##[group]",
            "``` ",
            " ",
        ]
    )
).map("".join)


def without_summary(rendered: str) -> str:
    return re.sub("<code>.*?</code>", "", rendered, count=1, flags=re.DOTALL)


def compose(tier: Tier, summary: str) -> str:
    return compose_approval(tier, summary, reviewer="acme-review[bot]", model="claude-opus-5.5", run_url=RUN)


def test_the_body_is_the_fixed_words_around_the_summary() -> None:
    assert compose(Tier.TRIVIAL, "Moves a pin") == (
        "🤖 Auto-approved by agent: a dependency, documentation or formatting change.\n"
        "\n"
        "<code>Moves a pin</code>\n"
        "\n"
        "---\n"
        "Automated review by `acme-review[bot]` using model\n"
        f"`claude-opus-5.5`; see the [run]({RUN}). This is not a human review."
    )


def test_each_approvable_tier_has_an_opening_of_its_own() -> None:
    assert set(OPENINGS) == APPROVABLE
    assert len(set(OPENINGS.values())) == len(OPENINGS)
    for tier in APPROVABLE:
        first, *_, last = compose(tier, "x").split("\n")
        assert first.startswith("🤖 Auto-approved by agent:")
        assert last.endswith("This is not a human review.")
    assert "security and CI/CD impact found low risk" in OPENINGS[Tier.LOW_RISK]


def test_a_run_without_an_app_says_so_in_words() -> None:
    body = compose_approval(Tier.TRIVIAL, "x", reviewer=None, model="m", run_url=RUN)
    assert "Automated review by the code review bot using model" in body


def test_a_summary_that_shows_nothing_is_left_out() -> None:
    assert compose(Tier.TRIVIAL, " \n\u200b").count("\n\n") == 1


@pytest.mark.parametrize("render", RENDERERS.values(), ids=RENDERERS.keys())
@given(summary=SUMMARIES, tier=st.sampled_from(sorted(APPROVABLE)))
def test_nothing_in_any_summary_acts(render: Callable[[str], str], summary: str, tier: Tier) -> None:
    body = compose(tier, summary)
    assert "@" not in body
    assert len(body) < 65_536
    rendered = render(body)
    assert rendered.count(LINK) == 1
    if body.count("\n\n") == 2:
        assert without_summary(rendered) == without_summary(render(compose(tier, "x")))
    outside_code = re.sub(r"<code>.*?</code>|<a .*?</a>", "", rendered, flags=re.DOTALL)
    shown = html.unescape(re.sub("<[^>]*>", "", outside_code))
    assert not MENTION.search(shown)
    assert not REFERENCE.search(shown)
    decoded = html.unescape(re.sub("<[^>]*>", "", rendered.replace(RUN, "")))
    assert not MENTION.search(decoded)


@pytest.mark.parametrize(
    ("reviewer", "model", "run_url", "name"),
    [
        ("acme", "m", RUN, "reviewer"),
        ("a`[bot]", "m", RUN, "reviewer"),
        ("a[bot]", "M `x`", RUN, "model"),
        ("a[bot]", "", RUN, "model"),
        ("a[bot]", "m", "javascript:alert(1)", "run_url"),
        ("a[bot]", "m", "https://a.example/) @all", "run_url"),
    ],
)
def test_a_record_of_another_form_is_refused(reviewer: str, model: str, run_url: str, name: str) -> None:
    with pytest.raises(ValueError, match=name):
        compose_approval(Tier.TRIVIAL, "x", reviewer=reviewer, model=model, run_url=run_url)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\r\n b\t\u2028c", "a b c"),
        ("a\x00\x1b[31mb\u202ec", "a [31mb c"),
        ("::error::boom", ": :error: :boom"),
        (":::", ": : :"),
        ("##[group]x", "## [group]x"),
        ("a:b # [c]", "a:b # [c]"),
        ("", ""),
        ("\ud800x", "x"),
    ],
)
def test_a_line_is_folded_and_holds_no_command_for_a_runner(text: str, line: str) -> None:
    assert one_line(text, 600) == line


@given(st.text(), st.integers(1, 50))
def test_a_line_is_bounded_printable_and_stays_as_it_is_the_second_time(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "::" not in line
    assert "##[" not in line
    assert one_line(line, limit) == line
