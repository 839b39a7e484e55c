"""What an HTML comment hides from readers is hidden from the model as well (feedback §4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.html_comments import strip_html_comments

PIECES = st.lists(st.sampled_from(["<!--", "-->", "<!", "--", "-", ">", "<", "!", "a", "\n"]), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("plain", "plain"),
        ("", ""),
        ("a<!-- b -->c", "ac"),
        ("a<!-- b\nc -->d", "ad"),
        ("<!-- a --><!-- b -->", ""),
        ("a<!-- b", "a"),
        ("a<!--", "a"),
        ("a <!-- b <!-- c --> d -->", "a  d -->"),
        ("a<!<!-- b -->-- c -->d", "ad"),
        ("a<<!-- b -->!-<!-- c -->- d -->e", "ae"),
        ("a<!-<!-- b -->- never closed", "a"),
        ("a<!-->b-->c", "ac"),
        ("a<!--->b-->c", "ac"),
        ("a<<!<!-- b -->-->c-->d", "a<d"),
        ("a<!-- b --!>c-->d", "ad"),
        ("a --> b", "a --> b"),
        ("a < !-- b", "a < !-- b"),
    ],
)
def test_a_comment_is_removed_whole(text: str, stripped: str) -> None:
    assert strip_html_comments(text) == stripped


@given(PIECES)
def test_no_comment_is_left_or_assembled(text: str) -> None:
    assert "<!--" not in strip_html_comments(text)


@given(PIECES)
def test_stripping_again_changes_nothing(text: str) -> None:
    stripped = strip_html_comments(text)
    assert strip_html_comments(stripped) == stripped


@given(PIECES)
def test_text_without_a_comment_stays_as_it_is(text: str) -> None:
    plain = text.replace("<!--", "")
    assert "<!--" in plain or strip_html_comments(plain) == plain


@given(PIECES, PIECES)
def test_what_stands_before_a_comment_stays_and_what_stands_in_it_goes(before: str, hidden: str) -> None:
    before, hidden = before.replace("<", ""), hidden.replace(">", "")
    assert strip_html_comments(f"{before}<!--{hidden}--> after") == f"{before} after"
