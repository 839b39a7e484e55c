"""How the numbered requirements of a page are read."""

import pytest

from tests.sentences.requirements import read_requirements, shorten

PAGE = """\
# A page with - **9.9** no item

- **1.1** The door opens; nobody
  holds it.

  A second paragraph.
- **1.10** It closes.
- Not numbered.
  - **1.2** Not an item of the page's own.
"""


def test_an_item_is_read_with_the_lines_that_go_on_below_it() -> None:
    assert read_requirements(PAGE) == {"1.1": "The door opens; nobody holds it.", "1.10": "It closes."}


def test_an_id_that_comes_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"1\.1 stands in the page twice"):
        read_requirements(PAGE + "- **1.1** Again.\n")


@pytest.mark.parametrize(("requirement", "short"), [
    ("The door opens; nobody holds it.", "The door opens"),
    ("It closes. Nobody knows why.", "It closes"),
    ("Nothing below `.github/workflows` is touched.", "Nothing below `.github/workflows` is touched"),
])  # fmt: skip
def test_the_first_sentence_stands_for_the_whole(requirement: str, short: str) -> None:
    assert shorten(requirement) == short
