"""A program of the reviewer ``command`` that says of each pull request what a test tells it to, and ends so."""

import json
import signal
from dataclasses import dataclass
from pathlib import Path

from autoswe.rules.review.verdict.tiers import Tier
from infra.local.github_host.pulls.pulls import Pull
from tests.tasks.agent_clis.stand_ins import install

SUMMARY = "It reads well."

_SCRIPT = """
told = pathlib.Path(sys.argv[1])
key = json.loads(pathlib.Path("pull.json").read_text())["key"]
(told / f"{key}.md").write_text(prompt)
act = json.loads((told / f"{key}.json").read_text())
sys.stdout.buffer.write(act["says"].encode(errors="surrogateescape"))
sys.stdout.flush()
if act["ends"] is None:
    signal.pause()
if act["ends"] < 0:
    os.kill(os.getpid(), -act["ends"])
sys.exit(act["ends"])
"""


def verdict(pull: Pull, tier: Tier, summary: str = SUMMARY, **other: object) -> str:
    """Write a last message that ends with a verdict on a pull request's head; ``other`` replaces parts of it."""
    said = {
        "schema": 1,
        "repository": pull.repository.full_name,
        "pull_request": pull.number,
        "head_sha": pull.head_sha,
        "tier": tier,
        "summary": summary,
        "findings": [],
        "injection_attempts": [],
    }
    return f"I read it all.\n\n```json\n{json.dumps(said | other)}\n```\n"


@dataclass(frozen=True)
class ScriptedReviewer:
    """What the program is to say, and what it was asked."""

    root: Path

    @classmethod
    def install(cls, root: Path) -> "ScriptedReviewer":
        """Put the program below ``root``."""
        install(root, "command", _SCRIPT)
        reviewer = cls(root)
        reviewer._told.mkdir()
        return reviewer

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments."""
        return str(self.root / "my-agent"), str(self._told)

    def finds(self, pull: Pull, tier: Tier, summary: str = SUMMARY, **other: object) -> None:
        """Give a verdict on a pull request."""
        self.says(pull, verdict(pull, tier, summary, **other))

    def says(self, pull: Pull, text: str, *, ends: int | None = 0) -> None:
        """Say a text, whose lone surrogates stand for bytes, and end with that exit code, or never.

        A negative code is the signal that the program kills itself by.
        """
        act = {"says": text, "ends": ends}
        (self._told / f"{_key(pull)}.json").write_text(json.dumps(act))

    def is_killed(self, pull: Pull) -> None:
        """Die by a signal after a verdict that would do."""
        self.says(pull, verdict(pull, Tier.TRIVIAL), ends=-signal.SIGKILL)

    def hangs(self, pull: Pull) -> None:
        """Give a verdict that would do, and never end."""
        self.says(pull, verdict(pull, Tier.TRIVIAL), ends=None)

    def prompt(self, pull: Pull) -> str | None:
        """Return what it was asked of a pull request, ``None`` when it was not."""
        asked = self._told / f"{_key(pull)}.md"
        return asked.read_text() if asked.exists() else None

    @property
    def _told(self) -> Path:
        return self.root / "told"


def _key(pull: Pull) -> str:
    return f"{pull.repository.name}-{pull.number}"
