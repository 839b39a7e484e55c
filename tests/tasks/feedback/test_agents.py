"""Whatever agent runs, it has its time, and its outcome speaks of each thread once (architecture §5)."""

import signal
from typing import get_args

import pytest

from autoswe.contracts.containers import AgentName
from autoswe.contracts.feedback.fixing import FixerBrief, Outcome, ThreadOutcome, ThreadOutcomeKind
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback import agents
from autoswe.tasks.feedback.agents import AGENTS, CLIS, Agent, repair
from tests.tasks.containers import Task


def speaking_of(*labels: str, note: str = "") -> Agent:
    def agent(_workspace: Workspace, _brief: FixerBrief) -> Outcome:
        return Outcome(
            agent="suggestions",
            threads=tuple(
                ThreadOutcome(label=label, outcome=ThreadOutcomeKind.DECLINED, note=note) for label in labels
            ),
        )

    return agent


def run(task: Task, transfer: Transfer, agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "AGENTS", {"suggestions": agent})
    repair(task.agent_manifest((), timeout_seconds=7), task.scratch, transfer)


def test_every_name_that_a_manifest_may_give_is_that_of_one_agent() -> None:
    assert sorted([*AGENTS, *CLIS]) == sorted(get_args(AgentName))
    assert all(name == cli.name for name, cli in CLIS.items())


def test_an_agent_is_interrupted_when_its_time_is_over(
    task: Task, transfer: Transfer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alarm is brought forward, so that nobody has to wait for it."""
    left: list[float] = []

    def endless(workspace: Workspace, brief: FixerBrief) -> Outcome:
        left.append(signal.getitimer(signal.ITIMER_REAL)[0])
        signal.raise_signal(signal.SIGALRM)
        raise AssertionError("the agent went on")

    with pytest.raises(TaskFailed, match="the agent did not finish within 7 seconds"):
        run(task, transfer, endless, monkeypatch)
    assert 0 < left[0] <= 7
    assert "outcome.json" not in task.storage.objects


def test_no_alarm_is_left_behind(task: Task, transfer: Transfer, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = signal.getsignal(signal.SIGALRM)
    run(task, transfer, speaking_of("T99"), monkeypatch)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) is handler
    assert task.outcome.threads[0].label == "T99"


@pytest.mark.parametrize("labels", [(), ("T1",), ("T99", "T99"), ("T99", "T1")])
def test_an_outcome_that_misses_doubles_or_invents_a_thread_is_not_uploaded(
    task: Task, transfer: Transfer, monkeypatch: pytest.MonkeyPatch, labels: tuple[str, ...]
) -> None:
    with pytest.raises(TaskFailed, match="does not speak of each thread of the brief once"):
        run(task, transfer, speaking_of(*labels), monkeypatch)
    assert "outcome.json" not in task.storage.objects
