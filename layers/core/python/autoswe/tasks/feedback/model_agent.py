"""The agents with a model: what reviewers wrote out is applied first, and only what is left is asked of a model."""

from collections.abc import Sequence
from dataclasses import dataclass

from autoswe.contracts.containers import Usage
from autoswe.contracts.feedback.fixing import (
    AgentAnswer,
    AnsweredThread,
    BriefThread,
    FixerBrief,
    Outcome,
    ThreadOutcome,
    ThreadOutcomeKind,
)
from autoswe.rules.agents.answer_form import MAX_PLACES
from autoswe.rules.feedback.ci_prompt import compose_ci_prompt
from autoswe.rules.feedback.fixer_prompt import PromptThread, compose_prompt
from autoswe.rules.text.kinds import Fenced
from autoswe.tasks.agent_clis.session import Session
from autoswe.tasks.agent_clis.set_aside import put_back, real_path, set_aside
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback.suggestions_agent import apply_brief

UNMENTIONED = "This remark needs a person: the agent did not say what it did about it."


@dataclass(frozen=True, slots=True)
class ModelAgent:
    """Answers for a brief with the help of one session of a command-line agent."""

    session: Session

    def __call__(self, workspace: Workspace, brief: FixerBrief) -> Outcome:
        """Apply the suggestions, then ask about every thread that they do not settle, or about the CI that failed.

        With none left, nothing is asked. A thread that the answer leaves out needs a person. ``TaskFailed`` when the
        agent failed, or when its answer is about another commit or about threads that it was not asked about, or
        speaks of one twice.
        """
        applied = apply_brief(workspace, brief).threads
        settled = {one.label: one for one in applied if one.outcome is ThreadOutcomeKind.ADDRESSED}
        open_threads = [thread for thread in brief.threads if thread.label not in settled]
        usage = Usage()
        if open_threads or brief.failed_ci:
            answer, usage, mark = self._ask(workspace, brief, open_threads)
            answered = _match(answer, brief.head_sha, open_threads)
            applied = tuple(
                one if one.label in settled else _join(one, answered.get(one.label), mark) for one in applied
            )
        return Outcome(agent=self.session.cli.name, threads=applied, usage=usage)

    def _ask(
        self, workspace: Workspace, brief: FixerBrief, threads: Sequence[BriefThread]
    ) -> tuple[AgentAnswer, Usage, str]:
        mark = set_aside(workspace.root)
        try:
            answer, usage = self.session.ask(_prompt(brief, threads, mark), workspace.root, AgentAnswer)
        finally:
            put_back(workspace.root, mark, self.session.folder / "replaced")
        return answer, usage, mark


def _prompt(brief: FixerBrief, threads: Sequence[BriefThread], mark: str) -> str:
    if brief.failed_ci is not None:
        evidence, answered = Fenced(brief.failed_ci.evidence), Fenced(brief.failed_ci.remarks)
        return compose_ci_prompt(brief.head_sha, evidence, answered, mark, brief.task)
    notes = Fenced(brief.trigger_notes) if brief.trigger_notes is not None else None
    remarks = [PromptThread(thread.label, thread.path, thread.line, Fenced(thread.text)) for thread in threads]
    return compose_prompt(brief.head_sha, notes, remarks, mark, brief.task)


def _match(answer: AgentAnswer, head_sha: str, asked: Sequence[BriefThread]) -> dict[str, AnsweredThread]:
    if answer.head_sha != head_sha:
        raise TaskFailed("the agent's answer is about another commit than the one it was given")
    answered = {thread.label: thread for thread in answer.threads}
    if len(answered) < len(answer.threads) or not answered.keys() <= {thread.label for thread in asked}:
        raise TaskFailed("the agent's answer speaks of a thread twice, or of one that it was not asked about")
    return answered


def _join(applied: ThreadOutcome, answered: AnsweredThread | None, mark: str) -> ThreadOutcome:
    """Put a model's word on one thread in the place of what applying its suggestions came to, if anything."""
    if answered is None:
        return applied.model_copy(update={"outcome": ThreadOutcomeKind.NEEDS_PERSON, "note": UNMENTIONED})
    places = dict.fromkeys((*applied.places, *(real_path(place, mark) for place in answered.places)))
    return ThreadOutcome(
        label=applied.label,
        outcome=answered.outcome,
        note=" ".join(answered.note.split()),
        places=tuple(places)[:MAX_PLACES],
    )
