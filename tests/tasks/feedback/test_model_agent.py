"""A model is asked only about what reviewers did not write out, and its word is bounded (feedback §3)."""

import os
from io import BytesIO
from pathlib import Path

import pytest

from autoswe.contracts.containers import Usage
from autoswe.contracts.feedback.fixing import (
    BriefSuggestion,
    BriefThread,
    FailedCi,
    FixerBrief,
    Outcome,
    ThreadOutcome,
    ThreadOutcomeKind,
)
from autoswe.tasks.agent_clis.cli import Settings
from autoswe.tasks.agent_clis.session import Session
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.agents import CLIS
from autoswe.tasks.feedback.model_agent import UNMENTIONED, ModelAgent
from autoswe.tasks.feedback.suggestions_agent import APPLIED
from tests.tasks.agent_clis.stand_ins import install
from tests.tasks.containers import HEAD
from tests.tasks.source_trees import pack, text_file

SUGGESTED = BriefSuggestion(label="T1", path="a.py", start_line=2, end_line=2, lines=("suggested",))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    source = pack(text_file("a.py", "A\nB\nC\n"), text_file("AGENTS.md", "A\nB\n"))
    return Workspace.unpack(BytesIO(source), tmp_path / "workspace")


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelAgent:
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    settings = Settings({"AUTOSWE_AGENT_COMMAND": '["my-agent"]'})
    return ModelAgent(Session(CLIS["command"], settings, tmp_path / "agent", 60))


def behave(agent: ModelAgent, script: str) -> None:
    install(agent.session.folder.parent / "bin", "command", script)


def brief(*suggestions: BriefSuggestion, labels: tuple[str, ...] = ("T1", "T2")) -> FixerBrief:
    threads = [
        BriefThread(label=label, path="a.py", line=2, text=f"[{label}]\n```text\nwords of {label}\n```")
        for label in labels
    ]
    return FixerBrief(
        head_sha=HEAD,
        trigger_notes="[trigger]\n```text\nplease hurry\n```",
        threads=tuple(threads),
        suggestions=suggestions,
    )


def told(label: str, outcome: ThreadOutcomeKind, note: str, *places: str) -> ThreadOutcome:
    return ThreadOutcome(label=label, outcome=outcome, note=note, places=places)


def test_where_suggestions_settle_every_thread_no_program_is_started(agent: ModelAgent, workspace: Workspace) -> None:
    outcome = agent(workspace, brief(SUGGESTED, labels=("T1",)))
    assert outcome == Outcome(
        agent="command", threads=(told("T1", ThreadOutcomeKind.ADDRESSED, APPLIED, "a.py"),), usage=Usage()
    )
    assert (workspace.root / "a.py").read_text() == "A\nsuggested\nC\n"
    assert not agent.session.folder.exists()


def test_the_program_sees_suggestions_applied_and_is_asked_about_the_other_threads_alone(
    agent: ModelAgent, workspace: Workspace
) -> None:
    behave(
        agent,
        'pathlib.Path("seen.txt").write_text(pathlib.Path("a.py").read_text() + prompt)\n'
        'finish(say("Did\\n what  was asked.", places=["seen.txt"]))',
    )
    outcome = agent(workspace, brief(SUGGESTED))
    seen = (workspace.root / "seen.txt").read_text()
    assert seen.startswith("A\nsuggested\nC\n")
    assert "words of T2" in seen
    assert "please hurry" in seen
    assert "T1" not in seen
    assert outcome.threads == (
        told("T1", ThreadOutcomeKind.ADDRESSED, APPLIED, "a.py"),
        told("T2", ThreadOutcomeKind.ADDRESSED, "Did what was asked.", "seen.txt"),
    )


def test_a_thread_whose_suggestions_were_applied_in_part_keeps_their_places(
    agent: ModelAgent, workspace: Workspace
) -> None:
    overlapping = [
        SUGGESTED.model_copy(update={"start_line": line, "end_line": line, "path": path})
        for line, path in ((2, "a.py"), (9, "AGENTS.md"))
    ]
    behave(agent, 'finish(say("Rest done.", places=["b.py", "a.py"]))')
    outcome = agent(workspace, brief(*overlapping, labels=("T1",)))
    assert outcome.threads == (told("T1", ThreadOutcomeKind.ADDRESSED, "Rest done.", "a.py", "b.py"),)


def test_a_thread_that_the_answer_leaves_out_needs_a_person(agent: ModelAgent, workspace: Workspace) -> None:
    behave(agent, 'finish(say("No.", "declined", [], labels=["T2"]))')
    outcome = agent(workspace, brief())
    assert outcome.threads == (
        told("T1", ThreadOutcomeKind.NEEDS_PERSON, UNMENTIONED),
        told("T2", ThreadOutcomeKind.DECLINED, "No."),
    )


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("say(labels=['T2', 'T2'])", "speaks of a thread twice, or of one that it was not asked about"),
        ("say(labels=['T1'])", "speaks of a thread twice, or of one that it was not asked about"),
        ("say(labels=['T3'])", "speaks of a thread twice, or of one that it was not asked about"),
        ("say(head='2' * 40)", "about another commit"),
    ],
)
def test_an_answer_that_does_not_fit_the_question_fails_the_task(
    agent: ModelAgent, workspace: Workspace, answer: str, sentence: str
) -> None:
    behave(agent, f"finish({answer})")
    with pytest.raises(TaskFailed, match=sentence):
        agent(workspace, brief(SUGGESTED))


def test_a_file_that_configures_agents_is_edited_under_a_name_that_the_prompt_explains(
    agent: ModelAgent, workspace: Workspace
) -> None:
    """Suggestions for such a file were applied before and stay."""
    behave(
        agent,
        "assert not pathlib.Path('AGENTS.md').exists()\n"
        "mark = re.search('bear the ending ([.]inert[0-9]+) here', prompt)[1]\n"
        "file = pathlib.Path('AGENTS.md' + mark)\n"
        "file.write_text(file.read_text() + 'new\\n')\n"
        "finish(say(places=[str(file)]))",
    )
    suggestion = SUGGESTED.model_copy(update={"path": "AGENTS.md"})
    outcome = agent(workspace, brief(suggestion))
    assert (workspace.root / "AGENTS.md").read_text() == "A\nsuggested\nnew\n"
    assert [thread.places for thread in outcome.threads] == [("AGENTS.md",), ("AGENTS.md",)]


def test_files_are_put_back_when_the_program_fails_too(agent: ModelAgent, workspace: Workspace) -> None:
    behave(agent, "sys.exit(1)")
    with pytest.raises(TaskFailed, match="the agent command did not end well"):
        agent(workspace, brief())
    assert (workspace.root / "AGENTS.md").read_text() == "A\nB\n"


FAILED = FixerBrief(
    head_sha=HEAD,
    trigger_notes=None,
    threads=(),
    suggestions=(),
    failed_ci=FailedCi(evidence="[C1]\n```text\nassert 3 == 4\n```", remarks="[T1]\n```text\nrename it\n```"),
)


def test_a_failed_ci_is_asked_about_although_no_thread_is_open(agent: ModelAgent, workspace: Workspace) -> None:
    script = """
assert "assert 3 == 4" in prompt and "rename it" in prompt
pathlib.Path("a.py").write_text("repaired")
finish(answer)
"""
    behave(agent, script)
    assert agent(workspace, FAILED).threads == ()
    assert (workspace.root / "a.py").read_text() == "repaired"


def test_an_answer_about_a_thread_that_a_failed_ci_does_not_have_fails(agent: ModelAgent, workspace: Workspace) -> None:
    behave(agent, 'finish(say(labels=["T1"]))')
    with pytest.raises(TaskFailed):
        agent(workspace, FAILED)
