"""Our comments carry a hidden marker in one exact form, which nobody's text can bring along (feedback §4)."""

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.markers import MarkerKind, marker, read_markers
from autoswe.rules.text.neutralise import neutralise_block, neutralise_inline

KEYS = st.from_regex(r"[A-Za-z0-9_.]{1,20}(-[A-Za-z0-9_.]{1,20}){0,2}", fullmatch=True)


@pytest.mark.parametrize("kind", MarkerKind)
@given(key=KEYS)
def test_a_marker_is_found_again_and_is_not_shown(kind: MarkerKind, key: str) -> None:
    body = f"{marker(kind, key)}\n\nNothing to see."
    assert read_markers(body) == {(kind, key)}
    page = cmarkgfm.github_flavored_markdown_to_html(body, options=Options.CMARK_OPT_UNSAFE)
    assert page.replace(marker(kind, key), "").strip() == "<p>Nothing to see.</p>"


def test_a_marker_has_one_exact_form() -> None:
    assert marker(MarkerKind.SUMMARY, "pr-7") == "<!-- auto-swe:summary pr-7 -->"


def test_every_marker_of_a_comment_is_found_whatever_its_line_ends() -> None:
    body = f"{marker(MarkerKind.SUMMARY, 'a')}\r\n\r\ntext\r\n{marker(MarkerKind.REPLY, 'b')}"
    assert read_markers(body) == {(MarkerKind.SUMMARY, "a"), (MarkerKind.REPLY, "b")}


@pytest.mark.parametrize(
    "body",
    [
        "<!-- auto-swe:summary  a -->",
        "<!--auto-swe:summary a-->",
        "<!-- auto-swe:summary a --> text",
        "text <!-- auto-swe:summary a -->",
        " <!-- auto-swe:summary a -->",
        "> <!-- auto-swe:summary a -->",
        "<!-- Auto-SWE:summary a -->",
        "<!-- auto-swe:Summary a -->",
        "<!-- auto-swe:review a -->",
        "<!-- auto-swe:summary a b -->",
        "<!-- auto-swe:summary a--b -->",
        "<!-- auto-swe:summary -->",
        "<!-- auto-swe:summary\na -->",
        f"<!-- auto-swe:summary {'a' * 81} -->",
        "&lt;!-- auto-swe:summary a --&gt;",
        "\ud800",
        "",
    ],
)
def test_any_other_form_is_no_marker(body: str) -> None:
    assert read_markers(body) == frozenset()


@given(st.text(), st.text())
def test_neutralised_text_never_brings_a_marker_along(before: str, after: str) -> None:
    forged = f"{before}\n{marker(MarkerKind.SUMMARY, 'a')}\n{after}"
    assert read_markers(f"x\n{neutralise_inline(forged, 1_000)}") == frozenset()
    assert read_markers(f"x\n\n{neutralise_block(forged, 1_000)}\n") == frozenset()


def test_a_key_may_have_eighty_characters() -> None:
    longest = "a" * 80
    assert read_markers(marker(MarkerKind.REPLY, longest)) == {(MarkerKind.REPLY, longest)}


@pytest.mark.parametrize("key", ["", "a b", "a--b", "-a", "a-", "a>", "a\n", "é", "a" * 81])
def test_a_key_that_a_marker_cannot_hold_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="marker key"):
        marker(MarkerKind.REPLY, key)
