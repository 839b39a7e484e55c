"""A workflow that AWS would not take, or that needs what is not modelled, is refused before it is deployed."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.embedded_aws.account import function_name, task_family
from infra.local.embedded_aws.step_functions.definitions import DefinitionRefused, check, render
from infra.local.embedded_aws.step_functions.execution_names import refusal
from tests.infra.conftest import Account

PLAIN = string.ascii_letters + string.digits + "-_"
PASS = {"StartAt": "A", "States": {"A": {"Type": "Pass", "End": True}}}


def test_placeholders_are_replaced_and_paths_into_the_context_are_left_alone() -> None:
    text = '{"FunctionName": "${PushFix}", "id.$": "$$.Execution.Id", "n.$": "$.n"}'
    assert (
        render(text, {"PushFix": "push_fix"}) == '{"FunctionName": "push_fix", "id.$": "$$.Execution.Id", "n.$": "$.n"}'
    )


def test_every_missing_substitution_is_named() -> None:
    with pytest.raises(DefinitionRefused, match=r"no substitution for Respond, Table\.Arn"):
        render("${Table.Arn} ${PushFix} ${Respond}", {"PushFix": "push_fix"})


@given(st.dictionaries(st.text(PLAIN.replace("-", "").replace("_", ""), min_size=1), st.text(string.ascii_lowercase)))
def test_a_substituted_text_has_no_placeholder_left(substitutions: dict[str, str]) -> None:
    text = " ".join(f"${{{name}}}" for name in substitutions)
    assert render(text, substitutions) == " ".join(substitutions.values())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"QueryLanguage": "JSONata"}, r"\$ uses QueryLanguage"),
        ({"States": {"A": {"Type": "Pass", "Assign": {"x": 1}, "End": True}}}, r"\$\.States\.A uses Assign"),
    ],
)
def test_jsonata_and_variables_are_refused(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(DefinitionRefused, match=complaint):
        check(json.dumps(PASS | change))


def test_a_parameter_may_be_called_assign() -> None:
    state = {"Type": "Pass", "Parameters": {"Assign": "someone"}, "End": True}
    check(json.dumps({"StartAt": "A", "QueryLanguage": "JSONPath", "States": {"A": state}}))


def run_task(**parameters: object) -> str:
    resource = "arn:aws:states:::ecs:runTask.sync"
    state = {"Type": "Task", "Resource": resource, "Parameters": {"Cluster": "local", **parameters}, "End": True}
    return json.dumps({"StartAt": "A", "States": {"A": state}})


@pytest.mark.parametrize("parameter", ["ClientToken", "ClientToken.$", "CapacityProvider", "Count"])
def test_a_parameter_that_step_functions_does_not_hand_on_to_run_task_is_refused(parameter: str) -> None:
    """Documentation page "Run Amazon ECS or Fargate tasks with Step Functions", supported parameters."""
    check(run_task(**{"TaskDefinition.$": "$.task"}))
    with pytest.raises(DefinitionRefused, match=parameter.partition(".")[0]):
        check(run_task(**{parameter: "x"}))


def test_a_definition_that_is_no_json_is_refused() -> None:
    with pytest.raises(DefinitionRefused, match="no JSON"):
        check("{")


def test_a_workflow_can_be_deployed_once_under_a_name_that_aws_takes(account: Account) -> None:
    account.aws.deploy("deployed-once", json.dumps(PASS), {})
    with pytest.raises(DefinitionRefused, match="deployed already"):
        account.aws.deploy("deployed-once", json.dumps(PASS), {})
    with pytest.raises(DefinitionRefused, match="not allowed"):
        account.aws.deploy("feedback round", json.dumps(PASS), {})


@given(st.text(PLAIN, min_size=1, max_size=80))
def test_plain_names_up_to_80_characters_are_taken(name: str) -> None:
    assert refusal(name) is None


@given(
    st.text(PLAIN, max_size=40),
    st.sampled_from(' \t\n<>{}[]?*"#%\\^|~`$&,;:/\x00\x7f\x9f\ud800\ufffe'),
    st.text(PLAIN, max_size=39),
)
def test_a_name_with_a_character_that_aws_refuses_is_refused(before: str, character: str, after: str) -> None:
    reason = refusal(before + character + after)
    assert reason is not None
    assert repr(character) in reason


@pytest.mark.parametrize("name", [None, "", "a" * 81])
def test_no_name_and_a_long_name_are_refused(name: str | None) -> None:
    assert refusal(name) is not None


@pytest.mark.parametrize(
    "text",
    ["push_fix", "arn:aws:lambda:eu-west-1:1:function:push_fix", "arn:aws:lambda:eu-west-1:1:function:push_fix:7"],
)
def test_a_function_has_one_plain_name(text: str) -> None:
    assert function_name(text) == "push_fix"


@pytest.mark.parametrize("text", ["fixer", "fixer:3", "arn:aws:ecs:eu-west-1:1:task-definition/fixer:3"])
def test_a_task_definition_has_one_family(text: str) -> None:
    assert task_family(text) == "fixer"
