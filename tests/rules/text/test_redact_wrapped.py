"""No token survives in a log, however line ends, carriage returns and terminal escapes cut it (feedback §4)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.redact import redact
from autoswe.rules.text.redact_wrapped import redact_wrapped
from tests.rules.text.test_redact import KEPT, SAMPLES, TOKENS

CUTS = [
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\\\n",
    "\n    ",
    "\r\t",
    "\x1b[0m",
    "\x1b[1;31m\n",
    "\r\x1b[K",
    "\x1b]0;t\x07",
    "\u200b",
]
# Longer than what any prefix and a handful of characters after it have in common with an ordinary word.
TELLING = 12


@st.composite
def cut_tokens(draw: st.DrawFn) -> tuple[str, str, list[str]]:
    """A rule's token, cut at up to four places; and the pieces."""
    rule = draw(st.sampled_from(sorted(TOKENS)))
    token = TOKENS[rule]
    places = sorted(draw(st.sets(st.integers(1, len(token) - 1), min_size=1, max_size=4)))
    pieces = [token[start:end] for start, end in zip([0, *places], [*places, len(token)], strict=True)]
    text = pieces[0]
    for piece in pieces[1:]:
        text += draw(st.sampled_from(CUTS)) + piece
    return rule, text, pieces


@given(
    cut_tokens(),
    st.sampled_from(["", "log: ", "the last line\n", "x = '"]),
    st.sampled_from(["", " done", "\n", "\nnext", "'"]),
)
def test_a_token_cut_anywhere_in_any_way_is_gone(cut: tuple[str, str, list[str]], before: str, after: str) -> None:
    _, text, pieces = cut
    redacted = redact_wrapped(f"{before}{text}{after}")
    assert redacted.found
    assert not [piece for piece in pieces if len(piece) >= TELLING and piece in redacted.text]


@pytest.mark.parametrize("rule", sorted(TOKENS))
def test_a_token_may_be_cut_after_every_character(rule: str) -> None:
    assert redact_wrapped("log: " + "\r\n".join(TOKENS[rule]) + " done").text == f"log: [redacted:{rule}] done"


@pytest.mark.parametrize("rule", sorted(SAMPLES))
def test_what_is_found_in_a_single_line_is_found_here_as_well(rule: str) -> None:
    place, secret = SAMPLES[rule]
    assert redact_wrapped(place.format(secret)) == redact(place.format(secret))


def test_with_a_token_at_the_end_of_a_line_goes_at_most_a_word_of_the_next() -> None:
    token = TOKENS["github_token"]
    text = redact_wrapped(f"first\nuses {token}\nBuild succeeded\nlast").text
    assert text == "first\nuses [redacted:github_token] succeeded\nlast"


def test_a_token_behind_a_word_of_the_line_before_is_found() -> None:
    token = TOKENS["npm_token"]
    assert redact_wrapped(f"done\n{token[:2]}\n{token[2:]} ok").text == "done\n[redacted:npm_token] ok"


def test_the_rules_are_named_once_each_in_table_order() -> None:
    token = TOKENS["npm_token"]
    found = redact_wrapped(f"{token[:9]}\n{token[9:]} and {token} and {TOKENS['github_token']}").found
    assert found == ("github_token", "npm_token")


@given(st.lists(st.sampled_from([*KEPT, "\n", "\r\n", "    indented"])).map("\n".join))
def test_words_hashes_and_ids_stay_on_however_many_lines(text: str) -> None:
    assert redact_wrapped(text).text == text


@given(
    st.lists(
        st.from_regex(
            re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), fullmatch=True
        )
    ).map("\n".join)
)
def test_lists_of_hashes_and_uuids_stay(text: str) -> None:
    assert redact_wrapped(text).text == text


@given(st.text())
def test_any_text_can_be_redacted(text: str) -> None:
    assert redact_wrapped(redact_wrapped(text).text).text == redact_wrapped(text).text
