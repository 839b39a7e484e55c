"""The agent container with a command-line agent, as a process: what leaves it, and what does not (architecture §5)."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from autoswe.contracts.containers import AgentName, Usage
from autoswe.contracts.feedback.fixing import BriefSuggestion, ChangeOperation, ThreadOutcomeKind
from tests.support.containers.warm import warm_interpreter
from tests.tasks.agent_clis.stand_ins import AGENTS, GOOD, install
from tests.tasks.containers import COLD, Task
from tests.tasks.source_trees import text_file

SOURCE = (text_file("app.txt", "wrong\n"), text_file("AGENTS.md", "Obey.\n"), text_file(".claude/settings.json", "{}"))
SUGGESTED = BriefSuggestion(label="T1", path="AGENTS.md", start_line=1, end_line=1, lines=("Be kind.",))
SECRET = "sk" + "-" + "container" * 4


@pytest.fixture
def task(task: Task) -> Task:
    return replace(task, interpreter=warm_interpreter())


@pytest.fixture
def variables(tmp_path: Path) -> Mapping[str, str]:
    (tmp_path / "bin").mkdir()
    return {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "AUTOSWE_MODEL": "model-1",
        "AUTOSWE_MODEL_CREDENTIAL": SECRET,
        "AUTOSWE_AGENT_COMMAND": '["my-agent"]',
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_what_reviewers_and_agent_changed_is_collected_together(
    task: Task, tmp_path: Path, variables: Mapping[str, str], agent: AgentName
) -> None:
    install(tmp_path / "bin", agent, GOOD)
    ended = task.run("agent", task.agent_manifest(SOURCE, SUGGESTED, agent=agent), variables)
    assert ended.exit_code == 0, ended.log
    assert ended.log == f"the agent {agent} spoke of 2 threads\n"
    assert [(told.label, told.outcome, told.places) for told in task.outcome.threads] == [
        ("T1", ThreadOutcomeKind.ADDRESSED, ("AGENTS.md",)),
        ("T99", ThreadOutcomeKind.ADDRESSED, ("app.txt",)),
    ]
    assert task.outcome.agent == agent
    assert (task.outcome.usage == Usage()) is (agent == "command")
    assert task.run("collect", task.collect_manifest(SOURCE)).exit_code == 0
    assert [(file.path, file.op) for file in task.change.files] == [
        ("AGENTS.md", ChangeOperation.MODIFY),
        ("app.txt", ChangeOperation.MODIFY),
    ]


def test_without_anything_left_to_ask_neither_program_nor_credential_is_needed(task: Task) -> None:
    manifest = task.agent_manifest((), agent="claude")
    brief = json.loads(task.storage.objects["brief.json"])
    stored = task.storage.store("brief.json", json.dumps(brief | {"threads": []}).encode())
    ended = task.run("agent", manifest.model_copy(update={"brief": stored}))
    assert ended.exit_code == 0, ended.log
    assert task.outcome.threads == ()


@pytest.mark.parametrize(
    "script",
    [
        "sys.exit(1)",
        "print('garbage')",
        "finish('x' * 20_000_000)",
        "print(SECRET); print(SECRET, file=sys.stderr); sys.exit('credential: ' + SECRET)",
        "finish(say(note=SECRET))",
        "os.kill(os.getpid(), signal.SIGSEGV)",
    ],
)
def test_an_agent_that_fails_leaves_no_outcome_and_no_credential(
    task: Task, tmp_path: Path, variables: Mapping[str, str], script: str
) -> None:
    install(tmp_path / "bin", "claude", script)
    ended = task.run("agent", task.agent_manifest(SOURCE, agent="claude"), variables)
    assert ended.exit_code == 1
    assert ended.log.splitlines()[-1].startswith("the a")
    assert SECRET not in ended.log
    assert "outcome.json" not in task.storage.objects


def test_an_agent_that_hangs_ends_with_the_time_that_it_was_given(
    task: Task, tmp_path: Path, variables: Mapping[str, str]
) -> None:
    install(tmp_path / "bin", "claude", "signal.pause()")
    ended = task.run("agent", task.agent_manifest(SOURCE, agent="claude", timeout_seconds=1), variables)
    assert ended.exit_code == 1
    assert ended.log.endswith("within 1 seconds\n")
    assert "outcome.json" not in task.storage.objects


def test_what_an_agent_writes_outside_the_workspace_is_not_collected(
    task: Task, tmp_path: Path, variables: Mapping[str, str]
) -> None:
    """Its home is beside the workspace; links out of the workspace are left out."""
    script = """
home = pathlib.Path(os.environ["HOME"])
(home / "loot.txt").write_text("outside")
(home.parents[1] / "loot.txt").write_text("outside")
pathlib.Path("out").symlink_to(home)
(pathlib.Path("out") / "more.txt").write_text("outside")
finish(answer)
"""
    install(tmp_path / "bin", "command", script)
    assert task.run("agent", task.agent_manifest(SOURCE, agent="command"), variables).exit_code == 0
    assert task.run("collect", task.collect_manifest(SOURCE)).exit_code == 0
    assert task.change.files == ()


def test_an_agent_that_looks_for_credentials_finds_its_own_alone(
    task: Task, tmp_path: Path, variables: Mapping[str, str]
) -> None:
    """It looks through its variables and every file that the task's containers share."""
    script = """
shared = pathlib.Path.cwd().parent
files = [file.read_text() for file in shared.rglob("*") if file.is_file()]
found = json.dumps([dict(os.environ), files])
pathlib.Path("found.txt").write_text(found)
finish(answer)
"""
    install(tmp_path / "bin", "claude", script)
    loot = {"AWS_SECRET_ACCESS_KEY": "aws", "GITHUB_TOKEN": "github", **variables}
    cold = replace(task, interpreter=COLD)
    assert cold.run("agent", task.agent_manifest(SOURCE, agent="claude"), loot).exit_code == 0
    seen, files = json.loads((task.workspace / "found.txt").read_text())
    assert [name for name, value in seen.items() if value == SECRET] == ["ANTHROPIC_API_KEY"]
    assert not [name for name in seen if name.startswith(("AUTOSWE", "AWS", "GITHUB"))]
    assert not [text for text in (*files, *seen.values()) if "Signature" in text]
    assert not [text for text in files if SECRET in text]


def test_processes_that_an_agent_leaves_behind_end_with_it(
    task: Task, tmp_path: Path, variables: Mapping[str, str]
) -> None:
    script = """
child = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
pathlib.Path("child.txt").write_text(str(child.pid))
finish(answer)
"""
    install(tmp_path / "bin", "command", script)
    assert task.run("agent", task.agent_manifest(SOURCE, agent="command"), variables).exit_code == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int((task.workspace / "child.txt").read_text()), 0)
