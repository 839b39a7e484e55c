"""Which suggestion blocks of a thread are applied as they stand (feedback §3)."""

from dataclasses import replace

import pytest

from autoswe.rules.feedback.thread_suggestions import read_thread_suggestions
from autoswe.rules.github.facts import Thread
from autoswe.rules.text.suggestions import SuggestionEdit, SuggestionReason
from tests.support.feedback.threads import comment, thread

FILE = {"a.py": b"A\nB\nC\n"}
HUNK = "@@ -0,0 +1,3 @@\n+A\n+B"
SUGGESTION = comment("```suggestion\nX\n```", comment_id=7, hunk=HUNK)


def test_a_suggestion_on_unchanged_lines_is_an_edit_of_those_lines() -> None:
    assert read_thread_suggestions(thread(SUGGESTION), [SUGGESTION], FILE) == (SuggestionEdit("7", 2, 2, ("X",)),)


def test_a_suggestion_on_several_lines_replaces_all_of_them() -> None:
    both = thread(SUGGESTION, start_line=1)
    assert read_thread_suggestions(both, [SUGGESTION], FILE) == (SuggestionEdit("7", 1, 2, ("X",)),)


def test_a_remark_among_the_comments_leaves_the_suggestions_as_they_are() -> None:
    remark = comment("please rename")
    edits = read_thread_suggestions(thread(remark, SUGGESTION), [remark, SUGGESTION], FILE)
    assert edits == (SuggestionEdit("7", 2, 2, ("X",)),)


def test_a_thread_without_suggestions_has_no_edits() -> None:
    remark = comment("please rename")
    assert read_thread_suggestions(thread(remark), [remark], FILE) == ()


def test_lines_of_the_old_side_do_not_count_as_what_the_reviewer_saw() -> None:
    hunk = "@@ -1,2 +1,2 @@\n A\n-old\n+B"
    seen = comment("```suggestion\nX\n```", comment_id=7, hunk=hunk)
    both = thread(seen, start_line=1)
    assert read_thread_suggestions(both, [seen], FILE) == (SuggestionEdit("7", 1, 2, ("X",)),)


@pytest.mark.parametrize("content", [b"A\nB", b"A\nB\n", b"A\nB\n\n"])
def test_the_last_line_of_a_file_may_be_suggested_for_whether_or_not_it_ends(content: bytes) -> None:
    edits = read_thread_suggestions(thread(SUGGESTION), [SUGGESTION], {"a.py": content})
    assert edits == (SuggestionEdit("7", 2, 2, ("X",)),)


def test_lines_end_at_line_ends_alone() -> None:
    seen = comment("```suggestion\nX\n```", comment_id=7, hunk="@@ -0,0 +1,2 @@\n+a b\n+\tc")
    edits = read_thread_suggestions(thread(seen), [seen], {"a.py": b"a b\n\tc\n"})
    assert edits == (SuggestionEdit("7", 2, 2, ("X",)),)


def test_carriage_returns_do_not_make_equal_lines_differ() -> None:
    seen = comment("```suggestion\nX\n```", comment_id=7, hunk="@@ -0,0 +1,3 @@\r\n+A\r\n+B\r")
    crlf = {"a.py": b"A\r\nB\r\nC\r\n"}
    assert read_thread_suggestions(thread(seen), [seen], crlf) == (SuggestionEdit("7", 2, 2, ("X",)),)


@pytest.mark.parametrize(
    ("changed", "contents", "reason"),
    [
        (thread(SUGGESTION), {"a.py": b"A\nchanged\nC\n"}, SuggestionReason.ANCHOR_CHANGED),
        (thread(SUGGESTION), {}, SuggestionReason.ANCHOR_UNKNOWN),
        (thread(SUGGESTION), {"a.py": b"\xff\n\xfe\n"}, SuggestionReason.ANCHOR_UNKNOWN),
        (thread(SUGGESTION, line=9), FILE, SuggestionReason.ANCHOR_UNKNOWN),
        (thread(SUGGESTION, line=None), FILE, SuggestionReason.FILE_LEVEL),
        (replace(thread(SUGGESTION), line_level=False), FILE, SuggestionReason.FILE_LEVEL),
        (replace(thread(SUGGESTION), right_side=False), FILE, SuggestionReason.WRONG_SIDE),
        (replace(thread(SUGGESTION), resolved=True), FILE, SuggestionReason.RESOLVED),
        (replace(thread(SUGGESTION), outdated=True), FILE, SuggestionReason.OUTDATED),
        (thread(SUGGESTION, path=".github/workflows/ci.yml"), FILE, SuggestionReason.PROTECTED_PATH),
    ],
)
def test_a_suggestion_whose_place_is_not_certain_is_left_to_the_agent(
    changed: Thread, contents: dict[str, bytes], reason: SuggestionReason
) -> None:
    assert read_thread_suggestions(changed, [SUGGESTION], contents) is reason


def test_a_hunk_shorter_than_the_lines_it_should_show_proves_nothing() -> None:
    short = comment("```suggestion\nX\n```", hunk="@@ -0,0 +1 @@\n+B")
    assert read_thread_suggestions(thread(short, start_line=1), [short], FILE) is SuggestionReason.ANCHOR_UNKNOWN


def test_one_unusable_block_makes_the_whole_thread_a_remark() -> None:
    ambiguous = comment("```suggestion\nX\n```\n```suggestion\nY\n```", hunk=HUNK)
    read = read_thread_suggestions(thread(SUGGESTION), [SUGGESTION, ambiguous], FILE)
    assert read is SuggestionReason.AMBIGUOUS
