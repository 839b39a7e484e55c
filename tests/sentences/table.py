"""Writes the table of a page: each requirement, the branches that keep it, and the tests that notice."""

from collections.abc import Iterator

from tests.sentences.requirements import read_requirements, shorten
from tests.sentences.sentence import REPOSITORY, Branch, Inversion, Register, Sentence

_HEAD = """\
# What keeps {page}, and what notices

Made by `python -m tests.sentences`; `python -m tests.sentences --invert` turns each branch that is named here into its
opposite, in a copy, and tells which of them no test beside it notices. The whole sentences are in the page.

| id | sentence | rule or step | test |
| --- | --- | --- | --- |
"""


def read_page(register: Register) -> str:
    """Read the page of a register."""
    return (REPOSITORY / register.page).read_text()


def write_table(register: Register) -> str:
    """Return the table, in the page's order; a requirement that is not registered has empty cells."""
    sentences = {sentence.id: sentence for sentence in register.sentences}
    rows = "".join(
        f"| {identifier} | {_cell(shorten(text))} | {' | '.join(_cells(register, identifier, sentences))} |\n"
        for identifier, text in read_requirements(read_page(register)).items()
    )
    return _HEAD.format(page=register.page.as_posix()) + rows


def _cells(register: Register, identifier: str, sentences: dict[str, Sentence]) -> Iterator[str]:
    sentence = sentences.get(identifier)
    if sentence is None:
        yield f"*pending: {register.pending.get(identifier, 'not registered')}*"
        yield ""
    else:
        yield "<br>".join(map(_tell, sentence.branches)) or sentence.by_shape
        yield "<br>".join(f"`{test.removeprefix('tests/')}`" for test in sentence.tests)


def _tell(branch: Branch) -> str:
    what = "with" if branch.inversion is Inversion.LEFT_OUT else "where"
    expression = " ".join(branch.expression.split())
    return f"`{branch.module.removeprefix('autoswe.')}:{branch.scope}` {what} `{_cell(expression)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
