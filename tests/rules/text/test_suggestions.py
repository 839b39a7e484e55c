"""Suggestion blocks are applied exactly as GitHub applies them, and refused where that is uncertain (feedback §3)."""

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.text.suggestions import (
    Applied,
    NoSuggestion,
    Suggestion,
    SuggestionAnchor,
    SuggestionEdit,
    SuggestionReason,
    Unusable,
    apply_suggestions,
    is_protected_path,
    judge_anchor,
    read_suggestion,
)

F = "`" * 3

READINGS = {
    "the content replaces the lines": (f"{F}suggestion\nX\n{F}", Suggestion(("X",))),
    "an empty block deletes the lines": (f"{F}suggestion\n{F}", Suggestion(())),
    "one empty line is one empty line": (f"{F}suggestion\n\n{F}", Suggestion(("",))),
    "only the last line end belongs to the fence": (f"{F}suggestion\nX\n\n{F}", Suggestion(("X", ""))),
    "text around the block is a remark": (f"Better:\n{F}suggestion\nX\n{F}\nThanks!", Suggestion(("X",))),
    "a longer fence may hold a fence": (f"`{F}suggestion\n{F}py\nx\n{F}\n`{F}", Suggestion((f"{F}py", "x", F))),
    "a fence left open after the block is refused": (
        f"{F}suggestion\n{F}py\nx\n{F}\n{F}",
        Unusable(SuggestionReason.UNCLOSED_FENCE),
    ),
    "a fence left open before the block is refused": (
        f"- {F}py\n  x\n\n{F}suggestion\nX\n{F}",
        Unusable(SuggestionReason.UNCLOSED_FENCE),
    ),
    "a fence left open in a quotation is refused": (
        f"> {F}py\n> x\n\n{F}suggestion\nX\n{F}",
        Unusable(SuggestionReason.UNCLOSED_FENCE),
    ),
    "two blocks are ambiguous": (
        f"{F}suggestion\nX\n{F}\nor\n{F}suggestion\nY\n{F}",
        Unusable(SuggestionReason.AMBIGUOUS),
    ),
    "two equal blocks are ambiguous": (f"{F}suggestion\nX\n{F}\n" * 2, Unusable(SuggestionReason.AMBIGUOUS)),
    "a block that is never closed is refused": (f"{F}suggestion\nX", Unusable(SuggestionReason.UNCLOSED_FENCE)),
    "a block that is only opened is refused": (f"{F}suggestion", Unusable(SuggestionReason.UNCLOSED_FENCE)),
    "an indented closing fence closes nothing": (
        f"{F}suggestion\nX\n    {F}",
        Unusable(SuggestionReason.UNCLOSED_FENCE),
    ),
    "a shorter closing fence closes nothing": (
        f"`{F}suggestion\nX\n{F}",
        Unusable(SuggestionReason.UNCLOSED_FENCE),
    ),
    "tildes are refused": ("~~~suggestion\nX\n~~~", Unusable(SuggestionReason.TILDE_FENCE)),
    "another host's range syntax is no suggestion": (f"{F}suggestion:-0+2\nX\n{F}", NoSuggestion()),
    "further words after the first are ignored": (f"{F}suggestion python\nX\n{F}", Suggestion(("X",))),
    "a tab ends the first word": (f"{F}suggestion\tpython\nX\n{F}", Suggestion(("X",))),
    "space before the word is ignored": (f"{F}  suggestion\nX\n{F}", Suggestion(("X",))),
    "a capital is another word": (f"{F}Suggestion\nX\n{F}", NoSuggestion()),
    "a plural is another word": (f"{F}suggestions\nX\n{F}", NoSuggestion()),
    "a no-break space is part of the word": (f"{F}suggestion\u00a0\nX\n{F}", NoSuggestion()),
    "a quoted block is a quotation": (f"> {F}suggestion\n> X\n> {F}", NoSuggestion()),
    "a block in a list in a quotation is a quotation": (f"> - {F}suggestion\n>   X\n>   {F}", NoSuggestion()),
    "a quoted block does not make the other ambiguous": (
        f"> {F}suggestion\n> X\n> {F}\n\n{F}suggestion\nY\n{F}",
        Suggestion(("Y",)),
    ),
    "a list item's indentation is not content": (f"- see\n\n  {F}suggestion\n    X\n  {F}", Suggestion(("  X",))),
    "the fence's own indentation is not content": (f"  {F}suggestion\n    X\n Y\n  {F}", Suggestion(("  X", "Y"))),
    "indented by four it is an indented code block": (f"    {F}suggestion\n    X\n    {F}", NoSuggestion()),
    "inside another fence it is content": (f"`{F}\n{F}suggestion\nX\n{F}\n`{F}", NoSuggestion()),
    "inside an HTML comment it is hidden": (f"<!--\n{F}suggestion\nX\n{F}\n-->", NoSuggestion()),
    "inside details without a blank line it is HTML": (
        f"<details>\n{F}suggestion\nX\n{F}\n</details>",
        NoSuggestion(),
    ),
    "inside details after a blank line it is a block": (
        f"<details>\n\n{F}suggestion\nX\n{F}\n\n</details>",
        Suggestion(("X",)),
    ),
    "a closing fence has no words": (f"{F}suggestion\nX\n{F} end\n{F}", Suggestion(("X", f"{F} end"))),
    "a comment with CRLF reads the same": (f"{F}suggestion\r\nX\r\n{F}\r\n", Suggestion(("X",))),
    "an entity in the word makes it another word": (f"{F}suggesti&#111;n\nX\n{F}", NoSuggestion()),
    "an escape in the word makes it another word": (f"{F}suggesti\\on\nX\n{F}", NoSuggestion()),
    "an open fence without any suggestion is no suggestion": (f"{F}py\nx", NoSuggestion()),
    "plain text is no suggestion": ("suggestion", NoSuggestion()),
    "nothing is no suggestion": ("", NoSuggestion()),
    "NUL is refused": (f"{F}suggestion\nX\0\n{F}", Unusable(SuggestionReason.NOT_TEXT)),
    "half a surrogate pair is refused": (f"{F}suggestion\n\ud800\n{F}", Unusable(SuggestionReason.NOT_TEXT)),
}


@pytest.mark.parametrize(("body", "reading"), READINGS.values(), ids=READINGS.keys())
def test_a_comment_reads_as_github_reads_it(body: str, reading: object) -> None:
    assert read_suggestion(body) == reading


@given(
    st.lists(
        st.sampled_from(
            [
                f"{F}suggestion",
                F,
                f"`{F}",
                f"{F}py",
                "~~~",
                "> ",
                "- ",
                "  ",
                "\t",
                "x",
                "\n",
                "\n",
                "1. ",
                "<!--",
                "-->",
            ]
        ),
        max_size=24,
    ).map("".join)
)
def test_the_content_is_what_githubs_own_parser_finds(body: str) -> None:
    reading = read_suggestion(body)
    if isinstance(reading, Suggestion):
        rendered = cmarkgfm.markdown_to_html(body, options=Options.CMARK_OPT_GITHUB_PRE_LANG)
        blocks = re.findall(r'<pre lang="suggestion"><code>(.*?)</code></pre>', rendered, re.DOTALL)
        assert "".join(line + "\n" for line in reading.lines) in [html.unescape(block) for block in blocks]


ANCHOR = SuggestionAnchor(
    path="src/a.py",
    names_lines=True,
    on_new_side=True,
    submitted=True,
    resolved=False,
    outdated=False,
    commented_lines=("B",),
    head_lines=("B",),
)

ANCHORS = {
    "a current comment on unchanged new lines": (ANCHOR, None),
    "a comment on several new lines": (
        replace(ANCHOR, commented_lines=("A", "B"), head_lines=("A", "B")),
        None,
    ),
    "a pending review": (replace(ANCHOR, submitted=False), SuggestionReason.UNSUBMITTED),
    "a resolved thread": (replace(ANCHOR, resolved=True), SuggestionReason.RESOLVED),
    "an outdated thread": (replace(ANCHOR, outdated=True), SuggestionReason.OUTDATED),
    "a comment on the file": (replace(ANCHOR, names_lines=False), SuggestionReason.FILE_LEVEL),
    "deleted lines": (replace(ANCHOR, on_new_side=False), SuggestionReason.WRONG_SIDE),
    "a workflow": (replace(ANCHOR, path=".github/workflows/ci.yml"), SuggestionReason.PROTECTED_PATH),
    "lines unreadable where the comment was made": (
        replace(ANCHOR, commented_lines=None),
        SuggestionReason.ANCHOR_UNKNOWN,
    ),
    "lines unreadable at the head": (replace(ANCHOR, head_lines=None), SuggestionReason.ANCHOR_UNKNOWN),
    "lines that changed since": (replace(ANCHOR, head_lines=("b",)), SuggestionReason.ANCHOR_CHANGED),
}


@pytest.mark.parametrize(("anchor", "reason"), ANCHORS.values(), ids=ANCHORS.keys())
def test_only_a_current_comment_on_unchanged_new_lines_is_applied(
    anchor: SuggestionAnchor, reason: SuggestionReason | None
) -> None:
    assert judge_anchor(anchor) == reason


@pytest.mark.parametrize(
    ("path", "protected"),
    [
        (".github/workflows/ci.yml", True),
        (".GitHub/Workflows/ci.yml", True),
        (".github/actions/build/action.yml", True),
        (".github/actions", True),
        (".github/./workflows/ci.yml", True),
        ("src/../.github/workflows/ci.yml", True),
        ("/.github/workflows/ci.yml", True),
        (".github//workflows/ci.yml", True),
        (".github\\workflows\\ci.yml", True),
        (".github/workflows-old/ci.yml", False),
        (".github/CODEOWNERS", False),
        ("docs/.github/workflows/ci.yml", False),
        ("src/a.py", False),
    ],
)
def test_workflows_and_actions_are_protected_however_the_path_is_written(path: str, protected: bool) -> None:
    assert is_protected_path(path) is protected


def edit(start: int, end: int, *lines: str, label: str = "T1") -> SuggestionEdit:
    return SuggestionEdit(label, start, end, lines)


CHANGES = {
    "one line by one": (b"A\nB\nC\n", edit(2, 2, "X"), b"A\nX\nC\n"),
    "one line by none": (b"A\nB\nC\n", edit(2, 2), b"A\nC\n"),
    "one line by an empty one": (b"A\nB\nC\n", edit(2, 2, ""), b"A\n\nC\n"),
    "one line by two": (b"A\nB\nC\n", edit(2, 2, "X", ""), b"A\nX\n\nC\n"),
    "two lines by one": (b"A\nB\nC\n", edit(1, 2, "X"), b"X\nC\n"),
    "every line by none": (b"A\nB\n", edit(1, 2), b""),
    "CRLF stays CRLF": (b"A\r\nB\r\nC\r\n", edit(2, 2, "X", "Y"), b"A\r\nX\r\nY\r\nC\r\n"),
    "mixed line ends follow the replaced line": (b"A\nB\r\nC\n", edit(2, 2, "X"), b"A\nX\r\nC\n"),
    "no line end at the end stays none": (b"A\nB\nC", edit(3, 3, "X"), b"A\nB\nX"),
    "none stays none though lines are added": (b"A\r\nB", edit(2, 2, "X", "Y"), b"A\r\nX\r\nY"),
    "none stays none though the last line goes": (b"A\nB", edit(2, 2), b"A"),
    "an empty last line keeps its end": (b"A\nB\n\nC", edit(4, 4), b"A\nB\n\n"),
    "a single line without an end": (b"A", edit(1, 1, "X", "Y"), b"X\nY"),
    "a byte order mark stays": (b"\xef\xbb\xbfA\nB\n", edit(1, 1, "X"), b"\xef\xbb\xbfX\nB\n"),
    "a lone carriage return is no line end": (b"A\rB\nC\n", edit(2, 2, "X"), b"A\rB\nX\n"),
    "a line separator is no line end": ("A\u2028B\nC\n".encode(), edit(2, 2, "X"), "A\u2028B\nX\n".encode()),
}


@pytest.mark.parametrize(("before", "change", "after"), CHANGES.values(), ids=CHANGES.keys())
def test_exactly_the_anchored_lines_are_replaced(before: bytes, change: SuggestionEdit, after: bytes) -> None:
    assert apply_suggestions(before, [change]) == Applied(after, ("T1",), ())


REFUSALS = {
    "what the line already says": (b"A\nB\n", edit(2, 2, "B"), SuggestionReason.NO_OP),
    "what the line already says, CRLF aside": (b"A\r\nB\r\n", edit(2, 2, "B"), SuggestionReason.NO_OP),
    "a line after the last": (b"A\nB\n", edit(3, 3, "X"), SuggestionReason.OUT_OF_RANGE),
    "a range that ends after the last line": (b"A\nB\n", edit(2, 3, "X"), SuggestionReason.OUT_OF_RANGE),
    "line zero": (b"A\nB\n", edit(0, 1, "X"), SuggestionReason.OUT_OF_RANGE),
    "a range that runs backwards": (b"A\nB\n", edit(2, 1, "X"), SuggestionReason.OUT_OF_RANGE),
    "any line of an empty file": (b"", edit(1, 1, "X"), SuggestionReason.OUT_OF_RANGE),
    "a binary file": (b"A\0\nB\n", edit(2, 2, "X"), SuggestionReason.NOT_TEXT),
    "a file that is not UTF-8": (b"A\xff\nB\n", edit(2, 2, "X"), SuggestionReason.NOT_TEXT),
    "lines that are not text": (b"A\nB\n", edit(2, 2, "\ud800"), SuggestionReason.NOT_TEXT),
}


@pytest.mark.parametrize(("before", "change", "reason"), REFUSALS.values(), ids=REFUSALS.keys())
def test_what_cannot_be_applied_leaves_the_file_alone(
    before: bytes, change: SuggestionEdit, reason: SuggestionReason
) -> None:
    assert apply_suggestions(before, [change]) == Applied(before, (), (("T1", reason),))


def test_suggestions_that_share_a_line_are_both_refused_and_others_still_applied() -> None:
    edits = [edit(1, 2, "X", label="T1"), edit(2, 2, "Y", label="T2"), edit(3, 3, "Z", label="T3")]
    assert apply_suggestions(b"A\nB\nC\n", edits) == Applied(
        b"A\nB\nZ\n", ("T3",), (("T1", SuggestionReason.OVERLAP), ("T2", SuggestionReason.OVERLAP))
    )


LINE = st.text(alphabet="AB \t\r\u2028", max_size=3).filter(lambda line: not line.endswith("\r"))
CONTENT = st.builds(
    lambda mark, lines, end, final: mark + end.join(lines) + (end if final and lines else ""),
    st.sampled_from(["", "\ufeff"]),
    st.lists(LINE, max_size=9),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
EDITS = st.lists(
    st.builds(
        lambda start, length, lines: (start, start + length, tuple(lines)),
        st.integers(0, 9),
        st.integers(-1, 3),
        st.lists(LINE, max_size=3),
    ),
    max_size=6,
).map(lambda parts: [SuggestionEdit(f"T{number}", *part) for number, part in enumerate(parts)])


def lines_of(text: str) -> list[str]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


@given(CONTENT, EDITS)
def test_lines_outside_the_applied_ranges_never_change(content: str, edits: Sequence[SuggestionEdit]) -> None:
    result = apply_suggestions(content.encode(), edits)
    expected = lines_of(content)
    by_label = {each.label: each for each in edits}
    for label in reversed(result.applied):
        applied = by_label[label]
        expected[applied.start_line - 1 : applied.end_line] = applied.lines
    assert lines_of(result.content.decode()) == expected


@given(CONTENT, EDITS)
def test_a_file_ends_as_it_ended_unless_its_last_line_became_empty(
    content: str, edits: Sequence[SuggestionEdit]
) -> None:
    after = apply_suggestions(content.encode(), edits).content.decode()
    remaining = lines_of(after)
    if remaining and remaining[-1]:
        assert after.endswith("\n") == content.endswith("\n")


@given(CONTENT, EDITS, st.randoms(use_true_random=False))
def test_the_result_does_not_depend_on_the_order_of_the_suggestions(
    content: str, edits: list[SuggestionEdit], randomness: Random
) -> None:
    shuffled = list(edits)
    randomness.shuffle(shuffled)
    assert apply_suggestions(content.encode(), shuffled) == apply_suggestions(content.encode(), edits)


@given(EDITS)
def test_exactly_the_suggestions_that_share_a_line_overlap(edits: Sequence[SuggestionEdit]) -> None:
    content = "".join(f"line {number}\n" for number in range(1, 13))
    valid = [each for each in edits if 1 <= each.start_line <= each.end_line]
    overlapping = {
        label
        for one, other in combinations(valid, 2)
        if one.start_line <= other.end_line and other.start_line <= one.end_line
        for label in (one.label, other.label)
    }
    result = apply_suggestions(content.encode(), edits)
    assert {label for label, reason in result.refused if reason is SuggestionReason.OVERLAP} == overlapping
    assert set(result.applied) == {each.label for each in valid} - overlapping
