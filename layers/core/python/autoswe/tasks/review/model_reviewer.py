"""The reviewers with a model: one run of a program that reads packet, diff and checkout, and says what it concludes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autoswe.contracts.review.session import ReviewManifest
from autoswe.rules.agents.usage import SessionUsage
from autoswe.rules.review.run.preflight import judge_model_credential
from autoswe.tasks.agent_clis.cli import COMMAND, CREDENTIAL, MODEL, Settings
from autoswe.tasks.agent_clis.session import Session
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.review.clis import REVIEW_CLIS
from autoswe.tasks.review.session_logs import write_logs


@dataclass(frozen=True, slots=True)
class Answer:
    """What a session came to: the agent's last message, or in one sentence why there is none, and its cost and logs."""

    message: str | None
    failure: str
    usage: SessionUsage
    logs: str


def ask_model(
    manifest: ReviewManifest, prompt: str, desk: Path, own_folder: Path, variables: Mapping[str, str]
) -> Answer:
    """Ask the manifest's reviewer in the folder ``desk``; ``own_folder`` is created for what its program keeps.

    ``variables`` are the container's: the credential, and the program of ``command``. A credential that is not of the
    reviewer's kind never reaches its program (review §7.2).
    """
    settings = Settings({MODEL: manifest.model, **{name: variables.get(name, "") for name in (CREDENTIAL, COMMAND)}})
    refusal = judge_model_credential(manifest.reviewer, settings.get(CREDENTIAL) or None)
    if refusal is not None:
        return _nothing(refusal.sentence)
    reviewer = REVIEW_CLIS[manifest.reviewer]
    session = Session(reviewer.cli, settings, own_folder, manifest.timeout_seconds)
    try:
        turn = session.take_turn(prompt, desk)
    except TaskFailed as failure:
        return _nothing(str(failure))
    return Answer(
        message=turn.reply.text if turn.reply is not None else None,
        failure=turn.failure,
        usage=reviewer.read_usage(turn.ended.output, session.home),
        logs=write_logs(session, turn),
    )


def _nothing(failure: str) -> Answer:
    """Answer for a program that was never started."""
    return Answer(None, failure, SessionUsage(), f"{failure}\n")
