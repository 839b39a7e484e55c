"""One run of a command-line agent gives a well-formed answer or fails as a whole (architecture §9.12)."""

import json
import logging
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from autoswe.contracts.containers import Usage
from autoswe.contracts.feedback.fixing import AgentAnswer, ThreadOutcomeKind
from autoswe.rules.feedback.fixer_prompt import PromptThread, compose_prompt
from autoswe.rules.text.kinds import Fenced
from autoswe.tasks.agent_clis.cli import Settings
from autoswe.tasks.agent_clis.session import MAX_OUTPUT_BYTES, Session
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.feedback.agents import CLIS
from tests.tasks.agent_clis.stand_ins import AGENTS, GOOD, install
from tests.tasks.containers import HEAD

SECRET = "sk" + "-" + "standin" * 5
VARIABLES = {
    "AUTOSWE_MODEL": "model-1",
    "AUTOSWE_MODEL_CREDENTIAL": SECRET,
    "AUTOSWE_AGENT_COMMAND": '["my-agent", "--flag"]',
    "AUTOSWE_MANIFEST_URL": "not for agents",
}
PROMPT = compose_prompt(HEAD, None, [PromptThread("T1", "app.txt", 1, Fenced("[T1]\n```text\nfix it\n```"))], ".inert1")
CREDENTIAL_NAMES = {
    "copilot": "COPILOT_GITHUB_TOKEN",
    "claude": "ANTHROPIC_API_KEY",
    "codex": "CODEX_API_KEY",
    "command": "AUTOSWE_MODEL_CREDENTIAL",
}

Ask = Callable[..., tuple[AgentAnswer, Usage]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "app.txt").write_text("wrong\n")
    return folder


@pytest.fixture
def ask(tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    def run(agent: str, script: str, seconds: float = 60.0) -> tuple[AgentAnswer, Usage]:
        install(programs, agent, script)
        return Session(CLIS[agent], Settings(VARIABLES), tmp_path / "agent", seconds).ask(
            PROMPT, workspace, AgentAnswer
        )

    return run


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_edits_the_workspace_and_its_last_word_is_its_answer(ask: Ask, workspace: Path, agent: str) -> None:
    answer, usage = ask(agent, GOOD)
    assert (workspace / "app.txt").read_text() == "right\n"
    assert answer.head_sha == HEAD
    assert [(told.label, told.outcome, told.note, told.places) for told in answer.threads] == [
        ("T1", ThreadOutcomeKind.ADDRESSED, "Done.", ("app.txt",))
    ]
    spent = Usage() if agent == "command" else Usage(input_tokens=22, output_tokens=14)
    assert usage == spent


@pytest.mark.parametrize("agent", AGENTS)
def test_words_and_a_code_fence_around_the_answer_are_no_part_of_it(ask: Ask, agent: str) -> None:
    answer, _ = ask(agent, 'finish("All done.\\n\\n```json\\n" + answer + "\\n```\\nBye.")')
    assert [told.label for told in answer.threads] == ["T1"]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_last_word_that_is_no_answer_fails_the_run(ask: Ask, agent: str) -> None:
    with pytest.raises(TaskFailed, match=f"the answer of the agent {agent} is not as agreed: json_invalid"):
        ask(agent, 'finish("I fixed it, all good.")')


@pytest.mark.parametrize(
    "text",
    [
        '""',
        '"{}"',
        "answer[:-1]",
        "say(outcome='done')",
        "say(note='x' * 501)",
        "say(places=['p'] * 51)",
        "say(labels=['T0'])",
        "say(labels=['T1'] * 101)",
        "say(head='main')",
        "answer.replace('threads', 'remarks')",
        "'[' * 100_000 + '{' * 100_000 + '}'",
    ],
)
def test_an_answer_out_of_its_bounds_fails_the_run(ask: Ask, text: str) -> None:
    with pytest.raises(TaskFailed, match="the answer of the agent command is not as agreed"):
        ask("command", f"finish({text})")


@pytest.mark.parametrize("agent", AGENTS)
def test_an_exit_code_fails_the_run_whatever_was_said_before(ask: Ask, agent: str) -> None:
    with pytest.raises(TaskFailed, match=f"the agent {agent} did not end well: exit code 3"):
        ask(agent, "finish(answer)\nsys.exit(3)")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_signal_fails_the_run(ask: Ask, agent: str) -> None:
    with pytest.raises(TaskFailed, match="did not end well: exit code None"):
        ask(agent, "finish(answer)\nos.kill(os.getpid(), signal.SIGKILL)")


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_that_takes_too_long_fails_the_run_even_if_it_then_ends_with_success(ask: Ask, agent: str) -> None:
    """One of the real agents answers TERM with exit code 0."""
    script = "signal.signal(signal.SIGTERM, lambda *_: (finish(answer), os._exit(0)))\nsignal.pause()"
    with pytest.raises(TaskFailed, match=f"the agent {agent} did not end within 1 seconds"):
        ask(agent, script, seconds=1.0)


NO_ENDS = {
    "copilot": (
        'emit({"type": "assistant.message", "data": {"content": answer}})',
        'finish(answer); emit({"type": "result", "exitCode": 1})',
        'finish(answer); emit({"type": "session.error", "data": {}})',
    ),
    "claude": (
        "print(answer)",
        'emit({"type": "result", "subtype": "success", "is_error": True, "terminal_reason": "completed"})',
        'emit({"type": "result", "subtype": "error_max_turns", "is_error": False, "terminal_reason": "max_turns"})',
        'emit({"type": "result", "subtype": "success", "is_error": False, "result": answer})',
    ),
    "codex": (
        'emit({"type": "item.completed", "item": {"type": "agent_message", "text": answer}})',
        'finish(answer); emit({"type": "turn.failed", "error": {"message": "no"}})',
        'emit({"type": "item.completed", "item": {"type": "agent_message", "text": answer}}, {"type": "turn.started"})',
    ),
}


@pytest.mark.parametrize(
    ("agent", "script"),
    [(agent, script) for agent, scripts in NO_ENDS.items() for script in (*scripts, "", "print('\\0garbage\\xff')")],
)
def test_an_agent_that_does_not_say_that_it_came_to_its_end_has_no_answer(ask: Ask, agent: str, script: str) -> None:
    with pytest.raises(TaskFailed, match=f"the agent {agent} ended without saying that it was done"):
        ask(agent, script)


@pytest.mark.parametrize("agent", AGENTS)
def test_of_a_huge_output_the_end_counts_and_no_more_is_kept(ask: Ask, agent: str) -> None:
    """The first line that is left begins in the middle of another one, and is not read."""
    flood = f"sys.stdout.write('x' * {MAX_OUTPUT_BYTES * 2}); sys.stdout.flush()\n"
    answer, _ = ask(agent, flood + "print()\nfinish(answer)")
    assert [told.label for told in answer.threads] == ["T1"]


@pytest.mark.parametrize("agent", ["copilot", "claude", "codex"])
def test_lines_that_are_no_events_are_passed_over(ask: Ask, agent: str) -> None:
    noise = 'print("null\\n[1]\\n" + "9" * 5000 + "\\n{" + "[" * 9000)\nemit({"type": 7, "data": 7, "item": [7]})\n'
    answer, _ = ask(agent, noise + "finish(answer)")
    assert [told.label for told in answer.threads] == ["T1"]


@pytest.mark.parametrize("number", ["-1", "10**13", "1.5", "True", '"7"', "None", "10**4000"])
def test_a_number_of_tokens_that_is_not_plausible_counts_as_none(ask: Ask, number: str) -> None:
    script = f'print("{{" + json.dumps({{"type": "turn.completed", "usage": {{"input_tokens": {number}}}}})[1:])'
    said = 'emit({"type": "item.completed", "item": {"type": "agent_message", "text": answer}})\n'
    _, usage = ask("codex", said + script)
    assert usage == Usage()


def test_a_usage_file_that_is_no_file_of_its_home_is_not_read(ask: Ask) -> None:
    script = """
finish(answer)
usage = pathlib.Path(sys.argv[sys.argv.index("--usage-output-file") + 1])
usage.rename("elsewhere.json")
usage.symlink_to(pathlib.Path("elsewhere.json").absolute())
"""
    _, usage = ask("copilot", script)
    assert usage == Usage()


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_gets_its_credential_a_fresh_home_and_nothing_of_ours(
    ask: Ask, tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    monkeypatch.setenv("AUTOSWE_MANIFEST_URL", "an address")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "ours")
    look = """
pathlib.Path("seen.json").write_text(json.dumps(dict(os.environ)))
pathlib.Path("home.txt").write_text(" ".join(os.listdir(os.environ["HOME"])))
finish(answer)
"""
    ask(agent, look)
    seen = json.loads((workspace / "seen.json").read_text())
    assert [name for name, value in seen.items() if value == SECRET] == [CREDENTIAL_NAMES[agent]]
    assert not [name for name in seen if name.startswith("AWS_") or "MANIFEST" in name]
    assert seen["HOME"] == str(tmp_path / "agent/home")
    assert set((workspace / "home.txt").read_text().split()) <= {".codex", "answer-schema.json"}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_credential_is_no_argument_that_others_could_list(ask: Ask, workspace: Path, agent: str) -> None:
    ask(agent, 'pathlib.Path("seen.txt").write_text(repr(sys.argv))\nfinish(answer)')
    assert SECRET not in (workspace / "seen.txt").read_text()


@pytest.mark.parametrize("split", ["SECRET", "SECRET[:9] + chr(27) + '[31m' + SECRET[9:]"])
def test_what_a_failed_agent_wrote_is_shown_without_its_credential(
    ask: Ask, caplog: pytest.LogCaptureFixture, split: str
) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(TaskFailed):
        ask("command", f"sys.exit('the service refused ' + {split} + ' for good')")
    assert "command| the service refused" in caplog.text
    assert "for good" in caplog.text
    assert SECRET not in re.sub(r"\x1b\[\d*m", "", caplog.text)


def test_a_credential_whose_beginning_was_cut_off_is_not_shown(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(TaskFailed):
        ask("command", "sys.stderr.write(SECRET * 1000); sys.stderr.write('\\nthe end'); sys.exit(1)")
    assert "command| the end" in caplog.text
    assert SECRET[9:] not in caplog.text


@pytest.mark.parametrize("agent", AGENTS)
def test_an_answer_that_tells_the_credential_fails_the_run(ask: Ask, agent: str) -> None:
    with pytest.raises(TaskFailed, match="holds the model's credential"):
        ask(agent, "finish(say(note=SECRET))")


def test_processes_that_an_agent_leaves_behind_are_ended(ask: Ask, workspace: Path) -> None:
    script = """
child = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
pathlib.Path("child.txt").write_text(str(child.pid))
finish(answer)
"""
    ask("command", script)
    with pytest.raises(ProcessLookupError):
        os.kill(int((workspace / "child.txt").read_text()), 0)


def test_an_agent_that_does_not_read_its_prompt_may_still_answer(ask: Ask, tmp_path: Path, workspace: Path) -> None:
    program = tmp_path / "bin/my-agent"
    program.write_text('#!/bin/sh\nexec <&-\necho \'{"head_sha": "' + HEAD + '", "threads": []}\'\n')
    program.chmod(0o755)
    session = Session(CLIS["command"], Settings(VARIABLES), tmp_path / "agent", 60)
    answer, _ = session.ask(PROMPT + "x" * 1_000_000, workspace, AgentAnswer)
    assert answer.threads == ()


def test_a_prompt_of_any_length_arrives(ask: Ask, tmp_path: Path, workspace: Path) -> None:
    install(tmp_path / "bin", "command", 'pathlib.Path("length.txt").write_text(str(len(prompt)))\nfinish(answer)')
    session = Session(CLIS["command"], Settings(VARIABLES), tmp_path / "agent", 60)
    session.ask(PROMPT + "x" * 1_000_000, workspace, AgentAnswer)
    assert (workspace / "length.txt").read_text() == str(len(PROMPT) + 1_000_000)


def test_an_agent_that_is_not_installed_fails_the_run(tmp_path: Path, workspace: Path) -> None:
    variables = VARIABLES | {"AUTOSWE_AGENT_COMMAND": '["no-such-agent"]'}
    with pytest.raises(TaskFailed, match="the agent command did not end well: exit code None"):
        Session(CLIS["command"], Settings(variables), tmp_path / "agent", 60).ask(PROMPT, workspace, AgentAnswer)


@pytest.mark.parametrize(
    ("agent", "missing"),
    [
        *(
            (agent, name)
            for agent in ("copilot", "claude", "codex")
            for name in ("AUTOSWE_MODEL", "AUTOSWE_MODEL_CREDENTIAL")
        ),
        ("command", "AUTOSWE_AGENT_COMMAND"),
    ],
)
def test_a_variable_that_an_agent_cannot_do_without_is_named(
    tmp_path: Path, workspace: Path, agent: str, missing: str
) -> None:
    with pytest.raises(TaskFailed, match=f"the environment variable {missing} is not set"):
        Session(CLIS[agent], Settings(VARIABLES | {missing: ""}), tmp_path / "agent", 60).ask(
            PROMPT, workspace, AgentAnswer
        )


@pytest.mark.parametrize("command", ["my-agent", "[]", '[""]', "{}", '["a", 7]'])
def test_a_command_that_is_no_list_of_words_is_refused(tmp_path: Path, workspace: Path, command: str) -> None:
    variables = VARIABLES | {"AUTOSWE_AGENT_COMMAND": command}
    with pytest.raises(TaskFailed, match="AUTOSWE_AGENT_COMMAND is no JSON list of a program and its arguments"):
        Session(CLIS["command"], Settings(variables), tmp_path / "agent", 60).ask(PROMPT, workspace, AgentAnswer)


def test_settings_do_not_show_the_credential() -> None:
    assert SECRET not in repr(Settings(VARIABLES))
