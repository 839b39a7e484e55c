"""A patch is read only when it says the whole change (review §8.2)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.diff.changed_files import ChangedFile
from autoswe.rules.review.diff.patches import read_patch
from tests.support.review.changes import changed

TEXTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\v\f\x85\u2028\u2029"), max_size=8))


def entry(patch: str | None, additions: int, deletions: int) -> ChangedFile:
    return ChangedFile("a", "modified", additions, deletions, patch)


@given(TEXTS, TEXTS)
def test_added_and_removed_lines_are_given_as_they_are(old: list[str], new: list[str]) -> None:
    file = changed("a", "\n".join(old), "\n".join(new))
    patch = read_patch(file)
    if file.patch is None:
        assert patch is None
        return
    assert patch is not None
    assert [*patch.texts("+")] == [line[1:] for line in file.patch.split("\n") if line.startswith("+")]
    assert [*patch.texts("-")] == [line[1:] for line in file.patch.split("\n") if line.startswith("-")]


@given(TEXTS, TEXTS, st.data())
def test_a_patch_cut_off_anywhere_is_unreadable(old: list[str], new: list[str], data: st.DataObject) -> None:
    file = changed("a", "\n".join(old), "\n".join(new))
    if file.patch is None:
        return
    rows = file.patch.split("\n")
    kept = data.draw(st.integers(0, len(rows) - 1))
    assert read_patch(replace(file, patch="\n".join(rows[:kept]))) is None


@pytest.mark.parametrize(
    ("patch", "additions", "deletions"),
    [
        (None, 0, 0),
        ("", 0, 0),
        ("not a patch", 0, 0),
        ("@@ -1 +1 @@\n-a\n+b", 2, 1),  # the host counted one more
        ("@@ -1 +1,2 @@\n-a\n+b", 1, 1),  # the hunk announces one more
        ("@@ -1 +1 @@\n-a\n+b\n+c", 2, 1),  # the hunk holds one more
        ("@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b", 2, 2),  # two hunks about the same line
        ("@@ -9 +9 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b", 2, 2),  # from the bottom to the top
        ("@@ -1 +1 @@\n-a\n*b", 1, 1),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b", 1, 1),
        ("@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b", 1, 1),
    ],
)
def test_a_patch_that_is_missing_malformed_or_miscounted_is_unreadable(
    patch: str | None, additions: int, deletions: int
) -> None:
    assert read_patch(entry(patch, additions, deletions)) is None


def test_a_patch_that_the_host_cut_is_unreadable() -> None:
    assert read_patch(replace(changed("a", "x", "y"), patch_truncated=True)) is None


def test_a_missing_line_end_and_a_bare_empty_line_are_read() -> None:
    patch = read_patch(entry("@@ -1,2 +1,2 @@ def f\n\n-a\n\\ No newline at end of file\n+b", 1, 1))
    assert patch
    assert [mark for mark, _ in patch.hunks[0].lines] == [" ", "-", "+"]


@pytest.mark.parametrize("odd", ["\r", "\x85", "\u2028", "\u2029", "\f"])
def test_a_line_that_another_reader_would_break_is_given_as_several(odd: str) -> None:
    patch = read_patch(entry(f"@@ -0,0 +1 @@\n+# note{odd}uses: a/b@main", 1, 0))
    assert patch
    assert [*patch.texts("+")] == ["# note", "uses: a/b@main"]


def test_the_line_ends_of_windows_are_no_part_of_a_line() -> None:
    patch = read_patch(entry("@@ -1 +1 @@\n-a\r\n+b\r", 1, 1))
    assert patch
    assert [*patch.texts("+-")] == ["a", "b"]
