"""Reads the numbered requirements of a page: list items that begin with a bold number, such as ``- **2.7** …``."""

import re
from collections.abc import Mapping
from itertools import takewhile

_ITEM = re.compile(r"- \*\*(\d+(?:\.\d+)+)\*\* (\S.*)")


def read_requirements(page: str) -> Mapping[str, str]:
    """Return each requirement's words by its id, in the page's order; raises ``ValueError`` for an id that comes twice.

    An item goes on in the indented lines below it; only the first of its paragraphs is read.
    """
    requirements: dict[str, str] = {}
    lines = page.splitlines()
    for number, line in enumerate(lines):
        item = _ITEM.fullmatch(line)
        if item is None:
            continue
        if item[1] in requirements:
            raise ValueError(f"{item[1]} stands in the page twice")
        rest = takewhile(lambda below: below.startswith("  ") and below.strip(), lines[number + 1 :])
        requirements[item[1]] = " ".join([item[2].strip(), *(below.strip() for below in rest)])
    return requirements


def shorten(requirement: str) -> str:
    """Return the first sentence of a requirement, or the part of it before a semicolon."""
    return re.split(r"(?<=[^.]{2}\.) |; ", requirement, maxsplit=1)[0].rstrip(".;")
