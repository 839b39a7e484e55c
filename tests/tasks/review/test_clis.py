"""The tools that a session's program is given are those that read (review §7.2)."""

from pathlib import Path
from typing import get_args

import pytest

from autoswe.contracts.review.session import Reviewer
from autoswe.tasks.agent_clis.cli import Launch, Settings
from autoswe.tasks.review.clis import REVIEW_CLIS
from autoswe.tasks.review.rules_reviewer import NAME
from tests.tasks.review.sessions import SECRETS

READING = {"cat", "jq", "grep", "head", "tail", "wc", "ls"}
WRITING = ("edit", "write", "create", "patch", "notebook")


def launch(reviewer: str, home: Path) -> Launch:
    settings = Settings(
        {
            "AUTOSWE_MODEL": "model-1",
            "AUTOSWE_MODEL_CREDENTIAL": SECRETS[reviewer],
            "AUTOSWE_AGENT_COMMAND": '["my-agent"]',
        }
    )
    return REVIEW_CLIS[reviewer].cli.launch(settings, home)


def listed(command: tuple[str, ...], flag: str) -> set[str]:
    """Read the value of a flag that is given once, as ``--flag=a,b``."""
    [value] = [word.removeprefix(f"{flag}=") for word in command if word.startswith(flag)]
    return set(value.split(","))


def test_every_name_that_a_manifest_may_give_is_that_of_one_reviewer() -> None:
    assert sorted([NAME, *REVIEW_CLIS]) == sorted(get_args(Reviewer))
    assert all(name == reviewer.cli.name for name, reviewer in REVIEW_CLIS.items())


def test_copilot_gets_shell_tools_alone_and_in_them_the_programs_that_read(tmp_path: Path) -> None:
    command = launch("copilot", tmp_path).command
    assert listed(command, "--available-tools") == {"bash", "list_bash", "read_bash", "stop_bash"}
    assert listed(command, "--allow-tool") == {f"shell({name}{rest})" for name in READING for rest in ("", ":*")}
    assert listed(command, "--deny-tool") == {
        "write",
        *(f"shell({name}{rest})" for name in ("gh", "git") for rest in ("", ":*")),
    }
    assert listed(command, "--secret-env-vars") == {"COPILOT_GITHUB_TOKEN"}


def test_copilot_asks_nobody_takes_no_instructions_and_brings_no_servers_and_no_updates(tmp_path: Path) -> None:
    command = set(launch("copilot", tmp_path).command)
    assert {"--no-ask-user", "--no-custom-instructions", "--disable-builtin-mcps", "--no-auto-update"} <= command
    assert not {word for word in command if word.startswith(("--allow-all", "--trust", "--yolo"))}


def test_what_copilot_writes_about_its_work_stays_in_its_home(tmp_path: Path) -> None:
    """A transcript in the folder that the session reads could be read back as if it belonged to the packet."""
    command = launch("copilot", tmp_path).command
    files = [command[command.index(flag) + 1] for flag in ("--usage-output-file", "--log-dir")]
    for file in (*files, *listed(command, "--share")):
        assert Path(file).is_relative_to(tmp_path)


def test_claude_gets_tools_that_read_files_and_is_confined_to_its_folder(tmp_path: Path) -> None:
    command = launch("claude", tmp_path).command
    assert command[command.index("--tools") + 1] == "Read,Glob,Grep"
    assert {"--restricted", "--strict-mcp-config", "--disable-slash-commands"} <= set(command)
    assert "--permission-mode" not in command


@pytest.mark.parametrize("reviewer", ["claude", "codex"])
def test_no_form_of_an_answer_is_forced_on_a_reviewer(tmp_path: Path, reviewer: str) -> None:
    """A verdict is the last block of a message, and a fixer's form of an answer would leave no room for it."""
    assert not [word for word in launch(reviewer, tmp_path).command if "schema" in word]


@pytest.mark.parametrize("reviewer", SECRETS)
def test_no_tool_that_writes_files_is_offered_and_no_credential_is_an_argument(tmp_path: Path, reviewer: str) -> None:
    started = launch(reviewer, tmp_path)
    offered = [word for word in started.command if word.startswith(("--available", "--allow")) or "," in word]
    assert not [word for word in offered if "deny" not in word and any(tool in word.lower() for tool in WRITING)]
    assert SECRETS[reviewer] not in " ".join(started.command)
    assert [value for value in started.environment.values() if value == SECRETS[reviewer]]
