"""The agent container: hands the workspace and the brief to an agent, and its outcome on.

Every agent is a function of the workspace, which it edits, and the brief; it returns what it says about each thread.
"""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import NoReturn

from autoswe.contracts.feedback.fixing import MAX_OUTCOME_BYTES, AgentManifest, FixerBrief, Outcome
from autoswe.tasks.agent_clis.claude import CLAUDE
from autoswe.tasks.agent_clis.cli import Cli, Settings
from autoswe.tasks.agent_clis.codex import CODEX
from autoswe.tasks.agent_clis.command import COMMAND_LINE
from autoswe.tasks.agent_clis.copilot import COPILOT
from autoswe.tasks.agent_clis.session import Session
from autoswe.tasks.container.documents import parse
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import Transfer
from autoswe.tasks.container.workspace import Workspace
from autoswe.tasks.feedback import suggestions_agent
from autoswe.tasks.feedback.model_agent import ModelAgent

Agent = Callable[[Workspace, FixerBrief], Outcome]

AGENTS: Mapping[str, Agent] = {suggestions_agent.NAME: suggestions_agent.apply_brief}
"""The agents that need nothing but the workspace and the brief, by the names that a manifest may give."""

CLIS: Mapping[str, Cli] = {cli.name: cli for cli in (COPILOT, CLAUDE, CODEX, COMMAND_LINE)}
"""The command-line agents by the names that a manifest may give."""

CLI_SHARE = 0.9
"""The part of an agent's time that a command-line agent gets; the rest is for unpacking, ending it and uploading."""

logger = logging.getLogger(__name__)


def repair(manifest: AgentManifest, scratch: Path, transfer: Transfer) -> None:
    """Unpack the source below ``scratch``, run the agent on it, and upload the outcome.

    ``TaskFailed`` when anything went wrong or took longer than the manifest allows, and then nothing was uploaded.
    """
    with _deadline(manifest.timeout_seconds):
        archive = transfer.download(manifest.source, "the source archive")
        brief = parse(FixerBrief, transfer.download(manifest.brief, "the brief"), "the brief")
        workspace = Workspace.unpack(BytesIO(archive), scratch / "workspace")
        outcome = _choose(manifest, scratch)(workspace, brief)
    if [thread.label for thread in outcome.threads] != [thread.label for thread in brief.threads]:
        raise TaskFailed("the agent's outcome does not speak of each thread of the brief once, in order")
    body = outcome.model_dump_json().encode()
    if len(body) > MAX_OUTCOME_BYTES:
        raise TaskFailed(f"the outcome is larger than {MAX_OUTCOME_BYTES} bytes")
    transfer.upload(manifest.outcome, body, "the outcome")
    logger.info("the agent %s spoke of %d threads", outcome.agent, len(outcome.threads))


def _choose(manifest: AgentManifest, scratch: Path) -> Agent:
    if manifest.agent in AGENTS:
        return AGENTS[manifest.agent]
    seconds = manifest.timeout_seconds * CLI_SHARE
    return ModelAgent(Session(CLIS[manifest.agent], Settings(os.environ), scratch / "agent", seconds))


@contextmanager
def _deadline(seconds: int) -> Iterator[None]:
    """Raise ``TaskFailed`` wherever the main thread is once ``seconds`` have passed."""

    def expire(_number: int, _frame: FrameType | None) -> NoReturn:
        raise TaskFailed(f"the agent did not finish within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
