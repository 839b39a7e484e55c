"""The GitHub tokens that the code mints are those that ``functions/README.md`` tells of."""

import pytest

from autoswe.github.tokens import PERMISSIONS, WRITERS
from tests.infra.functions_table import read_rows

ROWS = read_rows()
NO_TOKEN = {"none", "none: asks as the App itself"}


def permissions(function: str) -> dict[str, str]:
    cell = ROWS[function]["GitHub token"]
    return {} if cell in NO_TOKEN else dict(part.split(": ") for part in cell.split(", "))


def test_every_function_that_a_token_is_minted_for_exists() -> None:
    assert set(PERMISSIONS) <= set(ROWS)


@pytest.mark.parametrize("function", sorted(ROWS))
def test_a_functions_token_may_do_what_the_table_says(function: str) -> None:
    assert dict(PERMISSIONS.get(function, {})) == permissions(function)


def test_only_push_fix_and_respond_hold_a_token_that_can_write() -> None:
    able = {function for function in ROWS if "write" in permissions(function).values()}
    assert able == {"push_fix", "respond"} == set(WRITERS)


def test_only_the_sweep_asks_as_the_app_itself() -> None:
    able = [function for function, row in ROWS.items() if row["GitHub token"] == "none: asks as the App itself"]
    assert able == ["sweep_deliveries"]


def test_only_push_fix_can_write_contents() -> None:
    assert [function for function in ROWS if permissions(function).get("contents") == "write"] == ["push_fix"]


@pytest.mark.parametrize("permission", ["administration", "workflows", "members", "secrets"])
def test_no_token_can_change_workflows_or_who_may_do_what(permission: str) -> None:
    assert not [function for function in ROWS if permission in permissions(function)]
