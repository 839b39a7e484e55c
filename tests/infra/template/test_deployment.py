"""What an operator decides is refused in one sentence when it will not do."""

from pathlib import Path
from typing import Any, get_args

import pytest

from autoswe.contracts.containers import AgentName
from autoswe.contracts.review.session import Reviewer
from infra.cloud.context_values import SettingRefused
from infra.cloud.deployment import AGENTS, AgentSettings, RunReporters, read_deployment
from infra.cloud.review_settings import REVIEWERS, ReviewSettings

GOOD: dict[str, Any] = {"stack": "autoswe", "agent": "suggestions", "egress_domains": [], "review_agent": "rules"}
ASKING: dict[str, Any] = GOOD | {"review_agent": "claude", "review_model_domains": "api.anthropic.com"}


def test_the_agents_that_a_deployment_may_name_are_those_that_there_are_adapters_for() -> None:
    assert set(AGENTS) == set(get_args(AgentName))


def test_the_reviewers_that_a_deployment_may_name_are_those_that_there_are_adapters_for() -> None:
    assert set(REVIEWERS) == set(get_args(Reviewer))


def test_the_repositorys_own_context_names_its_agent_and_its_reviewer() -> None:
    from infra.cloud.app import read_context

    assert (read_context()["agent"], read_context()["review_agent"]) == ("suggestions", "rules")


@pytest.mark.parametrize("name", ["agent", "review_agent"])
def test_an_agent_or_reviewer_that_is_not_named_stops_the_synthesis(name: str, tmp_path: Path) -> None:
    from infra.cloud.app import build_app, read_context

    context = {key: value for key, value in read_context().items() if key != name}
    with pytest.raises(SettingRefused, match=rf"^the context value {name} is missing: name it in cdk\.json or with -c"):
        build_app(context, str(tmp_path))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("agent", "", "agent is missing"),
        ("agent", 7, "agent is missing"),
        ("agent", "gpt", "agent is 'gpt', which is none of: suggestions"),
        ("stack", None, "stack is missing"),
        ("stack", "Auto SWE", "stack is 'Auto SWE': it takes 1 to 32 lower-case letters, digits and hyphens"),
        ("stack", "a" * 33, "it takes 1 to 32"),
        ("egress_domains", 7, "egress_domains is neither a list nor names joined by commas"),
        ("egress_domains", ["pypi.org", "*"], "egress_domains holds '*', which is not a domain name"),
        ("egress_domains", ["https://pypi.org"], "which is not a domain name"),
        ("egress_domains", "pypi.org,", "egress_domains holds '', which is not a domain name"),
        ("egress_domains", [None], "which is not a domain name"),
        ("model_domains", ["*"], "model_domains holds '*', which is not a domain name"),
        ("model", "--yolo", "model is '--yolo', which is no name of a model"),
        ("model", 7, "which is no name of a model"),
        ("model", "model-1", "of no use to suggestions, which asks none"),
        ("model_domains", ["api.anthropic.com"], "of no use to suggestions, which asks none"),
        ("agent", "claude", "model is missing: claude is told which one to ask"),
        ("agent", "command", "agent_command goes with the agent command, and with no other"),
        ("run_reporters", 7, "run_reporters is neither a list nor names joined by commas"),
        ("run_reporters", ["*"], "run_reporters holds '*': it takes accounts, by number, and roles, by ARN"),
        ("run_reporters", ["12345678901"], "it takes accounts, by number"),
        ("run_reporters", ["arn:aws:iam::123456789012:root"], "it takes accounts, by number"),
        ("run_reporters", ["arn:aws:iam::123456789012:role/*"], "it takes accounts, by number"),
        ("run_reporters", [None], "run_reporters holds None"),
        ("agent_command", ["my-agent"], "agent_command goes with the agent command, and with no other"),
        ("agent_command", "my-agent", "agent_command is no list of a program and its arguments"),
        ("agent_command", '{"a": 1}', "agent_command is no list of a program and its arguments"),
        ("agent_command", ["my-agent", 7], "agent_command is no list of a program and its arguments"),
        ("review_agent", "suggestions", "review_agent is 'suggestions', which is none of: rules"),
        ("review_agent", "copilot", "review_model_domains is missing: copilot must reach its model's service"),
        ("review_agent", "command", "review_agent_command goes with the reviewer command, and with no other"),
        ("review_agent_command", ["mine"], "review_agent_command goes with the reviewer command, and with no other"),
        ("review_model", "model-1", "of no use to rules, which asks none"),
        ("review_model_domains", ["api.anthropic.com"], "of no use to rules, which asks none"),
        ("review_model", "Claude Opus", "review_model is 'Claude Opus', which is no name of a model"),
        ("review_connection", "*", "review_connection is '*', which is no name of a connection"),
        ("review_connection", "a/b", "which is no name of a connection"),
        ("review_org", "an org", "review_org is 'an org', which is no name of an organisation"),
        ("review_exclusions", "owner/name", "review_exclusions holds 'owner/name': it takes names of repositories"),
        ("review_exclusions", [".."], "review_exclusions holds '..'"),
        ("review_schedule", "on", "review_schedule is 'on': it takes true or false"),
        ("review_schedule", 1, "review_schedule is 1: it takes true or false"),
        ("review_schedule", True, "review_org is missing: the schedules are told what to review"),
    ],
)
def test_an_unusable_value_is_named_with_what_is_wrong(name: str, value: object, sentence: str) -> None:
    with pytest.raises(SettingRefused) as refused:
        read_deployment((GOOD | {name: value}).get)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("value", "domains"),
    [
        (None, ()),
        ("", ()),
        ([], ()),
        ("pypi.org,*.npmjs.org", ("pypi.org", "*.npmjs.org")),
        (["pypi.org", "*.npmjs.org"], ("pypi.org", "*.npmjs.org")),
    ],
)
def test_domains_come_as_a_list_from_the_file_or_joined_from_the_command_line(
    value: object, domains: tuple[str, ...]
) -> None:
    assert read_deployment((GOOD | {"egress_domains": value}).get).egress_domains == domains


def test_who_may_report_runs_is_an_account_or_a_role_and_nobody_until_named() -> None:
    assert read_deployment(GOOD.get).run_reporters == RunReporters()
    role = "arn:aws:iam::210987654321:role/ci/reporter"
    named = read_deployment((GOOD | {"run_reporters": f"123456789012,{role}"}).get).run_reporters
    assert named == RunReporters(("123456789012",), (role,))
    assert named.principals == ("123456789012", role)


@pytest.mark.parametrize("agent", ["copilot", "claude", "codex"])
def test_an_agent_that_lives_by_a_model_needs_a_way_to_it(agent: str) -> None:
    asked = GOOD | {"agent": agent, "model": "model-1"}
    with pytest.raises(SettingRefused, match=f"model_domains is missing: {agent} must reach its model's service"):
        read_deployment(asked.get)
    deployment = read_deployment((asked | {"model_domains": "api.example.com", "egress_domains": "pypi.org"}).get)
    assert deployment.egress_domains == ("pypi.org", "api.example.com")
    assert deployment.agent_settings == AgentSettings("model-1", (), asks_a_model=True)


@pytest.mark.parametrize("command", [["my-agent", "--fix"], '["my-agent", "--fix"]'])
def test_a_command_comes_as_a_list_from_the_file_or_as_json_from_the_command_line(command: object) -> None:
    deployment = read_deployment((GOOD | {"agent": "command", "agent_command": command}).get)
    assert deployment.agent_settings == AgentSettings("", ("my-agent", "--fix"), asks_a_model=False)


def test_reviews_are_read_with_their_defaults() -> None:
    assert read_deployment(GOOD.get).review == ReviewSettings("rules", connection="review", on_schedule=False)


def test_a_reviewer_that_asks_a_model_reaches_its_service_and_has_a_credential() -> None:
    deployment = read_deployment((ASKING | {"egress_domains": "pypi.org"}).get)
    assert deployment.egress_domains == ("pypi.org", "api.anthropic.com")
    assert deployment.review.asks_a_model
    assert not read_deployment(GOOD.get).review.asks_a_model


@pytest.mark.parametrize("reviewer", ["claude", "codex"])
def test_a_reviewer_that_does_not_know_the_default_model_is_told_one_where_it_is_scheduled(reviewer: str) -> None:
    asked = ASKING | {"review_agent": reviewer, "review_org": "an-org"}
    with pytest.raises(SettingRefused, match=f"review_model is missing: {reviewer} is told which one to ask"):
        read_deployment(asked.get)
    assert read_deployment((asked | {"review_model": "model-1"}).get).review.model == "model-1"


@pytest.mark.parametrize(("value", "switched"), [(True, True), ("true", True), (False, False), ("false", False)])
def test_a_switch_comes_as_true_or_false_from_the_file_or_as_a_text_from_the_command_line(
    value: object, switched: bool
) -> None:
    given = GOOD | {"review_org": "an-org", "review_schedule": value}
    assert read_deployment(given.get).review.on_schedule is switched


@pytest.mark.parametrize("names", ["one,two", ["one", "two"]])
def test_repositories_to_leave_out_come_as_a_list_or_joined(names: object) -> None:
    assert read_deployment((GOOD | {"review_exclusions": names}).get).review.exclusions == ("one", "two")
