"""What ``functions/README.md`` says of each function is what is deployed."""

import json
import re

import pytest

from infra.cloud.names import REPOSITORY
from tests.infra.template.built import synthesise
from tests.infra.template.functions_table import read_rows, row_kinds
from tests.support.workflow_files import every_state

ROWS = read_rows()
FOLDERS = {
    file.parent.name for pattern in ("handler.py", "Dockerfile") for file in REPOSITORY.glob(f"functions/*/{pattern}")
}
TASKS = ("fixer_task", "review_task")
LAMBDAS = sorted(set(ROWS) - set(TASKS))
WORKFLOWS = sorted((REPOSITORY / "infra" / "workflows").glob("*.asl.json"))


def partitions(function: str) -> set[str]:
    template = synthesise()
    return {
        key.removesuffix("#*")
        for right in template.rights(template.role_of(function))
        if right.condition
        for key in json.loads(right.condition)["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    }


def test_the_table_lists_exactly_the_folders() -> None:
    assert set(ROWS) == FOLDERS


def test_a_function_that_a_state_calls_stands_beside_that_state() -> None:
    called: dict[str, set[str]] = {name: set() for name in ROWS}
    for name, state in (one for workflow in WORKFLOWS for one in every_state(workflow)):
        if state["Type"] == "Task":
            target = state["Parameters"].get("FunctionName") or state["Parameters"]["TaskDefinition"]
            called[re.sub(r"(?<!^)(?=[A-Z])", "_", target.strip("${}")).lower()].add(name)
    for function, names in called.items():
        cell = ROWS[function]["workflow state"]
        assert cell.startswith("none: ") if not names else set(cell.split(", and ")[0].split(", ")) == names


@pytest.mark.parametrize("function", LAMBDAS)
def test_the_rows_that_a_function_writes_are_those_its_role_lets_it_write(function: str) -> None:
    assert row_kinds(function, "writes") == partitions(function)


@pytest.mark.parametrize("function", LAMBDAS)
@pytest.mark.parametrize("kind", ["rounds", "reviews"])
def test_a_function_reads_and_writes_rounds_or_reviews_when_its_role_lets_it(function: str, kind: str) -> None:
    template = synthesise()
    granted = {right.action for right in template.rights(template.role_of(function)) if f"/{kind}/" in right.resource}
    assert (kind in ROWS[function]["reads"]) == any(action.startswith("s3:Get") for action in granted)
    assert (kind in ROWS[function]["writes"]) == ("s3:PutObject" in granted)


@pytest.mark.parametrize("function", LAMBDAS)
def test_the_secrets_that_a_function_reads_are_those_its_role_lets_it_read(function: str) -> None:
    """This deployment asks no model, so a credential that is there for one is left out."""
    template = synthesise()
    readable = {
        kind
        for right in template.rights(template.role_of(function))
        if right.action == "secretsmanager:GetSecretValue"
        for kind in re.findall(r"/(?:\*|review)/([a-z-]+)-\?{6}$", right.resource)
    }
    assert ROWS[function]["secrets"].split("; ")[0] == (", ".join(sorted(readable)) or "none")


def test_whoever_has_a_github_token_or_asks_as_the_app_reads_its_private_key_and_nobody_else_does() -> None:
    """Preflight has no token: it looks at the shape of the key that later ones are minted with."""
    able = {function for function, row in ROWS.items() if row["secrets"].split("; ")[0].endswith("private-key")}
    assert able - {"preflight"} == {function for function, row in ROWS.items() if row["GitHub token"] != "none"}


@pytest.mark.parametrize(("task", "who"), [("fixer_task", "agent"), ("review_task", "reviewer")])
def test_a_task_has_no_token_and_no_secret_but_its_agents_for_a_model(task: str, who: str) -> None:
    assert ROWS[task]["GitHub token"] == "none"
    assert ROWS[task]["secrets"] == f"model-credential, if its {who} asks a model"
