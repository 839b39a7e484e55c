"""The largest diff that is allowed is judged whatever it holds: a rule that is not linear would not come back from it.

See review §8.2.
"""

import pytest

from autoswe.rules.review.trivial.classifier import classify_trivial
from autoswe.rules.review.vetoes.judgement import find_vetoes
from tests.support.review.changes import changed
from tests.support.review.largest_diffs import (
    LOCK_FILE,
    ONE_LINE,
    WORKFLOW,
    ever_deeper,
    followed_commands,
    judge,
    most_files,
    one_line,
)


@pytest.mark.parametrize("piece", ONE_LINE.values(), ids=ONE_LINE.keys())
@pytest.mark.parametrize("path", [WORKFLOW, LOCK_FILE])
def test_one_line_of_the_largest_size_is_judged(piece: str, path: str) -> None:
    judge(one_line(path, piece))


def test_commands_of_the_longest_length_that_is_followed_are_judged() -> None:
    judge(followed_commands())


def test_lines_that_stand_ever_deeper_are_judged() -> None:
    judge(ever_deeper())


def test_the_largest_number_of_files_is_judged() -> None:
    files = most_files()
    assert {veto.path for veto in find_vetoes(files, sides_required=False)} == {file.path for file in files}


def test_keys_of_very_many_parts_are_refused_before_they_are_parsed() -> None:
    old = f'a{".a" * 100_000} = "1"'
    file = changed("pyproject.toml", f'x = "1"\n{old}', f'x = "2"\n{old}', sides=True)
    assert not classify_trivial([file], sides_required=True).trivial
