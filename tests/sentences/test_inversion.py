"""What is said of an inversion is what the tests said."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.sentences.inversion import TestsFail, Verdict, judge, pass_as_they_are
from tests.sentences.named_tests import exists, is_left_to_soak
from tests.sentences.sentence import Branch, Sentence

SOURCE = """\
def is_open(door):
    return door > 1


def count(doors):
    return len([door for door in doors if is_open(door)])
"""
TESTS = """\
from house import count, is_open


def test_open():
    assert is_open(2)


def test_whole():
    assert count([]) == 0


def test_wrong():
    assert is_open(0)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "house.py").write_text(SOURCE)
    (tmp_path / "test_house.py").write_text(TESTS)
    return tmp_path


def sentence(*branches: Branch, tests: Sequence[str]) -> Sentence:
    return Sentence("1.1", branches, tuple(f"test_house.py::{test}" for test in tests))


def verdicts(folder: Path, *branches: Branch, tests: Sequence[str]) -> list[Verdict]:
    return [judged.verdict for judged in judge([sentence(*branches, tests=tests)], folder, 2)]


def test_an_inversion_is_noticed_survives_or_breaks_the_run_and_the_source_is_as_it_was(folder: Path) -> None:
    condition = Branch("house", "is_open", "door > 1")
    assert verdicts(folder, condition, tests=["test_open"]) == [Verdict.NOTICED]
    assert verdicts(folder, condition, tests=["test_whole"]) == [Verdict.SURVIVED]
    assert (folder / "house.py").read_text() == SOURCE


def test_a_run_that_cannot_collect_its_tests_proves_nothing(folder: Path) -> None:
    (folder / "house.py").write_text(f"{SOURCE}\nCOUNT = 3\nassert COUNT\n")
    assert verdicts(folder, Branch("house", "COUNT", "3"), tests=["test_whole"]) == [Verdict.BROKEN]


def test_nothing_is_said_where_the_tests_fail_as_things_are(folder: Path) -> None:
    pass_as_they_are([sentence(tests=["test_open", "test_whole"])], folder)
    with pytest.raises(TestsFail):
        pass_as_they_are([sentence(tests=["test_open", "test_wrong"])], folder)


def test_a_test_exists_under_its_path_and_name_alone() -> None:
    path = "tests/sentences/test_inversion.py"
    assert exists(f"{path}::test_a_test_exists_under_its_path_and_name_alone")
    assert not exists(f"{path}::verdicts")
    assert not exists(f"{path}::TestNone::test_none")
    assert not exists("tests/sentences/test_none.py::test_none")


def test_a_test_is_left_to_soak_by_a_mark_of_its_own_and_not_of_one_of_its_parameters() -> None:
    path = "tests/faults/test_matrix.py"
    assert is_left_to_soak(f"{path}::test_a_round_survives_the_failure_of_more_pairs_of_calls")
    assert not is_left_to_soak(f"{path}::test_a_round_survives_the_failure_of_any_call")
