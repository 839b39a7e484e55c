"""The table in ``functions/README.md``, read by its headings."""

import re

from infra.cloud.names import REPOSITORY


def read_rows() -> dict[str, dict[str, str]]:
    """Give each function's cells by the heading of their column."""
    lines = (REPOSITORY / "functions" / "README.md").read_text(encoding="utf-8").splitlines()
    headings, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|")
    table = [dict(zip(headings, row, strict=True)) for row in rows]
    return {row["function"].strip("`"): row for row in table}


def row_kinds(function: str, column: str) -> set[str]:
    """Pick the kinds of rows out of a cell: the capitalised words after "rows"."""
    found = re.search(r"rows? ([A-Z]+(?:, [A-Z]+)*)", read_rows()[function][column])
    return set(found[1].split(", ")) if found else set()
