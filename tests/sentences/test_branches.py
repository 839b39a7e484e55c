"""A branch is found where it is named, and turned into its opposite and nothing else."""

from contextlib import suppress

import pytest

from tests.sentences.branches import BranchNotFound, invert
from tests.sentences.sentence import Branch, Inversion

SOURCE = """\
OPEN = frozenset({"Zürich", "Bern"})
COUNT: int = 3


class Door:
    width: int = 2

    def opens(self, key: int) -> bool:
        if not (key > 1
                and key < 9):
            return False
        log(key, loud=True)
        return key > self.width if key else key in {"ä": 1, "b": key}


def passable(doors):
    print(f"{len(doors):>3} doors")
    seen = [door for door in doors if door.width]
    if seen:
        return seen
    return None
"""


@pytest.mark.parametrize(("scope", "expression", "before", "after"), [
    ("Door.opens", "key>1 and key<9", "(key > 1\n                and key < 9)",
     "((not (key > 1\n                and key < 9)))"),
    ("Door.opens", "key > self.width", "key > self.width", "(not (key > self.width))"),
    ("Door.width", "2", "width: int = 2", "width: int = (not (2))"),
    ("COUNT", "3", "COUNT: int = 3", "COUNT: int = (not (3))"),
    ("passable", "door.width", "if door.width]", "if (not (door.width))]"),
    ("passable", "seen", "if seen:", "if (not (seen)):"),
])  # fmt: skip
def test_a_condition_or_value_gives_way_to_its_negation(scope: str, expression: str, before: str, after: str) -> None:
    assert invert(SOURCE, Branch("house", scope, expression)) == SOURCE.replace(before, after)


@pytest.mark.parametrize(("scope", "expression", "before", "after"), [
    ("OPEN", "'Zürich'", '{"Zürich", "Bern"}', '{*(), "Bern"}'),
    ("OPEN", "'Bern'", '{"Zürich", "Bern"}', '{"Zürich", *()}'),
    ("Door.opens", "log(key, loud=True)", "log(key, loud=True)", "pass"),
    ("Door.opens", "loud=True", "log(key, loud=True)", "log(key, **{})"),
    ("Door.opens", "'ä'", '{"ä": 1, "b": key}', '{**{}, "b": key}'),
])  # fmt: skip
def test_an_element_an_argument_an_entry_or_a_statement_is_left_out(
    scope: str, expression: str, before: str, after: str
) -> None:
    branch = Branch("house", scope, expression, Inversion.LEFT_OUT)
    assert invert(SOURCE, branch) == SOURCE.replace(before, after)


@pytest.mark.parametrize(("scope", "expression"), [
    ("Door.opens", "key > 2"),
    ("Door.opens", "1"),
    ("Door.closes", "key > 1"),
    ("Window", "key > 1"),
    ("passable", "seen, doors"),
])  # fmt: skip
def test_what_is_not_there_exactly_once_is_refused(scope: str, expression: str) -> None:
    with pytest.raises(BranchNotFound):
        invert(SOURCE, Branch("house", scope, expression))


def test_an_expression_in_a_formatted_string_is_cut_out_whole_or_not_at_all() -> None:
    inverted = ""
    with suppress(BranchNotFound):
        inverted = invert(SOURCE, Branch("house", "passable", "len(doors)"))
    assert inverted in {"", SOURCE.replace("len(doors)", "(not (len(doors)))")}


def test_a_module_of_the_product_lies_in_its_layer_and_any_other_at_the_root() -> None:
    assert (
        Branch("autoswe.rules.github.facts", "x", "y").path.as_posix()
        == "layers/core/python/autoswe/rules/github/facts.py"
    )
    assert Branch("infra.local.feedback.demo", "x", "y").path.as_posix() == "infra/local/feedback/demo.py"
