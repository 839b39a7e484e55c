"""Each requirement of a page is registered, or said to be pending, and what is registered of it exists."""

from itertools import chain

import pytest

from tests.sentences.branches import invert
from tests.sentences.named_tests import exists, is_left_to_soak
from tests.sentences.registers import REGISTERS
from tests.sentences.requirements import read_requirements
from tests.sentences.sentence import REPOSITORY, Branch, Register
from tests.sentences.table import read_page, write_table

BRANCHES = [
    (sentence.id, branch)
    for register in REGISTERS.values()
    for sentence in register.sentences
    for branch in sentence.branches
]
each_register = pytest.mark.parametrize("register", REGISTERS.values(), ids=list(REGISTERS))


@each_register
def test_every_requirement_of_a_page_is_registered_once_or_pending_and_nothing_else_is(register: Register) -> None:
    told = [*(sentence.id for sentence in register.sentences), *register.pending]
    assert sorted(told) == sorted(read_requirements(read_page(register)))


@pytest.mark.parametrize(("identifier", "branch"), BRANCHES)
def test_a_branch_that_is_named_stands_once_where_it_is_said_to_stand(identifier: str, branch: Branch) -> None:
    source = (REPOSITORY / branch.path).read_text()
    assert invert(source, branch) != source, identifier


@each_register
def test_every_test_that_is_named_exists_and_is_played_in_the_test_run(register: Register) -> None:
    named = set(chain.from_iterable(sentence.tests for sentence in register.sentences))
    assert {test for test in named if not exists(test)} == set()
    assert {test for test in named if is_left_to_soak(test)} == set()


@each_register
def test_a_sentence_names_a_test_and_a_branch_or_the_shape_that_keeps_it(register: Register) -> None:
    for sentence in register.sentences:
        assert sentence.tests, sentence.id
        assert bool(sentence.branches) != bool(sentence.by_shape), sentence.id


@each_register
def test_the_table_is_what_the_page_and_the_register_say(register: Register) -> None:
    """If it is not: ``python -m tests.sentences``."""
    assert (REPOSITORY / register.table).read_text() == write_table(register)
