"""What a round may claim about a thread (feedback §4)."""

import pytest

from autoswe.rules.feedback.report import NEAR_LINES, Place, changed_ranges, corroborates

LINES = [f"line {number}" for number in range(1, 101)]


def _file(**replaced: str) -> bytes:
    return "\n".join(replaced.get(f"l{number}", line) for number, line in enumerate(LINES, 1)).encode()


def test_the_changed_ranges_of_a_file_are_the_lines_that_differ() -> None:
    assert list(changed_ranges(_file(), _file(l10="x", l11="y", l50="z"))) == [(10, 11), (50, 50)]


def test_a_line_that_stands_in_a_file_many_times_is_not_taken_for_changed() -> None:
    before = [b"}"] * 150 + [b"one"] + [b"}"] * 150
    after = [b"}"] * 150 + [b"two"] + [b"}"] * 150
    assert list(changed_ranges(b"\n".join(before), b"\n".join(after))) == [(151, 151)]


def test_an_insertion_changes_the_lines_on_both_sides_of_it() -> None:
    assert list(changed_ranges(b"a\nb\n", b"a\nnew\nb\n")) == [(1, 2)]


def test_a_file_that_came_or_went_is_changed_throughout() -> None:
    [(first, last)] = changed_ranges(None, b"a")
    assert (first, last >= 10**6) == (1, True)
    assert changed_ranges(b"a", None) == changed_ranges(None, b"a")


@pytest.mark.parametrize(
    ("changed_line", "near"), [(50 - NEAR_LINES, True), (49 - NEAR_LINES, False), (52 + NEAR_LINES, True), (73, False)]
)
def test_addressed_is_claimed_when_the_change_is_near_the_threads_lines(changed_line: int, near: bool) -> None:
    changed = {"a.py": [(changed_line, changed_line)]}
    assert corroborates(Place("a.py", 50, 52), (), changed) is near


def test_a_thread_without_lines_is_near_any_change_of_its_file() -> None:
    assert corroborates(Place("a.py", None, None), (), {"a.py": [(900, 900)]})
    assert not corroborates(Place("a.py", None, None), (), {"b.py": [(1, 1)]})


def test_another_changed_file_that_the_outcome_names_bears_it_out() -> None:
    assert corroborates(Place("a.py", 1, 1), ("b.py",), {"b.py": [(1, 1)]})


def test_naming_an_unchanged_file_or_the_threads_own_far_change_bears_out_nothing() -> None:
    assert not corroborates(Place("a.py", 1, 1), ("c.py",), {"b.py": [(1, 1)]})
    assert not corroborates(Place("a.py", 1, 1), ("a.py",), {"a.py": [(90, 90)]})


def test_a_path_whose_change_could_not_be_read_bears_out_nothing() -> None:
    assert not corroborates(Place("a.py", 1, 1), (), {"a.py": []})
