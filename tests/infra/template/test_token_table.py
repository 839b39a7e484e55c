"""The GitHub tokens that the code mints are those that ``functions/README.md`` tells of."""

import re

import pytest

from autoswe.github.transport.tokens import PERMISSIONS, WRITERS
from tests.infra.template.functions_table import read_rows

ROWS = read_rows()
SWEEPS = "that of resolve_intake, for intakes; asks as the App itself for the rest"
NO_TOKEN_OF_ITS_OWN = {"none", SWEEPS}


def tokens(function: str) -> dict[str, dict[str, str]]:
    """Read the tokens of a function by name: the first bears its name, one for something alone says so."""
    cell = ROWS[function]["GitHub token"]
    if cell in NO_TOKEN_OF_ITS_OWN:
        return {}
    first, *others = re.split(r"; (of CI|to approve): ", cell)
    told = {function: first} | {
        f"{function}, {what}": token for what, token in zip(others[::2], others[1::2], strict=True)
    }
    return {name: dict(part.split(": ") for part in token.split(", ")) for name, token in told.items()}


def permissions(function: str) -> dict[str, str]:
    told = tokens(function).values()
    return {name: access for token in told for name, access in token.items()}


def test_the_tokens_that_are_minted_are_those_that_the_table_tells_of() -> None:
    assert {name: dict(asked) for name, asked in PERMISSIONS.items()} == {
        name: asked for function in ROWS for name, asked in tokens(function).items()
    }


def test_only_push_fix_respond_and_an_approval_hold_a_token_that_can_write() -> None:
    able = {name for function in ROWS for name, token in tokens(function).items() if "write" in token.values()}
    assert able == {"push_fix", "respond", "apply_review, to approve"} == set(WRITERS)


def test_only_the_sweep_asks_as_the_app_itself() -> None:
    able = [function for function, row in ROWS.items() if row["GitHub token"] == SWEEPS]
    assert able == ["sweep_deliveries"]


def test_only_push_fix_can_write_contents() -> None:
    assert [function for function in ROWS if permissions(function).get("contents") == "write"] == ["push_fix"]


@pytest.mark.parametrize("permission", ["administration", "workflows", "members", "secrets"])
def test_no_token_can_change_workflows_or_who_may_do_what(permission: str) -> None:
    assert not [function for function in ROWS if permission in permissions(function)]
