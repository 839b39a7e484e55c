"""One run of a command-line agent in a workspace, under the watchdog (architecture §9.12).

Its exit code alone proves nothing. It has an answer only when it ended by itself, in time, with exit code 0, when it
said that it came to its end, and when the last thing it said is an answer to what it was asked. In every other case
the run fails as a whole: its edits are in the workspace, and nobody answers for them.
"""

import logging
import os
from dataclasses import dataclass, replace
from pathlib import Path

from autoswe.contracts.containers import Usage
from autoswe.rules.text.redact import redact
from autoswe.tasks.agent_clis.cli import CREDENTIAL, Cli, Reply, Settings
from autoswe.tasks.container.documents import M, parse
from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.watchdog import TAIL_BYTES, Ended, run

MAX_OUTPUT_BYTES = 4 * 1024 * 1024
"""How much of the end of an agent's standard output is read."""

_SHOWN_LINES = 20

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Turn:
    """How one run of an agent ended, with what it said at the very end.

    Where ``reply`` is none, ``failure`` says in one sentence why. Of both outputs only whole lines are left.
    """

    ended: Ended
    reply: Reply | None
    failure: str


@dataclass(frozen=True, slots=True)
class Session:
    """One agent, what its deployment says about it, and how long it may run, in seconds.

    ``folder`` is created for the run and holds what the agent keeps for itself; its home starts out empty.
    """

    cli: Cli
    settings: Settings
    folder: Path
    seconds: float

    @property
    def home(self) -> Path:
        """The agent's home."""
        return self.folder / "home"

    def ask(self, prompt: str, workspace: Path, form: type[M]) -> tuple[M, Usage]:
        """Let the agent edit ``workspace`` as ``prompt`` says; ``TaskFailed`` unless its answer is of that form."""
        turn = self.take_turn(prompt, workspace)
        if turn.reply is None:
            self._show(turn.ended.tail)
            raise TaskFailed(turn.failure)
        return self._read_answer(turn.reply.text, form), turn.reply.usage

    def take_turn(self, prompt: str, workspace: Path) -> Turn:
        """Run the agent in ``workspace`` with ``prompt``, once.

        It gets the credential, and none of this process's variables but the path of programs. An answer that holds the
        credential is none.
        """
        temporary = self.folder / "temporary"
        for folder in (self.folder, self.home, temporary):
            folder.mkdir(mode=0o700)
        launch = self.cli.launch(self.settings, self.home)
        ended = run(
            launch.command,
            folder=workspace,
            environment={
                "PATH": os.environ.get("PATH", os.defpath),
                "HOME": str(self.home),
                "TMPDIR": str(temporary),
                "LANG": "C.UTF-8",
                **launch.environment,
            },
            timeout_seconds=self.seconds,
            text=prompt.encode(),
            output_bytes=MAX_OUTPUT_BYTES,
        )
        ended = replace(
            ended, output=_whole_lines(ended.output, MAX_OUTPUT_BYTES), tail=_whole_lines(ended.tail, TAIL_BYTES)
        )
        if not ended.succeeded:
            how = f"within {self.seconds:.0f} seconds" if ended.timed_out else f"well: exit code {ended.exit_code}"
            return Turn(ended, None, f"the agent {self.cli.name} did not end {how}")
        reply = self.cli.read_reply(ended.output, self.home)
        if reply is None:
            return Turn(ended, None, f"the agent {self.cli.name} ended without saying that it was done")
        credential = self.settings.get(CREDENTIAL)
        if credential and credential in reply.text:
            return Turn(ended, None, f"the answer of the agent {self.cli.name} holds the model's credential")
        return Turn(ended, reply, "")

    def hide_credentials(self, text: bytes) -> str:
        """Give what an agent wrote without credentials, its own above all."""
        shown = redact(text.decode(errors="replace")).text
        credential = self.settings.get(CREDENTIAL)
        return shown.replace(credential, "[credential]") if credential else shown

    def _read_answer(self, text: str, form: type[M]) -> M:
        """Read the answer, around which a model may have put words or a code fence."""
        answer = text[text.find("{") : text.rfind("}") + 1]
        # A model may well say half of a surrogate pair, which no document can hold.
        return parse(form, answer.encode(errors="replace"), f"the answer of the agent {self.cli.name}")

    def _show(self, errors: bytes) -> None:
        """Show the end of what a failed agent wrote to standard error."""
        for line in self.hide_credentials(errors).splitlines()[-_SHOWN_LINES:]:
            shown = "".join(letter if letter.isprintable() else "�" for letter in line)
            logger.info("%s| %s", self.cli.name, shown[:500])


def _whole_lines(end: bytes, max_bytes: int) -> bytes:
    """Leave out a first line whose beginning was cut off."""
    return end if len(end) < max_bytes else end.partition(b"\n")[2]
