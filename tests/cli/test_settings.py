"""``autoswe settings`` and ``autoswe automations`` work on the table that the environment names."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from autoswe.cli.app import assemble
from autoswe.rules.settings.page import settings_page
from autoswe.rules.settings.registry import KILL_SWITCH, REGISTRY
from tests.support.fake_clock import FakeClock
from tests.support.mock_aws import running_on_mock_aws
from tests.support.mock_table import NAME, SWITCH, MockTable, mock_table

TEAM = ("--organization", "acme", "--team", "tools")


@pytest.fixture
def rows() -> Iterator[MockTable]:
    with mock_table() as mocked, running_on_mock_aws({"AUTOSWE_TABLE": NAME}, FakeClock()):
        yield mocked


def run(*arguments: str) -> Result:
    return CliRunner().invoke(assemble([]), list(arguments))


def settings(*arguments: str) -> str:
    """Run a command that must succeed, and return what it prints."""
    result = run("settings", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_every_setting_is_listed_with_its_value_and_whose_it_is(rows: MockTable) -> None:
    settings("set", KILL_SWITCH.name, "on", "--by", "ann")
    settings("set", "budget.monthlyUsd", "250", "--by", "ann", "--organization", "acme")
    listed = dict(line.split(maxsplit=1) for line in settings("list", *TEAM).splitlines())
    assert list(listed) == list(REGISTRY)
    assert listed[KILL_SWITCH.name] == "on (the platform)"
    assert listed["budget.monthlyUsd"] == "250 (the organisation acme)"
    assert listed["qodo.prFeedbackBotAccountIds"] == "none (default)"


def test_a_teams_value_is_told_with_those_above_it_and_who_changed_them(rows: MockTable) -> None:
    settings("set", KILL_SWITCH.name, "on", "--by", "ann")
    settings("set", KILL_SWITCH.name, "on", "--by", "bob", *TEAM)
    assert settings("set", KILL_SWITCH.name, "off", "--by", "cyd", *TEAM) == (
        "github.prFeedbackAutomationsEnabled: off (the team tools of acme)\n"
    )
    told = settings("get", KILL_SWITCH.name, *TEAM)
    assert told.startswith("github.prFeedbackAutomationsEnabled: off (the team tools of acme)\n")
    assert "the team tools of acme: off, set by cyd at 2026-11-30T12:00:00Z; before: on\n" in told
    assert "the platform: on, set by ann at 2026-11-30T12:00:00Z; before: none\n" in told
    assert "It is on or off; the default is off." in told
    assert settings("unset", KILL_SWITCH.name, "--by", "cyd", *TEAM) == (
        "github.prFeedbackAutomationsEnabled: on (the platform)\n"
    )


def test_a_value_that_somebody_broke_is_told_as_unreadable(rows: MockTable) -> None:
    rows.put(**SWITCH, value="yes", changed_by="ann", changed_at="2026-11-30T12:00:00Z")
    told = settings("get", KILL_SWITCH.name)
    assert "unreadable: what the platform has stored" in told
    assert "cannot be 'yes': it must be on or off" in told


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["set", "nothing", "on", "--by", "ann"], "there is no setting 'nothing'"),
    (["get", "nothing"], "there is no setting 'nothing'"),
    (["set", KILL_SWITCH.name, "perhaps", "--by", "ann"], "it must be on or off"),
    (["set", "qodo.prFeedbackWaitSeconds", "1", "--by", "ann", *TEAM], "is platform-wide"),
    (["list", "--team", "tools"], "a team belongs to an organisation"),
    (["spending", "5", "--by", "ann", "--month", "2026-13"], "'2026-13' is no month"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_one_sentence_and_changes_nothing(
    rows: MockTable, arguments: list[str], sentence: str
) -> None:
    result = run("settings", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert rows.rows("") == []


def test_what_a_month_has_cost_is_recorded(rows: MockTable) -> None:
    told = settings("spending", "120", "--by", "ann", "--organization", "acme")
    assert told == "2026-11: 120 USD for the organisation acme\n"
    settings("spending", "90", "--by", "ann", "--organization", "acme", "--month", "2026-10")
    assert [rows.get("SPENDING#acme", month)["usd"] for month in ("2026-11", "2026-10")] == [120, 90]


def test_the_page_is_printed_without_asking_the_table() -> None:
    assert settings("describe") == settings_page()


def test_without_a_table_in_the_environment_a_sentence_says_so() -> None:
    result = CliRunner(env={"AUTOSWE_TABLE": ""}).invoke(assemble([]), ["settings", "list"])
    assert (result.exit_code, result.stderr) == (
        2,
        "the records cannot be used: the environment variable AUTOSWE_TABLE is not set\n",
    )


def test_a_table_that_refuses_is_told_in_a_sentence(rows: MockTable) -> None:
    with running_on_mock_aws({"AUTOSWE_TABLE": "nowhere"}, FakeClock()):
        result = run("settings", "list")
    assert result.exit_code == 2
    assert result.stderr.startswith("the records cannot be used: ")


def test_an_automation_is_saved_with_what_it_selects_and_listed(rows: MockTable) -> None:
    saved = run(
        "automations", "save", "fix-feedback", "--repository", "octo/widgets", "--trigger", "command",
        "--max-rounds", "3", "--max-ci-fix-attempts", "0",
    )  # fmt: skip
    assert (saved.exit_code, saved.stderr) == (0, "")
    listed = run("automations", "list").stdout
    assert listed == saved.stdout
    assert json.loads(listed) == {
        "automation_id": "fix-feedback",
        "enabled": True,
        "repositories": ["octo/widgets"],
        "triggers": ["command"],
        "pull_requests": ["platform"],
        "max_rounds": 3,
        "max_ci_fix_attempts": 0,
    }


def test_an_automation_is_what_it_is_by_default_unless_something_else_is_said(rows: MockTable) -> None:
    assert json.loads(run("automations", "save", "fix-feedback").stdout) == {
        "automation_id": "fix-feedback",
        "enabled": True,
        "repositories": [],
        "triggers": ["changes_requested", "command"],
        "pull_requests": ["platform"],
        "max_rounds": 5,
        "max_ci_fix_attempts": 1,
    }


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["--max-rounds", "0"], "max_rounds cannot be 0"),
    (["--max-rounds", "21"], "max_rounds cannot be 21"),
    (["--max-ci-fix-attempts=-1"], "max_ci_fix_attempts cannot be -1"),
    (["--max-ci-fix-attempts", "2"], "max_ci_fix_attempts cannot be 2"),
    (["--trigger", "qodo"], "triggers.0 cannot be 'qodo'"),
    (["--pull-requests", "all"], "pull_requests.0 cannot be 'all'"),
    (["--repository", "widgets"], "repositories.0 cannot be 'widgets'"),
    (["--pull-requests", "others"], "github.prFeedbackOtherPullRequestsEnabled is off for the platform: set it to on"),
])  # fmt: skip
def test_an_automation_that_cannot_be_is_refused_in_one_sentence(
    rows: MockTable, arguments: list[str], sentence: str
) -> None:
    result = run("automations", "save", "fix-feedback", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert rows.rows("") == []


def test_a_plain_help_imports_no_client_and_no_model() -> None:
    """Who asks what there is waits for no library of AWS's."""
    import subprocess
    import sys

    program = (
        "import sys; from autoswe.cli.app import assemble; assemble([]);"
        "print({'botocore', 'pydantic'} & {name.split('.')[0] for name in sys.modules})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    assert ran.stdout == "set()\n"
